package transcript

import (
	"fmt"
	"strconv"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A Program says what the numbers in a trace stand for.
type Program struct {
	Names *run.Names
	Arena *expr.Arena
	// Location returns where a site is. Its Func and File are names of the table.
	Location func(run.SiteID) schedule.LocationID
	// Global returns the name of the global variable with the given count.
	Global func(count int32) string
}

// Write writes the events of a trace to w, but not the end of the schedule. Names go into
// table, which is that of w.
func Write(w *schedule.Writer, table *schedule.Table, t *run.Trace, p Program) error {
	x := &writer{
		to: w, table: table, trace: t, program: p,
		survey:     newSurvey(t),
		goroutines: make(map[int32]schedule.GoroutineID),
		objects:    make(map[run.ObjectID]schedule.ObjectID),
		locals:     make(map[expr.ID]schedule.Local),
		inputs:     make(map[expr.ID]uint64, len(t.Inputs)),
		locations:  make(map[run.SiteID]schedule.LocationID),
		contents:   make(map[run.Range]schedule.Value),
		state:      schedule.NewState(table),
		first:      make([]int64, len(t.Events)),
	}
	for i := range t.Inputs {
		x.inputs[t.Inputs[i].Sym] = t.Inputs[i].Value
	}
	for i := range t.Events {
		x.step, x.first[i] = i, -1
		if x.leavesOut(i, &t.Events[i]) {
			continue
		}
		if err := x.event(i); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
	}
	x.step = -1
	for i := range t.Unfinished {
		x.unfinished(&t.Unfinished[i])
	}
	return x.err
}

// A writer writes a trace.
type writer struct {
	to      *schedule.Writer
	table   *schedule.Table
	trace   *run.Trace
	program Program
	*survey
	goroutines map[int32]schedule.GoroutineID
	next       []int64 // index of the next event of each goroutine; that of Timers comes first
	objects    map[run.ObjectID]schedule.ObjectID
	lastLocal  schedule.Local
	locals     map[expr.ID]schedule.Local
	inputs     map[expr.ID]uint64
	locations  map[run.SiteID]schedule.LocationID
	contents   map[run.Range]schedule.Value // of cells, as the schedule says
	err        error
	current    schedule.LocationID
	chosen     []schedule.Case   // result of cases
	one        [1]schedule.Event // that is being written, if it is not one of several
	state      *schedule.State   // after the events so far; nil if one of them is not possible
	step       int               // the event of the trace that is being written, -1 after the last one
	steps      []int             // of each event of the schedule, the one of the trace that it was written for
	first      []int64           // of each event of the trace, the number of the one that stands for it in the schedule
}

// emit writes an event of g.
func (x *writer) emit(g schedule.GoroutineID, e schedule.Event) {
	x.one[0] = e
	x.emitAll(g, x.one[:])
}

// emitAll writes events of g that are one of the trace: those after the first are implied.
func (x *writer) emitAll(g schedule.GoroutineID, events []schedule.Event) {
	for len(x.next) <= int(g)+1 {
		x.next = append(x.next, 0)
	}
	from := -1 // which step the value is from, as the schedule says
	for i := range events {
		e := &events[i]
		e.Goroutine, e.Index, e.Location, e.Implied = g, x.next[g+1], x.current, e.Implied || i > 0
		x.next[g+1]++
		if x.state != nil && x.state.Next(e) != nil {
			x.state = nil // readers say what is wrong
		}
		if x.state != nil && e.From >= 0 {
			from = max(from, x.steps[e.From])
		}
		step := x.step
		if e.Implied && e.Op != schedule.Read && e.Op != schedule.Write {
			step = -1
		}
		x.steps = append(x.steps, step)
	}
	if x.step >= 0 {
		x.represent(&events[0], int64(len(x.steps)-len(events)), from)
	}
	for i := range events {
		if x.err == nil {
			x.err = x.to.Write(&events[i])
		}
	}
}

// represent notes that e may stand for the event of the trace that is being written, and is the first of its
// events. The schedule says that its value is from another event of the trace; if the trace does not, e says it.
func (x *writer) represent(e *schedule.Event, order int64, from int) {
	if x.first[x.step] < 0 && e.Op.IsStep() && !e.Implied {
		x.first[x.step] = order
	}
	if t := &x.trace.Events[x.step]; e.Op == t.Op && reads[t.Op] && t.ReadKind != 0 && from != int(t.Other) {
		if e.Source = -1; t.Other >= 0 {
			e.Source = x.first[t.Other] + 1
		}
	}
}

// reads holds the operations that say from which event their value is.
var reads = [schedule.NumOps]bool{schedule.Read: true, schedule.AtomicRead: true, schedule.AtomicUpdate: true, schedule.Recv: true}

// longName is how many bytes of a name are written.
const longName = 1 << 15

// name returns the number of a name.
func (x *writer) name(s string) schedule.NameID {
	if len(s) > longName {
		s = s[:longName] + "…"
	}
	id, err := x.table.NameID(s)
	if err != nil && x.err == nil {
		x.err = err
	}
	return id
}

// goroutine returns the number of a goroutine in the schedule.
func (x *writer) goroutine(g int32) schedule.GoroutineID {
	if g < 0 {
		return schedule.Timers
	}
	id, ok := x.goroutines[g]
	if !ok {
		id = schedule.GoroutineID(len(x.goroutines))
		x.goroutines[g] = id
	}
	return id
}

// goroutineName returns the number of the name of a goroutine.
func (x *writer) goroutineName(g int32) schedule.NameID {
	return x.name(x.program.Names.String(g))
}

// location returns the number of a location.
func (x *writer) location(site run.SiteID) schedule.LocationID {
	id, ok := x.locations[site]
	if !ok {
		id = x.program.Location(site)
		x.locations[site] = id
	}
	return id
}

// object returns the number of an object in the schedule, which g introduces if it is new.
func (x *writer) object(g schedule.GoroutineID, id run.ObjectID) schedule.ObjectID {
	if id == run.NoObject {
		return 0
	}
	if o, ok := x.objects[id]; ok {
		return o
	}
	o := schedule.ObjectID(len(x.objects) + 1)
	x.objects[id] = o
	info := x.survey.objects[id]
	if info == nil {
		info = &object{kind: schedule.Environment}
	}
	e := schedule.Event{Op: schedule.New, Object: o, Kind: info.kind, Number: info.capacity, Child: schedule.NoGoroutine}
	switch {
	case id.Goroutine >= 0:
		// The goroutine may have been started by another one than the trace shows, before it.
		if child, ok := x.goroutines[id.Goroutine]; ok {
			e.Child, e.Count = child, int64(id.Count)
		} else {
			e.Allocator, e.Count = x.name(x.program.Names.String(id.Goroutine)), int64(id.Count)
		}
	case id.Goroutine == run.InputObjects:
		e.Name = x.name("input &" + strconv.Itoa(int(id.Count)))
	case info.kind == schedule.Environment:
		e.Name = x.name(environment[id])
		e.Number = min(int64(id.Count), 0)
	case id.Goroutine == run.GlobalObjects:
		e.Count = int64(id.Count) + 1
		e.Name = x.name(x.program.Global(id.Count))
	}
	was := x.current
	x.current = 0
	x.emit(g, e)
	x.current = was
	return o
}

// environment holds the names of objects that stand for state of the machine.
var environment = map[run.ObjectID]string{
	run.ClockObject:      "clock",
	run.GoroutinesObject: "goroutines",
	run.CollectorObject:  "collector",
	run.PoolsObject:      "pools",
}
