package race

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
)

// A Reading is a time that a reading of the virtual clock has shown, or one that is a
// certain duration after it, in nanoseconds since the clock's start.
type Reading struct {
	Time   expr.ID // as an expression of 64 bits, expr.None if it is always Value
	Value  int64   // in this run
	Latest int64   // not before the time in any run with the same path condition
	Terms  int     // number of inputs in the sum that Time is
	Reader Reader
	Sent   bool   // a timer has sent it
	hash   uint64 // of Time: gives readings an order that is the same in all runs
}

// A Reader says which reading of a goroutine a reading is. Each is at least as late as those of
// smaller numbers.
type Reader struct {
	Slot, Number int32 // the number is 0 if the reading is not one that a goroutine has made itself
}

// covers reports whether x is at least as late as y, since it is y or a later reading of its reader.
func (x *Reading) covers(y *Reading) bool {
	if y.Reader.Number > 0 {
		return x.Reader.Slot == y.Reader.Slot && x.Reader.Number >= y.Reader.Number
	}
	return *x == *y
}

// A Firing is a timer that has fired and has sent the time. What it has sent is a reading of
// the clock that is made when somebody looks at it.
type Firing struct {
	Creator, Setting, Number int32 // which timer of which goroutine, and how often it had fired before
	Wait                     int64 // ns for which it was set at first, state.Never if that is not known
	Quiescent                int32 // number of quiescent points before
	Time, Latest             int64 // between which the reading lies
	Readings                 *Readings
}

// Readings is a set of readings. It is immutable, and clocks share it.
type Readings struct {
	list []Reading // sorted, without duplicates
}

// NewReadings returns the set of the given readings, whose expressions are in a.
func NewReadings(a *expr.Arena, list ...Reading) *Readings {
	for i := range list {
		list[i].hash = 0
		if list[i].Time != expr.None {
			list[i].hash = a.Hash(list[i].Time)
		}
	}
	return newReadings(list)
}

func newReadings(list []Reading) *Readings {
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, compareReadings)
	return &Readings{slices.Compact(list)}
}

// compareReadings defines the order of the readings in a set.
func compareReadings(x, y Reading) int {
	return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.Latest, y.Latest), cmp.Compare(x.Value, y.Value),
		cmp.Compare(x.Time, y.Time), cmp.Compare(x.Terms, y.Terms), cmp.Compare(x.Reader.Number, y.Reader.Number))
}

// List returns the readings, which must not be changed.
func (r *Readings) List() []Reading {
	if r == nil {
		return nil
	}
	return r.list
}

// Join returns the union of two sets, either of which may be nil. Of the readings of one
// goroutine, it has only the last one.
func (r *Readings) Join(s *Readings) *Readings {
	switch {
	case s == nil || r == s:
		return r
	case r.Within(s):
		return s
	case s.Within(r):
		return r
	}
	var list []Reading
	add := func(from, other *Readings) {
		for i := range from.list {
			if x := &from.list[i]; !other.Covers(x) || slices.Contains(other.list, *x) {
				list = append(list, *x)
			}
		}
	}
	add(r, s)
	add(s, r)
	return newReadings(list)
}

// Covers reports whether x is in the set, or a later reading of its reader.
func (r *Readings) Covers(x *Reading) bool {
	for i := range r.List() {
		if r.list[i].covers(x) {
			return true
		}
	}
	return false
}

// Within reports whether s covers all of r.
func (r *Readings) Within(s *Readings) bool {
	if r == nil || r == s {
		return true
	}
	if s == nil {
		return false
	}
	for i := range r.list {
		if !s.Covers(&r.list[i]) {
			return false
		}
	}
	return true
}
