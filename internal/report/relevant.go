package report

import (
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/schedule"
)

// Relevant returns the indexes of the events of r that its finding depends on,
// in order: events of the goroutines that the failing one read from, directly
// or through others, on the objects through which they met. Spawns, starts and
// ends are left out, as the columns show them, and so are the standard library's
// own accesses to memory.
func Relevant(r *schedule.Run) []int {
	s := slicer{run: r, goroutines: map[string]bool{}, objects: map[schedule.Object]bool{}, spawned: map[string]int{}}
	for i := range r.Events {
		if e := &r.Events[i]; e.Op == schedule.Spawn {
			s.spawned[e.Child] = i
		}
	}
	s.seed()
	for s.grow() {
	}
	return s.keep()
}

type slicer struct {
	run        *schedule.Run
	goroutines map[string]bool
	objects    map[schedule.Object]bool
	spawned    map[string]int // event that started the goroutine
}

// seed starts from the goroutines that the finding names. If they are stuck, the finding is
// about what they wait for: the last event of each of them counts.
func (s *slicer) seed() {
	f := s.run.Finding
	if f == nil {
		for i := range s.run.Events {
			s.goroutines[s.run.Events[i].Goroutine] = true
		}
		return
	}
	for one := range f.All() {
		s.goroutines[one.Goroutine] = true
	}
	if check.Of(check.Kind(s.run.Finding.Kind)).Stuck {
		for g := range s.goroutines {
			for i := len(s.run.Events) - 1; i >= 0; i-- {
				if e := &s.run.Events[i]; e.Goroutine == g && e.Object != nil {
					s.objects[*e.Object] = true
					break
				}
			}
		}
		for i := range s.run.Events {
			if e := &s.run.Events[i]; e.Object != nil && s.objects[*e.Object] {
				s.goroutines[e.Goroutine] = true
			}
		}
	}
}

// grow follows one round of reads to the goroutines that wrote the values, and
// reports whether anything was added.
func (s *slicer) grow() bool {
	grew := false
	for i := range s.run.Events {
		e := &s.run.Events[i]
		if e.From == nil || e.Object == nil || !s.goroutines[e.Goroutine] {
			continue
		}
		w := &s.run.Events[*e.From]
		if w.Goroutine == e.Goroutine || s.inherited(*e.From, e.Goroutine) {
			continue
		}
		if !s.goroutines[w.Goroutine] || !s.objects[*e.Object] {
			grew = true
			s.goroutines[w.Goroutine] = true
			s.objects[*e.Object] = true
		}
	}
	return grew
}

// inherited reports whether event w happened before goroutine g was started:
// g, or an ancestor of g, was started later by the goroutine of w.
func (s *slicer) inherited(w int, g string) bool {
	for {
		spawn, ok := s.spawned[g]
		if !ok {
			return false
		}
		parent := s.run.Events[spawn].Goroutine
		if parent == s.run.Events[w].Goroutine {
			return w < spawn
		}
		g = parent
	}
}

func (s *slicer) keep() []int {
	lockers := map[schedule.Object]map[string]bool{}
	for i := range s.run.Events {
		if e := &s.run.Events[i]; isLock(e.Op) && s.goroutines[e.Goroutine] {
			if lockers[*e.Object] == nil {
				lockers[*e.Object] = map[string]bool{}
			}
			lockers[*e.Object][e.Goroutine] = true
		}
	}
	var kept []int
	for i := range s.run.Events {
		e := &s.run.Events[i]
		switch {
		case !s.goroutines[e.Goroutine], e.Op == schedule.TimePass:
		case e.Op == schedule.Fail:
			kept = append(kept, i)
		case e.Object == nil, internal(e):
		case s.objects[*e.Object], isLock(e.Op) && len(lockers[*e.Object]) > 1:
			kept = append(kept, i)
		}
	}
	return s.addTime(kept)
}

// addTime adds the passing of time between the kept events, and wherever a goroutine is kept
// waiting.
func (s *slicer) addTime(kept []int) []int {
	var out []int
	k := 0
	for i := range s.run.Events {
		e := &s.run.Events[i]
		switch {
		case k < len(kept) && kept[k] == i:
			out = append(out, i)
			k++
		case e.Op == schedule.TimePass && (k > 0 && k < len(kept) || e.Waits != ""):
			out = append(out, i)
		}
	}
	return out
}

// internal reports whether e is an access to memory by the standard library.
func internal(e *schedule.RunEvent) bool {
	return (e.Op == schedule.Read || e.Op == schedule.Write) && strings.HasPrefix(e.Pos, "$GOROOT/")
}

func isLock(op schedule.Op) bool {
	return op >= schedule.Lock && op <= schedule.LockIntent
}
