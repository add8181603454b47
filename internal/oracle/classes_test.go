package oracle

import "testing"

// TestClasses counts classes that are known by hand.
func TestClasses(t *testing.T) {
	spawn := Stmt{Op: Spawn, Obj: 1}
	store := func(obj int) Stmt { return Stmt{Op: Store, Obj: obj, X: constant(1)} }
	load := func(obj int) Stmt { return Stmt{Op: Load, Obj: obj} }
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
