package profile

import (
	"strconv"
	"strings"
	"time"
)

// Costs are what a search has spent at a place.
type Costs struct {
	Runs         int64         `json:"runs,omitempty"`         // that part there from all runs before them
	Steps        int64         `json:"steps,omitempty"`        // visible operations that were carried out
	Instructions int64         `json:"instructions,omitempty"` // that were executed; from samples
	Queries      int64         `json:"queries,omitempty"`      // to the solver
	Solver       time.Duration `json:"solver,omitempty"`       // of these
	Time         time.Duration `json:"time,omitempty"`         // in all
}

// Add adds the costs of o.
func (c *Costs) Add(o Costs) {
	c.Runs += o.Runs
	c.Steps += o.Steps
	c.Instructions += o.Instructions
	c.Queries += o.Queries
	c.Solver += o.Solver
	c.Time += o.Time
}

// An Activity is what a search does.
type Activity string

// The activities.
const (
	Running  Activity = "running"  // the program
	Solving  Activity = "solving"  // queries
	Planning Activity = "planning" // which run is next, and what follows from the last one
)

// A Departure says what is the first thing in which a run differs from all runs before it. It is
// empty for activities other than planning.
type Departure string

// The departures.
const (
	AtStart  Departure = "start"  // there was no run before it
	InOrder  Departure = "order"  // another goroutine or timer, or another case of a select, goes on
	InValue  Departure = "value"  // another value is chosen, such as the next entry of a map
	InBranch Departure = "branch" // a condition on inputs has another outcome
	Nowhere  Departure = "again"  // it is the same as one before
)

// A Frame is a call on a stack.
type Frame struct {
	Func string // as package runtime names it
	File string
	Line int
}

// A Place says what was done, and where in the program: a text that consists of lines, the first with what was done,
// and the others with a frame each, the innermost first.
type Place string

// NewPlace returns the place of an activity at a call stack, the innermost frame first.
func NewPlace(a Activity, d Departure, stack []Frame) Place {
	var b strings.Builder
	b.WriteString(string(a))
	if d != "" {
		b.WriteString(" " + string(d))
	}
	for _, f := range stack {
		b.WriteString("\n" + f.Func + "\t" + f.File + "\t" + strconv.Itoa(f.Line))
	}
	return Place(b.String())
}

// Parts returns what NewPlace has made p of. Lines that are none of its are left out.
func (p Place) Parts() (a Activity, d Departure, stack []Frame) {
	head, rest, _ := strings.Cut(string(p), "\n")
	what, departs, _ := strings.Cut(head, " ")
	for line := range strings.SplitSeq(rest, "\n") {
		if parts := strings.Split(line, "\t"); len(parts) == 3 {
			n, _ := strconv.Atoi(parts[2])
			stack = append(stack, Frame{Func: parts[0], File: parts[1], Line: n})
		}
	}
	return Activity(what), Departure(departs), stack
}

// A Profile has the costs of places. The zero value is empty, but for Add it has to be made.
type Profile map[Place]Costs

// Add adds the costs of a place.
func (p Profile) Add(at Place, c Costs) {
	sum := p[at]
	sum.Add(c)
	p[at] = sum
}

// Total returns what all places have cost together.
func (p Profile) Total() (sum Costs) {
	for _, c := range p {
		sum.Add(c)
	}
	return sum
}

// Merge adds the costs of other.
func (p Profile) Merge(other Profile) {
	for at, c := range other {
		p.Add(at, c)
	}
}
