package bitblast

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/sat"
)

// Arrays, by lemmas on demand (after Brummayer and Biere, Lemmas on Demand for the Extensional
// Theory of Arrays, SMT 2008). The value of a read is free at first. When the clauses have a model
// in which a read has another value than the array, a lemma is added: if the index is not that of
// the later stores and is that of this store, or of this element of the table, the read has its
// value. Lemmas are clauses like any others: valid whatever is assumed, and axioms of a proof. The
// words of values and elements are built when a lemma first needs them.
//
// There are no variables for arrays, so every read ends at a store or at a table, and
// there are finitely many lemmas. Where there are few, a read is built as a circuit
// instead, with the table below it on demand or not.

// directStores is the number of stores up to which reads are circuits: with more,
// lemmas take less work, with fewer, circuits do (BenchmarkArrays in package solve).
const directStores = 32

// directElements is the number of elements up to which a table is a circuit. One of
// constants always is: its circuit folds, and learns more from a conflict than
// lemmas about single elements do.
const directElements = 16

// read is an element of an array that is read at an index.
type read struct {
	stores []expr.ID // the latest first
	table  expr.ID   // what is below them
	index  word
	value  word
	past   []sat.Lit // past[i]: the index is none of the first i stores', as far as built
}

// element returns the word of a Select.
func (b *Blaster) element(x expr.ID) word {
	a := b.arena
	r := read{table: a.Arg(x, 0), index: b.word(a.Arg(x, 1))}
	for a.Op(r.table) == expr.Store {
		r.stores = append(r.stores, r.table)
		r.table = a.Arg(r.table, 0)
	}
	if len(r.stores) > directStores {
		for _, s := range r.stores { // refine needs their values
			b.word(a.Arg(s, 1))
		}
		return b.onDemand(r)
	}
	var w word
	if b.directTable(r.table) {
		w = b.multiplex(r.table, r.index, 0)
	} else {
		w = b.onDemand(read{table: r.table, index: r.index})
	}
	for _, s := range slices.Backward(r.stores) {
		w = b.choose(b.equal(r.index, b.word(a.Arg(s, 1))), b.word(a.Arg(s, 2)), w)
	}
	return w
}

// directTable reports whether a table is to be built as a circuit.
func (b *Blaster) directTable(table expr.ID) bool {
	n := b.arena.NumArgs(table)
	if n <= directElements {
		return true
	}
	for i := range n {
		if b.arena.Op(b.arena.Arg(table, i)) != expr.Const {
			return false
		}
	}
	return true
}

// multiplex returns the element of a table at an index whose bits above those
// given are those of from.
func (b *Blaster) multiplex(table expr.ID, index word, from uint64) word {
	last := uint64(b.arena.NumArgs(table) - 1)
	n := len(index)
	if n == 0 || from >= last {
		return b.word(b.arena.Arg(table, int(min(from, last))))
	}
	low := b.multiplex(table, index[:n-1], from)
	high := b.multiplex(table, index[:n-1], from+1<<(n-1))
	return b.choose(index[n-1], high, low)
}

// onDemand returns the word of a read that lemmas constrain as they are needed.
func (b *Blaster) onDemand(r read) word {
	_, width := b.arena.ArrayWidths(r.table)
	r.value = b.free(int(width))
	r.past = []sat.Lit{b.truth}
	b.reads = append(b.reads, r)
	return r.value
}

// Solve looks for a model of the clauses in which the assumptions are true and
// each read has the value that the array has.
func (b *Blaster) Solve(assumptions ...sat.Lit) sat.Result {
	for !b.abandoned {
		r := b.sat.Solve(assumptions...)
		if r != sat.Sat || b.refine() == 0 {
			return r
		}
	}
	return sat.Unknown
}

// A lemma gives the value of a read that is decided at a place: that of a store, or
// of an element in the table.
type lemma struct {
	read  int
	store int    // number of the store, or that of all stores
	elem  uint64 // index in the table
}

// refine adds the lemmas that the model found violates. It returns their number.
func (b *Blaster) refine() int {
	var violated []lemma
	for i := range b.reads {
		if l := b.decidedAt(i); !b.holds(l) {
			violated = append(violated, l)
		}
	}
	for _, l := range violated {
		b.instantiate(l)
	}
	return len(violated)
}

// decidedAt returns the lemma about a read that applies in the model.
func (b *Blaster) decidedAt(i int) lemma {
	r := &b.reads[i]
	l := lemma{read: i, elem: b.wordValue(r.index)}
	for l.store < len(r.stores) && b.Value(b.arena.Arg(r.stores[l.store], 1)) != l.elem {
		l.store++
	}
	b.sat.Spend(int64(l.store) + 1)
	return l
}

// source returns the expression whose value a read has by the lemma.
func (b *Blaster) source(l lemma) expr.ID {
	r := &b.reads[l.read]
	if l.store < len(r.stores) {
		return b.arena.Arg(r.stores[l.store], 2)
	}
	return b.arena.Arg(r.table, int(min(l.elem, uint64(b.arena.NumArgs(r.table)-1))))
}

// holds reports whether a lemma that applies in the model is true there.
func (b *Blaster) holds(l lemma) bool {
	w, built := b.words.get(b.source(l))
	return built && b.wordValue(w) == b.wordValue(b.reads[l.read].value)
}

// instantiate adds the clauses of a lemma.
func (b *Blaster) instantiate(l lemma) {
	value := b.word(b.source(l)) // before r: it may add reads
	r := &b.reads[l.read]
	past := b.pastStores(r, l.store)
	var here sat.Lit
	if l.store < len(r.stores) {
		here = b.equal(r.index, b.word(b.arena.Arg(r.stores[l.store], 1)))
	} else {
		here = b.within(r, l.elem)
	}
	for i, v := range r.value {
		b.sat.Add(past.Not(), here.Not(), v.Not(), value[i])
		b.sat.Add(past.Not(), here.Not(), v, value[i].Not())
	}
}

// pastStores returns whether the index of the read is none of those of the
// first n stores.
func (b *Blaster) pastStores(r *read, n int) sat.Lit {
	for i := len(r.past) - 1; i < n; i++ {
		differs := b.equal(r.index, b.word(b.arena.Arg(r.stores[i], 1))).Not()
		r.past = append(r.past, b.and(r.past[i], differs))
	}
	return r.past[n]
}

// within returns whether the index of the read is among those around i where the
// table has the same element.
func (b *Blaster) within(r *read, i uint64) sat.Lit {
	a := b.arena
	last := uint64(a.NumArgs(r.table) - 1)
	if i >= last {
		return b.less(r.index, b.constWord(last, len(r.index))).Not()
	}
	x := a.Arg(r.table, int(i))
	from, to := i, i
	for from > 0 && a.Arg(r.table, int(from-1)) == x {
		from--
	}
	for a.Arg(r.table, int(to+1)) == x { // the last one listed is not like the rest
		to++
	}
	n := len(r.index)
	if from == to {
		return b.equal(r.index, b.constWord(i, n))
	}
	return b.and(b.less(r.index, b.constWord(from, n)).Not(), b.less(b.constWord(to, n), r.index).Not())
}
