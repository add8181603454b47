package prediction

import (
	"errors"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/schedule"
)

// A recording is the events of a schedule, with what it says of the program.
type recording struct {
	header  schedule.Header // what was run, with its input
	table   *schedule.Table
	events  []schedule.Event
	names   *schedule.Names
	objects []object // by number; the first is not used
}

// An object is what is known of an object.
type object struct {
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
	s := &recording{table: r.Table(), names: schedule.NewNames(r.Table()), objects: make([]object, 1)}
	header, err := r.Header()
	if err != nil {
		return nil, err
	}
	if header.Target == "" || header.Kind == "" {
		return nil, errUnknown
	}
	s.header = *header
	s.header.Decisions, s.header.Finding = nil, nil // of a run file: the run of a witness is another one
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
	s.names.Add(e)
	switch kind := access.KindOf(e.Op); {
	case e.Op == schedule.New:
		s.objects = append(s.objects, object{memory: e.Kind == schedule.Memory})
	case kind != access.None:
		o := &s.objects[e.Object]
		o.shared = o.shared || o.used && o.user != e.Goroutine
		o.user, o.used, o.writes = e.Goroutine, true, o.writes || kind.IsWrite()
	}
}

// run returns the run of a finding: what is done, in which order, and what is visible.
func (s *recording) run(f *analysis.Finding) *schedule.Run {
	r := &schedule.Run{Header: s.header}
	r.Input = slices.Clone(r.Input)
	for _, changed := range f.Inputs {
		for i := range r.Input {
			if r.Input[i].Name == changed.Name {
				r.Input[i].Value = changed.Value.Bits
			}
		}
	}
	r.Visible = new(schedule.Visible)
	for i := range s.objects {
		name := s.names.Object(schedule.ObjectID(i))
		if o := &s.objects[i]; o.memory && name.Goroutine != schedule.Nobody && o.shared && o.writes {
			r.Visible.Objects = append(r.Visible.Objects, name)
		}
	}
	slices.SortFunc(r.Visible.Objects, schedule.Object.Compare)
	last := map[schedule.GoroutineID]*schedule.Event{}
	for _, order := range s.witness(f) {
		e := &s.events[order]
		if e.Op == schedule.Choice && s.names.Goroutine(e.Goroutine) != "" {
			r.Decisions = append(r.Decisions, schedule.Decision{
				Value: true, Goroutine: s.names.Goroutine(e.Goroutine), Alt: int32(e.Number),
			})
		}
		if s.names.Goroutine(e.Goroutine) == "" {
			continue // a timer or the garbage collector has started it, and nobody has named it
		}
		if e.Implied {
			continue // it is a part of the step before it, or none
		}
		if e.Op < schedule.Spawn && !continues(last[e.Goroutine], e) {
			r.Events = append(r.Events, s.step(e, turnOf(f, order)))
		}
		if e.Op < schedule.Spawn {
			last[e.Goroutine] = e
		}
	}
	return r
}

// missingInput returns the name of an input of which a finding needs another value, and that is
// none of the target; "" if there is none.
func (s *recording) missingInput(f *analysis.Finding) string {
	for _, changed := range f.Inputs {
		if !slices.ContainsFunc(s.header.Input, func(i schedule.Input) bool { return i.Name == changed.Name }) {
			return changed.Name
		}
	}
	return ""
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

// turnOf returns the turn that an event of a finding takes, nil if it takes none.
func turnOf(f *analysis.Finding, order int64) *analysis.Turn {
	for i := range f.Sites {
		if f.Sites[i].Order == order {
			return f.Sites[i].Turn
		}
	}
	return nil
}

// step returns an event as run files have it. If turn is not nil, that is what it does instead.
func (s *recording) step(e *schedule.Event, turn *analysis.Turn) schedule.RunEvent {
	out := schedule.RunEvent{
		Goroutine: s.names.Goroutine(e.Goroutine), Op: e.Op,
		Pos: s.table.Position(e.Location), Func: s.table.Name(s.table.Location(e.Location).Func),
	}
	if e.Case != schedule.NoCase {
		out.Alt = e.Case
	}
	if e.Op == schedule.SelectDefault {
		out.Alt = -1
	}
	if turn != nil {
		out.Op, out.Alt = turn.Op, turn.Case
	}
	return out
}
