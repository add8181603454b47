package prediction

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/schedule"
)

// A recording is the events of a schedule, with what it says of the program.
type recording struct {
	header     schedule.Header // what was run, with its input
	table      *schedule.Table
	events     []schedule.Event
	goroutines []string // names, by number
	objects    []object // by number; the first is not used
}

// An object is what is known of an object.
type object struct {
	name   schedule.Object
	named  bool
	memory bool
	user   schedule.GoroutineID // that accessed it first
	shared bool                 // by several goroutines
	writes bool
	used   bool
}

// maxEvents is how many events a schedule can have whose witnesses are followed.
const maxEvents = 1 << 20

// Why the witnesses of findings in a schedule are not followed.
var (
	errUnknown = errors.New("the schedule does not say what was run, and with which input; everyway record writes schedules that do")
	errTooLong = fmt.Errorf("the schedule has more than %d events, and is not followed", maxEvents)
)

// readSchedule reads a schedule, which has to be valid. The error is errUnknown or errTooLong if what it says
// is not enough, or too much.
func readSchedule(r *schedule.Reader) (*recording, error) {
	s := &recording{table: r.Table(), goroutines: []string{"0"}, objects: make([]object, 1)}
	text := r.Property(schedule.HeaderProperty)
	if text == "" {
		return nil, errUnknown
	}
	if err := json.Unmarshal([]byte(text), &s.header); err != nil {
		return nil, fmt.Errorf("the header of the schedule: %w", err)
	}
	if s.header.Version != schedule.Version {
		return nil, fmt.Errorf("the header of the schedule is of version %d, and not %d", s.header.Version, schedule.Version)
	}
	state := schedule.NewState(r.Table())
	for e, err := range r.Events() {
		if err != nil {
			return nil, err
		}
		if len(s.events) == maxEvents {
			return nil, errTooLong
		}
		if err := state.Next(e); err != nil {
			return nil, r.Fail(err.Error())
		}
		s.add(e)
	}
	return s, nil
}

// add adds an event.
func (s *recording) add(e *schedule.Event) {
	s.events = append(s.events, e.Clone())
	switch kind := access.KindOf(e.Op); {
	case e.Op == schedule.New:
		o := object{memory: e.Kind == schedule.Memory}
		if e.Count > 0 {
			o.named = true
			if o.name.Count = int32(e.Count - 1); e.Child >= 0 {
				o.name = schedule.Object{Goroutine: s.goroutines[e.Child], Count: int32(e.Count)}
			}
		}
		s.objects = append(s.objects, o)
	case e.Op == schedule.Spawn, e.Op == schedule.TimerFire && e.Child >= 0:
		s.goroutines = append(s.goroutines, s.table.Name(e.Name))
	case kind != access.None:
		o := &s.objects[e.Object]
		o.shared = o.shared || o.used && o.user != e.Goroutine
		o.user, o.used, o.writes = e.Goroutine, true, o.writes || kind.IsWrite()
	}
}

// run returns the run of a finding: what is done, in which order, and what is visible.
func (s *recording) run(f *analysis.Finding) *schedule.Run {
	r := &schedule.Run{Header: s.header}
	r.Visible = new(schedule.Visible)
	for i := range s.objects {
		if o := &s.objects[i]; o.memory && o.named && o.shared && o.writes {
			r.Visible.Objects = append(r.Visible.Objects, o.name)
		}
	}
	slices.SortFunc(r.Visible.Objects, schedule.Object.Compare)
	last := map[schedule.GoroutineID]*schedule.Event{}
	for _, order := range s.witness(f) {
		e := &s.events[order]
		if e.Op == schedule.Choice && s.goroutine(e.Goroutine) != "" {
			r.Decisions = append(r.Decisions, schedule.Decision{Value: true, Goroutine: s.goroutine(e.Goroutine), Alt: int32(e.Number)})
		}
		if s.goroutine(e.Goroutine) == "" {
			continue // a timer or the garbage collector has started it, and nobody has named it
		}
		if e.Op < schedule.Spawn && !continues(last[e.Goroutine], e) {
			r.Events = append(r.Events, s.step(e))
		}
		if e.Op < schedule.Spawn {
			last[e.Goroutine] = e
		}
	}
	return r
}

// witness returns the order of the events that shows a finding.
func (s *recording) witness(f *analysis.Finding) []int64 {
	if f.Witness != nil {
		return f.Witness
	}
	list := make([]int64, f.Sites[len(f.Sites)-1].Order+1)
	for i := range list {
		list[i] = int64(i)
	}
	return list
}

// continues reports whether an event is a part of the one before it in its goroutine: an access to several
// cells is an event for each of them.
func continues(last, e *schedule.Event) bool {
	return last != nil && last.Op == e.Op && (e.Op == schedule.Read || e.Op == schedule.Write) &&
		last.Location == e.Location && last.Object == e.Object && last.Offset+1 == e.Offset
}

// step returns an event as run files have it.
func (s *recording) step(e *schedule.Event) schedule.RunEvent {
	out := schedule.RunEvent{
		Goroutine: s.goroutine(e.Goroutine), Op: e.Op,
		Pos: s.table.Position(e.Location), Func: s.table.Name(s.table.Location(e.Location).Func),
	}
	if e.Case != schedule.NoCase {
		out.Alt = e.Case
	}
	if e.Op == schedule.SelectDefault {
		out.Alt = -1
	}
	return out
}

// goroutine returns the name of a goroutine.
func (s *recording) goroutine(g schedule.GoroutineID) string {
	if g == schedule.Timers {
		return schedule.Timer
	}
	return s.goroutines[g]
}
