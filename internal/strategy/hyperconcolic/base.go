package hyperconcolic

import (
	"sort"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/portable"
)

// The portable form of what the items of a run have in common, a base:
//
//	names of the goroutines
//	decisions in common with the run of the base that it is from, 0 if there is none
//	the other decisions, as in an item
//	edges, flips
//	the input of the run's item
//	1 and what the run has drawn, or 0

// lengths are those of the sequences of equal decisions of a run, in the portable form.
type lengths struct {
	ends  []int // of the sequences
	bytes []int // that the decisions up to there take
}

func (l *lengths) forget() { l.ends, l.bytes = l.ends[:0], l.bytes[:0] }

// of returns how many bytes the first n decisions take, about.
func (l *lengths) of(n int) int {
	i := sort.SearchInts(l.ends, n)
	if i == len(l.bytes) {
		i--
	}
	if i < 0 {
		return 0
	}
	return l.bytes[i]
}

// measure has r know the lengths of its decisions.
func (r *runDecisions) measure() {
	if len(r.lengths.ends) > 0 {
		return
	}
	bytes := 0
	for i := 0; i < len(r.list); {
		n := equal(r.list[i:])
		bytes += sequenceBytes
		i += n
		r.lengths.ends, r.lengths.bytes = append(r.lengths.ends, i), append(r.lengths.bytes, bytes)
	}
}

// sequenceBytes is about how many bytes a sequence of equal decisions takes.
const sequenceBytes = 6

// portable returns the portable form of what the items of a run have in common.
//
// It begins with a part of the base of another run, if there is one: so the bases are a tree, and
// each decision is in one of them. But to read a base one has to read those that it is from, so
// that it is from none if they are too long.
func (r *runDecisions) portable(names *run.Names) *strategy.Base {
	if r.base != nil {
		return r.base
	}
	r.measure()
	b := &strategy.Base{}
	common := 0
	if r.from != nil && r.common > 0 {
		from := r.from.portable(names)
		own := r.lengths.of(len(r.list)) - r.lengths.of(r.common)
		for f := from; f != nil; f = f.From {
			own += len(f.Data)
		}
		if own <= 2*r.lengths.of(len(r.list))+1<<8 {
			b.From, common = from, r.common
		}
	}
	var e portable.Encoder
	e.Int(common)
	encodeDecisions(&e, r.list[common:])
	encodeEdges(&e, r.edges)
	encodeFlips(&e, r.flips)
	e.Input(r.given)
	e.Bool(r.drawn != nil)
	if r.drawn != nil {
		e.Input(r.drawn)
	}
	var head portable.Encoder
	head.Names(&e, names)
	b.Data = head.With(&e)
	r.base = b
	return b
}

// decodeBase reads what items have in common, once for all that are imported together.
func decodeBase(b *strategy.Base, names *run.Names, known map[*strategy.Base]*runDecisions) (*runDecisions, error) {
	if r := known[b]; r != nil {
		return r, nil
	}
	r := &runDecisions{base: b}
	d := portable.NewDecoder(b.Data)
	d.Names(names)
	common := d.Int()
	if common < 0 || common > maxDecisions || common > 0 && b.From == nil {
		d.Fail(errItem)
		common = 0
	}
	if common > 0 {
		list, err := decisionsOf(b.From, common, names)
		if err != nil {
			return nil, err
		}
		r.list = list
	}
	r.list = decodeDecisions(d, r.list)
	r.edges, r.flips = decodeEdges(d, nil), decodeFlips(d, nil)
	r.given = d.Input()
	if d.Bool() {
		if r.drawn = d.Input(); r.drawn == nil {
			r.drawn = run.Input{}
		}
	}
	if !d.Ended() {
		d.Fail(errItem)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	r.measure()
	known[b] = r
	return r, nil
}

// decisionsOf reads the first n decisions of a base.
func decisionsOf(b *strategy.Base, n int, names *run.Names) ([]decision, error) {
	// Of each base that it is from, so many are needed.
	type part struct {
		base   *strategy.Base
		common int
	}
	var parts []part
	for ; b != nil && n > 0; b = b.From {
		d := portable.NewDecoder(b.Data)
		d.Names(names)
		common := d.Int()
		if err := d.Err(); err != nil {
			return nil, err
		}
		if common < 0 || common > 0 && b.From == nil {
			return nil, errItem
		}
		parts = append(parts, part{b, n})
		n = min(n, common)
	}
	var list []decision
	for i := len(parts) - 1; i >= 0; i-- {
		d := portable.NewDecoder(parts[i].base.Data)
		d.Names(names)
		common := d.Int()
		if common > len(list) {
			common = len(list) // no more are needed
			if parts[i].common > common {
				return nil, errItem
			}
		}
		if parts[i].common > common {
			list = decodeDecisions(d, list[:common])
			if err := d.Err(); err != nil {
				return nil, err
			}
		}
		if parts[i].common > len(list) {
			return nil, errItem
		}
		list = list[:parts[i].common]
	}
	return list, nil
}
