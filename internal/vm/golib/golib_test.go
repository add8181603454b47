package golib

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestOverlay(t *testing.T) {
	goroot := runtime.GOROOT()
	overlay, err := Overlay(goroot)
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range overlay {
		if !strings.HasPrefix(file, filepath.Join(goroot, "src")) {
			t.Errorf("%s is outside of GOROOT", file)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments)
		if err != nil {
			t.Error(err)
			continue
		}
		model := strings.HasPrefix(filepath.Base(file), modelPrefix)
		blanked := len(f.Decls) == 0 && strings.HasPrefix(string(text), "//go:build ignore\n")
		if original, err := os.ReadFile(file); !model && !blanked &&
			(err != nil || strings.Count(string(original), "\n") != strings.Count(string(text), "\n")) {
			t.Errorf("%s is neither a model, nor blank, nor the original with functions cut", file)
		}
	}
	// The runtime is replaced as a whole.
	if proc := filepath.Join(goroot, "src", "runtime", "proc.go"); overlay[proc] == nil {
		t.Errorf("%s is not overlaid", proc)
	}
}

func TestBlankKeepsPackageClause(t *testing.T) {
	got, err := blank(filepath.Join(runtime.GOROOT(), "src", "strings", "builder.go"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "//go:build ignore\n\npackage strings\n"; string(got) != want {
		t.Errorf("blank = %q, want %q", got, want)
	}
}

func TestOverlayMissingPackage(t *testing.T) {
	if _, err := Overlay(t.TempDir()); err == nil {
		t.Error("no error for an empty GOROOT")
	}
}

func TestWithout(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	const original = `package a

import (
	"fmt"
	str "strings"
)

//go:linkname F
func F() { fmt.Println() }

func (l *list[T]) push(x T) { str.Cut("", "") }

func (l *list[T]) pop() {}
`
	if err := os.WriteFile(file, []byte(original), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := cutFunctions(file, map[string]bool{"F": true, "list.push": true})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(got), "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	const want = `package a

import (
_ "fmt"
_ "strings"
)






func (l *list[T]) pop() {}
`
	if strings.Join(lines, "\n") != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got, err := cutFunctions(file, map[string]bool{"pop": true}); got != nil || err != nil {
		t.Errorf("cutting no function: %q, %v", got, err)
	}
}
