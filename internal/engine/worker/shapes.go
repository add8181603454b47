package worker

import (
	"maps"

	"github.com/everyway-go/everyway/internal/run"
)

// Shapes are those of the objects that are inputs of runs, by run.Trace.Shape: whether there was a
// run that did not skip itself. No more than maxShapes are counted.
type Shapes map[uint64]bool

const maxShapes = 1 << 16

// count counts the shape of a run.
func (s *Shapes) count(t *run.Trace) {
	if t.Shape == 0 {
		return
	}
	if *s == nil {
		*s = Shapes{}
	}
	s.add(t.Shape, !t.Skipped)
}

func (s Shapes) add(shape uint64, accepted bool) {
	if _, known := s[shape]; known || len(s) < maxShapes {
		s[shape] = s[shape] || accepted
	}
}

// Number returns how many shapes there are of runs that did not skip themselves, and how many others.
func (s Shapes) Number() (accepted, refused int) {
	for yes := range maps.Values(s) {
		if yes {
			accepted++
		} else {
			refused++
		}
	}
	return accepted, refused
}
