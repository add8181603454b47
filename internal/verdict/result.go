package verdict

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/everyway-go/everyway/internal/profile"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/schedule"
)

// A Result is what a search found out about one target.
type Result struct {
	Package string
	Target  string
	Root    string // directory that the files of positions are relative to
	Totals
	Counterexamples []*Counterexample
	Elapsed         time.Duration
	// Blocks are the numbers of the blocks of statements that were executed, if they are marked:
	// see package load.
	Blocks []int
	// Profile is what the search has cost, if that was asked for. It is not kept.
	Profile profile.Profile `json:"-"`
}

// A Block is a sequence of statements of which all are executed if the first one is. Its number
// is its place in the list of all of them.
type Block struct {
	File               string // import path of the package, a slash, and the name of the file
	Line, Column       int    // where it begins; columns count bytes, from 1
	EndLine, EndColumn int
	Statements         int
}

// Totals sum up a search. docs/json.md describes their JSON form.
type Totals struct {
	Verdict Verdict // empty while the search goes on
	Cached  bool    `json:",omitempty"` // the search was made before, and nothing that it follows from has changed
	Runs    int
	run.Counts
	Estimate int   `json:",omitempty"` // about how many runs the search takes in all, 0 when that is not known
	Shapes   int   `json:",omitempty"` // of the objects that are inputs, as far as runs have looked at them: of those that did not skip themselves
	Refused  int   `json:",omitempty"` // of objects that are inputs, of runs that all skipped themselves
	Branches int   // branches of the package under test in functions that were reached
	Covered  int   // of these, branches taken
	ByDegree []int `json:",omitempty"` // branches first covered at each degree
	Degree   int   // highest degree that con2colic completed, -1 for none
	// Spent is that of the reasons in Open which says that the budget is spent, or that all runs
	// have been made that may be; "" if there is none.
	Spent         string      `json:",omitempty"`
	Open          []string    `json:",omitempty"` // why the verdict is not holds: bounds hit, values made concrete, budget spent
	Bounds        []string    `json:",omitempty"` // within which holds is claimed
	Assumes       []string    `json:",omitempty"` // of a search that began in the middle of the program: what is taken for granted of the state there
	Contradicting []string    `json:",omitempty"` // of a search from the middle that has found no state to begin in: what cannot hold at once
	Accepted      []string    `json:",omitempty"` // findings that are accepted, and so did not make it fail
	Notes         []string    `json:",omitempty"` // goroutines that remained when the target had returned, and that did not make it fail
	Suspects      []string    `json:",omitempty"` // of a search for a kind of findings: what static analysis warns of, and what has become of each
	Saved         []Saved     `json:",omitempty"` // what became of findings that earlier searches have saved
	Solver        solve.Stats `json:",omitzero"`  // how the queries of the search were answered
	// Summaries say what the summaries of functions have done for the runs; zero if none were used.
	Summaries run.Summaries `json:",omitzero"`
	Alone     *Alone        `json:",omitempty"` // what goroutines do that run alone, and which races may follow from that
	Promise   string        `json:",omitempty"` // what random runs would have found, with what probability; empty when nothing can be said
}

// What has become of a suspect. The lines of Totals.Suspects but the first, which counts, end with one of these.
const (
	SuspectFound    = "found"
	SuspectMet      = "a run has been there, and nothing has gone wrong"
	SuspectExcluded = "excluded by the exhaustive search"
	SuspectUnmet    = "no run has come there"
)

// Share says how far the search has come, such as "12,000 of about 48,000 runs, 25%".
// Without an estimate it is the number of runs.
func (t *Totals) Share() string {
	if t.Estimate == 0 {
		return grouped(t.Runs) + " runs"
	}
	percent := 100 * float64(t.Runs) / float64(t.Estimate)
	digits := 0
	if percent < 1 {
		digits = 1
	}
	return fmt.Sprintf("%s of about %s runs, %.*f%%", grouped(t.Runs), grouped(rounded(t.Estimate)), digits, math.Floor(percent*10)/10)
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

// A Counterexample is a run that shows a finding: an input and a schedule that break the
// target.
type Counterexample struct {
	Run      *schedule.Run // with its Finding; minimised when the search ended in time
	RunFile  string        // path, "" when it could not be written
	Corpus   string        // path of the seed written for go test, "" for none
	Output   string        `json:",omitempty"` // what the run printed, logs of the test included
	SameAs   string        `json:"-"`          // the target in which the same finding was reported before, as package.Target; "" for none
	Confirms bool          `json:",omitempty"` // the run begins at the start, of another target, and shows what a search from the middle of the program has found
	Switches int           // context switches of the run, until it shows the finding
	// Delay is how long it took, from the end of the run that has shown the finding, until
	// Observer.Confirmed had returned.
	Delay time.Duration `json:"-"`
	// Warnings say what could not be written, and why.
	Warnings []string `json:",omitempty"`
}

// Warn adds a warning: what could not be written, and the error that says why.
func (c *Counterexample) Warn(what string, err error) {
	c.Warnings = append(c.Warnings, fmt.Sprintf("%s: %v", what, err))
}
