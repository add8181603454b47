package hyperconcolic

import (
	"context"
	"fmt"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// TestClasses counts the runs that come to their end: there is one for each class of inputs and
// interleavings.
func TestClasses(t *testing.T) {
	branch := func(op toyOp, input string, bound uint64, skip int) toyOp {
		op.branch, op.bound, op.skip = input, bound, skip
		return op
	}
	address := func(op toyOp, input string) toyOp { op.address = input; return op }
	choice := func(op toyOp, n int) toyOp { op.choices = n; return op }
	for _, c := range []struct {
		name string
		gs   [][]toyOp
		runs int
	}{
		{"nothing to choose", [][]toyOp{{write(0), write(0), read(1)}}, 1},
		{"one order of reads", [][]toyOp{{read(0)}, {read(0)}}, 1},
		{"two orders of writes", [][]toyOp{{write(0)}, {write(0)}}, 2},
		{"a read before, between or after", [][]toyOp{{write(0), write(0)}, {read(0)}}, 3},
		{"independent", [][]toyOp{{write(0), write(0)}, {write(1), write(1)}, {write(2), write(2)}}, 1},
		{"independent until the end", [][]toyOp{{write(0), write(0), write(3)}, {write(1), write(1), write(3)}}, 2},
		{"independent after the beginning", [][]toyOp{{write(3), write(0), write(0)}, {write(3), write(1), write(1)}}, 2},
		{"all orders of three", [][]toyOp{{write(0)}, {write(0)}, {write(0)}}, 6},
		{"interleavings of two and two", [][]toyOp{{write(0), write(0)}, {write(0), write(0)}}, 6},
		{"two cells", [][]toyOp{{write(0), write(1)}, {write(0), write(1)}}, 4},
		{"two inputs", [][]toyOp{{branch(read(0), "a", 3, 0), branch(read(0), "b", 3, 0)}}, 4},
		{"the same condition twice", [][]toyOp{{branch(read(0), "a", 3, 0), branch(read(0), "a", 3, 0)}}, 2},
		{"conditions that exclude each other", [][]toyOp{{branch(read(0), "a", 3, 0), branch(read(0), "a", 5, 0)}}, 3},
		{"an independent branch in each", [][]toyOp{{branch(read(0), "a", 3, 0)}, {branch(read(0), "b", 3, 0)}}, 4},
		{"order matters on one path only", [][]toyOp{{branch(read(0), "a", 3, 1), write(1)}, {write(1)}}, 3},
		{"every value of an address", [][]toyOp{{address(read(0), "a")}}, 16},
		{"an address bounded by a branch", [][]toyOp{{branch(read(0), "a", 3, 1), address(read(0), "a")}}, 4},
		{"an address in each of two", [][]toyOp{{branch(read(0), "a", 2, 1), address(write(0), "a")}, {write(0)}}, 2*3 + 2},
		{"choices", [][]toyOp{{choice(read(0), 3), choice(read(0), 2)}}, 6},
		{"choices under orders", [][]toyOp{{choice(write(0), 3)}, {write(0)}}, 6},
		{"choices of independent steps", [][]toyOp{{choice(write(0), 3)}, {choice(write(1), 2)}}, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &toy{arena: expr.NewArena(), gs: c.gs}
			s := New(Options{Names: run.NewNames()})
			runs := runAll(t, s, m)
			st := s.Status()
			if !st.Exhausted || len(st.Open) > 0 {
				t.Errorf("the search ended with status %+v", st)
			}
			if runs != c.runs {
				t.Errorf("%d runs came to their end, want %d", runs, c.runs)
			}
			if st.Redundant > 0 || st.Blocked > 0 {
				t.Errorf("%d redundant and %d blocked runs, want none", st.Redundant, st.Blocked)
			}
		})
	}
}

// runAll lets s search the programs of m to the end. It returns the number of
// runs that came to their end and checks that no two were equal.
func runAll(t *testing.T, s strategy.Strategy, m *toy) int {
	t.Helper()
	seen := map[string]bool{}
	for range 10000 {
		job, err := s.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			return len(seen)
		}
		mark := m.arena.Mark()
		trace := m.run(job.Plan, job.Scheduler)
		if trace.Outcome == run.Finished {
			key := fmt.Sprint(trace.Decisions)
			for _, c := range trace.Path {
				key += " " + m.arena.String(c.Cond)
			}
			if seen[key] {
				t.Errorf("run twice: %s", key)
			}
			seen[key] = true
		}
		if err := s.Learn(context.Background(), job, trace, m.arena); err != nil {
			t.Fatal(err)
		}
		m.arena.Release(mark)
	}
	t.Fatal("the search does not end")
	return 0
}

// TestRefine checks that a race makes its sites visible and the search begin again.
func TestRefine(t *testing.T) {
	s := New(Options{Names: run.NewNames()})
	first, second := run.SiteID{Func: 1, Instr: 2}, run.SiteID{Func: 3, Instr: 4}
	access := func(site run.SiteID) run.MemoryAccess {
		return run.MemoryAccess{StackTrace: run.StackTrace{Site: site}}
	}
	race := run.AccessPair{Earlier: access(second), Later: access(first)}
	job, _ := s.Next(context.Background())
	earlier := *job.Plan
	if err := s.Learn(context.Background(), job, &run.Trace{Unordered: []run.AccessPair{race}}, expr.NewArena()); err != nil {
		t.Fatal(err)
	}
	again, _ := s.Next(context.Background())
	if again == nil || len(again.Plan.Prefix) != 0 || !again.Plan.Visible.Sites[first] || !again.Plan.Visible.Sites[second] {
		t.Fatalf("after a race the next job is %+v", again)
	}
	if len(earlier.Visible.Sites) != 0 {
		t.Errorf("the earlier plan has changed")
	}
	if err := s.Learn(context.Background(), again, &run.Trace{Unordered: []run.AccessPair{race}}, expr.NewArena()); err != nil {
		t.Fatal(err)
	}
	if next, _ := s.Next(context.Background()); next != nil || !s.Status().Exhausted {
		t.Errorf("the search continues with %+v", next)
	}
}

// TestGivenUp checks that a search which gave something up is not exhausted.
func TestGivenUp(t *testing.T) {
	for _, c := range []struct {
		name  string
		trace run.Trace
		open  int
	}{
		{"bounded", run.Trace{Outcome: run.Bounded, Message: "too many steps"}, 1},
		{"unsupported", run.Trace{Outcome: run.Unsupported, Message: "no such thing"}, 1},
		{"infeasible", run.Trace{Outcome: run.Infeasible, Message: "decision 3"}, 1},
		{"concrete", run.Trace{GivenUp: []run.GivenUp{{What: "float input x made concrete"}}}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(Options{Names: run.NewNames()})
			job, _ := s.Next(context.Background())
			if err := s.Learn(context.Background(), job, &c.trace, expr.NewArena()); err != nil {
				t.Fatal(err)
			}
			st := s.Status()
			if st.Exhausted || !st.Finished || len(st.Open) != c.open {
				t.Errorf("status %+v", st)
			}
		})
	}
}
