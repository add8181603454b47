package hyperconcolic

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
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
	d := decoder{bytes: data}
	return d.int()
}

// Deepen implements strategy.Ranked.
func (s *search) Deepen(on bool) {
	s.frontier.ranked = s.ranked() && !on
}

func (s *search) ranked() bool { return s.options.Order == strategy.FewestPreemptions }

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

// The portable form of an item is a list of numbers, as varints, and strings,
// preceded by their lengths. Goroutines are numbered in the order in which they appear; their
// names come first.
//
//	the number of preemptions
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
	e := encoder{numbers: map[int32]int{}}
	e.int(int(it.kind))
	e.int(it.path)
	e.int(it.steps)
	e.int(it.begins.conditions)
	e.uint(it.begins.hash)
	e.int(len(it.input))
	for _, name := range slices.Sorted(maps.Keys(it.input)) {
		e.string(name)
		e.uint(it.input[name])
	}
	runs := 0
	for i := 0; i < it.decisions(); i += it.same(i) {
		runs++
	}
	e.int(runs)
	for i := 0; i < it.decisions(); i += it.same(i) {
		m := it.decision(i)
		e.int(it.same(i))
		e.int(int(m.kind))
		e.goroutine(m.goroutine)
		e.int(int(m.alt))
		if m.kind == run.Step {
			e.goroutine(m.partner)
			e.int(int(m.partnerAlt))
		}
	}
	e.int(len(it.edges))
	for _, g := range it.edges {
		e.int(int(g.position))
		e.int(int(g.winner))
		e.goroutine(g.goroutine)
		if g.goroutine < 0 {
			e.goroutine(g.timer.creator)
			e.int(int(g.timer.number))
		}
	}
	e.int(len(it.flips))
	for _, f := range it.flips {
		e.int(int(f.event))
		e.int(f.index)
		e.int(int(f.kind))
		e.uint(uint64(f.outcome))
		e.int(len(f.values))
		for _, v := range f.values {
			e.string(v)
		}
	}
	e.int(len(it.late))
	for _, g := range it.late {
		e.goroutine(g)
	}
	head := encoder{}
	head.int(int(it.preemptions))
	head.int(len(e.order))
	for _, g := range e.order {
		head.string(names.String(g))
	}
	return append(head.bytes, e.bytes...)
}

// An encoder writes numbers and strings.
type encoder struct {
	bytes   []byte
	numbers map[int32]int // by goroutine
	order   []int32       // goroutines by number
}

func (e *encoder) int(v int) { e.bytes = binary.AppendVarint(e.bytes, int64(v)) }

func (e *encoder) uint(v uint64) { e.bytes = binary.AppendUvarint(e.bytes, v) }

func (e *encoder) string(s string) {
	e.int(len(s))
	e.bytes = append(e.bytes, s...)
}

// goroutine writes the number of g plus one, 0 if g is none.
func (e *encoder) goroutine(g int32) {
	if g < 0 {
		e.int(0)
		return
	}
	n, ok := e.numbers[g]
	if !ok {
		n = len(e.order)
		e.numbers[g] = n
		e.order = append(e.order, g)
	}
	e.int(n + 1)
}

// decode reads an item from its portable form.
func decode(data []byte, names *run.Names) (*item, error) {
	d := decoder{bytes: data}
	it := &item{preemptions: int32(d.int())}
	for range d.count() {
		name := d.string()
		g, ok := names.Lookup(name)
		if !ok && d.err == nil {
			d.err = fmt.Errorf("%q is no goroutine", name)
		}
		d.goroutines = append(d.goroutines, g)
	}
	it.kind, it.path, it.steps = kind(d.int()), d.int(), d.int()
	it.begins = prefix{d.int(), d.uint()}
	if it.kind > delayed {
		d.fail()
	}
	for range d.count() {
		if it.input == nil {
			it.input = run.Input{}
		}
		name := d.string()
		it.input[name] = d.uint()
	}
	for range d.count() {
		n := d.int()
		m := decision{kind: run.DecisionKind(d.int()), goroutine: d.goroutine(), alt: int32(d.int()), partner: -1}
		if m.kind == run.Step {
			m.partner, m.partnerAlt = d.goroutine(), int32(d.int())
		}
		if n < 1 || n > maxDecisions-len(it.head) {
			d.fail()
			break
		}
		for range n {
			it.head = append(it.head, m)
		}
	}
	for range d.count() {
		g := edge{position: int32(d.int()), winner: int32(d.int()), goroutine: d.goroutine()}
		if g.goroutine < 0 {
			g.timer = timer{d.goroutine(), int32(d.int())}
		}
		it.edges = append(it.edges, g)
	}
	for range d.count() {
		f := flip{event: int32(d.int()), index: d.int(), kind: run.ConditionKind(d.int()), outcome: outcome(d.uint())}
		for range d.count() {
			f.values = append(f.values, d.string())
		}
		it.flips = append(it.flips, f)
	}
	for range d.count() {
		it.late = append(it.late, d.goroutine())
	}
	if len(d.bytes) > 0 || it.begins.conditions < 0 || it.kind == flipped && len(it.flips) == 0 {
		d.fail()
	}
	return it, d.err
}

// A decoder reads what an encoder has written. After an error it reads zeros.
type decoder struct {
	bytes      []byte
	goroutines []int32 // by number
	err        error
}

var errItem = errors.New("not an item of a search")

func (d *decoder) fail() {
	if d.err == nil {
		d.err = errItem
	}
	d.bytes = nil
}

func (d *decoder) int() int {
	v, n := binary.Varint(d.bytes)
	if n <= 0 || int64(int32(v)) != v {
		d.fail()
		return 0
	}
	d.bytes = d.bytes[n:]
	return int(v)
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.bytes)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.bytes = d.bytes[n:]
	return v
}

// count reads the length of a list, each element of which takes at least a byte.
func (d *decoder) count() int {
	n := d.int()
	if n < 0 || n > len(d.bytes) {
		d.fail()
		return 0
	}
	return n
}

func (d *decoder) string() string {
	n := d.count()
	s := string(d.bytes[:n])
	d.bytes = d.bytes[n:]
	return s
}

func (d *decoder) goroutine() int32 {
	n := d.int() - 1
	if n < -1 || n >= len(d.goroutines) {
		d.fail()
		return -1
	}
	if n < 0 {
		return -1
	}
	return d.goroutines[n]
}
