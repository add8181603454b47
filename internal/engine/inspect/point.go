package inspect

import (
	"fmt"
	"go/token"
	"slices"
	"sort"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A Point is a place in a run at which a session can stand.
type Point struct {
	Kind PointKind
	// Step is the number of the step of the schedule that the point is in, or that is about to be taken. Those
	// before the first one are in step 0.
	Step int32
	// Events is the number of events of the run before the point.
	Events    int32
	Goroutine int32 // number in run.Names, -1 for timers
	Depth     int32 // number of frames of the goroutine
	Func      int32 // number of the innermost function of the source in which the goroutine is; -1 for none
	// Pos is where it is there: at a Line, where the statement begins.
	Pos token.Pos
	Op  schedule.Op // of a Step
	// Entered is set at the first Line of a call.
	Entered bool
}

// A PointKind is a kind of points.
type PointKind uint8

// The kinds of points.
const (
	// Line is a point at which a goroutine has come to another line, before it has done anything there.
	Line PointKind = iota
	// Step is a point at which the operation of a goroutine is about to be carried out. Since its goroutine came
	// to the operation, others may have taken steps.
	Step
	// End is the end of the run.
	End
)

// maxPoints bounds the points of a run.
const maxPoints = 1 << 21

// firstOf returns the index of the first point of a step.
func (s *Session) firstOf(step int32) int {
	return sort.Search(len(s.points), func(i int) bool { return s.points[i].Step >= step })
}

// A policy carries out the decisions of a run, up to a point that the run shares with the one before.
type policy struct {
	s         *Session
	decisions []run.Decision
	// rest decides when there are no decisions left.
	rest run.Scheduler
	// choices has the number of decisions before each step at which there was a choice.
	choices map[int32]int
	shared  int // number of steps that the run shares with the one before
	lost    string
}

// Choose implements run.Scheduler.
func (p *policy) Choose(at *run.SchedulingPoint) int {
	n := len(at.Trace.Decisions)
	if p.s.indexing && at.Kind == run.Step {
		if p.choices == nil {
			p.choices = make(map[int32]int)
		}
		p.choices[int32(p.s.machine.Steps())] = n
	}
	if n >= len(p.decisions) {
		return p.rest.Choose(at)
	}
	d := p.decisions[n]
	if at.Kind == run.Value {
		if d.Kind == run.Value && d.Goroutine == at.Goroutine && 0 <= d.Alt && int(d.Alt) < at.N {
			return int(d.Alt)
		}
	} else {
		for i := range at.Enabled {
			if at.Enabled[i].Decision == d {
				return i
			}
		}
	}
	p.lost = fmt.Sprintf("decision %d of %d is not possible", n+1, len(p.decisions))
	return -1
}

// Stepping implements run.Watcher.
func (p *policy) Stepping(t *run.Transition, _ *run.Trace) bool { return p.s.stepping(t) }

// Resume implements run.Resumer.
func (p *policy) Resume(last *run.Trace) int {
	if last == nil {
		return 0
	}
	return p.shared
}

// A turn is a scheduler that first lets a goroutine take a step, and then is fair.
type turn struct {
	s         *Session
	goroutine int32
	taken     bool
	missed    string // why the goroutine cannot take a step
	fair      run.Fair
}

// Choose implements run.Scheduler.
func (t *turn) Choose(p *run.SchedulingPoint) int {
	if t.taken {
		return t.fair.Choose(p)
	}
	t.taken = true
	var able []string
	for i := range p.Enabled {
		g := p.Enabled[i].Goroutine
		if g == t.goroutine {
			return i
		}
		if name := t.s.worker.Goroutine(g); !slices.Contains(able, name) {
			able = append(able, name)
		}
	}
	t.missed = fmt.Sprintf("goroutine %s cannot take a step here; %s can", t.s.worker.Goroutine(t.goroutine), strings.Join(able, ", "))
	return -1
}
