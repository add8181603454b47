package cover

import "fmt"

// A Summary says how large a set is, and what it proves.
type Summary struct {
	Program string
	Epochs  int // that are reached
	Open    int // of these, those for which there may be inputs without a schedule
	// Schedules is the number of all that runs may come to; Least, Most and Average are those of an epoch.
	Schedules, Least, Most int
	Average                float64
	Infeasible             int // schedules of which it is not known whether a run comes to them
	Excluded               int // schedules that no run comes to, which are in none of the other numbers
	Deadlocked             int // schedules that deadlock
	Racing                 int // schedules that leave conflicting accesses unordered
	// Possible is the number of schedules that deadlock or race of which it is not known whether a run comes to them.
	Possible int
	Markers  int
	Verdict  Verdict
}

// A Verdict is what a set says of deadlocks (section 3.6.3).
type Verdict string

// The verdicts.
const (
	// DeadlockFree: no schedule of the set deadlocks, and there is one for every input: a program
	// that is kept to the set does not deadlock, if it is race-free.
	DeadlockFree Verdict = "deadlock-free"
	Deadlocks    Verdict = "deadlocks"
	Races        Verdict = "races"
	Open         Verdict = "open" // there may be inputs without a schedule
)

// Summary returns the summary of a set.
func (s *Set) Summary() Summary {
	sum := Summary{Program: s.Program, Epochs: len(s.Epochs), Markers: len(s.Markers), Deadlocked: s.Deadlocks()}
	races, deadlocks := false, false // that runs come to
	for i, e := range s.Epochs {
		n := 0
		if !e.Ready || len(e.Open) > 0 {
			sum.Open++
		}
		for _, sc := range e.Schedules {
			if sc.Excluded {
				sum.Excluded++
				continue
			}
			n++
			if sc.Infeasible {
				sum.Infeasible++
			}
			if len(sc.Races) > 0 {
				sum.Racing++
			}
			switch bad := len(sc.Races) > 0 || sc.End.Kind == Deadlock; {
			case !bad:
			case sc.Infeasible:
				sum.Possible++
			case len(sc.Races) > 0:
				races = true
			default:
				deadlocks = true
			}
		}
		if i == 0 || n < sum.Least {
			sum.Least = n
		}
		sum.Most = max(sum.Most, n)
		sum.Schedules += n
	}
	if len(s.Epochs) > 0 {
		sum.Average = float64(sum.Schedules) / float64(len(s.Epochs))
	}
	switch {
	case races:
		sum.Verdict = Races
	case deadlocks:
		sum.Verdict = Deadlocks
	case !s.Complete() || len(s.Deferred) > 0 || sum.Possible > 0:
		sum.Verdict = Open
	default:
		sum.Verdict = DeadlockFree
	}
	return sum
}

// String returns the summary in a line, without the verdict.
func (s Summary) String() string {
	text := fmt.Sprintf("%s, %s", count(s.Epochs, "epoch"), count(s.Schedules, "schedule"))
	if s.Epochs > 1 {
		text += fmt.Sprintf(" (%d to %d an epoch)", s.Least, s.Most)
	}
	return text
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
