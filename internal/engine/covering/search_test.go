package covering

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/covering/coveringtest"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/program/programtest"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/schedule"
)

// generated loads generated programs, whose names begin with a prefix, and returns their names and texts as well.
func generated(t *testing.T, prefix string, seeds iter.Seq[int]) (p *program.Program, names []string, texts map[string]string) {
	t.Helper()
	texts = make(map[string]string)
	for seed := range seeds {
		name := fmt.Sprint(prefix, seed)
		names = append(names, name)
		texts[name] = coveringtest.Generate(uint64(seed))
	}
	return programtest.Load(t, nil, texts), names, texts
}

// search enumerates the schedules of the main function in a directory of testdata.
func search(t *testing.T, p *program.Program, dir string, cfg Config) *Search {
	t.Helper()
	s, err := searched(t, p, dir, cfg)
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return s
}

// searched is search for a program that may not be covered.
func searched(t *testing.T, p *program.Program, dir string, cfg Config) (*Search, error) {
	t.Helper()
	for _, target := range p.Targets() {
		if filepath.Base(target.Package.Path) != dir {
			continue
		}
		s, err := New(t.Context(), p, &target, cfg)
		if err != nil {
			return nil, err
		}
		if err := s.Run(t.Context()); err != nil {
			return nil, err
		}
		return s, s.Set().Check()
	}
	t.Fatalf("there is no program %s", dir)
	return nil, nil
}

// TestSets compares the sets of programs with golden files.
func TestSets(t *testing.T) {
	p := programtest.Load(t, []string{"locks", "prefix", "epochs"}, nil)
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

// TestMarkers compares the markers of loops of all kinds with a golden file, with all that saves
// markers, and without each.
func TestMarkers(t *testing.T) {
	p := programtest.Load(t, []string{"markers"}, nil)
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

// TestMarkersOfLoops has loops with what package ssa gives a place outside of them: the address of
// a variable as an argument of a function that takes any number.
func TestMarkersOfLoops(t *testing.T) {
	const text = "package main\n\nimport (\n\t\"fmt\"\n\t\"sync\"\n)\n\nfunc main() {\n\tvar m sync.Mutex\n\tvar text string\n\tfor range 3 {\n\t\tm.Lock()\n\t\tfmt.Sscan(\"a\", &text)\n\t\tm.Unlock()\n\t}\n}\n"
	s := search(t, programtest.Load(t, nil, map[string]string{"addresses": text}), "addresses", Config{})
	if list := s.Set().Markers; len(list) != 1 || !strings.HasSuffix(list[0].Position, "main.go:11:2") {
		t.Errorf("the markers are %+v", list)
	}
}

// TestUnsupported has programs that are not covered: each is an error of one line, with the place.
func TestUnsupported(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n)\n\nvar mu sync.Mutex\n\n"
	texts := map[string]string{
		"recursion":   head + "func f(n int) {\n\tmu.Lock()\n\tmu.Unlock()\n\tif n > 0 {\n\t\tf(n - 1)\n\t}\n}\n\nfunc main() { f(3) }\n",
		"recovers":    head + "func main() {\n\tdefer func() { _ = recover() }()\n\tmu.Lock()\n}\n",
		"threads":     "package main\n\nimport \"runtime\"\n\nfunc main() {\n\truntime.LockOSThread()\n\truntime.LockOSThread()\n}\n",
		"pipes":       "package main\n\nimport \"io\"\n\nfunc main() {\n\t_, w := io.Pipe()\n\t_, _ = w.Write(nil)\n}\n",
		"processes":   "package main\n\nimport (\n\t\"io\"\n\t\"os\"\n\t\"os/exec\"\n)\n\nfunc main() {\n\tvar r io.Reader = os.Stdin\n\tif out, err := exec.Command(os.Args[0]).StdoutPipe(); err == nil {\n\t\tr = out\n\t}\n\t_, _ = r.Read(nil)\n}\n",
		"reflects":    "package main\n\nimport \"reflect\"\n\nfunc main() {\n\treflect.ValueOf(make(chan int)).Recv()\n}\n",
		"sleeps":      "package main\n\nimport \"time\"\n\nfunc main() {\n\t<-time.After(1)\n}\n",
		"arguments":   "package main\n\nimport (\n\t\"os\"\n\t\"sync\"\n)\n\nvar mu sync.Mutex\n\nfunc main() {\n\tlocks := []*sync.Mutex{&mu, new(sync.Mutex)}\n\tlocks[len(os.Args)%2].Lock()\n}\n",
		"adds":        "package main\n\nimport (\n\t\"os\"\n\t\"sync\"\n)\n\nvar wg sync.WaitGroup\n\n\n\nfunc main() {\n\twg.Add(number())\n}\n\n\n\n\nfunc number() int {\n\tdir, err := os.Getwd()\n\tif err != nil {\n\t\treturn 1\n\t}\n\treturn len(dir)\n}\n",
		"order":       head + "var m = map[int]bool{1: true, 2: false}\n\nfunc main() {\n\tfor _, b := range m {\n\t\tif b {\n\t\t\tmu.Lock()\n\t\t\treturn\n\t\t}\n\t}\n}\n",
		"initialises": head + "func init() { mu.Lock() }\n\nfunc main() {}\n",
		"defers":      head + "var lock sync.Locker = &mu\n\nfunc main() {\n\tmu.Lock()\n\tdefer lock.Unlock()\n}\n",
		"spawns":      "package main\n\nfunc f() { go f() }\n\nfunc main() {\n\tfor {\n\t\tgo func() { select {} }()\n\t}\n}\n",
		"counts":      head + "func main() {\n\tvar wg sync.WaitGroup\n\tfor {\n\t\twg.Go(func() { select {} })\n\t}\n}\n",
		"floats":      "package main\n\nimport (\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar locks [2]sync.Mutex\n\nfunc main() { locks[int(sym.Float64(\"x\"))&1].Lock() }\n",
		"jumps":       head + "func main() {\nagain:\n\tmu.Lock()\n\tmu.Unlock()\n\tgoto again\n}\n",
	}
	want := map[string]string{
		"recursion":   "main.go:13:4: synchronisation in recursion is not covered: ",
		"recovers":    "recover: what goes on after a panic is not covered",
		"threads":     "main.go:6:22: runtime.LockOSThread is not covered: it synchronises with what is not in the program (and at 1 more)",
		"pipes":       "main.go:6:17: io.Pipe is not covered",
		"processes":   "main.go:11:29: os/exec.Command is not covered: it synchronises with what is not in the program",
		"reflects":    "main.go:6:38: (reflect.Value).Recv is not covered",
		"sleeps":      "main.go:6:14: time.After is not covered",
		"arguments":   "main.go:12:15: which operations of synchronisation there are depends on what is in os.Args, which is no input: draw it with package sym, or have branches decide that synchronise (at internal/engine/covering/testdata/arguments/main.go:12:28 it decides which lock it is)",
		"adds":        "main.go:20:22: which operations of synchronisation there are depends on what os.Getwd returns, which is no input: draw it with package sym, or have branches decide that synchronise (at internal/engine/covering/testdata/adds/main.go:13:8 it decides which wait group it is, or how much is added)",
		"order":       "main.go:11:6: which operations of synchronisation there are depends on the order of a map",
		"initialises": "synchronisation in the initialisation of package",
		"defers":      "main.go:13:2: synchronisation that is deferred through an interface or a function value is not covered",
		"spawns":      "main.go:7:3: goroutines without a bound are not covered: more than 64 are alive at the same time (-goroutines), of which 63 were started here",
		"counts":      "main.go:12:8: goroutines without a bound are not covered: more than 64 are alive at the same time (-goroutines), of which 63 were started here",
		"floats":      "main.go:11:36: which operations of synchronisation there are depends on what github.com/everyway-go/everyway/sym.Float64 returns, which is a floating-point number: draw an integer, or have branches decide",
		"jumps":       "a loop that synchronises is no for statement",
	}
	p := programtest.Load(t, nil, texts)
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

// TestConditionalRanges has inputs that are drawn on some paths only, or within bounds that depend
// on the path: neither is a bound on other paths.
func TestConditionalRanges(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar m, n sync.Mutex\n\n"
	texts := map[string]string{
		"branches": head + "func main() {\n\tx, y := sym.Range(\"x\", 0, 2), 0\n\tif x == 0 {\n\t\ty = sym.Range(\"y\", 0, 1)\n\t} else {\n\t\ty = sym.Range(\"y\", 2, 2)\n\t}\n" +
			"\tif y == 1 {\n\t\tm.Lock()\n\t} else if y == 2 {\n\t\tn.Lock()\n\t}\n}\n",
		"bounds": head + "func main() {\n\tx := sym.Range(\"x\", 0, 2)\n\tif x > 1 {\n\t\tif sym.Range(\"y\", 0, 1) == 1 {\n\t\t\tm.Lock()\n\t\t}\n\t}\n\tif x < 2 && sym.Int(\"y\") == 2 {\n\t\tn.Lock()\n\t}\n}\n",
	}
	p := programtest.Load(t, nil, texts)
	for name, want := range map[string]int{"branches": 3, "bounds": 3} {
		s := search(t, p, name, Config{})
		if got := len(s.Set().Epochs[0].Schedules); got != want || len(s.Set().Epochs[0].Open) > 0 {
			t.Errorf("%s: %d schedules, want %d; open: %q", name, got, want, s.Set().Epochs[0].Open)
		}
		if c, err := s.Check(t.Context()); err != nil || len(c.Open) > 0 || c.Paths < want {
			t.Errorf("%s: check: %+v, %v", name, c, err)
		}
	}
}

// TestDeferredWaiting has a deferred function that waits for what the panicking function has
// locked: the set proves nothing.
func TestDeferredWaiting(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar m, n sync.Mutex\n\n"
	body := func(deferred string) string {
		return head + "func main() {\n\tdefer " + deferred + "\n\tm.Lock()\n\tif sym.Bool(\"x\") {\n\t\tpanic(0)\n\t}\n\tm.Unlock()\n}\n"
	}
	p := programtest.Load(t, nil, map[string]string{
		"returns": head + "func main() {\n\tprintln(sym.Bool(\"x\"))\n\tdefer func() {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}()\n\tm.Lock()\n\tm.Unlock()\n}\n",
		"waits":   body("func() {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}()"), "locks": body("m.Lock()"), "unlocks": body("func() { n.TryLock(); n.Unlock() }()"),
	})
	for name, want := range map[string]struct {
		deferred int
		verdict  cover.Verdict
		holds    bool // with all paths taken
	}{"returns": {1, cover.Open, true}, "waits": {1, cover.Open, false}, "locks": {1, cover.Open, false}, "unlocks": {0, cover.DeadlockFree, false}} {
		s := search(t, p, name, Config{})
		c, err := s.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !s.Set().Complete() || len(s.Set().Deferred) != want.deferred || s.Set().Summary().Verdict != want.verdict || c.Holds() != want.holds {
			t.Errorf("%s: %v; notes: %q; deferred: %q; %+v", name, s.Set().Summary().Verdict, s.Set().Notes, s.Set().Deferred, c)
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
		early = early || !r.whole && r.outcome != run.Finished // os.Exit(0) is no failure
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
			why := sc.Differs(r.nodes)
			if why == "" && r.whole && (len(r.nodes) < len(sc.Nodes) || fmt.Sprint(r.end) != fmt.Sprint(sc.End)) {
				why = fmt.Sprintf("it ends with %v", r.end)
			}
			if why != "" {
				t.Errorf("with %v, a run does\n%s\nand its schedule is\n%s\n%v\n%s", in, strings.Join(text(r.nodes), "\n"), strings.Join(text(sc.Nodes), "\n"), sc.End, why)
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

// checkEpochs makes a run with every input that goes on from epoch to epoch, and compares each part
// of it with the set. It returns how many epochs were passed that the set has schedules of for all
// states. If these are all, the check of all paths finds a failure if one of the runs fails, and
// otherwise none.
func checkEpochs(t *testing.T, s *Search, names []string) (passed int) {
	t.Helper()
	m, err := s.machine(t.Context(), s.Set().Epochs[0])
	if err != nil {
		t.Fatal(err)
	}
	fails := false
	for _, in := range every(names) {
		j, err := m.travel(t.Context(), in, maxPassed, true)
		if err == nil {
			err = s.verify(j)
		}
		if err != nil {
			t.Error(err)
			return passed
		}
		fails = fails || j.trace.Panic != nil || j.trace.FatalError != nil
		for _, v := range j.visits {
			if len(s.Set().Epochs[v.epoch].Open) > 0 {
				break
			}
			passed++
		}
	}
	if !s.Set().Complete() {
		return passed
	}
	c, err := s.Check(t.Context())
	switch {
	case err != nil:
		t.Error(err)
	case len(c.Open) > 0:
		t.Logf("not all paths were checked: %s", strings.Join(c.Open, "; "))
	case fails != (len(c.Failures) > 0):
		t.Errorf("of %d paths, there are %d failures, and a run with some input fails: %t", c.Paths, len(c.Failures), fails)
	}
	return passed
}

func text(nodes []cover.Node) []string {
	var list []string
	for _, n := range nodes {
		list = append(list, n.String())
	}
	return list
}

// TestEpochStates has epochs in the middle of the program whose schedules depend on what is easily
// left out of their states.
func TestEpochStates(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar m, n sync.Mutex\n\nvar flag atomic.Int64\n\n" +
		"func main() {\n\tx, y, z := sym.Range(\"x\", 0, 2), sym.Range(\"y\", 0, 2), sym.Range(\"z\", 0, 2)\n\t_, _, _ = x, y, z\n"
	const turn = "\tfor i := 0; i < %s; i++ {\n\t\t%s.Lock()\n\t\t%s.Unlock()\n\t}\n"
	texts := map[string]string{
		// An array that is kept in registers, of which an element is read.
		"array": head + "\tlocal := [3]int{0, z, 2}\n" + fmt.Sprintf(turn, "x", "m", "m") + "\tif local[1] == 2 {\n\t\tn.Lock()\n\t}\n}\n",
		// Three goroutines, each of which may be the last one to have come to the border.
		"turns": head + "\tvar wg sync.WaitGroup\n\twg.Go(func() {\n" + fmt.Sprintf(turn, "y", "m", "m") + "\t})\n\twg.Go(func() {\n" + fmt.Sprintf(turn, "z", "m", "m") + "\t})\n" +
			fmt.Sprintf(turn, "x", "m", "m") + "\twg.Wait()\n}\n",
		// A counter in the registers of a function, and a variable in those of its caller.
		"nested": head + "\tturn(x)\n\tif y == 2 {\n\t\tn.Lock()\n\t}\n}\n\nfunc turn(n int) {\n" + fmt.Sprintf(turn, "n", "m", "m") + "}\n",
		// An element that is in a register, and that nobody reads any more.
		"dead": head + "\tlocal := [3]int{0, z, 2}\n" + fmt.Sprintf(turn, "x", "m", "m") + "\tif local[2] == y {\n\t\tn.Lock()\n\t}\n}\n",
		// A variable that decides something, and is then set where that decides nothing.
		"overwritten": head + "\tif *current == x {\n\t\tn.Lock()\n\t\tn.Unlock()\n\t}\n\tif z == 1 {\n\t\tcurrent = nil\n\t}\n" + fmt.Sprintf(turn, "y", "m", "m") + "}\n\nvar current = new(int)\n",
		// Goroutines that compute for long, as long as an input says.
		"computes": head + "\tvar wg sync.WaitGroup\n\tfor range 2 {\n\t\twg.Go(func() {\n" + fmt.Sprintf(turn, "x", "m", "m") +
			"\t\t\tfor sum, i := 0, 0; z == 1 && i < 400000; i++ {\n\t\t\t\tsum += i\n\t\t\t}\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t})\n\t}\n\twg.Wait()\n}\n",
		// The same, in an interface, a map, and an element of a slice that another one shares.
		"boxed":    head + "\tvar v any = pair{x, z}\n" + fmt.Sprintf(turn, "y", "m", "m") + "\tif p := v.(pair); p.a == p.b {\n\t\tn.Lock()\n\t}\n}\n\ntype pair struct{ a, b int }\n",
		"mapped":   head + "\ttable[x] = z\n" + fmt.Sprintf(turn, "y", "m", "m") + "\tif table[1] == 2 {\n\t\tn.Lock()\n\t}\n}\n\nvar table = map[int]int{}\n",
		"shared":   head + "\tlist := make([]int, 3)\n\tother := list[1:]\n\tif z > 0 {\n\t\tother = make([]int, 2)\n\t}\n\tother[0] = x\n" + fmt.Sprintf(turn, "y", "m", "m") + "\tif list[1] == 2 {\n\t\tn.Lock()\n\t}\n}\n",
		"deferred": head + "\tif z == 1 {\n\t\tdefer println(y)\n\t}\n\tif x == 1 {\n\t\tdefer n.Unlock()\n\t\tn.Lock()\n\t}\n" + fmt.Sprintf(turn, "y", "m", "m") + "}\n",
		"once":     head + "\tvar a, b sync.Once\n\to := &a\n\tif x == 1 {\n\t\to = &b\n\t}\n\to.Do(func() {\n" + fmt.Sprintf(turn, "y", "m", "m") + "\t})\n\ta.Do(func() {\n\t\tn.Lock()\n\t})\n}\n",
	}
	// An index that is made concrete where an element is accessed that decides nothing, and that
	// decides something later: of memory that another goroutine has used, or elements that are no
	// single number.
	for name, access := range map[string]string{"counted": "list[x]++", "stored": "list[x] = z", "loaded": "println(list[x])", "pointed": "p := &list[x]\n\t*p += z", "part": "pairs[x].b += z"} {
		texts[name] = head + "\tlist, pairs := make([]int, 3), make([]struct{ a, b int }, 3)\n\tdone := make(chan bool)\n\tgo func() {\n\t\tlist[0], pairs[0].a = 1, 2\n\t\tclose(done)\n\t}()\n\t<-done\n\t" +
			access + "\n" + fmt.Sprintf(turn, "y", "m", "m") + "\tif x == 1 {\n\t\tn.Lock()\n\t}\n}\n"
	}
	// Functions that are called, and no more, have only the arguments of these calls.
	for name, call := range map[string]string{"literals": "add := func(d int) { total += d }\n\tadd(x)\n\tadd(z)", "started": "var wg sync.WaitGroup\n\twg.Add(1)\n\tgo func(d int) {\n\t\tdefer wg.Done()\n\t\ttotal += d\n\t}(x + z)\n\twg.Wait()",
		"postponed": "func() {\n\t\tdefer func(d int) { total += d }(x + z)\n\t}()"} {
		texts[name] = head + "\ttotal := 0\n\t" + call + "\n" + fmt.Sprintf(turn, "y", "m", "m") + "\tif total == 3 {\n\t\tn.Lock()\n\t}\n}\n"
	}
	// What an atomic operation writes or reads that is called through an interface, a method value,
	// a method expression, or as a promoted method.
	const one = "\tv := int64(0)\n\tif x == 1 {\n\t\tv = 1\n\t}\n"
	for name, part := range map[string]struct{ write, read, decls string }{
		"interfaces":  {"var s storer = &flag\n\tif z == 5 {\n\t\ts = none{}\n\t}\n\ts.Store(v)", "flag.Load()", "type storer interface{ Store(int64) }\n\ntype none struct{}\n\nfunc (none) Store(int64) {}\n"},
		"loaders":     {"flag.Store(v)\n\tvar l loader = &flag\n\tif z == 5 {\n\t\tl = none{}\n\t}", "l.Load()", "type loader interface{ Load() int64 }\n\ntype none struct{}\n\nfunc (none) Load() int64 { return 7 }\n"},
		"methods":     {"var local atomic.Int64\n\tlocal.Store(v)\n\tget := local.Load", "get()", ""},
		"bound":       {"var a, b atomic.Int64\n\ta.Store(1)\n\tp := &b\n\tif v == 1 {\n\t\tp = &a\n\t}\n\tget := p.Load", "get()", ""},
		"expressions": {"stores := []func(*atomic.Int64, int64){(*atomic.Int64).Store}\n\tstores[z/3](&flag, v)", "flag.Load()", ""},
		"promoted":    {"var p part\n\tvar s storer = &p\n\ts.Store(v)", "p.Load()", "type part struct {\n\tname int\n\tatomic.Int64\n}\n\ntype storer interface{ Store(int64) }\n"},
		// A builtin function that is deferred.
		"clears":  {"list := []int64{1}\n\tfunc() {\n\t\tif v == 0 {\n\t\t\tdefer clear(list)\n\t\t}\n\t}()", "list[0]", ""},
		"deletes": {"t := map[int64]int64{1: 1}\n\tfunc() { defer delete(t, 1-v) }()", "int64(len(t)*2-1)", ""},
		"copies":  {"list := []int64{0}\n\tfunc() { defer copy(list, []int64{v}) }()", "list[0]", ""},
	} {
		texts[name] = head + one + "\t" + part.write + "\n" + fmt.Sprintf(turn, "y", "m", "m") + "\tif " + part.read + " == 1 {\n\t\tn.Lock()\n\t}\n}\n\n" + part.decls
	}
	names := slices.Sorted(maps.Keys(texts))
	p := programtest.Load(t, nil, texts)
	for _, name := range sample.From(names, 3, 2) {
		open := name == "mapped" // the key of a map depends on an input
		s := search(t, p, name, Config{})
		if s.Set().Complete() == open || len(s.Set().Epochs) < 2 {
			t.Errorf("%s: %d epochs, complete: %t", name, len(s.Set().Epochs), s.Set().Complete())
			for i, e := range s.Set().Epochs {
				t.Log(i, e.Open)
			}
		}
		if passed := checkEpochs(t, s, []string{"x", "y", "z"}); passed < 2*27 && !open {
			t.Errorf("%s: runs have passed %d epochs", name, passed)
		}
	}
}

// TestWaitsBefore has a goroutine that loads a variable in a loop, as one does that waits. The
// cells of an epoch may be set to values with which it has loaded the variable before, in an epoch
// that has led there; it waits for no change of that.
func TestWaitsBefore(t *testing.T) {
	p := programtest.Load(t, nil, map[string]string{"waits": `package main

import (
	"sync"
	"sync/atomic"

	"github.com/everyway-go/everyway/sym"
)

var (
	m, n sync.Mutex
	flag atomic.Int64
)

func main() {
	x, z := sym.Range("x", 0, 2), sym.Range("z", 0, 2)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range z / 2 {
			n.Lock()
			n.Unlock()
		}
		for i := range 3 {
			if flag.Load() == 1 {
				println(x)
			}
			if i+2 == z {
				n.Lock()
			}
		}
	})
	for range x + 1 {
		m.Lock()
		m.Unlock()
	}
	wg.Wait()
}
`})
	s := search(t, p, "waits", Config{Unroll: 1})
	if passed := checkEpochs(t, s, []string{"x", "z"}); passed < 9 || !s.Set().Complete() {
		t.Errorf("runs have passed %d epochs; the set is complete: %t", passed, s.Set().Complete())
	}
}

// TestDrawnAgain has inputs that are drawn again in a later epoch than at first. If the one in
// which they were drawn is on the way of the search, they have the value there that they have had
// on it, and the epoch is open. Otherwise, the search takes them for new ones, and a run that has
// drawn them before is one of these.
func TestDrawnAgain(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar m, n sync.Mutex\n\nfunc main() {\n"
	const body = "\t\tm.Lock()\n\t\tm.Unlock()\n\t\tif sym.Int(\"x\") == 2 {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n}\n"
	p := programtest.Load(t, nil, map[string]string{
		"condition": head + "\tfor i := 0; i < sym.Int(\"x\"); i++ {\n" + body,
		"body":      head + "\tfor range 3 {\n" + body,
	})
	if e := search(t, p, "condition", Config{}).Set().Epochs; len(e) < 2 || !slices.Contains(e[1].Open, "within: the value with which the input x was drawn first") {
		t.Errorf("condition: epoch 1 is not open: %+v", e)
	}
	s := search(t, p, "body", Config{})
	if !s.Set().Complete() {
		t.Errorf("body: the set is not complete: %+v", s.Set().Summary())
	}
	if passed := checkEpochs(t, s, []string{"x"}); passed == 0 {
		t.Error("body: no epoch is passed")
	}
}

// TestCaptured has variables that function literals have captured, and nobody else uses: what they
// are decides what the epochs do in which the literals are called.
func TestCaptured(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar m, n sync.Mutex\n\nfunc main() {\n\tx := sym.Range(\"x\", 0, 2)\n"
	const foot = "\tfor range 3 {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t\tf()\n\t}\n}\n"
	p := programtest.Load(t, nil, map[string]string{
		"number": head + "\tf := func() {\n\t\tif x == 1 {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n" + foot,
		"lock":   head + "\tlock := &m\n\tif x == 1 {\n\t\tlock = &n\n\t}\n\tf := func() {\n\t\tlock.Lock()\n\t\tlock.Unlock()\n\t}\n" + foot,
		"nested": head + "\tf := func() {\n\t\tfunc() {\n\t\t\tif x == 1 {\n\t\t\t\tn.Lock()\n\t\t\t\tn.Unlock()\n\t\t\t}\n\t\t}()\n\t}\n" + foot,
		// Which goroutine answers follows from what is in the map.
		"map": head + "\tservers := map[string]chan chan bool{}\n\tfor _, name := range []string{\"a\", \"b\"} {\n\t\tc := make(chan chan bool)\n\t\tservers[name] = c\n\t\tgo func() {\n\t\t\tfor r := range c {\n\t\t\t\tr <- true\n\t\t\t}\n\t\t}()\n\t}\n" +
			"\task := func(name string) {\n\t\tr := make(chan bool)\n\t\tservers[name] <- r\n\t\t<-r\n\t}\n\task(\"a\")\n\tfor range x {\n\t\task(\"b\")\n\t}\n\task(\"a\")\n}\n",
	})
	for name, want := range map[string]int{"number": 4, "lock": 0, "nested": 4, "map": 0} {
		s := search(t, p, name, Config{})
		if !s.Set().Complete() {
			t.Errorf("%s: the set is not complete: %+v", name, s.Set().Summary())
		}
		if got := len(s.Set().Epochs[1].Schedules); want > 0 && got != want {
			t.Errorf("%s: epoch 1 has %d schedules, want %d", name, got, want)
		}
		if passed := checkEpochs(t, s, []string{"x"}); passed == 0 {
			t.Errorf("%s: no epoch is passed", name)
		}
	}
}

// TestSleeps has goroutines that wait for a channel in an order that depends on an input, since one
// of them sleeps before it starts another one. Who receives does not depend on that, nor does an
// epoch end where a goroutine sleeps. When function main returns, the others are at markers.
func TestSleeps(t *testing.T) {
	const text = `package main

import (
	"time"

	"github.com/everyway-go/everyway/sym"
)

var values, sums = make(chan int), make(chan int)

func add(n int) {
	for v := range values {
		sums <- v + n
	}
}

func subtract(n int) {
	for v := range values {
		sums <- v - n
	}
}

func main() {
	n := sym.Range("n", 0, 3)
	if sym.Int("x") == 0 {
		go add(n)
		time.Sleep(time.Millisecond)
		go subtract(n)
	} else {
		go subtract(n)
		time.Sleep(time.Millisecond)
		go add(n)
	}
	time.Sleep(time.Millisecond)
	for i := 0; i < n; i++ {
		values <- i
		<-sums
	}
}
`
	p := programtest.Load(t, nil, map[string]string{"sleeps": text})
	s := search(t, p, "sleeps", Config{})
	if !s.Set().Complete() {
		t.Errorf("the set is not complete: %+v", s.Set().Summary())
	}
	for i, line := range strings.Split(text, "\n") {
		if !strings.Contains(line, "time.Sleep") {
			continue
		}
		for _, e := range s.Set().Epochs {
			for _, g := range e.Goroutines {
				if slices.ContainsFunc(g.Stack, func(at string) bool { return strings.Contains(at, fmt.Sprintf("main.go:%d:", i+1)) }) {
					t.Errorf("a goroutine begins an epoch %v", g)
				}
			}
		}
	}
	if c, err := s.Check(t.Context()); err != nil || len(c.Open) > 0 || len(c.Failures) > 0 {
		t.Errorf("check: %+v, %v", c, err)
	}
	if passed := checkEpochs(t, s, []string{"n", "x"}); passed == 0 {
		t.Error("no epoch is passed")
	}
}

// TestLength has goroutines that go on from markers until they have executed so many instructions,
// as many as an input says that decides nothing. What a run does then is what the set says also for
// other inputs with the same conditions and decisions.
func TestLength(t *testing.T) {
	const text = `package main

import (
	"os"
	"sync"

	"github.com/everyway-go/everyway/sym"
)

var (
	m, n sync.Mutex
	sum  int
)

func main() {
	x, y := sym.Range("x", 0, 2), sym.Range("y", 0, 2)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 3 {
			m.Lock()
			m.Unlock()
		}
	})
	total := 0
	for i := range 3 {
		for k := range x*x*30 + 5 {
			total += k
		}
		m.Lock()
		sum++
		m.Unlock()
		if i == 2 && y == 1 {
			n.Lock()
			n.Unlock()
		}
	}
	if %s {
		n.Lock()
		n.Unlock()
		if x == 2 {
			m.Lock()
			m.Unlock()
		}
	}
	wg.Wait()
	println(total)
	_ = os.Args
}
`
	p := programtest.Load(t, nil, map[string]string{"input": fmt.Sprintf(text, "y == 0"), "decided": fmt.Sprintf(text, `len(os.Args) > 1`)})
	for name, least := range map[string]uint64{"input": 80, "decided": 150} {
		s := search(t, p, name, Config{MinLength: least})
		if passed := checkEpochs(t, s, []string{"x", "y"}); passed < 9 || !s.Set().Complete() {
			t.Errorf("%s: runs have passed %d epochs of %d; the set is complete: %t", name, passed, len(s.Set().Epochs), s.Set().Complete())
		}
		again, err := New(t.Context(), p, s.target, Config{MinLength: least})
		if err != nil {
			t.Fatal(err)
		}
		if !again.Resume(s.Set()) {
			t.Errorf("%s: a set that is whole is not gone on with", name)
		}
		m, err := again.machine(t.Context(), again.Set().Epochs[0])
		if err != nil {
			t.Fatal(err)
		}
		j, err := m.travel(t.Context(), run.Input{"x": 2}, maxPassed, true) // the longest one first
		if err == nil {
			err = again.verify(j)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEveryInput makes runs of generated programs with all inputs: in one epoch, and from epoch to epoch.
func TestEveryInput(t *testing.T) {
	p, names, texts := generated(t, "generated", sample.Of(96, 3, 3))
	total, epochs, passed, whole := 0, 0, 0, 0
	for i, name := range names {
		schedules, _ := check(t, search(t, p, name, Config{Unroll: 1000}), []string{"x", "y", "z"})
		total += schedules
		cut := search(t, p, name, [...]Config{{}, {Ahead: 1}, {Unroll: 1}}[i%3])
		epochs += len(cut.Set().Epochs)
		passed += checkEpochs(t, cut, []string{"x", "y", "z"})
		if cut.Set().Searched() {
			whole++
		}
		if t.Failed() {
			t.Fatalf("%s:\n%s", name, texts[name])
		}
	}
	if total <= len(names) {
		t.Errorf("%d programs have %d schedules: nothing depends on inputs", len(names), total)
	}
	t.Logf("%d programs, %d schedules in one epoch each; else %d epochs, which runs passed %d times, and %d programs with all of these searched", len(names), total, epochs, passed, whole)
}

// TestExits has a program that is ended by os.Exit with the status zero, which is not where its
// schedules end: for other inputs, it goes on.
func TestExits(t *testing.T) {
	p := programtest.Load(t, nil, map[string]string{"exits": `package main

import (
	"os"
	"sync"

	"github.com/everyway-go/everyway/sym"
)

var m sync.Mutex

func main() {
	x := sym.Range("x", 0, 2)
	m.Lock()
	if x == 0 {
		os.Exit(0)
	}
	m.Unlock()
	done := make(chan bool)
	go func() {
		m.Lock()
		if x == 2 {
			os.Exit(0)
		}
		close(done)
	}()
	<-done
	m.Unlock()
}
`})
	s := search(t, p, "exits", Config{})
	if schedules, deadlocks := check(t, s, []string{"x"}); schedules != 1 || deadlocks != 0 {
		t.Errorf("%d schedules, %d of which deadlock, want one that does not", schedules, deadlocks)
	}
}

// TestExitsLast has programs that end by os.Exit in the place of a return of function main, with
// what no input decides: their sets cover all of their runs. Where a program goes on otherwise, an
// exit is early still.
func TestExitsLast(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"os\"\n\t\"sync\"\n)\n\nvar m, n sync.Mutex\n\nvar status = len(os.Args)\n\nfunc main() {\n"
	const loop = "\tfor range os.Args {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}\n"
	texts := map[string]string{
		"status":  head + loop + "\tos.Exit(status)\n}\n",
		"result":  head + "\tos.Exit(run())\n}\n\nfunc run() int {\n" + loop + "\treturn status\n}\n",
		"either":  head + loop + "\tif status == 2 {\n\t\tos.Exit(3)\n\t}\n\tprintln(status)\n\tos.Exit(4)\n}\n",
		"usage":   head + "\tif len(os.Args) < 9 {\n\t\tos.Exit(2)\n\t}\n" + loop + "\tos.Exit(status)\n}\n",
		"returns": head + loop + "\tif status == 2 {\n\t\tos.Exit(3)\n\t}\n\tprintln(status)\n}\n",
		"locks":   head + "\tif status == 1 {\n\t\tos.Exit(3)\n\t}\n\tn.Lock()\n\tos.Exit(4)\n}\n",
	}
	p := programtest.Load(t, nil, texts)
	for name := range texts {
		s := search(t, p, name, Config{})
		want := []int{2, 4}
		if name == "locks" {
			want = []int{1, 1}
		}
		sum := s.Set().Summary()
		if got := []int{sum.Epochs, sum.Schedules}; !s.Set().Searched() || !slices.Equal(got, want) {
			t.Errorf("%s: epochs and schedules %v, want %v; open: %d", name, got, want, sum.Open)
		}
		for _, e := range s.Set().Epochs {
			for _, sc := range e.Schedules {
				if sc.End.Kind == cover.Early {
					t.Errorf("%s: a schedule ends early", name)
				}
			}
		}
		if name == "locks" && len(s.Set().Epochs[0].Schedules[0].Nodes) != 1 {
			t.Errorf("locks: the schedule has %d nodes", len(s.Set().Epochs[0].Schedules[0].Nodes))
		}
		if passed := checkEpochs(t, s, nil); passed == 0 {
			t.Errorf("%s: no epoch is passed", name)
		}
	}
}

// TestDeferred has several calls of one function that are deferred in one function: each operation
// is where it was deferred.
func TestDeferred(t *testing.T) {
	p := programtest.Load(t, nil, map[string]string{"defers": `package main

import "sync"

var m, n sync.Mutex

func main() {
	for range 2 {
		both()
	}
}

func both() {
	m.Lock()
	defer m.Unlock()
	n.Lock()
	defer func() {
		defer n.Unlock()
	}()
	defer n.Lock()
	defer n.Unlock()
}
`})
	s := search(t, p, "defers", Config{Unroll: 9})
	var got []string
	for _, n := range s.Set().Epochs[0].Schedules[0].Nodes {
		if !n.Bypass {
			got = append(got, fmt.Sprint(n.Op, strings.TrimPrefix(n.Position, "internal/engine/covering/testdata/defers/main.go")))
		}
	}
	once := "lock:14:8 lock:16:8 unlock:21:16 lock:20:14 unlock:18:17 unlock:15:16"
	if want := once + " " + once; strings.Join(got, " ") != want {
		t.Errorf("nodes %s, want %s", strings.Join(got, " "), want)
	}
}

// TestResume stops a search in each epoch of the middle, at its first schedule: one that goes on
// from what is on disk finds the same.
func TestResume(t *testing.T) {
	p := programtest.Load(t, []string{"epochs"}, nil)
	whole := search(t, p, "epochs", Config{}).Set()
	targets := p.Targets()
	for stop := 1; stop < len(whole.Epochs); stop++ {
		s, err := New(t.Context(), p, &targets[0], Config{})
		if err != nil {
			t.Fatal(err)
		}
		killed := errors.New("killed")
		s.Changed = func(set *cover.Set) error {
			if len(set.Epochs) > stop && len(set.Epochs[stop].Schedules) > 0 {
				return killed
			}
			return nil
		}
		if err := s.Run(t.Context()); !errors.Is(err, killed) {
			t.Fatalf("epoch %d: %v", stop, err)
		}
		var b bytes.Buffer
		if err := s.Set().Write(&b); err != nil {
			t.Fatal(err)
		}
		old, err := cover.Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		if s, err = New(t.Context(), p, &targets[0], Config{}); err != nil {
			t.Fatal(err)
		}
		if !s.Resume(old) {
			t.Fatalf("epoch %d: the search does not go on", stop)
		}
		if err := s.Run(t.Context()); err != nil {
			t.Fatalf("epoch %d: %v", stop, err)
		}
		if got, want := s.Set().Summary(), whole.Summary(); got != want || got.Verdict != cover.DeadlockFree || checkEpochs(t, s, []string{"n"}) == 0 {
			t.Errorf("epoch %d: %+v, want %+v", stop, got, want)
		}
	}
}

// TestConservative has goroutines whose operations are on objects that an input decides: one
// schedule has the order of each (section 3.4.1.5).
func TestConservative(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nfunc main() {\n\tvar l [3]sync.Mutex\n\ti := sym.Range(\"i\", 0, 2)\n\tn := 0\n\t_ = n\n\tvar wg sync.WaitGroup\n"
	const goroutine = "\twg.Go(func() {\n\t\tl[%s].Lock()\n\t\t%s\n\t\tl[%[1]s].Unlock()\n\t})\n"
	with := func(index, does string) string { return fmt.Sprintf(goroutine, index, does) }
	p := programtest.Load(t, nil, map[string]string{
		"one":  head + with("1", "") + with("2", "") + with("i", "") + "\twg.Wait()\n}\n",
		"most": head + with("1", "") + with("2", "") + with("i", "") + "\tif i == 2 {\n\t\tl[0].Lock()\n\t}\n\twg.Wait()\n}\n",
		// The order of accesses is that of the locks, and a race if these are others.
		"races": head + with("1", "n++") + with("i", "n++") + "\twg.Wait()\n}\n",
		// A loop that goes round as often as the input says.
		"epochs": head + with("1", "") + with("i", "") + "\tfor range i {\n\t\tl[i].Lock()\n\t\tl[i].Unlock()\n\t}\n\twg.Wait()\n}\n",
	})
	for name, want := range map[string]struct{ schedules, precise, racing int }{"one": {1, 3, 0}, "most": {2, 3, 0}, "races": {2, 2, 1}, "epochs": {4, 5, 0}} {
		s := search(t, p, name, Config{})
		sum, precise := s.Set().Summary(), search(t, p, name, Config{Without: Optimisations{Conservative: true}}).Set().Summary()
		if sum.Schedules != want.schedules || precise.Schedules != want.precise || sum.Racing != want.racing || precise.Racing != want.racing {
			t.Errorf("%s: %+v, and %+v without, want %+v", name, sum, precise, want)
		}
		if want.racing == 0 && checkEpochs(t, s, []string{"i"}) == 0 {
			t.Errorf("%s: no epoch is passed", name)
		}
		for _, sc := range s.Set().Epochs[0].Schedules {
			if sc.Conservative && len(sc.Races) > 0 {
				t.Errorf("%s: a race is shown in an order that is not that of its input", name)
			}
		}
	}
}

// TestTurns has workers that take what main puts into a queue while they wait, several times in an
// epoch: they take about as much each (section 3.5).
func TestTurns(t *testing.T) {
	p := programtest.Load(t, nil, map[string]string{"pool": `package main

import (
	"sync"

	"github.com/everyway-go/everyway/sym"
)

var (
	m          sync.Mutex
	some, room = sync.NewCond(&m), sync.NewCond(&m)
	queue      int
	closed     bool
)

func main() {
	n := sym.Range("n", 0, 20)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for take() {
			}
		})
	}
	for range n {
		put()
	}
	m.Lock()
	closed = true
	some.Broadcast()
	m.Unlock()
	wg.Wait()
}

func put() {
	m.Lock()
	defer m.Unlock()
	for queue == 2 {
		room.Wait()
	}
	queue++
	some.Signal()
}

func take() bool {
	m.Lock()
	defer m.Unlock()
	for queue == 0 && !closed {
		some.Wait()
	}
	if queue == 0 {
		return false
	}
	queue--
	room.Signal()
	return true
}
`})
	s := search(t, p, "pool", Config{Unroll: 6})
	if passed := checkEpochs(t, s, nil); passed == 0 || !s.Set().Complete() {
		t.Fatalf("runs have passed %d epochs; complete: %t", passed, s.Set().Complete())
	}
	shared := 0
	for i, e := range s.Set().Epochs {
		for k, sc := range e.Schedules {
			passes := make([]int, len(e.Goroutines))
			for _, n := range sc.Nodes {
				if n.Bypass && n.Goroutine < len(passes) {
					passes[n.Goroutine]++
				}
			}
			var waited []int // of the workers that wait when the epoch begins
			for g, start := range e.Goroutines {
				if start.Kind == cover.Blocked && strings.HasSuffix(start.Stack[0], ":49:12") {
					waited = append(waited, passes[g])
				}
			}
			if len(waited) < 3 || slices.Max(waited) == 0 {
				continue
			}
			slices.Sort(waited)
			if shared++; waited[2]-waited[1] > 1 {
				t.Errorf("schedule %d of epoch %d: workers pass %v markers", k, i, waited)
			}
		}
	}
	if shared == 0 {
		t.Error("no worker takes anything in an epoch that it begins with waiting")
	}
}

// TestBroadcast has workers that a broadcast wakes at a barrier: those go on next to each other
// that have numbers far apart.
func TestBroadcast(t *testing.T) {
	p := programtest.Load(t, nil, map[string]string{"barrier": `package main

import "sync"

const parties = 6

var (
	m       sync.Mutex
	all     = sync.NewCond(&m)
	waiting int
)

func main() {
	var wg sync.WaitGroup
	for range parties {
		wg.Go(func() {
			m.Lock()
			defer m.Unlock()
			if waiting++; waiting == parties {
				all.Broadcast()
			}
			for waiting < parties {
				all.Wait()
			}
		})
	}
	wg.Wait()
}
`})
	var woken []int
	for _, n := range search(t, p, "barrier", Config{}).Set().Epochs[0].Schedules[0].Nodes {
		if n.Op == schedule.CondSignal || n.Op == schedule.CondWake {
			woken = append(woken, n.Goroutine)
		}
	}
	if want := []int{6, 1, 4, 2, 5, 3}; !slices.Equal(woken, want) {
		t.Errorf("the goroutine that wakes the others, and these, go on in the order %v, want %v", woken, want)
	}
}
