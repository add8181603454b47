package meter

import "time"

// A Cost is what was measured at a call stack.
type Cost struct {
	Steps        int64         // visible operations that were carried out
	Instructions int64         // in multiples of about the period
	Time         time.Duration // by the clock of the meter
}

// A Meter measures the runs of one machine. Package meter describes what.
type Meter struct {
	Table
	// Decisions and Conditions are the stacks at the elements of Decisions and Path of the trace in
	// progress. They are kept whether the meter counts or not, as a run may resume where an earlier one was.
	Decisions  []Stack
	Conditions []Stack

	now      func() time.Duration
	period   int64
	counting bool
	costs    []Cost  // by Stack
	costly   []Stack // those whose costs are not zero
	left     int64   // instructions until the next sample
	since    int64   // instructions since the last one
	// waiting is the time since the last sample up to when the meter last began to count, which was at began.
	waiting, began time.Duration
}

// New returns a meter that takes a sample after every period instructions. It reads the time from now,
// from any beginning on.
func New(period int64, now func() time.Duration) *Meter {
	return &Meter{Table: newTable(), now: now, period: period, left: period}
}

// Begin begins a run that has the first so many decisions and conditions in common with the one before.
// It may be called without a meter.
func (m *Meter) Begin(decisions, conditions int) {
	if m != nil {
		m.Decisions, m.Conditions = m.Decisions[:decisions], m.Conditions[:conditions]
	}
}

// Start has the meter count from now on.
func (m *Meter) Start() { m.counting, m.began = true, m.now() }

// Stop has it count no more.
func (m *Meter) Stop() {
	m.waiting += m.now() - m.began
	m.counting = false
}

// Counting reports whether there is a meter, and it counts.
func (m *Meter) Counting() bool { return m != nil && m.counting }

// Step counts a step at a stack.
func (m *Meter) Step(at Stack) { m.cost(at).Steps++ }

// Next returns the number of instructions after which a sample is due: at most n.
func (m *Meter) Next(n int64) int64 {
	if !m.counting {
		return n
	}
	return min(n, max(m.left, 0))
}

// Execute counts n instructions, and reports whether a sample is due.
func (m *Meter) Execute(n int64) bool {
	if !m.counting {
		return false
	}
	m.since += n
	m.left -= n
	return m.left <= 0
}

// Sample takes a sample: what has been executed since the last one is the cost of a stack.
func (m *Meter) Sample(at Stack) {
	now := m.now()
	c := m.cost(at)
	c.Instructions += m.since
	c.Time += m.waiting + now - m.began
	m.since, m.left = 0, m.period
	m.waiting, m.began = 0, now
}

// cost returns what a stack has cost, for it to be added to.
func (m *Meter) cost(at Stack) *Cost {
	for len(m.costs) <= int(at) {
		m.costs = append(m.costs, Cost{})
	}
	c := &m.costs[at]
	if *c == (Cost{}) {
		m.costly = append(m.costly, at)
	}
	return c
}

// Collect calls yield with what was measured at each stack since the last call.
func (m *Meter) Collect(yield func(Stack, Cost)) {
	for _, at := range m.costly {
		yield(at, m.costs[at])
		m.costs[at] = Cost{}
	}
	m.costly = m.costly[:0]
}
