package report

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A Line is one line of -json output. The first five fields are those of
// go test -json (see go doc test2json), so that its readers understand them;
// docs/json.md describes the rest.
type Line struct {
	Time    time.Time `json:",omitzero"`
	Action  string    // run, restarted, initialised, pause, cont, output, progress, found, finding, fault, pass, fail, skip, summary, build-output, build-fail
	Package string    `json:",omitempty"`
	Test    string    `json:",omitempty"`
	Elapsed float64   `json:",omitempty"` // seconds
	Output  string    `json:",omitempty"`

	ImportPath  string `json:",omitempty"` // of actions build-output and build-fail
	FailedBuild string `json:",omitempty"` // of action fail, where a package was not built

	Finding *JSONFinding    `json:",omitempty"` // of actions found and finding
	Totals  *verdict.Totals `json:",omitempty"` // of actions progress, pass, fail and skip
	Summary *Summary        `json:",omitempty"` // of action summary
	Fault   *verdict.Fault  `json:",omitempty"` // of action fault
}

// A JSONFinding is a finding as -json prints it: what went wrong, and the run that shows it.
type JSONFinding struct {
	schedule.Finding
	Input        []schedule.Variable `json:"input,omitempty"`
	Initialisers int                 `json:"initialisers,omitempty"` // as in schedule.Header
	Tests        []schedule.Test     `json:"tests,omitempty"`        // likewise
	RunFile      string              `json:"runfile,omitempty"`
	Corpus       string              `json:"corpus,omitempty"`
	SameAs       string              `json:"sameas,omitempty"`
	Warnings     []string            `json:"warnings,omitempty"` // what could not be written
	Steps        []schedule.RunEvent `json:"steps,omitzero"`     // those the finding depends on, in order; not of action found
}

// A jsonReport is for programs: one object a line.
type jsonReport struct {
	writer
	now     func() time.Time
	summary summary
}

func newJSON(c Config) Report {
	return &jsonReport{writer: writer{to: c.Stdout}, now: c.Now}
}

func (j *jsonReport) write(l Line) {
	if j.now != nil {
		l.Time = j.now()
	}
	data, err := json.Marshal(l)
	if err != nil && j.err == nil {
		j.err = fmt.Errorf("encoding %s of %s: %w", l.Action, l.Test, err)
	}
	j.Write(append(data, '\n'))
}

// NotBuilt implements Report.
func (j *jsonReport) NotBuilt(p *NotBuilt) {
	fault := ""
	for _, e := range p.Errors {
		fault = e.Package
		j.write(Line{Action: "build-output", ImportPath: e.Package, Output: fmt.Sprintf("# %s\n%s\n", e.Package, e.Text)})
		j.write(Line{Action: "build-fail", ImportPath: e.Package})
	}
	j.write(Line{Action: "output", Package: p.Package, Output: "FAIL\t" + p.Text() + "\n"})
	j.write(Line{Action: "fail", Package: p.Package, FailedBuild: fault})
	j.summary.addNotBuilt(p.Package)
}

// Loaded implements Report.
func (j *jsonReport) Loaded(targets int, _ time.Duration) { j.summary.loaded = targets }

// Done implements Report. It sums up if there are several targets.
func (j *jsonReport) Done(elapsed time.Duration) {
	if !j.summary.several() {
		return
	}
	sum := j.summary.make()
	j.write(Line{Action: "summary", Elapsed: elapsed.Seconds(), Summary: &sum})
}

// Started implements verdict.Observer.
func (j *jsonReport) Started(pkg, target string) {
	j.write(Line{Action: "run", Package: pkg, Test: target})
}

// Initialised implements verdict.Observer.
func (j *jsonReport) Initialised(pkg string, elapsed time.Duration) {
	j.write(Line{Action: "initialised", Package: pkg, Elapsed: elapsed.Seconds()})
}

// Restarted implements verdict.Observer.
func (j *jsonReport) Restarted(pkg, target, file, why string) {
	j.write(Line{Action: "restarted", Package: pkg, Test: target, Output: fmt.Sprintf("%s: searched anew: %s\n", file, why)})
}

// Output implements verdict.Observer.
func (j *jsonReport) Output(pkg, target string, text []byte) {
	j.write(Line{Action: "output", Package: pkg, Test: target, Output: string(text)})
}

// Paused implements verdict.Observer.
func (j *jsonReport) Paused(pkg, target string) {
	j.write(Line{Action: "pause", Package: pkg, Test: target})
}

// Continued implements verdict.Observer.
func (j *jsonReport) Continued(pkg, target string) {
	j.write(Line{Action: "cont", Package: pkg, Test: target})
}

// Progress implements verdict.Observer.
func (j *jsonReport) Progress(r *verdict.Result) { j.result("progress", r) }

// Confirmed implements verdict.Observer.
func (j *jsonReport) Confirmed(r *verdict.Result, run *schedule.Run) {
	j.finding("found", r, newFinding(run))
}

// newFinding returns what a run says of its finding.
func newFinding(run *schedule.Run) *JSONFinding {
	return &JSONFinding{
		Finding:      *run.Finding,
		Input:        schedule.Variables(run.Input),
		Initialisers: run.Initialisers,
		Tests:        run.Tests,
	}
}

func (j *jsonReport) finding(action string, r *verdict.Result, f *JSONFinding) {
	j.write(Line{Action: action, Package: r.Package, Test: r.Target, Elapsed: r.Elapsed.Seconds(), Finding: f})
}

// Found implements verdict.Observer.
func (j *jsonReport) Found(r *verdict.Result, f *verdict.Counterexample) {
	if f.Output != "" {
		j.Output(r.Package, r.Target, []byte(f.Output))
	}
	finding := newFinding(f.Run)
	finding.RunFile, finding.Corpus, finding.SameAs, finding.Warnings = f.RunFile, f.Corpus, f.SameAs, f.Warnings
	finding.Steps = []schedule.RunEvent{}
	for _, i := range Relevant(f.Run) {
		finding.Steps = append(finding.Steps, f.Run.Events[i])
	}
	j.finding("finding", r, finding)
}

// Ended implements verdict.Observer. The action is fail for fails, skip for skipped and
// pass otherwise, as the exit code has it.
func (j *jsonReport) Ended(r *verdict.Result) {
	action := "pass"
	switch r.Verdict {
	case verdict.Fails:
		action = "fail"
	case verdict.Skipped:
		action = "skip"
	}
	j.result(action, r)
	j.summary.add(r)
}

// Faulted implements verdict.Observer.
func (j *jsonReport) Faulted(f *verdict.Fault) {
	j.write(Line{Action: "fault", Package: f.Package, Test: f.Target, Fault: f})
}

// Unbegun implements verdict.Observer.
func (j *jsonReport) Unbegun(pkg, target string) { j.summary.addUnbegun(pkg, target) }

func (j *jsonReport) result(action string, r *verdict.Result) {
	j.write(Line{Action: action, Package: r.Package, Test: r.Target, Elapsed: r.Elapsed.Seconds(), Totals: &r.Totals})
}
