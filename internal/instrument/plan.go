package instrument

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// A Position is a place in a source file.
type Position struct {
	File         string // absolute
	Line, Column int
}

// A Plan says what a native run has to keep to.
type Plan struct {
	Run  *schedule.Run
	Root string // of the module that the run was recorded in, absolute
	// Coarse leaves out the points within expressions, which need not compile: what they are
	// put at is known without types.
	Coarse bool
	// Race says that the program is built with the race detector. There, calls of atomic functions
	// are calls, and in their order.
	Race bool
	// Plain are lines at which there are no points but before and behind statements: one in an
	// expression there did not compile. The columns do not matter.
	Plain []Position

	// events are those that count, in their order.
	events []event
}

// An event is one of a run that matters for the schedule, or that starts a goroutine.
type event struct {
	goroutine string
	op        string
	pos       Position
	function  string
	child     string // that is started
	segment   int    // -1 if the order of the event does not matter
	location  place
	alt       int   // case of a select, -1 for default
	passes    int64 // time, in nanoseconds
}

// blocked is the operation of an event that stands for what a goroutine waits for in the end.
const blocked = "blocked"

// timer is the name of what makes time pass.
const timer = schedule.Timer

// NewPlan returns the plan for a native run as recorded.
func NewPlan(r *schedule.Run, root string) *Plan {
	p := &Plan{Run: r, Root: root}
	held := heldUp(r)
	shared := sharedLocations(r, held)
	segments, last := 0, ""
	callbacks := p.callbacks()
	timed := slices.ContainsFunc(r.Events, func(e schedule.RunEvent) bool { return e.Op == schedule.TimePass })
	for i := range r.Events {
		e := &r.Events[i]
		if e.Op == schedule.TimePass {
			ns, err := strconv.ParseInt(e.Wrote, 10, 64)
			if err == nil && ns > 0 {
				p.events = append(p.events, event{goroutine: timer, op: e.Op.String(), segment: segments, passes: ns})
				segments++
				last = timer
			}
			continue
		}
		if at, ok := callbacks[i]; ok {
			p.events = append(p.events, event{
				goroutine: at.Goroutine, op: "callback", pos: at.pos, function: at.Func, child: e.Goroutine,
				segment: -1,
			})
			continue
		}
		pos, ok := p.Position(e.Pos)
		if !ok {
			continue
		}
		next := event{goroutine: e.Goroutine, op: e.Op.String(), pos: pos, function: e.Func, child: e.Child, segment: -1, alt: int(e.Alt)}
		if e.Object != nil {
			next.location = location(e)
		}
		if e.Op == schedule.Sleep {
			continue // the end of a sleep, which comes by itself when time has passed
		}
		if e.Object != nil && shared[next.location] || timed && e.Op == schedule.TimerSet {
			if e.Goroutine != last {
				segments++
				last = e.Goroutine
			}
			next.segment = segments - 1
		}
		p.events = append(p.events, next)
	}
	p.stuck()
	p.hold(held)
	return p
}

// A creation is an event that made a timer.
type creation struct {
	*schedule.RunEvent
	pos Position
}

// callbacks returns, for the events with which goroutines start that a timer started, the creations
// of the timers.
func (p *Plan) callbacks() map[int]creation {
	made := map[schedule.Object]creation{}
	spawned := map[string]bool{}
	starts := map[int]creation{}
	var fired *schedule.Object
	for i := range p.Run.Events {
		switch e := &p.Run.Events[i]; e.Op {
		case schedule.TimerSet:
			if pos, ok := p.Position(e.Pos); ok && e.Object != nil {
				if _, again := made[*e.Object]; !again {
					made[*e.Object] = creation{e, pos}
				}
			}
		case schedule.TimerFire:
			fired = e.Object
		case schedule.Spawn:
			spawned[e.Child] = true
		case schedule.Start:
			if fired == nil || spawned[e.Goroutine] {
				continue
			}
			if at, ok := made[*fired]; ok {
				starts[i] = at
			}
		}
	}
	return starts
}

// stuck adds what the goroutines of a deadlock or leak wait for in the end: the last of them
// must not come there before the others did what they did.
func (p *Plan) stuck() {
	f := p.Run.Finding
	if f == nil || f.Kind != "deadlock" && f.Kind != "leak" {
		return
	}
	n := p.Segments()
	last := map[string]event{}
	for _, e := range p.events {
		last[e.goroutine] = e
	}
	for one := range f.All() {
		for _, frame := range one.Stack {
			if pos, ok := p.Position(frame.Pos); ok {
				if e := last[one.Goroutine]; e.pos == pos && e.op == "lock announced" {
					break // what announces the lock waits for it
				}
				p.events = append(p.events, event{goroutine: one.Goroutine, op: blocked, pos: pos, function: frame.Func, segment: n})
				n++
				break
			}
		}
	}
}

// hold adds what goroutines were about to do when another one failed, which might keep it from
// failing: it comes after that.
func (p *Plan) hold(held []schedule.RunEvent) {
	n := p.Segments()
	for _, e := range held {
		pos, ok := p.Position(e.Pos)
		if ok && slices.ContainsFunc(p.events, func(o event) bool { return o.segment >= 0 && o.location == location(&e) }) {
			p.events = append(p.events, event{
				goroutine: e.Goroutine, op: e.Op.String(), pos: pos, function: e.Func, segment: n,
				location: location(&e),
			})
			n++
		}
	}
}

// heldUp returns what goroutines were about to do when another one panicked, or a test failed.
func heldUp(r *schedule.Run) []schedule.RunEvent {
	f := r.Finding
	if f == nil || f.Kind != "panic" && f.Kind != "fatal error" && f.Kind != "test failure" {
		return nil
	}
	from, err := r.Schedule()
	if err != nil {
		return nil // it is of a version that does not say it
	}
	var list []schedule.RunEvent
	names := schedule.NewNames(from.Table())
	for e, err := range from.Events() {
		if err != nil {
			return nil
		}
		names.Add(e)
		if e.Op != schedule.Pending || len(e.Cases) != 1 || e.Cases[0].Object == 0 || names.Goroutine(e.Goroutine) == f.Goroutine {
			continue
		}
		c, on := e.Cases[0], names.Object(e.Cases[0].Object)
		list = append(list, schedule.RunEvent{
			Goroutine: names.Goroutine(e.Goroutine), Op: c.Op, Object: &on, Offset: int32(c.Offset),
			Pos: from.Table().Position(e.Location), Func: from.Table().Name(from.Table().Location(e.Location).Func),
		})
	}
	return list
}

// isPlain reports whether there are points before and behind statements only at a position.
func (p *Plan) isPlain(at Position) bool {
	return slices.ContainsFunc(p.Plain, func(q Position) bool { return q.File == at.File && q.Line == at.Line })
}

// Segments returns the number of segments of the schedule.
func (p *Plan) Segments() int {
	n := 0
	for _, e := range p.events {
		n = max(n, e.segment+1)
	}
	return n
}

// Needed returns the number of segments in which the goroutines of a leak come to where they stay,
// 0 if that is not a part of the schedule. What comes after is up to others, of which some may
// never come to an end.
func (p *Plan) Needed() int {
	f := p.Run.Finding
	if f == nil || f.Kind != "leak" {
		return 0
	}
	n := 0
	for one := range f.All() {
		for _, e := range p.events {
			if e.goroutine == one.Goroutine && e.op != blocked {
				n = max(n, e.segment+1)
			}
		}
	}
	return n
}

// isClocked reports whether time passes by the schedule.
func (p *Plan) isClocked() bool {
	return slices.ContainsFunc(p.events, func(e event) bool { return e.op == schedule.TimerSet.String() || e.passes > 0 })
}

// Files returns the files that the goroutines of the run come to.
func (p *Plan) Files() []string {
	files := map[string]bool{}
	for i := range p.events {
		if file := p.events[i].pos.File; file != "" {
			files[file] = true
		}
	}
	return slices.Sorted(maps.Keys(files))
}

// Position returns the place that a position of a run file stands for. There is none in the
// standard library, which is not instrumented.
func (p *Plan) Position(pos string) (Position, bool) {
	rest, column, ok := cutLast(pos)
	if !ok {
		return Position{}, false
	}
	file, line, ok := cutLast(rest)
	if !ok || strings.HasPrefix(file, "$GOROOT") {
		return Position{}, false
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(p.Root, filepath.FromSlash(file))
	}
	return Position{File: file, Line: line, Column: column}, true
}

// cutLast cuts the number behind the last colon off.
func cutLast(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}

// A place is what events can conflict on.
type place struct {
	object schedule.Object
	offset int32
	plain  bool
}

func location(e *schedule.RunEvent) place {
	if e.Op.IsPlain() {
		return place{*e.Object, e.Offset, true}
	}
	return place{object: *e.Object, offset: e.Offset}
}

// sharedLocations returns the locations on which goroutines conflict: several use them, and for
// memory, one of them writes when another has been started; what goroutines were held up from
// counts, too. In a deadlock or a leak, others may wait in the end for a lock that only the one has
// taken that holds it, or to send on a channel of which only one has filled the buffer.
func sharedLocations(r *schedule.Run, held []schedule.RunEvent) map[place]bool {
	type use struct {
		goroutines []string
		writers    []string
	}
	uses := map[place]*use{}
	for _, e := range slices.Concat(r.Events, held) {
		if e.Object == nil {
			continue
		}
		at := location(&e)
		u := uses[at]
		if u == nil {
			u = &use{}
			uses[at] = u
		}
		if !slices.Contains(u.goroutines, e.Goroutine) {
			u.goroutines = append(u.goroutines, e.Goroutine)
		}
		if e.Op != schedule.Read && e.Op != schedule.AtomicRead && !slices.Contains(u.writers, e.Goroutine) {
			u.writers = append(u.writers, e.Goroutine)
		}
	}
	shared := map[place]bool{}
	for at, u := range uses {
		shared[at] = len(u.goroutines) > 1 && len(u.writers) > 0
	}
	if f := r.Finding; f != nil && (f.Kind == "deadlock" || f.Kind == "leak") {
		for i := range r.Events {
			e := &r.Events[i]
			if e.Object == nil {
				continue
			}
			switch e.Op {
			case schedule.Lock, schedule.RLock, schedule.Send:
				shared[location(e)] = true
			}
		}
	}
	return shared
}
