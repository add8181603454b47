package concurrent

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/strategy/con2colic"
)

// TestKnown compares what searches find with what the enumerator says, for programs in which one of
// them has found more or less once.
func TestKnown(t *testing.T) {
	constant := func(n int) oracle.Expr { return oracle.Expr{Const: n} }
	spawn := func(body int) oracle.Stmt { return oracle.Stmt{Op: oracle.Spawn, Obj: body} }
	reset := oracle.Stmt{Op: oracle.Reset, X: constant(2)}
	sleep := oracle.Stmt{Op: oracle.Sleep, X: constant(2)}
	timer := oracle.Case{Timer: true}
	for _, test := range []struct {
		name string
		p    oracle.Program
	}{{
		// One of the two that wait gets the value of the timer. Either the other one still waits to
		// receive then, and is found there, or nobody does.
		"two wait for one timer", oracle.Program{Timers: 1, Chans: []int{1}, Parks: true, Bodies: [][]oracle.Stmt{{
			spawn(1), spawn(2), sleep, {Op: oracle.Send},
			{Op: oracle.Select, Case: []oracle.Case{{Send: true}}, Default: true, Show: true},
		}, {
			{Op: oracle.Select, Case: []oracle.Case{timer}, Show: true},
		}, {
			reset, {Op: oracle.Select, Case: []oracle.Case{timer, {}}, Dst: 1, Show: true},
		}}},
	}, {
		"three wait for one timer and two channels", oracle.Program{Timers: 1, Chans: []int{0, 0}, Parks: true, Bodies: [][]oracle.Stmt{{
			reset, spawn(1), spawn(2), spawn(3), sleep, sleep,
			{Op: oracle.Select, Case: []oracle.Case{{Send: true}}, Default: true, Show: true},
			{Op: oracle.Select, Case: []oracle.Case{{Send: true, Chan: 1}}, Default: true, Show: true},
		}, {
			{Op: oracle.Select, Case: []oracle.Case{timer, {}}, Dst: 1, Show: true},
		}, {
			{Op: oracle.Select, Case: []oracle.Case{timer, {Chan: 1}}, Dst: 1, Show: true},
		}, {
			{Op: oracle.Select, Case: []oracle.Case{timer, {}, {Chan: 1}}, Dst: 1, Show: true},
		}}},
	}, {
		// The timer fires after the close, and before it is set again.
		"a timer fires before it is set again", oracle.Program{Timers: 1, Chans: []int{1}, Parks: true, Bodies: [][]oracle.Stmt{{
			spawn(1), reset, spawn(2), spawn(3), sleep, {Op: oracle.Close},
		}, {
			sleep, {Op: oracle.Send, X: constant(1)}, reset,
		}, {
			{Op: oracle.Recv, Show: true},
		}, {
			{Op: oracle.Select, Case: []oracle.Case{timer, {}}, Dst: 1, Show: true},
			{Op: oracle.Select, Case: []oracle.Case{timer, {}}, Dst: 1, Show: true},
		}}},
	}, {
		"a timer fires before it is stopped", oracle.Program{Timers: 1, Chans: []int{0}, Parks: true, Bodies: [][]oracle.Stmt{{
			reset, spawn(1), spawn(2), sleep, {Op: oracle.Close},
		}, {
			sleep, {Op: oracle.Stop, Show: true},
		}, {
			{Op: oracle.Select, Case: []oracle.Case{timer, {}}, Dst: 1, Show: true},
			{Op: oracle.Select, Case: []oracle.Case{timer, {}}, Dst: 1, Show: true},
		}}},
	}} {
		t.Run(test.name, func(t *testing.T) {
			for _, search := range []Search{Reduced, remembering(t, ""), remembering(t, strings.Join(Words, ","))} {
				different, err := compare(t.Context(), []*oracle.Program{&test.p}, search, bounds{maxStates, maxRuns}, &suite.Results{})
				if err != nil {
					t.Fatal(err)
				}
				if different[0] != "" {
					t.Errorf("without %v: %s", search.Leaves(&test.p), different[0])
				}
			}
			f, err := player(t, load(t, []*oracle.Program{&test.p}), 0).Search(t.Context(), con2colic.New(con2colic.Default(2)), maxRuns)
			if err != nil {
				t.Fatal(err)
			}
			want, err := oracle.Enumerate(&test.p, maxStates)
			if err != nil {
				t.Fatal(err)
			}
			for o := range f.Outcomes {
				if !slices.Contains(want.Outcomes, o) {
					t.Errorf("con2colic: outcome %q, want one of %q", o, want.Outcomes)
				}
			}
			t.Logf("con2colic: %d runs, outcomes %q of %q", f.Runs, slices.Sorted(maps.Keys(f.Outcomes)), want.Outcomes)
		})
	}
}
