package hyperconcolic

import (
	"errors"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/portable"
)

// Export implements strategy.Divisible.
func (s *search) Export() []strategy.Item {
	if !s.learned {
		s.frontier.push(s.scheduler.item)
		s.learned = true
	}
	var items []strategy.Item
	for it := s.frontier.pop(); it != nil; it = s.frontier.pop() {
		items = append(items, encode(it, s.options.Names))
	}
	return items
}

// Rank implements strategy.Ranked.
func (s *search) Rank(item strategy.Item) int {
	if !s.ranked() {
		return 0
	}
	return portable.NewDecoder(item.Data).Int()
}

// Deepen implements strategy.Ranked.
func (s *search) Deepen(on bool) {
	s.frontier.ranked = s.ranked() && !on
}

func (s *search) ranked() bool {
	return s.options.Order == strategy.FewestPreemptions || s.options.Order == strategy.Nearest
}

// Import implements strategy.Divisible.
func (s *search) Import(items []strategy.Item) error {
	known := map[*strategy.Base]*runDecisions{}
	for i := len(items) - 1; i >= 0; i-- {
		it, err := decode(items[i], s.options.Names, known)
		if err != nil {
			return fmt.Errorf("reading item %d of %d: %w", i, len(items), err)
		}
		s.frontier.push(it)
	}
	return nil
}

// The portable form of an item (package portable), beside that of its base:
//
//	the rank
//	names of the goroutines
//	kind, path, steps, begins: the number of conditions and the hash
//	input: which one of the base, or 0, and variables that are others than there, each a name and a value, by name
//	decisions: how many of the base, then sequences of equal ones, each their number, kind, goroutine+1, alt, and for steps partner+1 and partnerAlt
//	edges: how many of the base, then others, each a position, winner and goroutine+1, and for timers creator+1 and number
//	flips: how many of the base, then others, each an event, index, kind, outcome and values
//	late goroutines

// maxDecisions bounds the decisions of an item that is decoded: no run is as long.
const maxDecisions = 1 << 22

// equal returns with how many equal decisions a list begins.
func equal(list []decision) int {
	n := 1
	for n < len(list) && list[n] == list[0] {
		n++
	}
	return n
}

func encodeDecisions(e *portable.Encoder, list []decision) {
	sequences := 0
	for rest := list; len(rest) > 0; rest = rest[equal(rest):] {
		sequences++
	}
	e.Int(sequences)
	for len(list) > 0 {
		n, m := equal(list), list[0]
		e.Int(n)
		e.Int(int(m.kind))
		e.Goroutine(m.goroutine)
		e.Int(int(m.alt))
		if m.kind == run.Step {
			e.Goroutine(m.partner)
			e.Int(int(m.partnerAlt))
		}
		list = list[n:]
	}
}

// decodeDecisions appends decisions to list.
func decodeDecisions(d *portable.Decoder, list []decision) []decision {
	for range d.Count() {
		n := d.Int()
		m := decision{kind: run.DecisionKind(d.Int()), goroutine: d.Goroutine(), alt: int32(d.Int()), partner: -1}
		if m.kind == run.Step {
			m.partner, m.partnerAlt = d.Goroutine(), int32(d.Int())
		}
		if n < 1 || n > maxDecisions-len(list) {
			d.Fail(errItem)
			break
		}
		list = slices.Grow(list, n)
		for range n {
			list = append(list, m)
		}
	}
	return list
}

func encodeEdges(e *portable.Encoder, edges []edge) {
	e.Int(len(edges))
	for _, g := range edges {
		e.Int(int(g.position))
		e.Int(int(g.winner))
		e.Goroutine(g.goroutine)
		if g.goroutine < 0 {
			e.Goroutine(g.timer.creator)
			e.Int(int(g.timer.number))
		}
	}
}

// decodeEdges appends edges to list.
func decodeEdges(d *portable.Decoder, list []edge) []edge {
	for range d.Count() {
		g := edge{position: int32(d.Int()), winner: int32(d.Int()), goroutine: d.Goroutine()}
		if g.goroutine < 0 {
			g.timer = timer{d.Goroutine(), int32(d.Int())}
		}
		list = append(list, g)
	}
	return list
}

func encodeFlips(e *portable.Encoder, flips []flip) {
	e.Int(len(flips))
	for _, f := range flips {
		e.Int(int(f.event))
		e.Int(f.index)
		e.Int(int(f.kind))
		e.Uint(uint64(f.outcome))
		e.Int(len(f.values))
		for _, v := range f.values {
			e.String(v)
		}
	}
}

// decodeFlips appends flips to list.
func decodeFlips(d *portable.Decoder, list []flip) []flip {
	for range d.Count() {
		f := flip{event: int32(d.Int()), index: d.Int(), kind: run.ConditionKind(d.Int()), outcome: outcome(d.Uint())}
		for range d.Count() {
			f.values = append(f.values, d.String())
		}
		list = append(list, f)
	}
	return list
}

// encode returns the portable form of it.
func encode(it *item, names *run.Names) strategy.Item {
	var (
		e      portable.Encoder
		out    strategy.Item
		common int // decisions
	)
	edges, flips := it.edges, it.flips
	if it.hasEdge {
		edges = append(slices.Clip(edges[it.ofRun.edges:]), it.edge)
	} else {
		edges = edges[it.ofRun.edges:]
	}
	if it.flip != nil {
		flips = append(slices.Clip(flips[it.ofRun.flips:]), *it.flip)
	} else {
		flips = flips[it.ofRun.flips:]
	}
	tail := it.tail
	if it.run != nil {
		out.Base = it.run.portable(names)
		common = len(it.head)
	} else if len(it.head) > 0 {
		tail = slices.Concat(it.head, tail)
	}
	e.Int(int(it.kind))
	e.Int(it.path)
	e.Int(it.steps)
	e.Int(it.begins.conditions)
	e.Uint(it.begins.hash)
	e.Int(int(it.inputOf))
	if it.inputOf == own {
		e.Input(it.input)
	} else {
		e.Input(it.changed)
	}
	e.Int(common)
	encodeDecisions(&e, tail)
	e.Int(it.ofRun.edges)
	encodeEdges(&e, edges)
	e.Int(it.ofRun.flips)
	encodeFlips(&e, flips)
	e.Int(len(it.late))
	for _, g := range it.late {
		e.Goroutine(g)
	}
	var head portable.Encoder
	head.Int(int(it.rank))
	head.Names(&e, names)
	out.Data = head.With(&e)
	out.Size = len(out.Data)
	if r := it.run; r != nil {
		out.Size += r.lengths.of(common) + sequenceBytes*(it.ofRun.edges+it.ofRun.flips)
		switch it.inputOf {
		case given:
			out.Size += sequenceBytes * len(r.given)
		case drawn:
			out.Size += sequenceBytes * len(r.drawn)
		}
	}
	return out
}

var errItem = errors.New("not an item of a search")

// decode reads an item from its portable form. The bases that are known have been read before, and others become known.
func decode(data strategy.Item, names *run.Names, known map[*strategy.Base]*runDecisions) (*item, error) {
	d := portable.NewDecoder(data.Data)
	it := &item{rank: int32(d.Int())}
	r := &runDecisions{} // of none
	if data.Base != nil {
		var err error
		if r, err = decodeBase(data.Base, names, known); err != nil {
			return nil, err
		}
		it.run = r
	}
	d.Names(names)
	it.kind, it.path, it.steps = kind(d.Int()), d.Int(), d.Int()
	it.begins = prefix{d.Int(), d.Uint()}
	it.inputOf = inputOf(d.Int())
	in := d.Input()
	switch it.inputOf {
	case own:
		it.input = in
	case given:
		it.input, it.changed = r.given, in
	case drawn:
		it.input, it.changed = r.drawn, in
	}
	n := d.Int()
	tail := decodeDecisions(d, nil)
	if it.kind > delayed || it.inputOf > drawn || it.inputOf > own && it.run == nil || n < 0 ||
		n > len(r.list) || len(tail) > maxDecisions-n {
		d.Fail(errItem)
		return nil, d.Err()
	}
	if it.run != nil {
		it.head, it.tail = r.list[:n:n], tail
	} else {
		it.head = tail
	}
	if n := d.Int(); n < 0 || n > len(r.edges) {
		d.Fail(errItem)
	} else {
		it.ofRun.edges = n
		it.edges = decodeEdges(d, r.edges[:n:n])
	}
	if n := d.Int(); n < 0 || n > len(r.flips) {
		d.Fail(errItem)
	} else {
		it.ofRun.flips = n
		it.flips = decodeFlips(d, r.flips[:n:n])
	}
	for range d.Count() {
		it.late = append(it.late, d.Goroutine())
	}
	if !d.Ended() || it.begins.conditions < 0 || it.kind == flipped && len(it.flips) == 0 {
		d.Fail(errItem)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	if it.run != nil {
		it.run.users++
	}
	return it, nil
}
