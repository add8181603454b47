package instrument

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/everyway-go/everyway/internal/instrument/overlay"
	"github.com/everyway-go/everyway/schedule"
)

// TestModules instruments a module of the module cache: the go command gets a whole copy, and a
// go.mod file that names it.
func TestModules(t *testing.T) {
	dir := t.TempDir()
	archive := txtar.Parse([]byte(`
-- main/go.mod --
module example.com/m

go 1.26

require github.com/Some/dep v1.0.0
-- main/go.sum --
github.com/Some/dep v1.0.0 h1:x
-- main/x_test.go --
package m

import "testing"

func TestX(t *testing.T) {}
-- cache/github.com/!some/dep@v1.0.0/dep.go --
package dep

var n int

func F() {
	n++
}
-- cache/github.com/!some/dep@v1.0.0/sub/data.txt --
data
`))
	for _, f := range archive.Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	cache := filepath.Join(dir, "cache")
	pos := filepath.Join(cache, "github.com", "!some", "dep@v1.0.0", "dep.go") + ":6:2"
	object := &schedule.Object{Count: 1}
	r := &schedule.Run{Header: schedule.Header{Target: "TestX", Kind: "test"}, Events: []schedule.RunEvent{
		{Goroutine: "0", Op: schedule.Read, Object: object, Pos: pos, Func: "F"},
		{Goroutine: "0.1", Op: schedule.Write, Object: object, Pos: pos, Func: "F"},
		{Goroutine: "0", Op: schedule.Write, Object: object, Pos: pos, Func: "F"},
	}}
	work := filepath.Join(dir, "work")
	root := filepath.Join(dir, "main")
	source, err := NewPlan(r, root).Write(work, overlay.Toolchain{GOROOT: "/goroot", GOMODCACHE: cache, GoMod: filepath.Join(root, "go.mod")})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"-overlay=" + filepath.Join(work, "overlay.json"), "-modfile=" + filepath.Join(work, "everyway.mod")}
	if !slices.Equal(source.Flags, want) {
		t.Errorf("the flags are %q, want %q", source.Flags, want)
	}
	for _, test := range []struct{ file, want string }{
		{"module0/dep.go", "n = everywaycontrol.Value("},
		{"module0/sub/data.txt", "data"},
		{"module0/go.mod", "module github.com/Some/dep"},
		{"everyway.mod", "replace github.com/Some/dep => " + filepath.Join(work, "module0")},
		{"everyway.sum", "h1:x"},
	} {
		text, err := os.ReadFile(filepath.Join(work, test.file))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(text), test.want) {
			t.Errorf("%s is\n%s\nwithout %q", test.file, text, test.want)
		}
	}
	var replaced struct{ Replace map[string]string }
	text, err := os.ReadFile(filepath.Join(work, "overlay.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &replaced); err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(replaced.Replace))
	control := filepath.Join("/goroot", "src", "everyway", "control")
	for _, want := range []string{filepath.Join(control, "control.go"), filepath.Join("/goroot", "src", "debug", "clock_linux_amd64.s"), filepath.Join(control, "tables.go"), filepath.Join(root, "x_test.go")} {
		if !slices.Contains(names, want) {
			t.Errorf("replaced are %q, and not %q", names, want)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(root, "x_test.go")); string(text) != string(find(archive, "main/x_test.go")) {
		t.Error("the developer's file has changed")
	}
}

func TestPosition(t *testing.T) {
	p := &Plan{Root: filepath.FromSlash("/root")}
	for _, test := range []struct {
		pos  string
		want Position
		ok   bool
	}{
		{"a/x.go:3:5", Position{filepath.FromSlash("/root/a/x.go"), 3, 5}, true},
		{"/elsewhere/x.go:3:5", Position{"/elsewhere/x.go", 3, 5}, true},
		{"$GOROOT/src/sync/mutex.go:3:5", Position{}, false},
		{"x.go", Position{}, false},
		{"", Position{}, false},
	} {
		if got, ok := p.Position(test.pos); got != test.want || ok != test.ok {
			t.Errorf("Position(%q) = %v, %t, want %v, %t", test.pos, got, ok, test.want, test.ok)
		}
	}
}

// TestSegments counts context switches that matter: on what several goroutines use and one writes.
func TestSegments(t *testing.T) {
	const pos = "x.go:1:1"
	object := func(n int32) *schedule.Object { return &schedule.Object{Count: n} }
	for _, test := range []struct {
		name   string
		events []schedule.RunEvent
		want   int
	}{
		{"nothing shared", []schedule.RunEvent{
			{Goroutine: "0", Op: schedule.Write, Object: object(1), Pos: pos},
			{Goroutine: "0.1", Op: schedule.Write, Object: object(2), Pos: pos},
		}, 0},
		{"only read", []schedule.RunEvent{
			{Goroutine: "0", Op: schedule.Read, Object: object(1), Pos: pos},
			{Goroutine: "0.1", Op: schedule.AtomicRead, Object: object(1), Pos: pos},
		}, 0},
		{"other cells", []schedule.RunEvent{
			{Goroutine: "0", Op: schedule.Write, Object: object(1), Offset: 1, Pos: pos},
			{Goroutine: "0.1", Op: schedule.Write, Object: object(1), Offset: 2, Pos: pos},
		}, 0},
		{"written and read", []schedule.RunEvent{
			{Goroutine: "0", Op: schedule.Write, Object: object(1), Pos: pos},
			{Goroutine: "0", Op: schedule.Write, Object: object(1), Pos: pos},
			{Goroutine: "0.1", Op: schedule.Read, Object: object(1), Pos: pos},
			{Goroutine: "0", Op: schedule.Write, Object: object(1), Pos: pos},
		}, 3},
		{"in the standard library", []schedule.RunEvent{
			{Goroutine: "0", Op: schedule.Write, Object: object(1), Pos: "$GOROOT/src/sync/x.go:1:1"},
			{Goroutine: "0.1", Op: schedule.Write, Object: object(1), Pos: pos},
		}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := NewPlan(&schedule.Run{Events: test.events}, "/").Segments(); got != test.want {
				t.Errorf("%d segments, want %d", got, test.want)
			}
		})
	}
}

// TestStuck has the goroutines of a deadlock come to where they are blocked, one after the other.
func TestStuck(t *testing.T) {
	r := &schedule.Run{Header: schedule.Header{Finding: &schedule.Finding{
		Kind: "deadlock", Goroutine: "0", Stack: []schedule.Frame{{Pos: "$GOROOT/src/sync/mutex.go:1:1"}, {Func: "f", Pos: "x.go:7:2"}},
		Others: []schedule.Finding{{Goroutine: "0.1", Stack: []schedule.Frame{{Func: "g", Pos: "x.go:9:2"}}}},
	}}}
	plan := NewPlan(r, "/")
	if got := plan.Segments(); got != 2 {
		t.Errorf("%d segments, want 2", got)
	}
	// The lock for which the one waits may be one that only the other one has taken.
	r.Events = []schedule.RunEvent{{Goroutine: "0.1", Op: schedule.Lock, Object: &schedule.Object{}, Pos: "x.go:8:2"}}
	if got := NewPlan(r, "/").Segments(); got != 3 {
		t.Errorf("%d segments with a lock, want 3", got)
	}
	r.Finding.Kind = "panic"
	if got := NewPlan(r, "/").Segments(); got != 0 {
		t.Errorf("%d segments of a panic, want 0", got)
	}
}
