package forest

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// object returns the object of cell i.
func object(i int32) run.ObjectID { return run.ObjectID{Count: i + 1} }

// grow returns a forest of n random events of a few goroutines.
func grow(r *rand.Rand, n int) *Forest {
	f := New()
	goroutines := int32(1)
	for range n {
		parent := NodeID(1 + r.IntN(len(f.nodes)-1))
		if e := f.At(parent); e.Op == schedule.Spawn && r.IntN(2) == 0 {
			f.StartOf(parent)
			continue
		}
		l := Label{Goroutine: f.At(parent).Goroutine, Site: run.SiteID{Instr: int32(r.IntN(3))}}
		switch r.IntN(5) {
		case 0:
			l.Op, l.Object, l.Child = schedule.Spawn, run.NoObject, goroutines
			goroutines++
		case 1, 2:
			l.Op, l.Object, l.Cells = schedule.Write, object(int32(r.IntN(2))), int32(1+r.IntN(3))
		default:
			l.Op, l.Object, l.Cells = schedule.Read, object(int32(r.IntN(2))), int32(1+r.IntN(3))
		}
		f.Child(parent, l)
	}
	return f
}

// ancestors returns n and its ancestors, n first.
func (f *Forest) ancestors(n NodeID) []NodeID {
	var list []NodeID
	for ; n != 0; n = f.At(n).Parent {
		list = append(list, n)
	}
	return list
}

// TestForest compares what a forest finds by its shortcuts with walks along the parents.
func TestForest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	f := grow(r, 1500)
	for n := Root; int(n) < len(f.nodes); n++ {
		above := f.ancestors(n)
		for range 20 {
			a := NodeID(1 + r.IntN(len(f.nodes)-1))
			if got, want := f.Before(a, n), slices.Contains(above, a); got != want {
				t.Fatalf("Before(%d, %d) = %v", a, n, got)
			}
		}
		path := f.Path(nil, n)
		slices.Reverse(path)
		if !slices.Equal(path, above[:len(path)]) {
			t.Errorf("Path(%d) = %v reversed, want the first of %v", n, path, above)
		}
		for _, p := range f.Parts(n) {
			want := NodeID(0)
			for _, a := range above[1:] {
				if f.At(a).Op == schedule.Write && f.PartOn(a, p.Loc) != nil {
					want = a
					break
				}
			}
			if f.At(n).Op == schedule.Read && p.Local != want {
				t.Errorf("node %d reads locally from %d, want %d", n, p.Local, want)
			}
		}
	}
}

// TestChild checks that a child is made once.
func TestChild(t *testing.T) {
	f := New()
	l := Label{Op: schedule.Write, Object: object(0), Cells: 1}
	n := f.Child(Root, l)
	if m := f.Child(Root, l); m != n {
		t.Errorf("the second call returns %d, the first %d", m, n)
	}
	l.Offset = 1
	if m := f.Child(Root, l); m == n {
		t.Error("children with different labels are the same")
	}
}

// A fork is a forest of two goroutines. The main one spawns the other, and then writes a and
// reads b; the other reads a and writes b, or reads a twice.
type fork struct {
	*Forest
	spawn, writeA, readB NodeID // of the main goroutine
	readA, writeB, again NodeID // of the other
}

func newFork() *fork {
	f := &fork{Forest: New()}
	f.spawn = f.Child(Root, Label{Op: schedule.Spawn, Object: run.NoObject, Child: 1})
	f.writeA = f.Child(f.spawn, Label{Op: schedule.Write, Object: object(0), Cells: 1})
	f.readB = f.Child(f.writeA, Label{Op: schedule.Read, Object: object(1), Cells: 1})
	f.readA = f.Child(f.StartOf(f.spawn), Label{Goroutine: 1, Op: schedule.Read, Object: object(0), Cells: 1})
	f.writeB = f.Child(f.readA, Label{Goroutine: 1, Op: schedule.Write, Object: object(1), Cells: 1})
	f.again = f.Child(f.readA, Label{Goroutine: 1, Op: schedule.Read, Object: object(0), Cells: 1})
	return f
}

// scenario returns the scenario of a sink with other tips and edges.
func (f *fork) scenario(sink NodeID, tips []NodeID, edges ...Edge) *Scenario {
	var m Merge
	m.Start(f.Forest, sink)
	for _, n := range tips {
		m.AddTip(n)
	}
	for _, e := range edges {
		m.AddEdge(e)
	}
	return m.Finish(nil)
}

func TestMerge(t *testing.T) {
	f := newFork()
	a := Edge{Read: f.readA, Write: f.writeA}
	b := Edge{Read: f.readB, Write: f.writeB}
	for _, c := range []struct {
		name   string
		sink   NodeID
		tips   []NodeID
		edges  []Edge
		degree int // -1 if there is no such scenario
		want   []NodeID
	}{
		{"the spawn comes with the goroutine", f.readA, nil, nil, 0, []NodeID{f.spawn, f.readA}},
		{"an interference", f.readA, []NodeID{f.writeA}, []Edge{a}, 1, []NodeID{f.writeA, f.readA}},
		{"two interferences", f.readB, []NodeID{f.writeB}, []Edge{a, b}, 2, []NodeID{f.readB, f.writeB}},
		{"nothing comes after the sink", f.spawn, []NodeID{f.writeA}, nil, -1, nil},
		{"two paths of a goroutine", f.readB, []NodeID{f.writeB, f.again}, nil, -1, nil},
		{"two sources of a read", f.readA, nil, []Edge{a, {Read: f.readA, Write: f.readB}}, -1, nil},
		{"a circle", f.readB, []NodeID{f.writeB}, []Edge{{Read: f.readA, Write: f.readB}, b}, -1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := f.scenario(c.sink, c.tips, c.edges...)
			switch {
			case s == nil && c.degree >= 0:
				t.Fatal("no scenario")
			case s == nil:
			case s.Degree != c.degree || !slices.Equal(s.Tips, c.want):
				t.Errorf("degree %d, tips %v; want %d, %v", s.Degree, s.Tips, c.degree, c.want)
			}
		})
	}
}

func TestIncludes(t *testing.T) {
	f := newFork()
	small := Occurrence{Base: f.scenario(f.readA, nil), Node: f.readA}
	longer := Occurrence{Base: f.scenario(f.readA, []NodeID{f.writeA}), Node: f.readA}
	large := Occurrence{Base: f.scenario(f.readA, []NodeID{f.writeA}, Edge{Read: f.readA, Write: f.writeA}), Node: f.readA}
	all := []Occurrence{small, longer, large}
	for i, o := range all {
		for j, p := range all {
			if got, want := f.Includes(o, p), j <= i; got != want {
				t.Errorf("Includes(%d, %d) = %v", i, j, got)
			}
		}
	}
}

// TestInputWidths records two traces in which an input of one name has different widths, as a
// reading of the clock may have.
func TestInputWidths(t *testing.T) {
	f := New()
	r := NewRecorder(f, map[Outcome]bool{})
	for _, width := range []uint8{8, 32, 8} {
		a := expr.NewArena()
		x := a.Var("clock", width)
		trace := &run.Trace{
			Inputs: []run.InputVar{{Name: "clock", Width: width, Sym: x}},
			Events: []run.Event{{Op: schedule.Branch, Object: run.NoObject, Cond: a.Ult(x, a.Const(3, width))}},
		}
		r.Start(trace, a)
		cond := f.At(r.Event(Root, 0, 0)).Cond
		if got := f.Arena.Width(f.Arena.Arg(cond, 0)); got != width {
			t.Errorf("the condition is of an input of %d bits, want %d", got, width)
		}
	}
	names := slices.Collect(maps.Values(f.Inputs))
	if want := []string{"clock", "clock"}; !slices.Equal(names, want) {
		t.Errorf("inputs %q, want %q", names, want)
	}
}
