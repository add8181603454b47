package guided

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// figure2 is the program of the paper's Fig. 2, as a guide. Its locations have the names of Fig. 3.
type figure2 struct{}

const (
	l0 strategy.Location = iota // thread A starts
	l1                          // lock(elem)
	l2                          // check(elem)
	l3                          // check starts
	l4                          // if elem.e > 9
	l5                          // throw exception
	l6                          // unlock(elem)
	a0                          // thread B starts
	a1                          // if x > 18
	a2                          // lock(elem)
	a3                          // elem.reset()
	a4                          // reset starts
	a5                          // e := 11
	a6                          // unlock(elem)
	locations
)

var names = [locations]string{"l0", "l1", "l2", "l3", "l4", "l5", "l6", "α0", "α1", "α2", "α3", "α4", "α5", "α6"}

// flow is the control flow, function by function.
var flow = map[strategy.Location][]strategy.Location{
	l0: {l1}, l1: {l2}, l2: {l6}, l3: {l4}, l4: {l5}, a0: {a1}, a1: {a2}, a2: {a3}, a3: {a6}, a4: {a5},
}

func (figure2) Places() [][]strategy.Location  { return [][]strategy.Location{{l5}} }
func (figure2) Suspects() []strategy.Suspect   { return nil }
func (figure2) Decided(int) bool               { return false }
func (figure2) Near(run.SiteID) int            { return -1 }
func (figure2) Class(strategy.Location) string { return "" }
func (figure2) Starts() []strategy.Location    { return []strategy.Location{l0, a0} }

func (figure2) Start(l strategy.Location) strategy.Location {
	for _, start := range []strategy.Location{a4, a0, l3, l0} {
		if l >= start && !(start == l3 && l == l6) && !(start == a4 && l == a6) {
			return start
		}
	}
	return l0
}

func (figure2) Callers(start strategy.Location) []strategy.Location {
	return map[strategy.Location][]strategy.Location{l3: {l2}, a4: {a3}}[start]
}

func (figure2) IsCall(l strategy.Location) bool   { return l == l2 || l == a3 }
func (figure2) IsBranch(l strategy.Location) bool { return l == l4 || l == a1 }

func (f figure2) Path(l, m strategy.Location) bool {
	return slices.ContainsFunc(flow[l], func(next strategy.Location) bool { return next == m || f.Path(next, m) })
}

func (f figure2) Followers(l strategy.Location, set func(strategy.Location) bool) (list []strategy.Location) {
	for _, next := range flow[l] {
		if set(next) {
			list = append(list, next)
		} else {
			list = append(list, f.Followers(next, set)...)
		}
	}
	return list
}

func (figure2) Dependences(l strategy.Location) []strategy.Dependence {
	switch {
	case l == l5:
		return []strategy.Dependence{{Branch: l4, Side: strategy.Then}}
	case l == a2 || l == a3 || l == a6:
		return []strategy.Dependence{{Branch: a1, Side: strategy.Then}}
	}
	return nil
}

func (figure2) Definitions(strategy.Location) []strategy.Location { return nil }

func (figure2) Redefinitions(branch strategy.Location) []strategy.Location {
	if branch == l4 {
		return []strategy.Location{a5}
	}
	return nil
}

func (figure2) Reads(strategy.Location) []strategy.Location { return nil }

func (f figure2) Acquisitions(l strategy.Location) (list []strategy.Location) {
	for _, lock := range []strategy.Location{l1, a2} {
		if f.Path(lock, l) {
			list = append(list, lock)
		}
	}
	return list
}

func (figure2) Releases(l strategy.Location) []strategy.Location {
	return map[strategy.Location][]strategy.Location{l1: {l6}, a2: {a6}}[l]
}

func (figure2) AfterWrite(strategy.Location) strategy.Location { return strategy.NoLocation }

func (figure2) SameLock(l, m strategy.Location) bool {
	return (l == l1 || l == a2) && (m == l1 || m == a2)
}

func (figure2) Distance(from strategy.Location, passed bool, to strategy.Location) int { return 1 }
func (figure2) Position(l strategy.Location) string                                    { return names[l] }
func (figure2) Condition(strategy.Location) string                                     { return "elem.e > 9" }
func (figure2) Site(l strategy.Location) run.SiteID                                    { return run.SiteID{Instr: int32(l)} }
func (figure2) At(s run.SiteID) []strategy.Location {
	return []strategy.Location{strategy.Location(s.Instr)}
}
func (figure2) Inverted(strategy.Location) bool { return false }

// text writes a trace as the paper does.
func (t trace) text() string {
	var list []string
	for _, st := range t {
		list = append(list, names[st.at])
	}
	return strings.Join(list, " ")
}

// TestFigure3 checks the abstract system of the example of the paper, its trace, and what refinement adds.
func TestFigure3(t *testing.T) {
	s := newSystem(figure2{}, []strategy.Location{l5})
	var in []string
	for l := range locations {
		if s.in[l] {
			in = append(in, names[l])
		}
	}
	if got, want := strings.Join(in, " "), "l0 l1 l2 l3 l4 l5 l6"; got != want {
		t.Errorf("the abstract system is %s, want %s", got, want)
	}
	list, minimal := s.sets(figure2{}.Places())
	if len(list) != 1 || minimal != 1 || len(list[0]) != 1 {
		t.Fatalf("abstract trace sets %v", list)
	}
	of := list[0]
	if got, want := of[0].text(), "l0 l1 l2 l3 l4 l5"; got != want {
		t.Errorf("the abstract trace is %s, want %s", got, want)
	}
	if side := of[0][4].side; side != strategy.Then {
		t.Errorf("the side of the branch is %v", side)
	}
	base := len(s.order)
	more := s.with(figure2{}.Redefinitions(l4))
	if len(s.order) != base {
		t.Error("the system that others share was changed")
	}
	s = more
	refined := s.refine(of, 0, of[0][4:], nil, rand.New(rand.NewPCG(1, 1)))
	if len(refined) == 0 {
		t.Fatal("no refinement")
	}
	if got, want := refined[0].set[0].text(), "α0 α1 α2 α3 α4 α5 α6 l0 l1 l2 l3 l4 l5"; got != want {
		t.Errorf("the refined trace is %s, want %s", got, want)
	}
	if got, want := refined[1].set[0].text(), "l0 α0 α1 α2 α3 α4 α5 α6 l1 l2 l3 l4 l5"; got != want {
		t.Errorf("the trace with the definition inside is %s, want %s", got, want)
	}
	if len(s.order) != int(locations) {
		t.Errorf("the refined system has %d locations, want %d", len(s.order), locations)
	}
	// Where no goroutine can begin, no definition is reached.
	if gone := s.refine(of, 0, of[0][4:], map[strategy.Location]bool{a0: true}, rand.New(rand.NewPCG(1, 1))); len(gone) > 0 {
		t.Errorf("%d refinements by a goroutine that is gone", len(gone))
	}
	if text := (&farthest{known: true, set: of, left: set{of[0][4:]}, branch: &of[0][4]}).text(figure2{}); !strings.Contains(text, "passed 4 of the 6 locations") ||
		!strings.Contains(text, "at l4, elem.e > 9 was not to be true") {
		t.Error(text)
	}
}
