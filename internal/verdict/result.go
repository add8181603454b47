package verdict

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/schedule"
)

// A Result is what a search found out about one target.
type Result struct {
	Package  string
	Target   string
	Verdict  Verdict
	Findings []*Found
	Open     []string // why the verdict is not holds: bounds hit, values made concrete, budget spent
	Bounds   []string // within which holds is claimed

	Runs       int
	Candidates int         // interference scenario candidates explored
	Redundant  int         // runs begun and discarded as duplicates
	Blocked    int         // runs begun and found impossible
	Estimate   int         // about how many runs the search takes in all, 0 when that is not known
	Branches   int         // branches of the package under test in functions that were reached
	Covered    int         // of these, branches taken
	ByDegree   []int       // branches first covered at each degree
	Degree     int         // highest degree that con2colic completed, -1 for none
	Solver     solve.Stats // how the queries of the search were answered
	Promise    string      // what random runs would have found, with what probability; empty when nothing can be said
	Elapsed    time.Duration
}

// Share says how far the search has come, such as "12,000 of about 48,000 runs, 25%".
// Without an estimate it is the number of runs.
func (r *Result) Share() string {
	if r.Estimate == 0 {
		return grouped(r.Runs) + " runs"
	}
	percent := 100 * float64(r.Runs) / float64(r.Estimate)
	digits := 0
	if percent < 1 {
		digits = 1
	}
	return fmt.Sprintf("%s of about %s runs, %.*f%%", grouped(r.Runs), grouped(rounded(r.Estimate)), digits, math.Floor(percent*10)/10)
}

// rounded keeps two digits of a number that is an estimate.
func rounded(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// grouped writes a number with a comma between thousands.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// A Found is a finding with the run that shows it.
type Found struct {
	Run      *schedule.Run // with its Finding; minimised when the search ended in time
	RunFile  string        // path, "" when it could not be written
	Corpus   string        // path of the seed written for go test, "" for none
	Switches int           // context switches of the run
}
