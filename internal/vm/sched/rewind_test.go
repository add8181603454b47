package sched

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A machine with some objects, whose content is compared with copies taken at
// every checkpoint.
type undoModel struct {
	m       *Scheduler
	g       *state.Goroutine
	objects []*heap.Object
	shots   []undoShot
}

type undoShot struct {
	objects int // that existed
	text    string
}

func newUndoModel() *undoModel {
	m := &Scheduler{}
	u := &undoModel{m: m, g: &state.Goroutine{}}
	m.Goroutines = []*state.Goroutine{u.g}
	return u
}

// text describes the first n objects.
func (u *undoModel) text(n int) string {
	s := fmt.Sprint(u.g.Status, u.g.Events, len(u.m.Goroutines), u.m.Used, u.g.Panics)
	if p := u.g.Spin; p != nil && p.Watching {
		s += fmt.Sprint(p.Awaits, p.Revisits, p.Limit, p.Places, p.Observations, p.Ranges, p.Head.Stack)
	}
	for _, o := range u.objects[:n] {
		s += fmt.Sprintln(o.Cells, o.Bytes)
		for i, x := range o.Sym {
			if x != expr.None {
				s += fmt.Sprint(" ", i, ":", x)
			}
		}
	}
	return s
}

// change makes a random change the way that the machine makes them.
func (u *undoModel) change(r *rand.Rand) {
	switch r.IntN(10) {
	case 0:
		n := []int{1, 3, heap.PageSize, heap.PageSize + 1, 5*heap.PageSize + 7}[r.IntN(5)]
		o := u.m.Heap.ZeroObject(&code.Type{Bytes: r.IntN(3) == 0}, n)
		u.m.Heap.Add(o)
		u.objects = append(u.objects, o)
	case 1:
		u.m.Preserve(u.g)
		u.g.Events++
		u.g.Panics = append(u.g.Panics, state.Panicking{Origin: u.g.Events})
		u.spin(r)
	case 2:
		u.m.Used++
		u.m.Goroutines = append(u.m.Goroutines, &state.Goroutine{Interval: u.m.Heap.Interval()})
	default:
		if len(u.objects) == 0 {
			return
		}
		o := u.objects[r.IntN(len(u.objects))]
		off := r.IntN(o.Size())
		n := 1 + r.IntN(min(3*heap.PageSize, o.Size()-off))
		words := make([]heap.Word, n)
		for i := range words {
			words[i].N = uint64(byte(r.Uint32()))
		}
		var shadow []expr.ID
		if r.IntN(3) == 0 {
			shadow = make([]expr.ID, n)
			shadow[r.IntN(n)] = expr.ID(1 + r.IntN(9))
		}
		u.m.Heap.Store(o, off, words, shadow)
	}
}

// spin changes what is known about the goroutine's spinning.
func (u *undoModel) spin(r *rand.Rand) {
	s := u.g.Spin
	if s == nil {
		s = new(state.Spin)
		u.g.Spin = s
	}
	n := r.IntN(100)
	switch {
	case !s.Watching:
		*s = state.Spin{Watching: true, Limit: n, Places: s.Places[:0], Observations: s.Observations[:0], Head: s.Head}
		s.Head.Stack = append(s.Head.Stack[:0], heap.Word{N: uint64(n)})
	case n < 20:
		s.Watching, s.Awaits = false, false
	case n < 40:
		s.Awaits = !s.Awaits
		s.Ranges = []run.Range{{Cells: int32(n)}}
	default:
		s.Revisits++
		s.Places = append(s.Places, state.Place{PC: int32(n)})
		s.Observations = append(s.Observations, state.Observation{Word: heap.Word{N: uint64(n)}})
		s.Head.Stack[0].N++
	}
}

// Rewinding to any checkpoint gives the state in which it was taken, whatever
// happened in between.
func TestRewind(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		u := newUndoModel()
		for range 200 {
			switch k := r.IntN(20); {
			case k == 0 && len(u.shots) < 6:
				u.m.Checkpoint()
				u.shots = append(u.shots, undoShot{len(u.objects), u.text(len(u.objects))})
			case k == 1 && len(u.shots) > 0:
				to := r.IntN(len(u.shots))
				u.m.Rewind(to)
				u.shots = u.shots[:to+1]
				shot := u.shots[to]
				u.objects = u.objects[:shot.objects]
				if got := u.text(shot.objects); got != shot.text {
					t.Fatalf("seed %d: after the rewind to level %d:\n%s\nwhen the checkpoint was taken:\n%s", seed, to, got, shot.text)
				}
			default:
				u.change(r)
			}
		}
	}
}
