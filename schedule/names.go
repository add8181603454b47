package schedule

import "math"

// Names knows what the goroutines and objects of a schedule are called in other runs of the same
// program.
type Names struct {
	table      *Table
	goroutines []string // by number, empty if they have no name
	objects    []Object // by number; the first is not used
}

// NewNames returns the names before the first event of a schedule whose events refer to t.
func NewNames(t *Table) *Names {
	return &Names{table: t, goroutines: []string{"0"}, objects: make([]Object, 1)}
}

// Add takes the next event into account, which has to be possible.
func (n *Names) Add(e *Event) {
	switch e.Op {
	case New:
		n.objects = append(n.objects, n.object(e))
	case Spawn, TimerFire:
		if e.Child != NoGoroutine {
			n.goroutines = append(n.goroutines, n.table.Name(e.Name))
		}
	}
}

// object returns the name of the object that e introduces.
func (n *Names) object(e *Event) Object {
	none := Object{Nobody, int32(e.Object)}
	switch {
	case e.Kind == Environment && e.Number < 0 && e.Number >= math.MinInt32:
		return Object{Count: int32(e.Number)}
	case e.Count <= 0 || e.Count > math.MaxInt32:
		return none
	case e.Allocator != 0:
		return Object{n.table.Name(e.Allocator), int32(e.Count)}
	case e.Child < 0:
		return Object{Count: int32(e.Count - 1)}
	case n.goroutines[e.Child] == "":
		return none
	}
	return Object{n.goroutines[e.Child], int32(e.Count)}
}

// Goroutine returns the name of a goroutine, Timer for Timers, and an empty string if it has none.
func (n *Names) Goroutine(g GoroutineID) string {
	if g == Timers {
		return Timer
	}
	return n.goroutines[g]
}

// Object returns the name of an object.
func (n *Names) Object(o ObjectID) Object { return n.objects[o] }

// An Object names an object: Goroutine is empty for global variables, Inputs for inputs, and Nobody
// for an object that has no name, such as a constant: Count is then its number in the schedule.
type Object struct {
	Goroutine string `json:"goroutine,omitempty"`
	Count     int32  `json:"count"`
}

// Nobody is the goroutine of objects that have no name.
const Nobody = noneWord

// Inputs is the goroutine of objects that are inputs: Count is then the number of the object.
const Inputs = "input"
