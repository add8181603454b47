package stateful

import (
	"strings"
	"sync"
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"

	"golang.org/x/tools/go/ssa"
)

// loadedGroups are the programs of testdata/groups, once they have been loaded.
var loadedGroups struct {
	once sync.Once
	root *load.Package
	prog *code.Program
}

// groups loads the programs of testdata/groups, and returns a search of one of them, which returns
// what it finds and the number of runs.
func groups(t *testing.T) func(t *testing.T, name string) (string, int) {
	loadedGroups.once.Do(func() {
		r := vmtest.Load(t, load.Config{Dir: "testdata/groups", Patterns: []string{"."}})
		root := r.Packages[0]
		loadedGroups.root = root
		loadedGroups.prog = compile.NewProgram(r.Prog, r.Sizes, func(p *ssa.Package) bool { return p == root.SSA }, r.Standard)
	})
	root, prog := loadedGroups.root, loadedGroups.prog
	return func(t *testing.T, name string) (string, int) {
		t.Helper()
		m := vm.New(prog, expr.NewArena(), run.NewNames(), run.Settings{})
		if _, err := m.Boot(t.Context(), vmtest.Function(root.SSA, name)); err != nil {
			t.Fatal(err)
		}
		return findings(t, m, Options{Rename: true, Alike: true, Ahead: true, ForgetKnowledge: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true})
	}
}

// TestGroups counts the runs for groups of goroutines that have nothing to do with each other:
// those of n groups are a sum, not a product.
func TestGroups(t *testing.T) {
	search := groups(t)
	for _, group := range []string{"Cancelled", "Locked"} {
		t.Run(group, func(t *testing.T) {
			_, one := search(t, "One"+group)
			_, two := search(t, "Two"+group)
			_, three := search(t, "Three"+group)
			t.Logf("%d runs with one group, %d with two, %d with three", one, two, three)
			if two > 2*one || three > 3*one {
				t.Errorf("%d runs with one group, %d with two, %d with three: that is more than for each", one, two, three)
			}
		})
	}
}

// TestMeeting finds two selects that meet before a channel is closed at which both wait, whoever is started first.
func TestMeeting(t *testing.T) {
	search := groups(t)
	for _, name := range []string{"FirstCloses", "SecondCloses", "LastCloses"} {
		if found, _ := search(t, name); !strings.Contains(found, "failedtrue") || !strings.Contains(found, "finishedfalse") {
			t.Errorf("%s: found %s: the selects have not met, or nothing else has happened", name, found)
		}
	}
}

// TestAhead finds that a goroutine receives before a channel is closed what it is not at when a run
// comes to a known state.
func TestAhead(t *testing.T) {
	if found, _ := groups(t)(t, "ReceivesBeforeClose"); !strings.Contains(found, "received 2") && !strings.Contains(found, "failedtrue") {
		t.Errorf("found %s: 2 has not been received", found)
	}
}

// TestSignals makes no further runs for signals that nobody waits for, and finds what those do that somebody does.
func TestSignals(t *testing.T) {
	search := groups(t)
	if found, runs := search(t, "Signals"); runs > 2 || found != "[finishedfalse false false 0] [] true" {
		t.Errorf("found %s in %d runs, want two at most", found, runs)
	}
	found, runs := search(t, "Woken")
	t.Logf("%d runs", runs)
	for _, want := range []string{"failedtrue false false", "failedfalse false true", "finishedfalse false false"} {
		if !strings.Contains(found, want) {
			t.Errorf("found %s, want %s as well", found, want)
		}
	}
}

// TestDefaults makes few runs for default cases that are taken whenever they come, and finds a case
// that may be taken in place of one.
func TestDefaults(t *testing.T) {
	search := groups(t)
	if found, runs := search(t, "Notified"); runs > 30 || found != "[finishedfalse false false 0] [] true" {
		t.Errorf("found %s in %d runs, want at most 30", found, runs)
	}
	if found, _ := search(t, "Polled"); !strings.Contains(found, "failedtrue") || !strings.Contains(found, "finishedfalse") {
		t.Errorf("found %s: something may be found in the channel, or nothing", found)
	}
}

// TestCounts tests that the runs for goroutines which count under a lock grow no faster than their number.
func TestCounts(t *testing.T) {
	search := groups(t)
	for name, n := range map[string]int{"FourCount": 4, "EightCount": 8, "SixteenCount": 16} {
		if found, runs := search(t, name); runs > n+1 || found != "[finishedfalse false false 0] [] true" {
			t.Errorf("%s: found %s in %d runs, want at most %d", name, found, runs, n+1)
		}
	}
}

// TestLagging tests that a step which has been tried before another one comes late after that, so
// that few states differ in how far goroutines have come that the others have nothing to do with.
func TestLagging(t *testing.T) {
	if found, runs := groups(t)(t, "Lagging"); runs > 300 || found != "[finishedfalse false false 0] [] true" {
		t.Errorf("found %s in %d runs, want at most 300", found, runs)
	}
}

// TestAdditions makes one run, and one that shows that nothing more is to be known, for additions
// whose results nobody reads, in whatever order, and finds what somebody reads that does.
func TestAdditions(t *testing.T) {
	search := groups(t)
	if found, runs := search(t, "Additions"); runs > 2 || found != "[finishedfalse false false 0] [] true" {
		t.Errorf("found %s in %d runs, want at most two", found, runs)
	}
	for _, name := range []string{"SumSeen", "ResultSeen"} {
		if found, _ := search(t, name); !strings.Contains(found, "failedtrue") || !strings.Contains(found, "finishedfalse") {
			t.Errorf("%s: found %s: the second addition may be the first one or not", name, found)
		}
	}
}

// TestFlights tests that who takes from a wait group what it has added itself makes no difference
// to who else knows of that: callers that share calls are alike.
func TestFlights(t *testing.T) {
	search := groups(t)
	for name, most := range map[string]int{"ThreeFly": 15, "FourFly": 22, "FiveFly": 32} {
		if found, runs := search(t, name); runs > most || found != "[finishedfalse false false 0] [] true" {
			t.Errorf("%s: found %s in %d runs, want at most %d", name, found, runs, most)
		}
	}
}
