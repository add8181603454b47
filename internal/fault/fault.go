package fault

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/everyway-go/everyway/internal/disk"
)

// An Error is a panic of everyway's own code.
type Error struct {
	Value any    // of the panic
	Stack string // of the goroutine that panicked
}

// Error is a line.
func (e *Error) Error() string {
	text, _, _ := strings.Cut(fmt.Sprint(e.Value), "\n")
	return "everyway itself failed: " + text
}

// Catch recovers from a panic and makes it the error of the function that defers it.
func Catch(err *error) {
	if v := recover(); v != nil {
		*err = &Error{Value: v, Stack: string(debug.Stack())}
	}
}

// Do calls f, and returns a panic of it as an error.
func Do(f func() error) (err error) {
	defer Catch(&err)
	return f()
}

// Is reports whether an error is a panic of everyway's own code.
func Is(err error) bool {
	e := (*Error)(nil)
	return errors.As(err, &e)
}

// Home is where everyway is developed, and Issues where reports are sent.
const (
	Home   = "https://github.com/everyway-go/everyway"
	Issues = Home + "/issues"
)

// A Report is what the authors of everyway need to know of a fault. It names the target and
// holds nothing of its code.
type Report struct {
	Err    error
	Target string   // kind, package and name; "" if no target was searched
	Facts  []string // of the search, a line each
}

// Write writes the report to a file.
func (r *Report) Write(to disk.Path) error {
	return to.Write(func(w io.Writer) error {
		_, err := io.WriteString(w, r.String())
		return err
	})
}

// String returns the text of the report.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nPlease send this report: %s\n\n%s\n", r.Err, Issues, Version())
	if r.Target != "" {
		fmt.Fprintf(&b, "target: %s\n", r.Target)
	}
	for _, fact := range r.Facts {
		fmt.Fprintln(&b, fact)
	}
	if e := (*Error)(nil); errors.As(r.Err, &e) {
		fmt.Fprintf(&b, "\npanic: %v\n\n%s", e.Value, e.Stack)
	}
	text := b.String()
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		text = strings.ReplaceAll(text, home, "~") // whose name is nobody's business
	}
	return text
}

// Version says which build this is.
func Version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return fmt.Sprintf("everyway %s %s/%s %s", v, runtime.GOOS, runtime.GOARCH, runtime.Version())
}
