package report

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A Line is one line of -json output. The first five fields are those of
// go test -json (see go doc test2json), so that its readers understand them;
// docs/json.md describes the rest.
type Line struct {
	Time    time.Time `json:",omitzero"`
	Action  string    // run, output, progress, finding, pass, fail, skip
	Package string    `json:",omitempty"`
	Test    string    `json:",omitempty"`
	Elapsed float64   `json:",omitempty"` // seconds
	Output  string    `json:",omitempty"`

	Finding *Finding        `json:",omitempty"` // of action finding
	Totals  *verdict.Totals `json:",omitempty"` // of actions progress, pass, fail and skip
}

// A Finding is what went wrong and the run that shows it.
type Finding struct {
	schedule.Finding
	Input   []schedule.Variable `json:"input,omitempty"`
	RunFile string              `json:"runfile,omitempty"`
	Corpus  string              `json:"corpus,omitempty"`
	Steps   []schedule.Event    `json:"steps"` // those the finding depends on, in order
}

// A JSON writes results for programs, one object a line.
type JSON struct {
	W   io.Writer
	Now func() time.Time // nil leaves Time out
}

func (j *JSON) write(l Line) error {
	if j.Now != nil {
		l.Time = j.Now()
	}
	data, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("encoding %s of %s: %w", l.Action, l.Test, err)
	}
	_, err = j.W.Write(append(data, '\n'))
	return err
}

// Started writes the run line of a target.
func (j *JSON) Started(pkg, target string) error {
	return j.write(Line{Action: "run", Package: pkg, Test: target})
}

// Output writes what the code under test printed.
func (j *JSON) Output(pkg, target string, text []byte) error {
	return j.write(Line{Action: "output", Package: pkg, Test: target, Output: string(text)})
}

// Progress writes the totals so far.
func (j *JSON) Progress(r *verdict.Result) error { return j.result("progress", r) }

// Found writes a finding.
func (j *JSON) Found(r *verdict.Result, f *verdict.Found) error {
	finding := &Finding{
		Finding: *f.Run.Finding,
		Input:   schedule.Variables(f.Run.Input),
		RunFile: f.RunFile,
		Corpus:  f.Corpus,
		Steps:   []schedule.Event{},
	}
	for _, i := range Relevant(f.Run) {
		finding.Steps = append(finding.Steps, f.Run.Events[i])
	}
	return j.write(Line{Action: "finding", Package: r.Package, Test: r.Target, Elapsed: r.Elapsed.Seconds(), Finding: finding})
}

// Ended writes the verdict and the totals. Its action is fail for fails, skip
// for skipped and pass otherwise, as the exit code has it.
func (j *JSON) Ended(r *verdict.Result) error {
	action := "pass"
	switch r.Verdict {
	case verdict.Fails:
		action = "fail"
	case verdict.Skipped:
		action = "skip"
	}
	return j.result(action, r)
}

func (j *JSON) result(action string, r *verdict.Result) error {
	return j.write(Line{Action: action, Package: r.Package, Test: r.Target, Elapsed: r.Elapsed.Seconds(), Totals: &r.Totals})
}
