package stateful

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/stateful/accesses"
)

// A circle is what is known of goroutines that are about to do the same in the state of a choice: those with
// one Like in its naming.
type circle struct {
	first, n int32 // in Naming.Goroutines
	// objects are, for each of Naming.Objects, the index of the one that takes its place when each
	// of the goroutines takes that of the one before it. It is nil if the state is not the same
	// then.
	objects []int32
}

// took is the step that an option was, as far as it says with what it conflicts.
type took struct {
	transition run.Transition
	labels     []own // with threads of the execution, which have begun before
}

// circleOf returns the circle of the goroutines that have one Like, nil if it has not been looked for.
func (c *choice) circleOf(first int32) *circle {
	for i := range c.circles {
		if c.circles[i].first == first {
			return &c.circles[i]
		}
	}
	return nil
}

// tellApart has the options tried that are like others.
func (c *choice) tellApart() {
	for i := range c.options {
		if o := &c.options[i]; o.alike {
			o.alike, o.done = false, false
		}
	}
}

// takesNames reports whether options of c can be found to be like others: its state leaves out names, and no cycle goes
// through it. On a cycle it counts which goroutines have taken a step.
func (c *choice) takesNames() bool {
	return c.kind == ofStep && c.known && c.id.naming != nil && c.loop == nil && c.root == noRoot
}

// A turning says how many places each of the goroutines of some circles goes on.
type turning [2]struct{ first, by int32 }

// turningOf returns a turning that makes option i of c what option k is, false if there is none
// whatever may be alike in the state.
func (c *choice) turningOf(i, k int32) (turning, bool) {
	a, b := &c.options[i], &c.options[k]
	var t turning
	if a.Kind != b.Kind || a.Goroutine < 0 || b.Goroutine < 0 || a.Case() != b.Case() ||
		a.PartnerCase() != b.PartnerCase() || (a.partner < 0) != (b.partner < 0) {
		return t, false
	}
	turn := func(from, to int32) (first, by int32, ok bool) {
		n := c.id.naming
		x, y := n.indexOf(from), n.indexOf(to)
		if x < 0 || y < 0 || n.Goroutines[x].Like != n.Goroutines[y].Like {
			return 0, 0, false
		}
		first = n.Goroutines[x].Like
		size := int32(n.likes(first))
		return first, (int32(y-x) + size) % size, true
	}
	var ok bool
	if t[0].first, t[0].by, ok = turn(a.Goroutine, b.Goroutine); !ok {
		return t, false
	}
	if a.partner < 0 {
		return t, true
	}
	if t[1].first, t[1].by, ok = turn(a.partner, b.partner); !ok {
		return t, false
	}
	if t[0].first == t[1].first {
		if t[0].by != t[1].by {
			return t, false
		}
		t[1].by = 0 // both go on at once
	}
	return t, true
}

// likes returns the number of goroutines with one Like.
func (n *naming) likes(first int32) int {
	k := 0
	for i := int(first); i < len(n.Goroutines) && n.Goroutines[i].Like == first; i++ {
		k++
	}
	return k
}

// nextOf returns the index of an option of choice n, the last one, that is to be tried and was not,
// -1 if there is none. Those that are like one that has been tried are done with.
func (sc *scheduler) nextOf(n int) int32 {
	c := &sc.choices[n]
	sc.noteTook(c)
	for {
		i := c.next()
		if i < 0 || !sc.alike || !c.takesNames() || !sc.skip(n, i) {
			return i
		}
	}
}

// noteTook notes the step that was the option of c in the last run, if others may be found to be like it.
func (sc *scheduler) noteTook(c *choice) {
	if !sc.alike || !c.takesNames() || c.forced || int(c.event) >= len(sc.events) || c.chosen < 0 || len(c.options) < 2 {
		return
	}
	if o := &c.options[c.chosen]; o.took == nil && !o.alike && sc.events[c.event].choice >= 0 {
		o.took = &took{sc.events[c.event].transition, slices.Clone(sc.labelsOf(c.event))}
	}
}

// skip reports whether an option of choice n, the last one, is known to be like one that has been
// tried. Then it does what runs would have done that take it, and the option is done with.
func (sc *scheduler) skip(n int, i int32) bool {
	c := &sc.choices[n]
	for k := range c.options {
		if o := &c.options[k]; !o.done || o.took == nil {
			continue
		}
		t, ok := c.turningOf(int32(k), i)
		if !ok {
			continue
		}
		known := true
		for _, x := range t {
			circle := c.circleOf(x.first)
			known = known && (x.by == 0 || circle != nil && circle.objects != nil)
		}
		if known {
			return sc.take(n, int32(k), i, t)
		}
	}
	return false
}

// mayAsk reports whether it is to be found out which goroutines are alike in the state of choice n,
// the last one: the option that is chosen there may be like one that has been tried.
func (sc *scheduler) mayAsk(n int) bool {
	c := &sc.choices[n]
	return sc.alike && c.takesNames() && len(c.unasked()) > 0
}

// unasked returns for which goroutines it is to be found out whether they are alike, if the option
// of c that is chosen is not to be tried in vain.
func (c *choice) unasked() []int32 {
	var list []int32
	for k := range c.options {
		if o := &c.options[k]; !o.done || o.took == nil || int32(k) == c.chosen {
			continue
		}
		t, ok := c.turningOf(int32(k), c.chosen)
		if !ok {
			continue
		}
		for _, x := range t {
			if x.by != 0 && c.circleOf(x.first) == nil && !slices.Contains(list, x.first) {
				list = append(list, x.first)
			}
		}
	}
	return list
}

// askAlike finds out which goroutines are alike in the state of the last choice, to which the run
// has come. It reports whether that shows that the option which is chosen there need not be tried.
func (sc *scheduler) askAlike(p *run.SchedulingPoint) bool {
	n := len(sc.choices) - 1
	if n < 0 || p.Kind != run.Step || p.Fingerprint == nil || !sc.choices[n].takesNames() {
		return false
	}
	c := &sc.choices[n]
	for _, first := range c.unasked() {
		f, names, ok := p.Fingerprint()
		if !ok || names == nil || f != c.id.fingerprint ||
			!slices.Equal(names.Goroutines, c.id.naming.Goroutines) || !slices.Equal(names.Objects, c.id.naming.Objects) {
			return false
		}
		if sc.forgets && c.earlier == nil {
			c.earlier = copyOfKnowledge(p.Known(sc.wants))
		}
		found := circle{first: first, n: int32(c.id.naming.likes(first))}
		if objects, ok := p.Turned(first); ok {
			found.objects = c.id.naming.indexesOf(objects)
		}
		c.circles = append(c.circles, found)
	}
	return sc.skip(n, c.chosen)
}

// indexesOf returns the indexes of objects in n, nil if one is not in there.
func (n *naming) indexesOf(objects []run.ObjectID) []int32 {
	if len(objects) != len(n.Objects) {
		return nil
	}
	list := make([]int32, len(objects))
	for i, id := range objects {
		if list[i] = n.indexOfObject(id); list[i] < 0 {
			return nil
		}
	}
	return list
}

// A turned is the naming of a state in which goroutines of its circles have taken the places of others.
type turned struct {
	naming
	by []int32 // how many places those of each circle have gone on
}

// turn returns the naming of the state of c after a turning. It is valid until the next call.
func (c *choice) turn(t turning) *naming {
	if c.turned == nil {
		n := c.id.naming
		c.turned = &turned{naming: naming{Naming: run.Naming{Goroutines: slices.Clone(n.Goroutines), Objects: slices.Clone(n.Objects)}}}
	}
	to := c.turned
	clear(to.indexes)
	for len(to.by) < len(c.circles) {
		to.by = append(to.by, 0)
	}
	for i := range c.circles {
		circle := &c.circles[i]
		want := int32(0)
		for _, x := range t {
			if x.first == circle.first && x.by != 0 {
				want = x.by
			}
		}
		for ; to.by[i] != want; to.by[i] = (to.by[i] + 1) % circle.n {
			circle.turnOnce(&to.naming)
		}
	}
	return &to.naming
}

// turnOnce has each of the goroutines of a circle take the place of the one before it, in a naming
// that others may have changed already.
func (x *circle) turnOnce(n *naming) {
	list := n.Goroutines[x.first : x.first+x.n]
	first := list[0]
	copy(list, list[1:])
	list[x.n-1] = first
	objects := slices.Clone(n.Objects)
	for i, to := range x.objects {
		n.Objects[i] = objects[to]
	}
}

// take does what runs would have done that take option i of choice n, the last one, if a turning
// makes it what option k is, which has been tried. It returns false, and does nothing, if an access
// might race then.
func (sc *scheduler) take(n int, k, i int32, t turning) bool {
	c := &sc.choices[n]
	sc.execution.backtrack(c.event)
	if !sc.closeAlike(c) {
		return false
	}
	to := c.turn(t)
	like := c.options[k].took
	e := event{
		transition: sc.turned(c.id.naming, to, like.transition), partner: -1, choice: int32(n), clock: int32(len(sc.clocks)), labels: int32(len(sc.own)),
		decisions: c.decision, inputs: c.inputs, path: c.path,
	}
	e.thread = sc.thread(whoTakes(&e.transition))
	for _, o := range like.labels {
		l := sc.turned(c.id.naming, to, sc.all[o.label])
		sc.own = append(sc.own, own{sc.thread(whoTakes(&l)), int32(sc.number(&l))})
	}
	sc.append(e)
	own := sc.events[c.event]
	for b := range c.below.All() {
		l := &sc.all[b]
		w := whoTakes(l)
		switch th, ok := sc.numbers[w]; {
		case ok && (th == own.thread || th == own.partner):
			sc.look(w, b, false)
			continue
		case !c.looked.Has(b):
			c.looked.Add(b)
			sc.look(w, b, false)
		default:
			sc.compare(w, sc.nowOf(w), l, c.event, false)
		}
	}
	sc.execution.backtrack(c.event)
	o := &c.options[i]
	o.done, o.alike = true, true
	sc.spared++
	return true
}

// closeAlike adds to what can come after the state of c, the last choice, what comes if goroutines
// that are alike have each other's places. It returns false if an access might race then that has
// not been compared with those before the state.
func (sc *scheduler) closeAlike(c *choice) bool {
	if c.closed == sc.made && c.closedCircles == len(c.circles) {
		return !c.races
	}
	c.closed, c.closedCircles, c.races = sc.made, len(c.circles), false
	from := c.id.naming
	if c.races = !sc.closeAccesses(c); c.races {
		return false
	}
	list := slices.Collect(c.below.All())
	done := make([]int, len(c.circles)) // how much of the list has been looked at
	for i := 0; i < len(c.circles); i++ {
		circle := &c.circles[i]
		if circle.objects == nil || done[i] == len(list) {
			continue
		}
		to := c.turn(turning{{circle.first, 1}})
		for ; done[i] < len(list); done[i]++ {
			l := sc.turned(from, to, sc.all[list[done[i]]])
			k := sc.number(&l)
			c.below.Grow(k + 1)
			if !c.below.Has(k) {
				c.below.Add(k)
				list = append(list, k)
			}
		}
		i = -1 // the others have to look at what is new
	}
	c.looked.Grow(len(sc.all))
	return true
}

// closeAccesses adds to the accesses that can come after the state of c those that come if
// goroutines that are alike have each other's places. It returns false, and does nothing, if one of
// them might race with one before the state, or if there are too many.
func (sc *scheduler) closeAccesses(c *choice) bool {
	if c.node == nil || c.node.set.Size() == 0 {
		return true
	}
	var all accesses.Set
	sc.table.AddAll(&all, &c.node.set)
	more := false
	for i := 0; i < len(c.circles); i++ {
		circle := &c.circles[i]
		if circle.objects == nil {
			continue
		}
		to := c.turn(turning{{circle.first, 1}})
		if !sc.table.AddAll(&all, sc.withNames(to, sc.withoutNames(c.id.naming, &all))) {
			continue
		}
		if all.Size() > maxTurned {
			return false
		}
		more, i = true, -1
	}
	if !more {
		return true // all has been compared
	}
	if c.earlier == nil || sc.table.Races(&all, c.earlier) {
		return false
	}
	sc.table.AddAll(&c.node.set, &all)
	return true
}

// maxTurned bounds the accesses after a state that are made of others.
const maxTurned = maxAhead / 8

// copyOfKnowledge returns what is known in a state, as far as it decides which later accesses race.
func copyOfKnowledge(k *run.Knowledge) *run.Knowledge {
	out := &run.Knowledge{Holders: slices.Clone(k.Holders), Accesses: slices.Clone(k.Accesses)}
	for i := range out.Accesses {
		out.Accesses[i].Known = slices.Clone(out.Accesses[i].Known)
	}
	return out
}

// turned returns l with the names of goroutines and objects that have the places in to that those of l have in from.
func (sc *scheduler) turned(from, to *naming, l label) label {
	r := sc.relatives.labelOf(to, sc.names, sc.relatives.relativeLabel(from, sc.names, l))
	if l.Partner >= 0 {
		r.Partner = sc.relatives.goroutineOf(to, sc.names, sc.relatives.relativeOf(from, sc.names, l.Partner))
	}
	return r
}
