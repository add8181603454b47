package covering

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
)

// programs loads the programs of directories of testdata, and generated ones.
func programs(t *testing.T, dirs []string, generated map[string]string) *program.Program {
	t.Helper()
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for _, d := range dirs {
		patterns = append(patterns, "./testdata/"+d)
	}
	files := make(map[string]program.Generated)
	for name, text := range generated {
		patterns = append(patterns, "./testdata/"+name)
		files[filepath.Join(dir, name, "main.go")] = program.Generated{Text: []byte(text)}
	}
	slices.Sort(patterns)
	cfg, err := program.LoadConfig(t.Context(), ".", patterns, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.LoadGenerated(t.Context(), cfg, files)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// search enumerates the schedules of the main function in a directory of testdata.
func search(t *testing.T, p *program.Program, dir string, cfg Config) *Search {
	t.Helper()
	for _, target := range p.Targets() {
		if filepath.Base(target.Package.Path) != dir {
			continue
		}
		s, err := New(t.Context(), p, &target, cfg)
		if err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		if err := s.Run(t.Context()); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		if err := s.Set().Check(); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		return s
	}
	t.Fatalf("there is no program %s", dir)
	return nil
}

// TestSets compares the sets of programs with golden files.
func TestSets(t *testing.T) {
	p := programs(t, []string{"locks", "prefix", "epochs"}, nil)
	for _, c := range []struct {
		dir  string
		cfg  Config
		name string
	}{
		{"locks", Config{}, "locks"},
		{"prefix", Config{Unroll: 9}, "prefix"},
		{"epochs", Config{}, "epochs"},
		{"epochs", Config{Unroll: 4}, "epochs-unrolled"},
	} {
		var b bytes.Buffer
		if err := search(t, p, c.dir, c.cfg).Set().Write(&b); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(b.String()) {
			if !strings.HasPrefix(line, "code ") { // it has the version of the toolchain
				lines = append(lines, line)
			}
		}
		codetest.CompareGolden(t, "testdata/"+c.name+".golden", strings.Join(lines, ""))
	}
}

// TestMarkers compares the markers of loops of all kinds with a golden file, with all that saves markers, and without each.
func TestMarkers(t *testing.T) {
	p := programs(t, []string{"markers"}, nil)
	var b strings.Builder
	for _, without := range []Optimisations{{}, {Trivial: true}, {Covered: true}, {Trivial: true, Covered: true}} {
		fmt.Fprintf(&b, "%v:\n", (&Config{Without: without}).options())
		for _, target := range p.Targets() {
			s, err := New(t.Context(), p, &target, Config{Without: without})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range s.Set().Markers {
				_, line, _ := strings.Cut(m.Position, ".go:")
				fmt.Fprintf(&b, "\t%s %s in %s\n", m.Kind, line, m.Function[strings.LastIndex(m.Function, ".")+1:])
			}
		}
	}
	codetest.CompareGolden(t, "testdata/markers.golden", b.String())
}

// TestUnsupported has programs that are not covered: each is an error of one line, with the place.
func TestUnsupported(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n)\n\nvar mu sync.Mutex\n\n"
	texts := map[string]string{
		"recursion":   head + "func f(n int) {\n\tmu.Lock()\n\tmu.Unlock()\n\tif n > 0 {\n\t\tf(n - 1)\n\t}\n}\n\nfunc main() { f(3) }\n",
		"recovers":    head + "func main() {\n\tdefer func() { _ = recover() }()\n\tmu.Lock()\n}\n",
		"pools":       head + "func main() {\n\tvar p sync.Pool\n\t_ = p.Get()\n\tmu.Lock()\n}\n",
		"sleeps":      "package main\n\nimport \"time\"\n\nfunc main() {\n\t<-time.After(1)\n}\n",
		"arguments":   "package main\n\nimport (\n\t\"os\"\n\t\"sync\"\n)\n\nvar mu sync.Mutex\n\nfunc main() {\n\tif len(os.Args) > 1 {\n\t\tmu.Lock()\n\t}\n}\n",
		"order":       head + "var m = map[int]bool{1: true, 2: false}\n\nfunc main() {\n\tfor _, b := range m {\n\t\tif b {\n\t\t\tmu.Lock()\n\t\t\treturn\n\t\t}\n\t}\n}\n",
		"initialises": head + "func init() { mu.Lock() }\n\nfunc main() {}\n",
		"defers":      head + "var other sync.Mutex\n\nfunc main() {\n\tmu.Lock()\n\tdefer mu.Unlock()\n\tother.Lock()\n\tdefer other.Unlock()\n}\n",
		"spawns":      "package main\n\nfunc f() { go f() }\n\nfunc main() {\n\tfor {\n\t\tgo func() { select {} }()\n\t}\n}\n",
		"jumps":       head + "func main() {\nagain:\n\tmu.Lock()\n\tmu.Unlock()\n\tgoto again\n}\n",
	}
	want := map[string]string{
		"recursion":   "main.go:13:4: synchronisation in recursion is not covered: ",
		"recovers":    "recover: what goes on after a panic is not covered",
		"pools":       "main.go:11:11: (*sync.Pool).Get is not covered",
		"sleeps":      "main.go:6:14: time.After is not covered",
		"arguments":   "main.go:11:12: which operations of synchronisation there are depends on what is in os.Args, which is no input: draw it with package sym",
		"order":       "main.go:11:6: which operations of synchronisation there are depends on the order of a map",
		"initialises": "synchronisation in the initialisation of package",
		"defers":      "main.go:15:2: (*sync.Mutex).Unlock is deferred more than once in the function",
		"spawns":      "goroutines without a bound are not covered: ",
		"jumps":       "a loop that synchronises is no for statement",
	}
	p := programs(t, nil, texts)
	for _, target := range p.Targets() {
		name := filepath.Base(target.Package.Path)
		s, err := New(t.Context(), p, &target, Config{})
		if err == nil {
			err = s.Run(t.Context())
		}
		unsupported := (*UnsupportedError)(nil)
		if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), want[name]) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", name, err, want[name])
		}
	}
}

// every yields all inputs of a program that draws some variables from 0 to 2.
func every(names []string) []run.Input {
	list := []run.Input{{}}
	for _, name := range names {
		var longer []run.Input
		for _, in := range list {
			for v := range uint64(3) {
				next := run.Input{name: v}
				for k, w := range in {
					next[k] = w
				}
				longer = append(longer, next)
			}
		}
		list = longer
	}
	return list
}

// check makes a run with every input, and compares it with the schedules that the set has for it: there is one, and
// what the run does is that or, if it ends the process early, a beginning of it.
func check(t *testing.T, s *Search, names []string) (schedules, deadlocks int) {
	t.Helper()
	e := s.Set().Epochs[0]
	if len(e.Open) > 0 {
		t.Errorf("open: %s", strings.Join(e.Open, "; "))
		return 0, 0
	}
	m, err := s.machine(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	early := false
	for _, in := range every(names) {
		r, err := m.run(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		early = early || !r.whole
		var found []*cover.Schedule
		for _, sc := range e.Schedules {
			if s.Set().Holds(sc, func(name string) uint64 { return in[name] }) {
				found = append(found, sc)
			}
		}
		if len(found) == 0 {
			t.Errorf("for %v there is no schedule", in)
		}
		for _, sc := range found {
			want, got := text(sc.Nodes), text(r.nodes)
			if r.whole {
				want = append(want, fmt.Sprint(sc.End))
				got = append(got, fmt.Sprint(r.end))
			} else {
				want = want[:min(len(want), len(got))]
			}
			if !slices.Equal(got, want) {
				t.Errorf("with %v, a run does\n%s\nand its schedule is\n%s", in, strings.Join(got, "\n"), strings.Join(want, "\n"))
				return 0, 0
			}
		}
	}
	c, err := s.Check(t.Context())
	switch {
	case err != nil:
		t.Error(err)
	case len(c.Open) > 0:
		t.Errorf("not all paths were checked: %s", strings.Join(c.Open, "; "))
	case early != (len(c.Failures) > 0):
		t.Errorf("of %d paths, there are %d failures, and a run with some input panics: %t", c.Paths, len(c.Failures), early)
	}
	return len(e.Schedules), s.Set().Deadlocks()
}

func text(nodes []cover.Node) []string {
	var list []string
	for _, n := range nodes {
		list = append(list, n.String())
	}
	return list
}

// TestEveryInput makes runs of generated programs with all inputs.
func TestEveryInput(t *testing.T) {
	texts := make(map[string]string)
	var names []string
	for seed := range sample.Of(400, 3, 1) {
		name := fmt.Sprintf("generated%d", seed)
		names = append(names, name)
		texts[name] = generate(uint64(seed))
	}
	p := programs(t, nil, texts)
	total := 0
	for _, name := range names {
		schedules, _ := check(t, search(t, p, name, Config{Unroll: 1000}), []string{"x", "y", "z"})
		total += schedules
		if t.Failed() {
			t.Fatalf("%s:\n%s", name, texts[name])
		}
	}
	if total <= len(names) {
		t.Errorf("%d programs have %d schedules: nothing depends on inputs", len(names), total)
	}
	t.Logf("%d programs, %d schedules", len(names), total)
}
