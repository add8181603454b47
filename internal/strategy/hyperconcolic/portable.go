package hyperconcolic

import (
	"errors"
	"fmt"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/portable"
)

// Export implements strategy.Divisible.
func (s *search) Export() [][]byte {
	if !s.learned {
		s.frontier.push(s.scheduler.item)
		s.learned = true
	}
	var items [][]byte
	for it := s.frontier.pop(); it != nil; it = s.frontier.pop() {
		items = append(items, encode(it, s.options.Names))
	}
	return items
}

// Rank implements strategy.Ranked.
func (s *search) Rank(data []byte) int {
	if !s.ranked() {
		return 0
	}
	return portable.NewDecoder(data).Int()
}

// Deepen implements strategy.Ranked.
func (s *search) Deepen(on bool) {
	s.frontier.ranked = s.ranked() && !on
}

func (s *search) ranked() bool {
	return s.options.Order == strategy.FewestPreemptions || s.options.Order == strategy.Nearest
}

// Import implements strategy.Divisible.
func (s *search) Import(items [][]byte) error {
	for i := len(items) - 1; i >= 0; i-- {
		it, err := decode(items[i], s.options.Names)
		if err != nil {
			return fmt.Errorf("reading item %d of %d: %w", i, len(items), err)
		}
		s.frontier.push(it)
	}
	return nil
}

// The portable form of an item (package portable):
//
//	the rank
//	names of the goroutines
//	kind, path, steps, begins: the number of conditions and the hash
//	input: variables, each a name and a value, by name
//	decisions: sequences of equal ones, each their number, kind, goroutine+1, alt, and for steps partner+1 and partnerAlt
//	edges, each a position, winner and goroutine+1, and for timers creator+1 and number
//	flips, each an event, index, kind, outcome and values
//	late goroutines

// maxDecisions bounds the decisions of an item that is decoded: no run is as long.
const maxDecisions = 1 << 22

// same returns the number of equal decisions from the ith on.
func (it *item) same(i int) int {
	n := 1
	for i+n < it.decisions() && it.decision(i+n) == it.decision(i) {
		n++
	}
	return n
}

// encode returns the portable form of it.
func encode(it *item, names *run.Names) []byte {
	var e portable.Encoder
	e.Int(int(it.kind))
	e.Int(it.path)
	e.Int(it.steps)
	e.Int(it.begins.conditions)
	e.Uint(it.begins.hash)
	e.Input(it.input)
	runs := 0
	for i := 0; i < it.decisions(); i += it.same(i) {
		runs++
	}
	e.Int(runs)
	for i := 0; i < it.decisions(); i += it.same(i) {
		m := it.decision(i)
		e.Int(it.same(i))
		e.Int(int(m.kind))
		e.Goroutine(m.goroutine)
		e.Int(int(m.alt))
		if m.kind == run.Step {
			e.Goroutine(m.partner)
			e.Int(int(m.partnerAlt))
		}
	}
	e.Int(len(it.edges))
	for _, g := range it.edges {
		e.Int(int(g.position))
		e.Int(int(g.winner))
		e.Goroutine(g.goroutine)
		if g.goroutine < 0 {
			e.Goroutine(g.timer.creator)
			e.Int(int(g.timer.number))
		}
	}
	e.Int(len(it.flips))
	for _, f := range it.flips {
		e.Int(int(f.event))
		e.Int(f.index)
		e.Int(int(f.kind))
		e.Uint(uint64(f.outcome))
		e.Int(len(f.values))
		for _, v := range f.values {
			e.String(v)
		}
	}
	e.Int(len(it.late))
	for _, g := range it.late {
		e.Goroutine(g)
	}
	var head portable.Encoder
	head.Int(int(it.rank))
	head.Names(&e, names)
	return head.With(&e)
}

var errItem = errors.New("not an item of a search")

// decode reads an item from its portable form.
func decode(data []byte, names *run.Names) (*item, error) {
	d := portable.NewDecoder(data)
	it := &item{rank: int32(d.Int())}
	d.Names(names)
	it.kind, it.path, it.steps = kind(d.Int()), d.Int(), d.Int()
	it.begins = prefix{d.Int(), d.Uint()}
	if it.kind > delayed {
		d.Fail(errItem)
	}
	it.input = d.Input()
	for range d.Count() {
		n := d.Int()
		m := decision{kind: run.DecisionKind(d.Int()), goroutine: d.Goroutine(), alt: int32(d.Int()), partner: -1}
		if m.kind == run.Step {
			m.partner, m.partnerAlt = d.Goroutine(), int32(d.Int())
		}
		if n < 1 || n > maxDecisions-len(it.head) {
			d.Fail(errItem)
			break
		}
		for range n {
			it.head = append(it.head, m)
		}
	}
	for range d.Count() {
		g := edge{position: int32(d.Int()), winner: int32(d.Int()), goroutine: d.Goroutine()}
		if g.goroutine < 0 {
			g.timer = timer{d.Goroutine(), int32(d.Int())}
		}
		it.edges = append(it.edges, g)
	}
	for range d.Count() {
		f := flip{event: int32(d.Int()), index: d.Int(), kind: run.ConditionKind(d.Int()), outcome: outcome(d.Uint())}
		for range d.Count() {
			f.values = append(f.values, d.String())
		}
		it.flips = append(it.flips, f)
	}
	for range d.Count() {
		it.late = append(it.late, d.Goroutine())
	}
	if !d.Ended() || it.begins.conditions < 0 || it.kind == flipped && len(it.flips) == 0 {
		d.Fail(errItem)
	}
	return it, d.Err()
}
