package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// Repro returns a test that has the input of the run, and no more: plain go test runs it. The
// schedule is up to the runtime; the comment says how it is forced. The command line is that of
// everyway confirm for the run file.
func Repro(r *schedule.Run, root, command string) ([]byte, error) {
	if r.Finding == nil {
		return nil, fmt.Errorf("the run has no finding")
	}
	switch r.Kind {
	case "test", "fuzz test":
	case "function":
		return reproFunc(r, root, command)
	default:
		return nil, fmt.Errorf("there is no test for a target of the kind %s: only tests, fuzz tests and functions have one", r.Kind)
	}
	tests, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(r.Dir), "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range tests {
		f, err := read(path, nil)
		if err != nil {
			return nil, err
		}
		for _, d := range f.syntax.Decls {
			if fn := f.function(d, r.Target); fn != nil {
				return f.repro(fn, r, command)
			}
		}
	}
	if len(r.Options.Generated) > 0 {
		return nil, fmt.Errorf("%s was made for the run and is in no file: everyway replay and everyway confirm make the run again", r.Target)
	}
	return nil, fmt.Errorf("%s has no test file with %s", r.Dir, r.Target)
}

// reproName returns the name of the test for a target.
func reproName(target string) string {
	return "TestEveryway" + strings.TrimPrefix(strings.TrimPrefix(target, "Fuzz"), "Test")
}

// scheduled reports whether the run has other goroutines than those that the test begins with.
func scheduled(r *schedule.Run) bool {
	own := 0 // dots in the name of the goroutine of the test
	if r.Kind == "fuzz test" {
		own = 1
	}
	return slices.ContainsFunc(r.Events, func(e schedule.RunEvent) bool {
		return !r.OfInitialiser(e.Goroutine) && strings.Count(e.Goroutine, ".") > own
	})
}

// repro returns the test for a target in the file.
func (f *file) repro(fn *ast.FuncDecl, r *schedule.Run, command string) ([]byte, error) {
	var b bytes.Buffer
	name := reproName(r.Target)
	fmt.Fprintf(&b, "package %s\n\n", f.syntax.Name.Name)
	var body string
	fuzz := r.Kind == "fuzz test"
	if fuzz {
		args, callback, _, err := f.arguments(fn, r)
		if err != nil {
			return nil, err
		}
		t := callback.Type.Params.List[0].Names[0].Name
		var lines strings.Builder
		fmt.Fprintf(&lines, "func %s(%s *testing.T) {\n%s", name, t, leakCheck(r, t))
		for _, a := range args {
			if a.name != "_" {
				fmt.Fprintf(&lines, "\tvar %s %s = %s\n", a.name, a.typ, literal(a))
			}
		}
		var used []string
		for _, a := range args {
			if a.name != "_" {
				used = append(used, a.name)
			}
		}
		if len(used) > 0 {
			fmt.Fprintf(&lines, "\t_%s = %s\n", strings.Repeat(", _", len(used)-1), strings.Join(used, ", "))
		}
		fmt.Fprintf(&lines, "\t%s\n}\n", strings.TrimSpace(string(f.text[f.offset(callback.Body.Lbrace)+1:f.offset(callback.Body.Rbrace)])))
		body = lines.String()
	} else {
		var lines strings.Builder
		fmt.Fprintf(&lines, "func %s(t *testing.T) {\n%s", name, leakCheck(r, "t"))
		if input := Symbols(r); input != "" {
			fmt.Fprintf(&lines, "\tt.Setenv(%q, %q)\n", InputVariable, input)
		}
		fmt.Fprintf(&lines, "\t%s(t)\n}\n", r.Target)
		body = lines.String()
	}
	var imports []string
	if leakCheck(r, "t") != "" {
		imports = slices.Clone(leakImports)
	}
	for _, spec := range f.syntax.Imports {
		text := f.source(spec)
		name := path.Base(strings.Trim(spec.Path.Value, "`\""))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\.`).MatchString(body) && spec.Path.Value != `"testing"` && !slices.Contains(imports, text) {
			imports = append(imports, text)
		}
	}
	fmt.Fprintf(&b, "import (\n\t\"testing\"\n")
	for _, text := range imports {
		fmt.Fprintf(&b, "\t%s\n", text)
	}
	fmt.Fprintf(&b, ")\n\n// %s shows a finding of everyway in %s:\n//\n", name, r.Target)
	f.aboutFinding(&b, r, command)
	b.WriteString(body)
	return format.Source(b.Bytes())
}

// aboutFinding writes what the finding is and whether it needs a schedule, as lines of a comment.
func (f *file) aboutFinding(b *bytes.Buffer, r *schedule.Run, command string) {
	for line := range strings.Lines(r.Finding.Kind + " at " + r.Finding.Pos + ": " + r.Finding.Message) {
		fmt.Fprintf(b, "//\t%s\n", strings.TrimSpace(line))
	}
	switch r.Finding.Kind {
	case "data race":
		b.WriteString("//\n// It is the race detector that reports it, with go test -race.\n")
	case "deadlock":
		b.WriteString("//\n// The test does not end then, unless go test has a -timeout.\n")
	}
	if scheduled(r) {
		fmt.Fprintf(b, "//\n// It needs a schedule, too, which plain go test meets by chance only. To force it, run\n//\n//\t%s\n", command)
	}
}

// leakCheck returns statements that make a test fail in its end if a goroutine is blocked where the
// one of a leak is, for a second; "" if the finding is none. The name of the test's parameter is
// given.
func leakCheck(r *schedule.Run, t string) string {
	if r.Finding.Kind != "leak" || t == "_" {
		return ""
	}
	for _, frame := range r.Finding.Stack {
		rest, _, ok := cutLast(frame.Pos)
		file, line, also := cutLast(rest)
		if ok && also && !strings.HasPrefix(file, "$GOROOT") {
			at := fmt.Sprintf("/%s:%d", path.Base(filepath.ToSlash(file)), line)
			return fmt.Sprintf(blockedFor, at+" ", at[1:], t)
		}
	}
	return ""
}

// leakImports are those of blockedFor.
var leakImports = []string{`"runtime"`, `"strings"`, `"time"`}

const blockedFor = `	defer func() {
		stacks := make([]byte, 1<<20)
		for i := 0; i < 100; i++ {
			time.Sleep(10 * time.Millisecond) // it may not have come there yet
			blocked := false
			for _, g := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
				calls, _, _ := strings.Cut(g, "\ncreated by ")
				blocked = blocked || strings.Contains(calls, %[1]q)
			}
			if i >= 10 && !blocked {
				return
			}
		}
		%[3]s.Error("a goroutine is still blocked at", %[2]q)
	}()
`

// literal returns the value of an argument as an expression of its type.
func literal(a argument) string {
	if strings.HasPrefix(a.typ, "[]") && !strings.HasPrefix(a.text, a.typ) {
		return a.typ + "(" + a.text + ")"
	}
	return a.text
}

// InputVariable is the environment variable that package sym reads inputs from.
const InputVariable = "EVERYWAY_INPUT"

// Symbols returns the inputs that a run has drawn through package sym, as [InputVariable] has them.
func Symbols(r *schedule.Run) string {
	var list []string
	for _, v := range r.Input {
		if !v.Choice {
			list = append(list, fmt.Sprintf("%s=%d", v.Name, v.Value))
		}
	}
	return strings.Join(list, " ")
}

// function returns the declaration if it is of the function of that name.
func (f *file) function(d ast.Decl, name string) *ast.FuncDecl {
	if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name && fn.Body != nil {
		return fn
	}
	return nil
}
