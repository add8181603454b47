package summaries_test

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/engine/summaries"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	oracle "github.com/everyway-go/everyway/internal/oracle/summaries"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/vm"
)

// maxRuns bounds the runs of a search.
const maxRuns = 200

// TestSame compares the runs of searches with and without summaries.
func TestSame(t *testing.T) {
	text, names := oracle.Source(1, sample.Size(180, 12, 6))
	dir := t.TempDir()
	if err := suite.Write(dir, "generated", map[string]string{"generated.go": text}); err != nil {
		t.Fatal(err)
	}
	plain, walking := load(t, dir, names), load(t, dir, names)
	library := summaries.NewLibrary(cache.Cache{})
	walking.Summaries = library
	var total run.Summaries
	runs := 0
	for _, name := range names {
		want, _ := search(t, plain, name)
		got, m := search(t, walking, name)
		runs += len(got)
		total.Add(m.Summaries.Counts)
		m.Summaries.Counts = run.Summaries{}
		if len(got) != len(want) {
			t.Errorf("%s: %d runs, want %d", name, len(got), len(want))
		}
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("%s: run %d differs: %s", name, i, difference(got[i], want[i]))
				t.Log(function(text, name))
				break
			}
		}
	}
	t.Logf("%d functions, %d runs, %v, %+v", len(names), runs, total, library.Counts())
	if total.Walks < runs || total.Accesses <= total.Reads+total.Writes {
		t.Errorf("summaries were used too little: %v", total)
	}
}

// load loads functions of the package in dir.
func load(t *testing.T, dir string, names []string) *suite.Suite {
	t.Helper()
	s, err := suite.LoadFuncs(t.Context(), dir, names...)
	if err != nil {
		t.Fatal(err)
	}
	s.Settings = run.Settings{
		MaxLen: 2, MaxObjects: 2, MaxChain: 100,
		Limits: run.Limits{Instructions: 1e5, Memory: 16 << 20, Depth: 1000, Goroutines: 100, Decisions: 1000},
	}
	return s
}

// search returns what there is to say of each run of a search.
func search(t *testing.T, s *suite.Suite, name string) (list []string, m *vm.Machine) {
	t.Helper()
	ctx := t.Context()
	m, err := s.Machine(ctx, name, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if m.Summaries != nil {
		m.Summaries.Warm = 2
	}
	st := hyperconcolic.New(hyperconcolic.Options{Names: m.Names})
	for range maxRuns {
		job, err := st.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			break
		}
		trace, err := m.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, describe(t, m, s.Code, trace))
		if err := st.Learn(ctx, job, trace, m.Arena); err != nil {
			t.Fatal(err)
		}
	}
	return list, m
}

// describe returns all that a trace says, with expressions in the place of their numbers.
func describe(t *testing.T, m *vm.Machine, program *code.Program, trace *run.Trace) string {
	t.Helper()
	var b strings.Builder
	text := func(x expr.ID) string {
		if x == expr.None {
			return "-"
		}
		return m.Arena.String(x)
	}
	c := *trace
	c.Path, c.Inputs, c.Events = slices.Clone(c.Path), slices.Clone(c.Inputs), slices.Clone(c.Events)
	for i := range c.Path {
		p := &c.Path[i]
		fmt.Fprintf(&b, "condition %d: %s; %s\n", i, text(p.Cond), text(p.Value))
		p.Cond, p.Value = expr.None, expr.None
	}
	for i := range c.Inputs {
		fmt.Fprintf(&b, "input %s: %s\n", c.Inputs[i].Name, text(c.Inputs[i].Sym))
		c.Inputs[i].Sym = expr.None
	}
	for i := range c.Events {
		e := &c.Events[i]
		fmt.Fprintf(&b, "event %d: %s; %s; %s\n", i, text(e.ReadSym), text(e.WroteSym), text(e.Cond))
		e.ReadSym, e.WroteSym, e.Cond = expr.None, expr.None, expr.None
		e.Rest = slices.Clone(e.Rest)
		for k := range e.Rest {
			fmt.Fprintf(&b, "    %s\n", text(e.Rest[k].Sym))
			e.Rest[k].Sym = expr.None
		}
	}
	// Branches have numbers in the order in which functions are compiled.
	var covered []string
	for i, br := range program.Branches {
		if i/64 < len(c.Covered) && c.Covered[i/64]&(1<<(i%64)) != 0 {
			at := br.Func.SSA.Prog.Fset.Position(br.Pos)
			covered = append(covered, fmt.Sprintln("covered", br.Func.Name, at.Line, at.Column, br.Then, br.Block))
		}
	}
	slices.Sort(covered)
	b.WriteString(strings.Join(covered, ""))
	c.Covered = nil
	enc := json.NewEncoder(&b)
	enc.SetIndent("", " ")
	if err := enc.Encode(&c); err != nil {
		t.Fatal(err)
	}
	if !trace.Skipped { // in the middle of an instruction, of which the code does the rest
		fmt.Fprintf(&b, "state %x\n", m.StateHash())
	}
	return b.String()
}

// difference returns the first lines that differ.
func difference(got, want string) string {
	x, y := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d: %s, want %s", i, x[i], y[i])
		}
	}
	return "one is longer"
}

// function returns the source of a function and what it calls.
func function(text, name string) string {
	id := strings.TrimPrefix(name, "F")
	var b strings.Builder
	for _, part := range strings.Split(text, "\nfunc ") {
		if strings.HasPrefix(part, "h"+id+"_") || strings.HasPrefix(part, name+"(") {
			b.WriteString("\nfunc " + part)
		}
	}
	return b.String()
}
