package roundrobin

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// TestTurns plays runs in which the goroutines that are enabled are given, a letter each.
func TestTurns(t *testing.T) {
	for _, c := range []struct{ name, points, want string }{
		{"in turn", "abc abc abc abc", "abca"},
		{"a goroutine that was blocked comes first when it can go on", "abc ac ac abc abc", "acabc"},
		{"a new goroutine comes before those that have taken a step", "ab ab abc abc", "abca"},
		{"steps without a choice count", "a a ab ab", "aaba"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScheduler()
			var got strings.Builder
			for point := range strings.FieldsSeq(c.points) {
				p := &run.SchedulingPoint{Kind: run.Step}
				for _, g := range point {
					p.Enabled = append(p.Enabled, run.Transition{Decision: run.Decision{Goroutine: g}})
				}
				next := 0
				if len(p.Enabled) > 1 {
					next = s.Choose(p)
				}
				s.Stepping(&p.Enabled[next], nil)
				got.WriteRune(p.Enabled[next].Goroutine)
			}
			if got.String() != c.want {
				t.Errorf("goroutines %s, want %s", got.String(), c.want)
			}
		})
	}
	if v := newScheduler().Choose(&run.SchedulingPoint{Kind: run.Value, N: 3}); v != 0 {
		t.Errorf("value %d, want the first", v)
	}
}

// TestInputs checks which inputs are run, and that the search then ends.
func TestInputs(t *testing.T) {
	s, err := Info.New(strategy.Config{Seeds: []run.Input{{"n": 1}, {"n": 2}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []uint64{1, 2, 0} {
		if s.Status().Finished {
			t.Fatalf("the search has ended before input %d", want)
		}
		job, err := s.Next(t.Context())
		if err != nil || job == nil {
			t.Fatalf("no run for input %d: %v", want, err)
		}
		if got := job.Plan.Input["n"]; got != want {
			t.Errorf("input %d, want %d", got, want)
		}
	}
	if job, err := s.Next(t.Context()); job != nil || err != nil {
		t.Errorf("one run more: %v, %v", job, err)
	}
	if st := s.Status(); !st.Finished || st.Exhausted || st.Candidates != 3 {
		t.Errorf("status %+v", st)
	}
}
