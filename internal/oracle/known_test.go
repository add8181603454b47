package oracle

import (
	"maps"
	"slices"
	"testing"
)

func constant(n int) Expr { return Expr{Const: n} }
func local(i int) Expr    { return Expr{Kind: Local, Index: i} }
func arg(i int) Expr      { return Expr{Kind: Arg, Index: i} }

// TestKnown checks the enumerator on programs with answers known by hand.
func TestKnown(t *testing.T) {
	family := []Context{{Kind: Causes, Parent: NoParent}, {Kind: Causes}} // one context, and a child of it
	spawn := func(b int) Stmt { return Stmt{Op: Spawn, Obj: b} }
	for _, c := range []struct {
		name     string
		p        Program
		outcomes []string
		degree   map[Branch]int
		race     bool
	}{{
		name: "a lost update",
		p: Program{Atoms: 1, Groups: 1, Bodies: [][]Stmt{{
			{Op: GroupAdd, X: constant(1)}, spawn(1),
			{Op: Load, Dst: 0}, {Op: Store, X: Expr{Kind: Local, Index: 0, Const: 1}},
			{Op: GroupWait}, {Op: Load, Dst: 1, Show: true},
		}, {
			{Op: Load, Dst: 0}, {Op: Store, X: Expr{Kind: Local, Index: 0, Const: 1}}, {Op: GroupDone},
		}}},
		outcomes: []string{"ok 5:1", "ok 5:2"},
		degree:   map[Branch]int{},
	}, {
		name: "locks in opposite orders",
		p: Program{Locks: 2, Bodies: [][]Stmt{{
			spawn(1), {Op: Lock, Obj: 0}, {Op: Lock, Obj: 1}, {Op: Unlock, Obj: 1}, {Op: Unlock, Obj: 0},
		}, {
			{Op: Lock, Obj: 1}, {Op: Lock, Obj: 0}, {Op: Unlock, Obj: 0}, {Op: Unlock, Obj: 1},
		}}},
		outcomes: []string{"deadlock", "ok"},
		degree:   map[Branch]int{},
	}, {
		name: "the receiver may leak, for one input",
		p: Program{Inputs: []Input{{"a", "int", 3}}, Chans: []int{0}, Bodies: [][]Stmt{{
			spawn(1), {Op: If, X: arg(0), Y: constant(1), Rel: NotEqual, Then: []Stmt{{Op: Send, X: arg(0)}}},
		}, {
			{Op: Recv, Show: true},
		}}},
		outcomes: []string{"leak", "ok 3:0", "ok 3:2"},
		degree:   map[Branch]int{{1, true}: 0, {1, false}: 0},
	}, {
		name: "a select may find the other there or not",
		p: Program{Chans: []int{0}, Bodies: [][]Stmt{{
			spawn(1), {Op: Select, Case: []Case{{Send: true, X: constant(2)}}, Default: true, Show: true},
		}, {
			{Op: Recv, Show: true},
		}}},
		outcomes: []string{"leak 1:1", "ok 1:0 2:2"},
		degree:   map[Branch]int{},
	}, {
		name: "who has come to a select after the close finds it closed",
		p: Program{Chans: []int{1, 0}, Bodies: [][]Stmt{{
			spawn(1), {Op: Close}, {Op: Select, Case: []Case{{Send: true, Chan: 1, X: constant(2)}}, Default: true, Show: true},
		}, {
			{Op: Select, Case: []Case{{Chan: 0}, {Chan: 1}}, Dst: 1, Show: true},
		}}},
		outcomes: []string{"ok 2:1 3:0"},
		degree:   map[Branch]int{},
	}, {
		// The timer is set again after it has fired, a tick before the end of the stall: so it is due when the body
		// that stops it can be started, too.
		name: "who sets a timer that has fired does so after it has",
		p: Program{Timers: 1, Stall: 2*Unit - 1, Parks: true, Bodies: [][]Stmt{{
			{Op: Reset, X: constant(2)}, {Op: Sleep, X: constant(1)}, {Op: After, Obj: 1, X: constant(3)},
			{Op: Reset, X: constant(1)}, {Op: Fired},
		}, {
			{Op: Stop},
		}}},
		outcomes: []string{"deadlock", "ok"},
		degree:   map[Branch]int{},
	}, {
		name: "there and back takes two interferences",
		p: Program{Atoms: 2, Bodies: [][]Stmt{{
			spawn(1), {Op: Store, Obj: 0, X: constant(1)}, {Op: Load, Obj: 1},
			{Op: If, X: local(0), Y: constant(1), Then: []Stmt{{Op: Panic}}},
		}, {
			{Op: Load, Obj: 0},
			{Op: If, X: local(0), Y: constant(1), Then: []Stmt{{Op: Store, Obj: 1, X: constant(1)}}},
		}}},
		outcomes: []string{"ok", "panic: at 4 in 0"},
		degree:   map[Branch]int{{3, true}: 2, {3, false}: 0, {6, true}: 1, {6, false}: 0},
	}, {
		name: "what was written before the spawn is no interference",
		p: Program{Plains: 1, Bodies: [][]Stmt{{
			{Op: Set, X: constant(1)}, spawn(1),
		}, {
			{Op: Get}, {Op: If, X: local(0), Y: constant(1), Then: []Stmt{{Op: Note, Show: true}}},
		}}},
		outcomes: []string{"ok 4:1"},
		degree:   map[Branch]int{{3, true}: 0},
	}, {
		name: "a race, after the child has seen the flag for its lock",
		p: Program{Plains: 1, Atoms: 1, Bodies: [][]Stmt{{
			spawn(1), {Op: Store, X: constant(1)}, {Op: Set, X: constant(1)},
		}, {
			{Op: Load}, {Op: If, X: local(0), Y: constant(1), Then: []Stmt{{Op: Get, Dst: 1, Show: true}}},
		}}},
		outcomes: []string{"ok", "ok 5:0", "ok 5:1"},
		degree:   map[Branch]int{{4, true}: 1, {4, false}: 0},
		race:     true,
	}, {
		name: "no race when the flag is set after the write",
		p: Program{Plains: 1, Atoms: 1, Bodies: [][]Stmt{{
			spawn(1), {Op: Set, X: constant(1)}, {Op: Store, X: constant(1)},
		}, {
			{Op: Load}, {Op: If, X: local(0), Y: constant(1), Then: []Stmt{{Op: Get, Dst: 1, Show: true}}},
		}}},
		outcomes: []string{"ok", "ok 5:1"},
		degree:   map[Branch]int{{4, true}: 1, {4, false}: 0},
	}, {
		name: "others go on until the panic",
		p: Program{Chans: []int{1}, Bodies: [][]Stmt{{
			spawn(1), {Op: Send, X: constant(1)}, {Op: Panic},
		}, {
			{Op: Recv}, {Op: If, X: local(0), Y: constant(1), Then: []Stmt{{Op: Panic}}},
		}}},
		outcomes: []string{"panic: at 2 in 0", "panic: at 5 in 1"},
		degree:   map[Branch]int{{4, true}: 1},
	}, {
		name: "misuse",
		p: Program{Inputs: []Input{{"a", "uint8", 3}}, Locks: 1, Groups: 1, Chans: []int{0}, Bodies: [][]Stmt{{
			{Op: If, X: arg(0), Y: constant(0), Then: []Stmt{{Op: Unlock}}},
			{Op: If, X: arg(0), Y: constant(1), Then: []Stmt{{Op: GroupDone}}},
			{Op: Error}, {Op: Close}, {Op: Close},
		}}},
		outcomes: []string{
			"fatal error: sync: unlock of unlocked mutex in 0",
			"panic: close of closed channel in 0 e4",
			Negative,
		},
		degree: map[Branch]int{{0, true}: 0, {0, false}: 0, {2, true}: 0, {2, false}: 0},
	}, {
		// The parent is cancelled before its child, and nobody waits for the child who asks for the error only.
		name: "a parent is cancelled, and a child not yet",
		p: Program{Contexts: family, Chans: []int{0, 0}, Bodies: [][]Stmt{{
			{Op: Derive}, {Op: Derive, Obj: 1}, spawn(1), {Op: ErrOf, Show: true}, {Op: ErrOf, Obj: 1, Show: true},
		}, {
			{Op: CancelContext},
		}}},
		outcomes: []string{"ok 3:0 4:0", "ok 3:0 4:1", "ok 3:1 4:0", "ok 3:1 4:1"},
	}, {
		name: "who asks for the cause waits until children are cancelled",
		p: Program{Contexts: family, Chans: []int{0, 0}, Bodies: [][]Stmt{{
			{Op: Derive}, {Op: Derive, Obj: 1}, spawn(1), {Op: CauseOf, Show: true}, {Op: CauseOf, Obj: 1, Show: true},
		}, {
			{Op: CancelContext, X: constant(2)},
		}}},
		outcomes: []string{"ok 3:0 4:0", "ok 3:0 4:4", "ok 3:4 4:4"},
	}, {
		name: "the first cause counts",
		p: Program{Contexts: family, Chans: []int{0, 0}, Groups: 1, Bodies: [][]Stmt{{
			{Op: GroupAdd, X: constant(1)}, {Op: Derive}, {Op: Derive, Obj: 1}, spawn(1), {Op: CancelContext, X: constant(1)},
			{Op: GroupWait}, {Op: ErrOf, Obj: 1, Show: true}, {Op: CauseOf, Obj: 1, Show: true},
		}, {
			{Op: CancelContext, Obj: 1, X: constant(2)}, {Op: GroupDone},
		}}},
		outcomes: []string{"ok 6:1 7:3", "ok 6:1 7:4"},
	}, {
		name: "a function is called, or withdrawn",
		p: Program{Contexts: []Context{{Parent: NoParent}, {Kind: Calls, Body: 2}}, Chans: []int{0, 0}, Atoms: 1, Groups: 1, Bodies: [][]Stmt{{
			{Op: GroupAdd, X: constant(2)}, {Op: Derive}, {Op: Derive, Obj: 1}, spawn(1), {Op: Withdraw, Obj: 1, Show: true},
			{Op: If, X: local(0), Y: constant(1), Then: []Stmt{{Op: GroupDone}}},
			{Op: GroupWait}, {Op: Load, Show: true},
		}, {
			{Op: CancelContext}, {Op: GroupDone},
		}, {
			{Op: Store, X: constant(1)}, {Op: GroupDone},
		}}},
		outcomes: []string{"ok 4:0 8:1", "ok 4:1 8:0"},
		degree:   map[Branch]int{{5, true}: 0, {5, false}: 0},
	}, {
		name: "the time of a context is over",
		p: Program{Contexts: []Context{{Kind: Expires, Parent: NoParent, Units: 1, Body: 1}, {Kind: Expires, Units: 2, Body: 2}}, Chans: []int{0, 0}, Parks: true, Bodies: [][]Stmt{{
			{Op: Derive}, {Op: Derive, Obj: 1}, {Op: Recv, Obj: 1}, {Op: ErrOf, Show: true}, {Op: CauseOf, Obj: 1, Show: true},
		}, {
			{Op: Expire},
		}, {
			{Op: Expire, Obj: 1}, // never, since the parent's comes before
		}}},
		outcomes: []string{"ok 3:2 4:2"},
	}, {
		name: "a panic that is kept",
		p: Program{Onces: 1, Kept: []Kept{{Func: []Stmt{{Op: Add, X: constant(1)}, {Op: Panic}}}}, Atoms: 1, Bodies: [][]Stmt{{
			{Op: Try, Then: []Stmt{{Op: CallOnce}}, Show: true}, {Op: Try, Then: []Stmt{{Op: CallOnce}}, Show: true}, {Op: Load, Show: true},
		}}},
		outcomes: []string{"ok 0:1 2:1 4:1"},
	}, {
		name: "a ticker that nobody receives from",
		p: Program{Timers: 1, Tickers: 1, Parks: true, Bodies: [][]Stmt{{
			{Op: Reset, X: constant(1)}, {Op: Sleep, X: constant(3)}, {Op: Fired}, {Op: Select, Case: []Case{{Timer: true}}, Default: true, Show: true},
		}}},
		outcomes: []string{"ok 3:0", "ok 3:1"}, // the tick at the end of the sleep comes before what has been sent is received, or after it
	}, {
		name: "an entry is deleted",
		p: Program{Tabled: true, Atoms: 1, Bodies: [][]Stmt{{
			{Op: LoadAndDelete, Show: true}, {Op: Swap, Y: constant(2), Show: true}, {Op: LoadOrStore, X: constant(2), Show: true}, {Op: CompareAndDelete, X: constant(2), Show: true},
			{Op: Load, Show: true},
		}}},
		outcomes: []string{"ok 0:0 1:0 2:-2 3:1 4:-2"},
	}, {
		name: "parallel subtests",
		p: Program{Subtests: true, Atoms: 1, Bodies: [][]Stmt{{
			{Op: CleanUp, Then: []Stmt{{Op: Load, Show: true}}}, {Op: RunSub, Obj: 1}, {Op: RunSub, Obj: 2}, {Op: Load, Show: true},
		}, {
			{Op: Parallel}, {Op: Store, X: constant(1)},
		}, {
			{Op: CleanUp, Then: []Stmt{{Op: Store, X: constant(2)}}}, {Op: Load, Show: true}, // before the other one, and before its own
		}}},
		outcomes: []string{"ok 4:2 1:1 9:0"},
	}, {
		name: "a stack without locks",
		p: Program{Pointers: true, Plains: 8, Atoms: 1, Groups: 1, Bodies: [][]Stmt{{
			{Op: GroupAdd, X: constant(1)}, spawn(1), {Op: NewCell, X: constant(1)}, {Op: Load, Dst: Ref}, {Op: Link}, {Op: Swap, X: local(Ref), Y: local(Mine), Show: true},
			{Op: GroupWait}, {Op: Load, Dst: Ref}, {Op: GetCell, Show: true}, {Op: Follow}, {Op: If, X: local(Mine), Rel: NotEqual, Then: []Stmt{{Op: Exchange, X: local(Mine), Dst: Ref}, {Op: GetCell}}},
		}, {
			{Op: NewCell, X: constant(2)}, {Op: Store, X: local(Mine)}, {Op: GroupDone},
		}}},
		// The one that is pushed last is on top, unless it is stored, not swapped: then it has no
		// next one. A swap fails if the store comes between.
		outcomes: []string{"ok 5:0 8:2", "ok 5:1 8:1", "ok 5:1 8:2"},
		degree:   map[Branch]int{{10, true}: 2, {10, false}: 2},
	}, {
		name: "a request",
		p: Program{Requests: true, Chans: []int{0, NilChan, 0, 0}, Bodies: [][]Stmt{{
			spawn(1), {Op: Send, X: Expr{Kind: Own}}, {Op: Recv, Obj: OwnChan, Show: true},
		}, {
			{Op: Recv, Dst: Ref}, {Op: Send, Obj: RefChan, X: constant(3)},
		}}},
		outcomes: []string{"ok 2:3"},
	}} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Enumerate(&c.p, 1000)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(r.Outcomes, c.outcomes) {
				t.Errorf("outcomes %q, want %q", r.Outcomes, c.outcomes)
			}
			if !maps.Equal(r.Degree, c.degree) {
				t.Errorf("degrees %v, want %v", r.Degree, c.degree)
			}
			if r.Race != c.race {
				t.Errorf("race %v, want %v", r.Race, c.race)
			}
		})
	}
}
