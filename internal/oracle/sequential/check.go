package sequential

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A checker compares programs in the machine with what they do natively.
type checker struct {
	programs []*Program
	ends     [][]end
	suite    *suite.Suite
	output   bytes.Buffer
}

// errTooLarge is returned for a program with more paths than the limit.
var errTooLarge = errors.New("too many paths")

// A givenUpError says that the search of a program has given something up, and so has not
// promised that all inputs are covered.
type givenUpError struct{ what string }

func (e *givenUpError) Error() string { return e.what }

// A differenceError describes a difference.
type differenceError struct{ what string }

func (e *differenceError) Error() string { return e.what }

func difference(format string, args ...any) error {
	return &differenceError{fmt.Sprintf(format, args...)}
}

// newChecker runs programs natively and loads them, in a directory for temporary files.
func newChecker(ctx context.Context, dir string, programs []*Program) (*checker, error) {
	ends, err := runNatively(ctx, dir+"/native", programs)
	if err != nil {
		return nil, err
	}
	c := &checker{programs: programs, ends: ends}
	if err := suite.Write(dir+"/suite", "sequential", map[string]string{"sequential_test.go": c.source()}); err != nil {
		return nil, err
	}
	if c.suite, err = suite.Load(ctx, dir+"/suite"); err != nil {
		return nil, err
	}
	c.suite.Settings = run.Settings{
		MaxLen: maxLen,
		Limits: run.Limits{Instructions: 1e6, Memory: 16 << 20, Depth: 1000, Goroutines: 100, Decisions: 1000},
	}
	return c, nil
}

// source returns a test file with two targets for each program: FuzzPaths, whose last
// input is compared with the result, and FuzzVerdict, which fails for one result.
func (c *checker) source() string {
	var b strings.Builder
	b.WriteString("package main\n") // as natively, for messages that name types
	fmt.Fprintf(&b, imports, "\t\"testing\"\n")
	b.WriteString(prelude)
	for i, p := range c.programs {
		guard := p.guard()
		if guard != "" {
			guard = fmt.Sprintf("if %s { return }\n", guard)
		}
		fmt.Fprintf(&b, `
func FuzzPaths%[1]d(f *testing.F) {
	f.Fuzz(func(t *testing.T, %[2]s, want uint8) {
		%[3]s if p%[1]d(%[4]s) == want {
			println("equal")
		} else {
			println("different")
		}
	})
}

func FuzzVerdict%[1]d(f *testing.F) {
	f.Fuzz(func(t *testing.T, %[2]s) {
		%[3]s if p%[1]d(%[4]s) == %[5]d {
			t.Error("found")
		}
	})
}

`, i, p.params(), guard, p.args(), c.rare(i))
		p.source(&b, fmt.Sprint("p", i))
	}
	return b.String()
}

// rare returns the result of program i that the fewest inputs have, or one that none has.
func (c *checker) rare(i int) uint8 {
	var count [256]int
	for _, e := range c.ends[i] {
		if e.panic == "" {
			count[e.result]++
		}
	}
	rare, none := -1, -1
	for r, n := range count {
		switch {
		case n == 0:
			none = r
		case rare < 0 || n < count[rare]:
			rare = r
		}
	}
	if rare < 0 || none >= 0 && c.programs[i].Seed%2 == 0 {
		return uint8(none)
	}
	return uint8(rare)
}

// A path is a run of a program.
type path struct {
	conds []expr.ID
	input Input // with which the run was made
	want  uint8
	end   string // "equal", "different", "" or "panic: …"
}

// paths checks that for every input exactly one path condition holds, and that the run
// with this condition ends as it does natively. It returns the number of runs.
func (c *checker) paths(ctx context.Context, i, limit int, merge run.Merging) (int, error) {
	m, err := c.suite.Machine(ctx, fmt.Sprint("FuzzPaths", i), &c.output)
	if err != nil {
		return 0, err
	}
	p := c.programs[i]
	st := hyperconcolic.New(hyperconcolic.Options{Names: m.Names, Merge: merge})
	arena := expr.NewArena() // the machine's is cut back by each run
	var paths []path
	for runs := 0; ; runs++ {
		job, err := st.Next(ctx)
		if err != nil {
			return runs, err
		}
		if job == nil {
			break
		}
		if runs == limit {
			return runs, errTooLarge
		}
		c.output.Reset()
		trace, err := m.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			return runs, err
		}
		if len(trace.GivenUp) > 0 {
			return runs, &givenUpError{trace.GivenUp[0].What}
		}
		values := map[string]uint64{}
		for _, v := range trace.Inputs {
			values[v.Name] = v.Value
		}
		one := path{input: p.inputOf(values), want: uint8(values["want"])}
		switch {
		case trace.Outcome == run.Stopped || trace.Outcome == run.Infeasible:
			return runs, difference("a run was %v", trace.Outcome)
		case trace.Outcome == run.Bounded:
			return runs, &givenUpError{trace.Message}
		case trace.Panic != nil:
			one.end = panicMessage(trace.Panic.Message)
		case trace.Outcome != run.Finished:
			return runs, difference("a run was %v: %s", trace.Outcome, trace.Message)
		default:
			one.end = strings.TrimSpace(c.output.String())
		}
		for k := range trace.Path {
			one.conds = append(one.conds, arena.Copy(m.Arena, trace.Path[k].Cond))
		}
		paths = append(paths, one)
		if err := st.Learn(ctx, job, trace, m.Arena); err != nil {
			return runs, err
		}
	}
	if status := st.Status(); !status.Exhausted {
		return len(paths), open(status.Open)
	}
	return len(paths), c.compare(i, arena, paths)
}

// open returns the error for a search that has left something open: what is a fault of
// everyway is a difference.
func open(what []string) error {
	if slices.Contains(what, strategy.Elsewhere) {
		return difference("%s", what)
	}
	return &givenUpError{fmt.Sprint(what)}
}

// panicMessage is the message of the last panic of a chain, without what package testing
// adds.
func panicMessage(text string) string {
	var last string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "panic: ") {
			last, _, _ = strings.Cut(line, " [recovered")
		}
	}
	return last
}

// inputOf returns the input that the input variables of a run make.
func (p *Program) inputOf(values map[string]uint64) Input {
	in := make(Input, len(p.Params))
	for i, param := range p.Params {
		switch param.Type {
		case tStr, tBytes:
			b := make([]byte, values["len("+param.Name+")"])
			for k := range b {
				b[k] = byte(values[fmt.Sprintf("%s[%d]", param.Name, k)])
			}
			in[i].Bytes = string(b)
		default:
			in[i].Bits = values[param.Name]
		}
	}
	return in
}

// variables returns the values of the input variables of an input.
func (p *Program) variables(in Input, want uint8) map[string]uint64 {
	vars := map[string]uint64{"want": uint64(want)}
	for i, param := range p.Params {
		switch param.Type {
		case tStr, tBytes:
			vars["len("+param.Name+")"] = uint64(len(in[i].Bytes))
			for k := range len(in[i].Bytes) {
				vars[fmt.Sprintf("%s[%d]", param.Name, k)] = uint64(in[i].Bytes[k])
			}
		default:
			vars[param.Name] = in[i].Bits
		}
	}
	return vars
}

// maxCases bounds the inputs on which the path conditions of a program are evaluated.
const maxCases = 1500

// A trial is an input with a value to compare the result with.
type trial struct {
	input Input
	end   end // natively
	want  uint8
	vars  map[string]uint64
	met   []int // indices of the paths whose condition holds
}

// trials draws inputs: all if they are few, and otherwise some with every end.
func (c *checker) trials(i int, paths []path) []trial {
	p := c.programs[i]
	domain := p.domain()
	r := rand.New(rand.NewPCG(p.Seed, uint64(i)))
	chosen := r.Perm(len(domain))
	perEnd := map[end]int{}
	var all []trial
	add := func(in Input, e end) {
		for _, want := range []uint8{e.result, e.result ^ 1<<r.IntN(8)} {
			all = append(all, trial{input: in, end: e, want: want, vars: p.variables(in, want)})
		}
	}
	for k, at := range chosen {
		e := c.ends[i][at]
		if perEnd[e]++; k < maxCases || perEnd[e] < 3 {
			add(domain[at], e)
		}
	}
	// Those for which the solver has found an input are often at an edge.
	for _, one := range paths {
		if at := p.position(one.input); at >= 0 {
			add(one.input, c.ends[i][at])
		}
	}
	return all
}

func (c *checker) compare(i int, arena *expr.Arena, paths []path) error {
	p := c.programs[i]
	trials := c.trials(i, paths)
	everything := make([]int, len(paths))
	for k := range paths {
		everything[k] = k
	}
	inputs := make([]int, len(trials))
	for k := range trials {
		inputs[k] = k
	}
	match(arena, paths, trials, everything, inputs, 0)
	for k := range trials {
		t := &trials[k]
		what := func() string { return fmt.Sprintf("%s want=%d (natively %v)", p.text(t.input), t.want, t.end) }
		if len(t.met) == 0 {
			return difference("%s: no path condition holds of %d", what(), len(paths))
		}
		if len(t.met) > 1 && !p.Unordered {
			return difference("%s: %d path conditions hold of %d", what(), len(t.met), len(paths))
		}
		for _, at := range t.met {
			one := &paths[at]
			want := "different"
			switch {
			case t.end.panic != "":
				want = "panic: " + t.end.panic
			case t.end.result == t.want:
				want = "equal"
			}
			got := one.end
			if !slices.Equal(one.input, t.input) { // numbers in the message may be others
				got, want = withoutNumbers(got), withoutNumbers(want)
			}
			if got != want {
				return difference("%s: the run with this path condition, made with %s want=%d, ends with %q", what(), p.text(one.input), one.want, one.end)
			}
		}
	}
	return nil
}

// match finds the paths whose condition holds for each trial, of those that agree up to
// condition at.
func match(arena *expr.Arena, paths []path, trials []trial, alive, inputs []int, at int) {
	if len(inputs) == 0 {
		return
	}
	next := map[expr.ID][]int{}
	var order []expr.ID
	for _, k := range alive {
		if at == len(paths[k].conds) {
			for _, in := range inputs {
				trials[in].met = append(trials[in].met, k)
			}
			continue
		}
		cond := paths[k].conds[at]
		if next[cond] == nil {
			order = append(order, cond)
		}
		next[cond] = append(next[cond], k)
	}
	for _, cond := range order {
		var meeting []int
		for _, in := range inputs {
			if arena.Eval(cond, func(v expr.ID) uint64 { return trials[in].vars[arena.VarName(v)] }) == 1 {
				meeting = append(meeting, in)
			}
		}
		match(arena, paths, trials, next[cond], meeting, at+1)
	}
}

func withoutNumbers(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, s)
}

// verdict checks the verdict on a target that fails for one result, and the input with
// which it fails. It returns the number of runs.
func (c *checker) verdict(ctx context.Context, i int, cfg search.Config) (int, error) {
	p := c.programs[i]
	t, err := c.suite.Target(fmt.Sprint("FuzzVerdict", i))
	if err != nil {
		return 0, err
	}
	cfg.MaxLen, cfg.Workers, cfg.NoCorpus = maxLen, 1, true
	r, err := search.Target(ctx, c.suite.Program, t, cfg, verdict.Quiet{})
	if err != nil {
		return 0, err
	}
	rare := c.rare(i)
	bad := func(e end) bool { return e.panic != "" || e.result == rare }
	want := verdict.Holds
	if slices.ContainsFunc(c.ends[i], bad) {
		want = verdict.Fails
	}
	switch {
	case r.Verdict == verdict.Open:
		return r.Runs, open(r.Open)
	case r.Verdict != want:
		return r.Runs, difference("result %d: the verdict is %s, natively it %s", rare, r.Verdict, want)
	case want == verdict.Holds:
		return r.Runs, nil
	}
	for _, found := range r.Counterexamples {
		values := map[string]uint64{}
		for _, v := range found.Run.Input {
			values[v.Name] = v.Value
		}
		in := p.inputOf(values)
		at := p.position(in)
		if at < 0 || !bad(c.ends[i][at]) {
			return r.Runs, difference("result %d: it is said to fail for %s: %s", rare, p.text(in), found.Run.Finding.Message)
		}
	}
	return r.Runs, nil
}
