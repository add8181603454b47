package binary

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/covering"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/schedule"
)

const source = `package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	mu.Lock()
	fmt.Println("kept")
	mu.Unlock()
}
`

// module writes a program, and a set with its schedule.
func module(t *testing.T) (dir string, set *cover.Set) {
	t.Helper()
	dir = t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module example.com/kept\n\ngo 1.26\n")
	put(t, filepath.Join(dir, "main.go"), source)
	p, err := program.Load(context.Background(), dir, []string{"."}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := p.Select(program.Selection{Func: "main"})
	if err != nil {
		t.Fatal(err)
	}
	set = cover.New()
	set.Program = "example.com/kept"
	if set.Code, err = p.CoverKey(&targets[0]); err != nil {
		t.Fatal(err)
	}
	node := func(op schedule.Op, pos string) cover.Node {
		return cover.Node{Op: op, Position: pos, Child: -1, From: -1}
	}
	set.Epochs = []*cover.Epoch{{
		Goroutines: []cover.Start{{Kind: cover.Entry}}, Ready: true,
		Schedules: []*cover.Schedule{{When: [][]expr.ID{nil}, Nodes: []cover.Node{node(schedule.Lock, "main.go:10:9"), node(schedule.Unlock, "main.go:12:11")}}},
	}}
	write(t, dir, set)
	return dir, set
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, dir string, set *cover.Set) {
	t.Helper()
	var b bytes.Buffer
	if err := set.Write(&b); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, cover.File), b.String())
}

func TestBuild(t *testing.T) {
	dir, _ := module(t)
	output := filepath.Join(dir, "program")
	for _, named := range sample.From([]string{dir, filepath.Join(dir, cover.File)}, 1, 1) {
		res, err := Build(context.Background(), Config{Dir: dir, Pattern: ".", Set: named, Output: output})
		if err != nil {
			t.Fatal(err)
		}
		if res.Sites != 2 {
			t.Errorf("%d operations, want 2", res.Sites)
		}
		out, err := exec.Command(output).CombinedOutput()
		if err != nil || string(out) != "kept\n" {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "main.go")); err != nil || string(text) != source {
		t.Errorf("%v: the source has changed", err)
	}
}

// TestRefused has sets that the program cannot be kept to: each is an error of one line.
func TestRefused(t *testing.T) {
	for _, test := range sample.From([]struct {
		name   string
		change func(dir string, set *cover.Set)
		want   string
	}{
		{"other sources", func(dir string, _ *cover.Set) {
			put(t, filepath.Join(dir, "main.go"), strings.Replace(source, "kept", "other", 1))
		}, "other sources"},
		{"another program", func(dir string, set *cover.Set) {
			set.Program = "example.com/other"
			write(t, dir, set)
		}, "the schedules of example.com/other"},
		{"none", func(dir string, _ *cover.Set) {
			if err := os.Remove(filepath.Join(dir, cover.File)); err != nil {
				t.Error(err)
			}
		}, "everyway cover -o"},
		{"damaged", func(dir string, _ *cover.Set) { put(t, filepath.Join(dir, cover.File), "everyway cover 10\nprogram") }, "line 2"},
		{"another version", func(dir string, _ *cover.Set) { put(t, filepath.Join(dir, cover.File), "everyway cover 999\n") }, "version"},
		{"another place", func(dir string, set *cover.Set) {
			set.Epochs[0].Schedules[0].Nodes[0].Position = "main.go:11:1"
			write(t, dir, set)
		}, "main.go:11:1: lock: there is none"},
		{"another end", func(dir string, set *cover.Set) {
			set.Epochs[0].Schedules[0].End = cover.End{Kind: cover.Deadlock, Goroutines: []cover.Start{{Kind: cover.Blocked, Stack: []string{"main.go:9:9"}}}}
			write(t, dir, set)
		}, "to end it at blocked"},
		{"no name", func(dir string, set *cover.Set) {
			e := set.Epochs[0]
			e.Inputs = []cover.Input{{Name: "t1", Width: 64}}
			e.Schedules[0].When = [][]expr.ID{{set.Arena.Eq(set.Arena.Var("t1", 64), set.Arena.Const(1, 64))}}
			write(t, dir, set)
		}, "t1, which has no name in the source"},
		{"a float", func(dir string, set *cover.Set) {
			e, a := set.Epochs[0], set.Arena
			e.Inputs = []cover.Input{{Name: "x", Width: 64, Root: cover.Root{Kind: cover.Sym, Name: "x"}}}
			e.Schedules[0].When = [][]expr.ID{{a.FLt(a.Var("x", 64), a.Const(1, 64))}}
			write(t, dir, set)
		}, "is computed with floating-point numbers"},
	}, 3, 1) {
		t.Run(test.name, func(t *testing.T) {
			dir, set := module(t)
			test.change(dir, set)
			_, err := Build(context.Background(), Config{Dir: dir, Pattern: ".", Set: dir, Output: filepath.Join(dir, "program")})
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is %v, want one with %q", err, test.want)
			}
		})
	}
}

// TestWorkspace has a program that synchronises in a package of the module cache, in a workspace,
// where the go command cannot be made to see another text of that: it is an error of one line, and
// without the workspace the program is built.
func TestWorkspace(t *testing.T) {
	const source = "package main\n\nimport (\n\t\"golang.org/x/sync/errgroup\"\n\n\t_ \"github.com/everyway-go/everyway/sym\"\n)\n\nfunc main() {\n\tvar g errgroup.Group\n\tg.Go(func() error { return nil })\n\tprintln(g.Wait() == nil)\n}\n"
	dir := directory(t, source)
	put(t, filepath.Join(dir, "go.work"), "go 1.26.0\n\nuse .\n")
	t.Setenv("GOFLAGS", "") // -mod=mod is none of a workspace
	set := enumerate(t, dir, source, covering.Config{})
	if !set.Complete() {
		t.Fatalf("the set is open: %q", set.Epochs[0].Open)
	}
	write(t, dir, set)
	cfg := Config{Dir: dir, Pattern: ".", Set: dir, Output: filepath.Join(dir, "program")}
	if _, err := Build(t.Context(), cfg); err == nil || !strings.HasSuffix(err.Error(), "in a workspace, packages of the module cache cannot be kept to schedules: set GOWORK=off") {
		t.Errorf("in a workspace: %v", err)
	}
	t.Setenv("GOWORK", "off")
	if _, err := Build(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if got := does(t, cfg.Output, nil); got != "true\n<nil>" {
		t.Errorf("it says %s", got)
	}
}
