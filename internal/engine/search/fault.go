package search

import (
	"cmp"
	"fmt"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
)

// fail ends the search of a target that cannot go on because of err. What was found stays
// found; otherwise the target is open.
func (s *search) fail(prog *program.Program, target *load.Target, err error) {
	r := s.result
	facts := []string{
		fmt.Sprintf("settings: %s", s.cfg.Decisive()),
		fmt.Sprintf("order of runs: workers %d, resumed %t, phase %d of %d", s.cfg.Workers, s.resumed, s.state.Phase+1, len(s.mix)),
		fmt.Sprintf("runs: %d", s.state.Stats.Runs),
	}
	if s.resumed {
		err = fmt.Errorf("%w, in a search that was resumed from %s, which may be damaged", err, s.file.path)
	}
	reportFault(s.obs, prog, target, s.cfg, err, facts)
	if s.reported {
		return
	}
	for _, run := range s.confirmed {
		f := &verdict.Counterexample{Run: run}
		f.Warn("the run is not saved", err)
		r.Counterexamples = append(r.Counterexamples, f)
		s.obs.Found(r, f)
	}
	s.confirmed = nil
	r.Verdict = verdict.Open
	if len(r.Counterexamples) > 0 {
		r.Verdict = s.found()
	}
	r.Open = append(r.Open, err.Error())
	s.reported = true
	s.obs.Ended(r)
	s.cfg.Keeper.Miss(target)
}

// reportFault reports that an error, which may be a panic of everyway's own, has ended the
// search of a target. Of a panic it writes a report for the user to send.
func reportFault(obs verdict.Observer, prog *program.Program, target *load.Target, cfg Config, err error, facts []string) {
	f := &verdict.Fault{Package: target.Package.Path, Target: target.Name, Message: err.Error()}
	if fault.Is(err) {
		report := fault.Report{Err: err, Target: fmt.Sprintf("%s %s.%s", target.Kind, f.Package, f.Target), Facts: facts}
		to := prog.Output(cfg.OutDir, target, "-fault.txt")
		if f.Report = to.String(); report.Write(to) != nil {
			f.Report, f.Text = "", report.String()
		}
	}
	obs.Faulted(f)
}

// fail ends the search of an entry that cannot go on because of err, and returns its result.
func (q *queue) fail(e *entry, err error) *verdict.Result {
	q.mu.Lock()
	q.err = cmp.Or(q.err, err)
	q.mu.Unlock()
	if e.search != nil {
		e.search.fail(q.prog, e.target, err)
		e.search.paused = false
		return e.search.result
	}
	reportFault(q.obs, q.prog, e.target, q.cfg, err, nil)
	q.cfg.Keeper.Miss(e.target)
	return reportOpen(q.obs, q.prog, e.target, append(e.open, err.Error()))
}
