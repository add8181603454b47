package stateful

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/portable"
)

// What is saved of a search are the choices of its next run, with what has been tried at each and
// what is still to be. The states that are remembered, and what they are compared with, are left
// out: fingerprints have numbers of functions and types in them, which are others in another
// process. So all states of the choices count as unknown, as they do when another machine goes on
// with a search.

// Save implements strategy.Resumable.
func (s *search) Save() []byte {
	if s.refined {
		return nil // what is visible has the numbers of functions in it
	}
	e, head := &portable.Encoder{}, &portable.Encoder{}
	o := &s.options
	for _, v := range []bool{s.finished, s.incomplete, o.AddsCommute, o.ForgetUses, o.ForgetAccesses, o.ForgetKnowledge, o.Rename} {
		e.Bool(v)
	}
	s.encodeAtomics(e)
	e.Uint(uint64(s.learned))
	e.Uint(uint64(s.cut))
	e.Int(len(s.open))
	for _, why := range slices.Sorted(maps.Keys(s.open)) {
		e.String(why)
	}
	e.Input(s.input)
	e.Int(s.begun.path)
	for _, hash := range s.path[:s.begun.path] {
		e.Uint(hash)
	}
	sc := &s.scheduler
	e.Int(len(sc.script))
	for i := range sc.script {
		encodeDecision(e, &sc.script[i])
	}
	e.Int(s.begun.choices)
	for i := range sc.choices[:s.begun.choices] {
		sc.choices[i].encode(e)
	}
	head.Names(e, o.Names)
	return head.With(e)
}

// Restore implements strategy.Resumable.
func (s *search) Restore(data []byte) error {
	d := portable.NewDecoder(data)
	d.Names(s.options.Names)
	s.saved = data
	o := &s.options
	for _, v := range []*bool{&s.finished, &s.incomplete, &o.AddsCommute, &o.ForgetUses, &o.ForgetAccesses, &o.ForgetKnowledge, &o.Rename} {
		*v = d.Bool()
	}
	s.decodeAtomics(d)
	learned, cut := int(d.Uint()), int(d.Uint())
	if s.runs == 0 {
		s.runs, s.learned, s.cut = learned, learned, cut
	}
	for range d.Count() {
		s.open[d.String()] = true
	}
	s.input = d.Input()
	for range d.Count() {
		s.path = append(s.path, d.Uint())
	}
	sc := &s.scheduler
	for range d.Count() {
		sc.script = append(sc.script, decodeDecision(d))
	}
	for range d.Count() {
		sc.choices = append(sc.choices, decodeChoice(d))
	}
	if !d.Ended() || !sc.isOrdered(len(s.path)) {
		d.Fail(errors.New("not a search by states"))
	}
	s.begin()
	if err := d.Err(); err != nil {
		return fmt.Errorf("reading what a search by states has left to do: %w", err)
	}
	return nil
}

// isOrdered reports whether the choices are those of a run that begins with the script and so many conditions.
func (sc *scheduler) isOrdered(path int) bool {
	event := int32(-1)
	for i := range sc.choices {
		c := &sc.choices[i]
		if c.event < event || int(c.decision) > len(sc.script) || c.decision < 0 || int(c.path) > path || c.inputs < 0 ||
			c.kind == ofStep &&
				(c.event < 0 || !c.forced && int(c.chosen) >= len(c.options)) || c.chosen < 0 || c.root != noRoot && int(c.root) > i {
			return false
		}
		if c.root != noRoot && (c.root < 0 || sc.choices[c.root].loop == nil) {
			return false
		}
		event = c.event
	}
	return true
}

func encodeDecision(e *portable.Encoder, d *run.Decision) {
	e.Int(int(d.Kind))
	e.Goroutine(d.Goroutine)
	e.Int(int(d.Alt))
}

func decodeDecision(d *portable.Decoder) run.Decision {
	return run.Decision{Kind: run.DecisionKind(d.Int()), Goroutine: d.Goroutine(), Alt: int32(d.Int())}
}

// encode writes c, without its state.
func (c *choice) encode(e *portable.Encoder) {
	e.Int(int(c.kind))
	for _, v := range [...]int32{c.event, c.decision, c.path, c.inputs, c.chosen, c.values, c.root} {
		e.Int(int(v))
	}
	e.Bool(c.full)
	e.Bool(c.forced)
	e.Int(len(c.options))
	for i := range c.options {
		o := &c.options[i]
		encodeDecision(e, &o.Decision)
		o.who.encode(e)
		e.Goroutine(o.partner)
		e.Bool(o.todo)
		e.Bool(o.done && !o.alike) // what is alike is found out again
	}
	e.Bool(c.other != nil)
	e.Input(c.other)
	e.Uint(c.outcome)
	e.Int(len(c.excluded))
	for _, text := range c.excluded {
		e.String(text)
	}
	e.Bool(c.loop != nil)
	if c.loop != nil {
		encodeThreads(e, c.loop.moved)
		encodeThreads(e, c.loop.could)
	}
}

func decodeChoice(d *portable.Decoder) choice {
	c := choice{kind: choiceKind(d.Int())}
	for _, v := range [...]*int32{&c.event, &c.decision, &c.path, &c.inputs, &c.chosen, &c.values, &c.root} {
		*v = int32(d.Int())
	}
	c.full, c.forced = d.Bool(), d.Bool()
	for range d.Count() {
		c.options = append(c.options, option{
			Decision: decodeDecision(d), who: decodeWho(d), partner: d.Goroutine(), todo: d.Bool(),
			done: d.Bool(),
		})
	}
	has := d.Bool()
	if c.other = d.Input(); has && c.other == nil {
		c.other = run.Input{}
	}
	c.outcome = d.Uint()
	for range d.Count() {
		c.excluded = append(c.excluded, d.String())
	}
	if d.Bool() {
		c.loop = &loop{moved: decodeThreads(d), could: decodeThreads(d)}
	}
	return c
}

func (w who) encode(e *portable.Encoder) {
	e.Goroutine(w.goroutine)
	e.Goroutine(w.creator)
	e.Int(int(w.timer))
}

func decodeWho(d *portable.Decoder) who { return who{d.Goroutine(), d.Goroutine(), int32(d.Int())} }

// encodeThreads writes a set of threads.
func encodeThreads(e *portable.Encoder, set map[who]bool) {
	e.Int(len(set))
	for _, w := range slices.SortedFunc(maps.Keys(set), func(a, b who) int {
		return cmp.Or(cmp.Compare(a.goroutine, b.goroutine), cmp.Compare(a.creator, b.creator), cmp.Compare(a.timer, b.timer))
	}) {
		w.encode(e)
	}
}

func decodeThreads(d *portable.Decoder) map[who]bool {
	set := map[who]bool{}
	for range d.Count() {
		set[decodeWho(d)] = true
	}
	return set
}
