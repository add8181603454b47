package oracle

import "testing"

// TestClasses counts classes that are known by hand.
func TestClasses(t *testing.T) {
	spawn, spawn2, spawn3 := Stmt{Op: Spawn, Obj: 1}, Stmt{Op: Spawn, Obj: 2}, Stmt{Op: Spawn, Obj: 3}
	store := func(obj int) Stmt { return Stmt{Op: Store, Obj: obj, X: constant(1)} }
	load := func(obj int) Stmt { return Stmt{Op: Load, Obj: obj} }
	send, recv, shut := Stmt{Op: Send, X: constant(1)}, Stmt{Op: Recv}, Stmt{Op: Close}
	poll := func(c Case) Stmt { return Stmt{Op: Select, Case: []Case{c}, Default: true, Dst: 1} }
	rlock, runlock := Stmt{Op: RLock}, Stmt{Op: RUnlock}
	wlock, wunlock := Stmt{Op: WLock}, Stmt{Op: WUnlock}
	add, done := Stmt{Op: GroupAdd, X: constant(1)}, Stmt{Op: GroupDone}
	channel := func(capacity int, bodies ...[]Stmt) Program { return Program{Chans: []int{capacity}, Bodies: bodies} }
	for _, c := range []struct {
		name string
		p    Program
		want int
	}{
		{"two writes", Program{Atoms: 1, Bodies: [][]Stmt{{spawn, store(0)}, {store(0)}}}, 2},
		{"two reads", Program{Atoms: 1, Bodies: [][]Stmt{{spawn, load(0)}, {load(0)}}}, 1},
		{"two objects", Program{Atoms: 2, Bodies: [][]Stmt{{spawn, store(0), store(0)}, {store(1), store(1)}}}, 1},
		{"two and two", Program{Atoms: 1, Bodies: [][]Stmt{{spawn, store(0), store(0)}, {store(0), store(0)}}}, 6},
		{"a branch of each", Program{
			Inputs: []Input{{"a", "int", 3}, {"b", "int", 3}}, Atoms: 2,
			Bodies: [][]Stmt{
				{spawn, load(0), {Op: If, X: arg(0), Y: constant(1), Then: []Stmt{load(1)}}},
				{load(0), {Op: If, X: arg(1), Y: constant(1), Then: []Stmt{store(1)}}},
			}}, 3 + 2},
		{"Dones commute", Program{Groups: 1, Bodies: [][]Stmt{
			{{Op: GroupAdd, X: constant(2)}, spawn, {Op: GroupDone}, {Op: GroupWait}}, {{Op: GroupDone}},
		}}, 1},
		{"what is shown counts", Program{Inputs: []Input{{"a", "int", 3}}, Atoms: 1, Bodies: [][]Stmt{
			{{Op: Store, X: arg(0)}, {Op: Load, Show: true}},
		}}, 3},
		{"Adds and Dones do not", Program{Groups: 1, Bodies: [][]Stmt{{add, add, spawn, add, done}, {done}}}, 2},
		{"both ends of a buffer", channel(2, []Stmt{spawn, send, send}, []Stmt{recv, recv}), 1},
		{"room for one", channel(1, []Stmt{spawn, send, send}, []Stmt{recv, recv}), 1},
		{"two senders", channel(2, []Stmt{spawn, spawn2, send}, []Stmt{send}, []Stmt{recv, recv}), 2},
		{"two pairs meet", channel(0, []Stmt{spawn, spawn2, spawn3, send}, []Stmt{send}, []Stmt{recv}, []Stmt{recv}), 2},
		{"one pair after the other", channel(0, []Stmt{spawn, send, send}, []Stmt{recv, recv}), 1},
		{"closing what is received", channel(1, []Stmt{spawn, send, shut}, []Stmt{recv}), 1},
		{"what is closed and empty", channel(1, []Stmt{spawn, spawn2, shut}, []Stmt{recv}, []Stmt{recv}), 1},
		{"looking for room", channel(1, []Stmt{spawn, send}, []Stmt{poll(Case{Send: true})}), 2},
		{"looking for an element", channel(1, []Stmt{spawn, send}, []Stmt{poll(Case{})}), 2},
		{"looking for a partner", channel(0, []Stmt{spawn, send}, []Stmt{poll(Case{})}), 2},
		{"looking twice", channel(0, []Stmt{spawn, poll(Case{})}, []Stmt{poll(Case{})}), 1},
		{"looking and closing", channel(0, []Stmt{spawn, shut}, []Stmt{poll(Case{})}), 2},
		{"readers", Program{RWs: 1, Bodies: [][]Stmt{{spawn, rlock, runlock}, {rlock, runlock}}}, 1},
		// The writer comes first, when the reader has left, or while it is in.
		{"a reader and a writer", Program{RWs: 1, Bodies: [][]Stmt{{spawn, rlock, runlock}, {wlock, wunlock}}}, 3},
		{"either first to fail", Program{Bodies: [][]Stmt{{spawn, {Op: Panic}}, {{Op: Panic}}}}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Classes(&c.p, 1000)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("%d classes, want %d", got, c.want)
			}
		})
	}
}
