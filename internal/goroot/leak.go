package goroot

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
)

// A LeakKernel is a function of the test of the leak profile.
type LeakKernel struct {
	Name  string
	Flaky bool             // natively not every leak shows in each run
	Leaks []*regexp.Regexp // what the profile may say of a goroutine that leaks: its function and what it waits for
}

// Expects returns the index in Leaks of what a goroutine is that leaks, -1 if it is none of them.
// The function is the first one of the goroutine.
func (k *LeakKernel) Expects(function, waitsFor string) int {
	for i, leak := range k.Leaks {
		for _, reason := range waitReasons(waitsFor) {
			if leak.MatchString(function + "(...) [" + reason + "]") {
				return i
			}
		}
	}
	return -1
}

// waitReasons returns how the runtime names what a goroutine waits for at a primitive of everyway's
// machine. Who waits to write a RWMutex waits for the other writers first.
func waitReasons(primitive string) []string {
	switch primitive {
	case "sync.mutexLock":
		return []string{"sync.Mutex.Lock"}
	case "sync.rwLock":
		return []string{"sync.RWMutex.Lock", "sync.Mutex.Lock"}
	case "sync.rwRLock":
		return []string{"sync.RWMutex.RLock"}
	case "sync.wgWait":
		return []string{"sync.WaitGroup.Wait"}
	case "sync.condWait":
		return []string{"sync.Cond.Wait"}
	}
	return []string{primitive}
}

// LeakKernels returns the cases of the test of the leak profile. The error is fs.ErrNotExist if Go
// was installed without it.
func LeakKernels() ([]LeakKernel, error) {
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(runtime.GOROOT(), "src/runtime/goroutineleakprofile_test.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	var kernels []LeakKernel
	var wrong error
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		made, _ := call.Fun.(*ast.Ident)
		if made == nil || made.Name != "makeTest" && made.Name != "makeFlakyTest" {
			return true
		}
		var args []string
		for _, arg := range call.Args {
			if lit, ok := arg.(*ast.BasicLit); ok {
				s, err := strconv.Unquote(lit.Value)
				wrong = errors.Join(wrong, err)
				args = append(args, s)
			}
		}
		if len(args) == 0 {
			return true
		}
		k := LeakKernel{Name: args[0], Flaky: made.Name == "makeFlakyTest"}
		for _, text := range args[1:] {
			leak, err := regexp.Compile(text)
			wrong = errors.Join(wrong, err)
			k.Leaks = append(k.Leaks, leak)
		}
		kernels = append(kernels, k)
		return true
	})
	return kernels, wrong
}

// LeakTests makes a module of the kernels of the leak profile, with a test for each, in a directory that is not
// there yet. What they do many times, since natively few schedules leak, they do three times.
func LeakTests(dir string) error {
	from := filepath.Join(runtime.GOROOT(), "src/runtime/testdata/testgoroutineleakprofile")
	many := regexp.MustCompile(`i <=? \d{2,}; i\+\+`)
	write := regexp.MustCompile(`prof\.WriteTo\((\S+), 2\)`)
	register := regexp.MustCompile(`register\("(\w+)", (\w+)\)`)
	for _, sub := range []string{".", "goker"} {
		files, err := filepath.Glob(filepath.Join(from, sub, "*.go"))
		if err != nil {
			return err
		}
		var tests bytes.Buffer
		fmt.Fprintf(&tests, "package main\n\nimport \"testing\"\n")
		to := filepath.Join(dir, "kernels")
		if sub != "." {
			to = filepath.Join(dir, sub)
		}
		err = copyTo(to, "kernels/"+filepath.Base(to), files, func(text []byte) []byte {
			for _, m := range register.FindAllSubmatch(text, -1) {
				fmt.Fprintf(&tests, "\nfunc Test%s(t *testing.T) { %s() }\n", m[1], m[2])
			}
			text = write.ReplaceAll(text, []byte("_, _ = prof, $1"))
			return many.ReplaceAll(text, []byte("i < 3; i++"))
		})
		if err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(to, "go.mod")); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, "kernels_test.go"), tests.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module kernels\n\ngo 1.26\n"), 0o666)
}
