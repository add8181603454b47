package run

// An Enumeration is the scheduler of every run that a program has, one after another: with all
// orders of its steps and all values that it chooses. It takes the first option at each decision
// that the prefix of the plan leaves open. The first run has no prefix, and [Enumeration.Next]
// returns that of each other one. That is for oracles and tests, of small programs.
type Enumeration struct {
	left [][]Decision // what is left to try at each decision of the last run, the one taken first
}

// Choose implements Scheduler.
func (e *Enumeration) Choose(p *SchedulingPoint) int {
	var options []Decision
	if p.Kind == Value {
		for v := range p.N {
			options = append(options, Decision{Kind: Value, Goroutine: p.Goroutine, Alt: int32(v)})
		}
	}
	for i := range p.Enabled {
		options = append(options, p.Enabled[i].Decision)
	}
	e.left = append(e.left, options)
	return 0
}

// Next returns the prefix of the next run, and false if there is none.
func (e *Enumeration) Next() (prefix []Decision, more bool) {
	last := len(e.left) - 1
	for last >= 0 && len(e.left[last]) == 1 {
		last--
	}
	e.left = e.left[:last+1]
	if last < 0 {
		return nil, false
	}
	e.left[last] = e.left[last][1:]
	for _, options := range e.left {
		prefix = append(prefix, options[0])
	}
	return prefix, true
}
