package border

import (
	"fmt"
	"go/token"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/program/programtest"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/epoch"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/static/synchronisation"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A driver goes on with goroutines until all are at markers or wait, and has states read there.
type driver struct {
	vm     *vm.Machine
	read   func(goroutines []*state.Goroutine) (more bool)
	leaves bool // goroutines leave markers
}

// Choose implements [run.Scheduler].
func (d *driver) Choose(pt *run.SchedulingPoint) int {
	if pt.Kind != run.Step {
		return run.NonPreemptive{}.Choose(pt)
	}
	for i := range pt.Enabled {
		if !pt.Enabled[i].IsStop() {
			return i
		}
	}
	if !d.border() {
		return -1
	}
	return 0
}

// Stepping implements [run.Watcher]: it is told also of a step that is the only one.
func (d *driver) Stepping(t *run.Transition, _ *run.Trace) bool {
	if !t.IsStop() {
		return true
	}
	if d.leaves {
		d.leaves = false
		return true
	}
	more := d.border()
	d.leaves = false
	return more
}

func (d *driver) border() bool {
	var list []*state.Goroutine
	for _, g := range d.vm.Live {
		if g.Status != state.Ended {
			list = append(list, g)
		}
	}
	d.leaves = true
	return d.read(list)
}

// borders is how many states of each program are read.
const borders = 3

// states returns the states in which a program is, for people to read, when all of its goroutines
// are at markers, or wait.
func states(t *testing.T, p *program.Program, target *load.Target, input run.Input) string {
	t.Helper()
	cfg, err := p.Static(target)
	if err != nil {
		t.Fatal(err)
	}
	a, err := static.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	pointers, err := a.PointsTo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ops := synchronisation.Find(a, pointers.Calls())
	markers, bad, err := epoch.Place(t.Context(), a, ops, epoch.Options{})
	if err != nil || len(bad) > 0 || len(ops.Unsupported) > 0 {
		t.Fatalf("%v, %v, %v", err, bad, ops.Unsupported)
	}
	slice, err := synchronisation.NewSlice(t.Context(), a, ops, synchronisation.Options{Prefixes: true, Borders: true})
	if err != nil {
		t.Fatal(err)
	}
	program := p.NewCode(nil)
	m := vm.New(program, expr.NewArena(), run.NewNames(), run.Settings{Limits: run.Limits{Instructions: 1_000_000, Memory: 1 << 28, Depth: 1000, Goroutines: 16}})
	m.Output = io.Discard
	stops := make(map[run.SiteID]bool)
	for _, mk := range markers {
		site, ok := place.SiteOf(program, pointers.Calls(), mk.Instr)
		if !ok {
			t.Fatalf("%s: there is no code", p.Position(target, mk.Pos))
		}
		stops[m.SiteOf(site.Func.Name, site.Instr)] = true
	}
	entry, err := p.Entry(target)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Boot(t.Context(), entry); err != nil {
		t.Fatal(err)
	}
	r := NewReader(m, slice, func(pos token.Pos) string {
		_, place, _ := strings.Cut(p.Position(target, pos), ".go:")
		return place
	})
	var b strings.Builder
	n := 0
	d := &driver{vm: m, read: func(list []*state.Goroutine) bool {
		fmt.Fprintf(&b, "state %d\n%s", n, printed(m, r.Read(list)))
		n++
		return n < borders
	}}
	if _, err := m.Run(t.Context(), &run.Plan{Input: input, Record: true, RecordAllocations: true, Visible: run.Visible{Stops: stops}}, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// printed returns a state for people to read: what it is like, and its cells.
func printed(m *vm.Machine, s *State) string {
	var b strings.Builder
	if s.Problem != "" {
		fmt.Fprintf(&b, "\tproblem: %s\n", s.Problem)
		return b.String()
	}
	for line := range strings.Lines(s.shape) {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Fprintf(&b, "\t%s\n", line)
		}
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		fmt.Fprintf(&b, "\tcell %q %s %s = %d", c.Input.Name, c.Input.Type, c.Input.Root.Kind, c.Value)
		if c.Input.Root.InFrame() {
			fmt.Fprintf(&b, " of %s at %s", c.Input.Root.Name, c.Input.Root.Position)
		}
		if c.Sym != expr.None {
			fmt.Fprintf(&b, ", which is %s", m.Arena.String(c.Sym))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestStates compares the states of small programs with golden files. Each waits at the marker of a
// loop that goes round twice.
func TestStates(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar m, n sync.Mutex\n\nvar flag atomic.Int64\n\nfunc main() {\n\tx := sym.Range(\"x\", 1, 3)\n\t_ = x\n"
	const turn = "\tfor range 2 {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}\n"
	const foot = "\t\tn.Lock()\n\t\tn.Unlock()\n\t}\n}\n"
	bodies := map[string]string{
		// Numbers in registers, a constant and one that depends on an input; what decides nothing is in no cell.
		"numbers": "\tk, other := x+1, 7\n" + turn + "\tprintln(other)\n\tif k == 2 {\n" + foot,
		"unused":  "\tk := x\n\tprintln(k)\n" + turn + "}\n",
		// What is known of a variable by its name, in the function and in its caller.
		"frames": "\tk := x\n\tinner(k + 1)\n\tif k == 2 {\n" + foot + "\nfunc inner(l int) {\n" + turn + "\tif l == 2 {\n" + foot,
		// Parts of structures and elements of arrays, of which only those are cells that decide something.
		"parts":    "\tp := struct{ a, b int }{x, 5}\n\tq := &p\n" + turn + "\tif q.a == 2 {\n" + foot,
		"elements": "\tlist := [3]int{1, x, 3}\n" + turn + "\tif list[x-1] == 2 {\n" + foot,
		// Lengths and pointers are what the state is like.
		"slices":  "\tlist := make([]int, 2, 5)\n\tlist[1] = x\n" + turn + "\tif list[1] == 2 {\n" + foot,
		"lengths": "\tlist := make([]int, x)\n" + turn + "\tif len(list) == 2 {\n" + foot,
		"strings": "\ttext := \"ab\"\n\tif x == 2 {\n\t\ttext = \"abc\"\n\t}\n" + turn + "\tif text == \"ab\" {\n" + foot,
		"shared":  "\ta := new(int)\n\tb := a\n\tif x == 2 {\n\t\tb = new(int)\n\t}\n\t*b = x\n" + turn + "\tif *a == *b {\n" + foot,
		"boxed":   "\tvar v any = x\n" + turn + "\tif v.(int) == 2 {\n" + foot,
		"maps":    "\ttable := map[string]int{\"a\": x, \"b\": 3}\n" + turn + "\tif table[\"a\"] == 2 {\n" + foot,
		// Package variables, and atomic ones.
		"globals": "\tglobal, flagged = x, x == 2\n" + turn + "\tif flagged && global == 2 {\n" + foot + "\nvar (\n\tglobal  int\n\tflagged bool\n)\n",
		"atomics": "\tflag.Store(int64(x))\n" + turn + "\tif flag.Load() == 2 {\n" + foot,
		// A captured variable, and two goroutines at one place.
		"closures":   "\tk := x\n\tf := func() { k++ }\n\tf()\n" + turn + "\tf()\n\tif k == 2 {\n" + foot,
		"goroutines": "\tvar wg sync.WaitGroup\n\tfor i := range 2 {\n\t\twg.Go(func() {\n\t\t\tk := i + x\n" + turn + "\t\t\tif k == 2 {\n\t\t\t\tn.Lock()\n\t\t\t\tn.Unlock()\n\t\t\t}\n\t\t})\n\t}\n\twg.Wait()\n}\n",
		// Primitives: a lock that is held, and goroutines that wait for it, for a condition and for channels.
		"locked":   "\tn.Lock()\n\tgo func() {\n\t\tn.Lock()\n\t\tn.Unlock()\n\t}()\n" + turn + "\tn.Unlock()\n}\n",
		"waits":    "\tc := sync.NewCond(&n)\n\tgo func() {\n\t\tn.Lock()\n\t\tc.Wait()\n\t\tn.Unlock()\n\t}()\n" + turn + "\tc.Signal()\n}\n",
		"channels": "\tc, d := make(chan int, 3), make(chan bool)\n\tc <- x\n\tgo func() {\n\t\tselect {\n\t\tcase d <- true:\n\t\tcase <-d:\n\t\t}\n\t}()\n" + turn + "\tif <-c == 2 {\n\t\t<-d\n\t}\n}\n",
		"deferred": "\tdefer unlock(x)\n" + turn + "}\n\nfunc unlock(k int) {\n\tif k == 2 {\n" + foot,
	}
	texts := make(map[string]string)
	for _, name := range sample.From(slices.Sorted(maps.Keys(bodies)), 6, 2) {
		texts[name] = head + bodies[name]
	}
	p := programtest.Load(t, nil, texts)
	for _, target := range p.Targets() {
		name := filepath.Base(target.Package.Path)
		_, body, _ := strings.Cut(texts[name], "_ = x\n")
		text := strings.ReplaceAll(states(t, p, &target, run.Input{"x": 2}), strings.TrimSuffix(target.Package.Path, name), "")
		codetest.CompareGolden(t, "testdata/"+name+".golden", body+"\n"+text)
	}
}
