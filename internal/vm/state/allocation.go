package state

import "github.com/everyway-go/everyway/internal/run"

// CountAllocations is called when g asks how much the program has allocated. That depends
// on the compiler, which decides which variables are on the heap, so a test that counts
// allocations cannot be judged: its failures from then on are listed apart.
func (m *State) CountAllocations(g *Goroutine) {
	m.counted = true
	m.GiveUpAt(m.CallerOf(g), "allocations counted: the test is not judged")
}

// ReportFailure records a failure that a test reports.
func (m *State) ReportFailure(f run.Failure) {
	f.Events = len(m.Trace.Events)
	if m.counted {
		m.Trace.Unjudged = append(m.Trace.Unjudged, f)
	} else {
		m.Trace.TestFailures = append(m.Trace.TestFailures, f)
	}
}

// CountsAllocations reports whether CountAllocations has been called in the run.
func (m *State) CountsAllocations() bool { return m.counted }
