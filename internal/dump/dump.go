package dump

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/maruel/panicparse/v2/stack"
)

// A Dump is what a program prints of its goroutines.
type Dump struct {
	Goroutines []Goroutine
	Panicked   bool // the first goroutine has panicked, which has ended the program
}

// A Goroutine is one of a dump.
type Goroutine struct {
	ID     int
	State  string  // what it waits for, such as "chan receive", or "running"
	Frames []Frame // innermost first
}

// A Frame is a call of a function.
type Frame struct {
	Package string // import path of the function's package; "main" for a command
	Func    string // without the package: F, (*T).M, F.func1
	File    string
	Line    int
}

// MaxSize bounds the text that is read, in bytes.
const MaxSize = 64 << 20

// Parse returns the last dump in a text.
func Parse(r io.Reader) (*Dump, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxSize {
		return nil, fmt.Errorf("the text is longer than %d MiB", MaxSize>>20)
	}
	var last *stack.Snapshot
	panicked := false
	var in io.Reader = bytes.NewReader(text)
	for range bytes.Count(text, []byte("goroutine ")) + 1 { // a dump has one at least
		var before bytes.Buffer
		s, rest, err := stack.ScanSnapshot(in, &before, &stack.Opts{})
		if s != nil && len(s.Goroutines) > 0 {
			last, panicked = s, saysPanic(before.Bytes())
		}
		if errors.Is(err, io.EOF) || s == nil && len(rest) == 0 {
			break
		}
		in = io.MultiReader(bytes.NewReader(rest), in)
	}
	if last == nil {
		return nil, errors.New("no goroutine dump in it, such as a program prints that panics or gets SIGQUIT")
	}
	return newDump(last, panicked), nil
}

// saysPanic reports whether a text, before a dump, has the line with which a panic ends a program.
// What the program has printed before may not have ended its line, so that it is looked for
// anywhere in the lines right before the dump, if these say nothing else of why there is one. A log
// may have the same word in the middle of other lines.
func saysPanic(text []byte) bool {
	const word = "panic: "
	if bytes.HasPrefix(text, []byte(word)) || bytes.Contains(text, []byte("\n"+word)) {
		return true
	}
	last, ended := bytes.CutSuffix(text, []byte("\n\n"))
	if i := bytes.LastIndex(last, []byte("\n\n")); i >= 0 {
		last = last[i:]
	}
	return ended && bytes.Contains(last, []byte(word)) && !bytes.Contains(last, []byte("SIGQUIT: ")) &&
		!bytes.Contains(last, []byte("fatal error: "))
}

// newDump returns the goroutines of a dump.
func newDump(s *stack.Snapshot, panicked bool) *Dump {
	d := &Dump{Panicked: panicked && s.Goroutines[0].State == "running"}
	for _, g := range s.Goroutines {
		of := Goroutine{ID: g.ID, State: g.State}
		for i := range g.Stack.Calls {
			c := &g.Stack.Calls[i]
			of.Frames = append(of.Frames, Frame{
				Package: c.Func.ImportPath, Func: strings.TrimPrefix(c.Func.Complete, c.Func.ImportPath+"."), File: c.RemoteSrcPath, Line: c.Line,
			})
		}
		d.Goroutines = append(d.Goroutines, of)
	}
	return d
}

// waits are the states of goroutines that only others can wake, but for what follows in parentheses.
var waits = []string{
	"chan receive", "chan send", "select", "semacquire", "sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.Cond.Wait",
	"sync.WaitGroup.Wait",
}

// Waits reports whether the goroutine waits for another one.
func (g *Goroutine) Waits() bool {
	state, _, _ := strings.Cut(g.State, " (")
	for _, w := range waits {
		if state == w {
			return true
		}
	}
	return false
}

// WaitsForLock reports whether it waits for a lock.
func (g *Goroutine) WaitsForLock() bool {
	return strings.HasPrefix(g.State, "sync.Mutex.") || strings.HasPrefix(g.State, "sync.RWMutex.")
}
