package fingerprint

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/schedule"
)

// addReadings appends to h readings of the clock.
func (p *Printer) addReadings(h *hash, r *race.Readings) {
	list := r.List()
	h.addInt(len(list))
	var all set // expressions of equal hashes could be in any order
	for i := range list {
		x := &list[i]
		one := begin(tagReadings)
		if x.Time == expr.None {
			one.add(uint64(x.Value))
		} else {
			p.addExpr(&one, x.Time)
		}
		one.add(uint64(x.Latest))
		one.addInt(x.Terms)
		if x.Reader.Number > 0 {
			one.addInt(int(p.Goroutines[x.Reader.Slot].ID)) // which keeps its name
		}
		one.addInt(int(x.Reader.Number))
		one.addBool(x.Sent)
		all.add(one)
	}
	h.addHash(hash(all))
}

// addExpr appends to h a symbolic value.
func (p *Printer) addExpr(h *hash, x expr.ID) {
	h.add(uint64(tagSymbolic))
	h.add(p.Arena.Hash(x))
	h.addInt(int(p.Arena.Width(x)))
}

// addFiring appends to h what a timer has sent, as far as it has not been read yet.
func (p *Printer) addFiring(h *hash, f *race.Firing) {
	h.add(uint64(f.Latest))
	if f.Latest == 0 {
		return
	}
	h.addInt(int(f.Creator))
	h.addInt(int(f.Setting))
	h.addInt(int(f.Number))
	h.add(uint64(f.Wait))
	h.addBool(f.Quiescent == p.Quiescent)
	h.add(uint64(f.Time))
	p.addReadings(h, f.Readings)
}

// late is the part of a Printer that concerns the steps since the clock has been read, or a timer
// has fired early (doc.go).
type late struct {
	known map[hash]carried // by the hash of what others are dependent with
	steps []lateStep       // one for each
}

// carried is what those have from steps that are dependent with them: the time before which they
// cannot be, and readings of the clock.
type carried struct {
	time     int64
	readings *race.Readings
}

// join returns what is carried by steps that carry c and by others that carry d.
func (c carried) join(d carried) carried {
	return carried{max(c.time, d.time), c.readings.Join(d.readings)}
}

// within reports whether c is not more than d.
func (c carried) within(d carried) bool { return c.time <= d.time && c.readings.Within(d.readings) }

// A lateStep is what some steps since then are to others.
type lateStep struct {
	run.Transition
	is hash
}

// maxLateSteps is the number of steps since then after which a state has no fingerprint,
// since that would take too long.
const maxLateSteps = 1 << 10

// addLateSteps adds the latest readings of the clock, how far it is ahead of the last quiescent
// point, and the steps since.
func (p *Printer) addLateSteps() {
	if p.LatestReadings == nil && len(p.LateSteps) == 0 {
		return
	}
	h := begin(tagLatest)
	p.addReadings(&h, p.LatestReadings)
	h.add(uint64(p.Stalled))
	p.all.add(h)
	if len(p.LateSteps) > maxLateSteps {
		p.none = true
		return
	}
	if p.late.known == nil {
		p.late.known = map[hash]carried{}
	}
	clear(p.late.known)
	p.late.steps = p.late.steps[:0]
	for i := range p.LateSteps {
		s := &p.LateSteps[i]
		c := carried{s.Time, s.Readings}
		if s.Time < 0 { // the last step, of which it is noted with the next one
			c = p.carriedBy(&s.Transition)
		}
		if c.time <= p.Now && c.readings == nil {
			continue
		}
		step := lateStep{Transition: s.Dependence()}
		step.is = p.hashOfLate(&step.Transition)
		was, ok := p.late.known[step.is]
		if !ok {
			p.late.steps = append(p.late.steps, step)
		}
		p.late.known[step.is] = was.join(c)
	}
	for i := range p.late.steps {
		s := &p.late.steps[i]
		c := p.late.known[s.is]
		if s.Op == schedule.Read && !s.Spins {
			// What is dependent with a read is so with a write.
			s.Op = schedule.Write
			if c.within(p.late.known[p.hashOfLate(&s.Transition)]) {
				continue
			}
		}
		h := begin(tagLate)
		h.addHash(s.is)
		h.add(uint64(max(c.time, p.Now)))
		p.addReadings(&h, c.readings)
		p.all.add(h)
	}
}

// carriedBy returns what the goroutines of the last step carry.
func (p *Printer) carriedBy(t *run.Transition) carried {
	all := carried{time: p.Now}
	for _, id := range [...]int32{t.Goroutine, t.Partner} {
		if id >= 0 {
			c := &p.Goroutines[p.Slots[id]].Clock
			all = all.join(carried{c.Time, c.Readings})
		}
	}
	return all
}

// hashOfLate returns the hash of what others are dependent with.
func (p *Printer) hashOfLate(t *run.Transition) hash {
	h := begin(tagLate)
	for _, n := range [...]int{p.stepper(t.Goroutine), p.stepper(t.Partner), int(t.Op), int(t.State), int(t.Delta)} {
		h.addInt(n)
	}
	for _, b := range [...]bool{t.Spins, t.Commutes, t.Contingent, t.Queued} {
		h.addBool(b)
	}
	for _, id := range [...]run.ObjectID{t.Bubble, t.Queue} {
		p.addCellsByID(&h, run.Range{Object: id})
	}
	p.addCellsByID(&h, run.Range{Object: t.Object, Offset: t.Offset, Cells: t.Cells})
	p.addCellsByID(&h, t.From)
	h.addInt(len(t.Awaits))
	for _, r := range t.Awaits {
		p.addCellsByID(&h, r)
	}
	return h.sum()
}

// stepper returns what stands for a goroutine that has taken a step, or -1 if there is none. Those
// that have ended take no further steps.
func (p *Printer) stepper(id int32) int {
	if id < 0 {
		return int(id)
	}
	if who := p.role(id); who >= 0 {
		return who
	}
	return hasEnded
}

// addCellsByID appends to h cells of an object. One that nothing can reach any more has the name
// that it has in the run.
func (p *Printer) addCellsByID(h *hash, r run.Range) {
	if r.Object.Goroutine == run.HiddenObjects {
		p.none = true // such names are not the same in all runs
	}
	h.addHash(hash(p.nameByID(r.Object)))
	h.addInt(int(r.Offset))
	h.addInt(int(r.Cells))
}
