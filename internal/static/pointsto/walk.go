package pointsto

import (
	"iter"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/bitset"
)

// A Walk finds the objects that are reached from some values. It returns each object once, and looks once at what a
// node points to, which may stand for many values: so each of its sequences has to be taken to its end.
type Walk struct {
	r      *Result
	nodes  bitset.Set
	passed bitset.Set // by the id of an object
}

// NewWalk returns a walk that has found nothing yet.
func (r *Result) NewWalk() *Walk {
	return &Walk{r: r, nodes: bitset.New(len(r.s.node)), passed: bitset.New(len(r.s.objects))}
}

// Add notes that an object has been found, and reports whether it had not been.
func (w *Walk) Add(o *Object) bool {
	if w.passed.Has(o.id) {
		return false
	}
	w.passed.Add(o.id)
	return true
}

// Has reports whether an object has been found.
func (w *Walk) Has(o *Object) bool { return w.passed.Has(o.id) }

// From returns those objects to which any part of a value may point that have not been found before.
func (w *Walk) From(v ssa.Value) iter.Seq[*Object] {
	n, ok := w.r.s.values[v]
	if _, global := v.(*ssa.Global); global || !ok || n == 0 {
		return w.objects(w.r.points(v))
	}
	return w.objects(w.union(n, w.r.s.layouts.of(v.Type())))
}

// In returns those objects to which any part of an object may point that have not been found before.
func (w *Walk) In(o *Object) iter.Seq[*Object] { return w.objects(w.union(o.base, o.layout)) }

// union returns what those nodes from n on point to, which have a layout, that have not been looked at.
func (w *Walk) union(n int32, l *layout) set {
	var all, added set
	for i, t := range l.slots {
		if !holdsPointer(t) {
			continue
		}
		if at := w.r.s.find(n + int32(i)); !w.nodes.Has(int(at)) {
			w.nodes.Add(int(at))
			all.addAll(w.r.s.node[at].points, &added)
		}
	}
	return all
}

func (w *Walk) objects(of set) iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for slot := range of.all() {
			if o := w.r.s.object(slot); w.Add(o) && !yield(o) {
				return
			}
		}
	}
}
