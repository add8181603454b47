package walkthrough

import (
	"context"
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/internal/engine/inspect"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/narrative"
	"github.com/everyway-go/everyway/internal/report/page"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A Maker makes a page of findings and of searches.
type Maker struct {
	dir      string // in which the user is
	files    *Files
	programs map[string]*program.Program // that were loaded with names, by what was loaded
	page     *page.Page
}

// NewMaker returns a Maker of a page that is empty yet, for a user in a directory.
func NewMaker(dir, title, tool string) *Maker {
	return &Maker{
		dir: dir, files: NewFiles(dir), programs: make(map[string]*program.Program),
		page: &page.Page{Title: title, Tool: tool, Findings: []*page.Finding{}},
	}
}

// Page returns the page as far as it is made.
func (m *Maker) Page() *page.Page {
	m.page.Files = m.files.List
	if m.page.Files == nil {
		m.page.Files = []*page.File{}
	}
	return m.page
}

// AddFinding makes a recorded run again and adds it. If that is not possible, the finding says why. The
// command replays the run, "" for none.
func (m *Maker) AddFinding(ctx context.Context, run *schedule.Run, command string) {
	f := &page.Finding{Target: run.Package + "." + run.Target, Replay: command}
	m.page.Findings = append(m.page.Findings, f)
	m.describe(f, run)
	err := ctx.Err()
	if err == nil {
		err = m.walk(ctx, f, run)
	}
	if err != nil {
		f.Run = nil
		f.Notes = append(f.Notes, "The run is not shown step by step: "+err.Error())
	}
}

// describe says what is wrong with a run.
func (m *Maker) describe(f *page.Finding, run *schedule.Run) {
	f.Input, f.Others, f.Why = nil, nil, ""
	for _, v := range schedule.Variables(run.Input) {
		f.Input = append(f.Input, v.String())
	}
	finding := run.Finding
	if finding == nil {
		f.Kind, f.Message = "run", "nothing is wrong with this run"
		return
	}
	n := narrative.New(run, m.files.position)
	f.Kind, f.Message, f.Where = finding.Kind, n.Sentence(), m.files.position(finding.Pos)
	f.Why = n.Why()
	for i := range finding.Others {
		o := &finding.Others[i]
		f.Others = append(f.Others, fmt.Sprintf("%s: %s, %s", m.files.position(o.Pos), o.Message, n.Goroutine(o.Goroutine)))
	}
}

// walk goes through the run of a finding.
func (m *Maker) walk(ctx context.Context, f *page.Finding, run *schedule.Run) error {
	prog, target, err := m.load(ctx, run)
	if err != nil {
		return err
	}
	// A run that is made again has names for goroutines and variables, which a file has not.
	var again replayed
	same, err := worker.Replay(ctx, prog, target, run, &again)
	if err != nil {
		return err
	}
	if again.run != nil {
		m.describe(f, again.run)
	} else {
		again.run = run
	}
	s, err := inspect.Open(ctx, prog, target, run, inspect.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Changed() {
		f.Notes = append(f.Notes, "The run was recorded with other sources or another toolchain.")
	}
	if !same {
		f.Notes = append(f.Notes, "The run ends differently than when it was recorded.")
	}
	if s.Truncated() {
		f.Notes = append(f.Notes, "The run has more steps than are shown.")
	}
	f.Run, err = Run(ctx, s, prog, again.run, m.files)
	return err
}

// A replayed observer keeps the run that it is called with.
type replayed struct {
	verdict.Quiet
	run *schedule.Run
}

// Found implements verdict.Observer.
func (r *replayed) Found(_ *verdict.Result, f *verdict.Counterexample) { r.run = f.Run }

// load loads the program of a run, or finds it if it was loaded for another one.
func (m *Maker) load(ctx context.Context, run *schedule.Run) (*program.Program, *load.Target, error) {
	o := run.Options
	key := fmt.Sprintf("%q %q %q %q %q %q %v",
		run.Binary, run.Package, run.Files, o.Tags, o.Flags, o.Args, run.Kind == load.TargetFunc.String())
	if prog := m.programs[key]; prog != nil {
		target, err := prog.Recorded(run)
		return prog, target, err
	}
	prog, target, err := program.LoadRecordedNamed(ctx, m.dir, run)
	if err == nil {
		m.programs[key] = prog
	}
	return prog, target, err
}

// AddResult adds what became of a target that was searched.
func (m *Maker) AddResult(r *verdict.Result) {
	why := r.Open
	if r.Verdict == verdict.Holds {
		why = nil
		if len(r.Bounds) > 0 {
			why = []string{"within: " + strings.Join(r.Bounds, "; ")}
		}
	}
	m.page.Targets = append(m.page.Targets, &page.Target{
		Name: r.Package + "." + r.Target, Verdict: string(r.Verdict), Runs: r.Share(), Seconds: r.Elapsed.Seconds(),
		Branches: r.Branches, Covered: r.Covered, Why: why, Cached: r.Cached,
	})
}

// AddCoverage adds the sources whose blocks of statements are marked in a program, and which of them the
// searches of some results have executed.
func (m *Maker) AddCoverage(prog *program.Program, results []*verdict.Result) {
	m.files.AddBlocks(prog, Executed(results))
}
