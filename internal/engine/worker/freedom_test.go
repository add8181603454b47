package worker

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/schedule"
)

// TestFree checks which inputs of findings are said not to matter.
func TestFree(t *testing.T) {
	targets := workersIn(t, "testdata/freedom", Config{})
	for _, test := range []struct {
		target string
		input  run.Input
		want   string
	}{
		{"FuzzUnused", run.Input{"a": 3}, "a = 0 (any), b = 0 (any)"},
		{"FuzzDecidesNothing", run.Input{"a": 8, "b": 4}, "a = 0 (any), b = 3"},
		// Either value can be any if the other is small, and not both.
		{"FuzzTogether", run.Input{"a": 201, "b": 9}, "a = 0 (any), b = 0"},
		{"FuzzText", run.Input{"len(s)": 3, "s[0]": 9, "len(u)": 1, "u[0]": 'x', "len(v)": 3}, `s = "00" (any of this length), u = "x", v = "" (any)`},
		{"FuzzMessage", run.Input{"a": 17}, "a = 0 (any)"},
		{"TestDrawn", run.Input{"b": 1, "n": 0x80}, "b = true, n = -3"},
		{"TestDrawn", run.Input{"x": 0x4008000000000000}, "b = false, x = 2"},
		{"ExamplePrinted", run.Input{"n": 3}, "n = 0"},
		{"FuzzMap", run.Input{"a": 1, "b": 3, "c": 4}, "a = 1, b = 0, c = 0 (any)"},
		{"FuzzSleep", run.Input{"n": 3, "m": 9}, "n = 0, m = 0 (any)"},
		{"FuzzChannel", run.Input{"size": 1, "value": 9}, "size = 1, value = 0 (any)"},
		{"FuzzLibrary", run.Input{"len(s)": 3, "s[1]": 'a', "s[2]": 'b', "len(b)": 1, "b[0]": 1, "n": 12, "k": 9}, `s = "ab", b = []byte("\x01"), n = 12, k = 0`},
		{"FuzzDigest", run.Input{"a": 0, "b": 9}, "a = 0, b = 0 (any)"},
		{"FuzzIndex", run.Input{"i": 2, "j": 1}, "i = 1, j = 0"},
		{"FuzzDeadlock", run.Input{"a": 2, "b": 1}, "a = 1, b = 0 (any)"},
		{"TestSchedule", run.Input{"n": 7}, "n = 1, m = 0"},
	} {
		w := targets(test.target)
		best, vars := w.minimisedFree(t, test.input)
		var texts []string
		for _, v := range schedule.Variables(vars) {
			texts = append(texts, v.String())
		}
		if got := strings.Join(texts, ", "); got != test.want {
			t.Errorf("%s: %s, want %s", test.target, got, test.want)
		}
		w.checkFree(t, best, vars)
		w.Close()
	}
}

// minimisedFree minimises the finding of a run with an input, in which goroutines are not
// interrupted, and returns its input with what was found out of it.
func (w *Worker) minimisedFree(t *testing.T, in run.Input) (*Witness, []schedule.Input) {
	t.Helper()
	plan := &run.Plan{Input: in}
	trace, err := w.Run(t.Context(), plan, run.NonPreemptive{})
	if err != nil {
		t.Fatal(err)
	}
	found := w.Findings(trace)
	if len(found) == 0 {
		return nil, nil
	}
	c := w.Witness(plan, trace)
	c.key = check.KeyOf(&found[0])
	best, _, err := w.rerun(t.Context(), c, run.Plan{})
	if err == nil {
		best, err = w.minimise(t.Context(), best)
	}
	if err != nil {
		t.Fatal(err)
	}
	recorded := &schedule.Run{Header: schedule.Header{Input: slices.Clone(best.drawn.Vars)}}
	if err := w.findFree(t.Context(), best, recorded); err != nil {
		t.Fatal(err)
	}
	return best, slices.DeleteFunc(recorded.Input, func(v schedule.Input) bool { return v.Choice })
}

// checkFree makes runs with other values for what does not matter, and checks that they show the finding.
func (w *Worker) checkFree(t *testing.T, best *Witness, vars []schedule.Input) (tried int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		c := *best
		c.input = maps.Clone(best.input)
		varied := false
		for _, v := range vars {
			if !v.Any {
				continue
			}
			varied = true
			n := r.Uint64() >> r.IntN(64)
			if x, ok := v.LengthOf(); ok {
				n %= uint64(w.cfg.MaxLen) + 1
				for i := range n {
					c.input[fmt.Sprintf("%s[%d]", x, i)] = r.Uint64() & 0xff
				}
			}
			c.input[v.Name] = n & (1<<v.Width - 1)
		}
		if !varied {
			return tried
		}
		tried++
		_, trace, err := w.rerun(t.Context(), &c, run.Plan{})
		if err != nil {
			t.Fatal(err)
		}
		if check.Find(trace, best.key) == nil {
			t.Fatalf("%s: the input %v does not show the finding, of which it is said that it does: %+v", w.target.Name, c.input, vars)
		}
	}
	return tried
}

// TestFreeRandom checks random functions of small inputs: what is said not to matter does not, and of what is not,
// there is a value that makes the function pass.
func TestFreeRandom(t *testing.T) {
	const first = "package freedom\n\nimport \"testing\"\n"
	r := rand.New(rand.NewPCG(3, 4))
	var source strings.Builder
	source.WriteString(first)
	n := sample.Size(200, 60, 20)
	for i := range n {
		fmt.Fprintf(&source, "\nfunc FuzzR%d(f *testing.F) {\nf.Fuzz(func(t *testing.T, a, b, c uint8) {\nx := uint8(0)\n", i)
		for range 1 + r.IntN(4) {
			fmt.Fprintf(&source, "if %s {\nx += %d\n}\n", randomCondition(r), r.IntN(3))
		}
		fmt.Fprintf(&source, "if x %s %d {\nt.Error(x)\n}\n})\n}\n", []string{"<", "==", ">="}[r.IntN(3)], r.IntN(4))
	}
	targets := workersOfSource(t, source.String(), Config{})
	free, matters, unknown := 0, 0, 0
	for i := range n {
		w := targets(fmt.Sprint("FuzzR", i))
		in := run.Input{"a": r.Uint64N(256), "b": r.Uint64N(256), "c": r.Uint64N(256)}
		best, vars := w.minimisedFree(t, in)
		if best != nil {
			w.checkFree(t, best, vars)
			for _, v := range vars {
				if v.Any {
					free++
					continue
				}
				if w.passesWithOther(t, best, vars, v.Name) {
					matters++
				} else {
					unknown++
				}
			}
		}
		w.Close()
	}
	t.Logf("%d inputs do not matter, %d do, of %d it is not known", free, matters, unknown)
	if free == 0 || matters == 0 || unknown > 0 {
		t.Error("want some that do not matter, some that do, and all to be known")
	}
}

// randomCondition returns a condition over the inputs.
func randomCondition(r *rand.Rand) string {
	name := func() string { return string('a' + rune(r.IntN(3))) }
	switch r.IntN(4) {
	case 0:
		return fmt.Sprintf("%s == %s", name(), name())
	case 1:
		return fmt.Sprintf("%s+%s > %d", name(), name(), r.IntN(256))
	}
	return fmt.Sprintf("%s %s %d", name(), []string{"<", ">=", "!=", "=="}[r.IntN(4)], r.IntN(256))
}

// passesWithOther reports whether the finding does not show with some value of an input, if what
// does not matter has some of its values.
func (w *Worker) passesWithOther(t *testing.T, best *Witness, vars []schedule.Input, name string) bool {
	t.Helper()
	c := *best
	c.input = maps.Clone(best.input)
	free := slices.DeleteFunc(slices.Clone(vars), func(v schedule.Input) bool { return !v.Any })
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 40 {
		for _, v := range free {
			if c.input[v.Name] = best.input[v.Name]; round > 0 {
				c.input[v.Name] = r.Uint64N(256)
			}
		}
		for value := range uint64(256) {
			c.input[name] = value
			_, trace, err := w.rerun(t.Context(), &c, run.Plan{})
			if err != nil {
				t.Fatal(err)
			}
			if check.Find(trace, best.key) == nil {
				return true
			}
		}
		if len(free) == 0 {
			return false
		}
	}
	return false
}
