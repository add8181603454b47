package golib

import (
	"go/parser"
	"go/token"
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
		if blanked := len(f.Decls) == 0 && strings.HasPrefix(string(text), "//go:build ignore\n"); !model && !blanked {
			t.Errorf("%s is neither a model nor blank", file)
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
