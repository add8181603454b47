package stateful

import (
	"slices"
	"testing"
)

// lateProgram has accesses that matter only when the first of them have been left out: they are
// found out after some steps.
const lateProgram = `package late

import ("sync"; "sync/atomic")

func Long() {
	var next atomic.Int64; var wg sync.WaitGroup
	done := make([]bool, 2000)
	wg.Add(2)
	for range 2 { go func() { defer wg.Done(); for i := next.Add(1) - 1; int(i) < len(done); i = next.Add(1) - 1 { done[i] = true } }() }
	wg.Wait()
	for _, ok := range done { if !ok { panic("not done") } }
}
`

// TestLate checks that a long run after which the search begins again is not made to its end.
func TestLate(t *testing.T) {
	m := programsOf(t, lateProgram)("Long")
	s := New(Options{Names: m.Names, ForgetKnowledge: true, Rename: true, Alike: true})
	var steps []int
	for range 4 {
		job, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		trace, err := m.Run(t.Context(), job.Plan, job.Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, s.(*search).scheduler.steps)
		if err := s.Learn(t.Context(), job, trace, m.Arena); err != nil {
			t.Fatal(err)
		}
	}
	if steps[0] > 2*lateSteps || !slices.ContainsFunc(steps[1:], func(n int) bool { return n > 2000 }) {
		t.Errorf("runs of %d steps, want a short one first, and then long ones", steps)
	}
}
