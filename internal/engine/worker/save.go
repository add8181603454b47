package worker

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A Confirmed is a finding that a run made again has shown.
type Confirmed struct {
	witness *Witness
	out     *verdict.Counterexample
	params  []run.Param
	file    disk.Path
	err     error // of writing the run
}

// Confirm makes the run that shows a finding again and calls confirmed with it, and writes it to
// disk as it was seen. The result is nil when the run, made again, does not show the finding.
func (w *Worker) Confirm(ctx context.Context, f *check.Finding, seen *Witness, confirmed func(*schedule.Run)) (*Confirmed, error) {
	ctx = context.WithoutCancel(ctx) // what was found is saved although the budget may end at this moment
	c := *seen
	c.key = check.KeyOf(f)
	witness, run, err := w.replayed(ctx, &c)
	if err != nil || run == nil {
		return nil, err
	}
	confirmed(run)
	out := &verdict.Counterexample{Run: run, Switches: switches(witness.needed()), Output: string(w.machine.Printed)}
	shown := &Confirmed{witness: witness, out: out, params: slices.Clone(w.machine.Trace.Params), file: w.runFile(run)}
	shown.err = writeRun(shown.file, run)
	return shown, nil
}

// Save makes the run of a finding smaller, finds out what is to be said of it, and writes it again.
// What cannot be written is a warning in the result. If there is an error, the result is the run as
// it was seen.
func (w *Worker) Save(ctx context.Context, c *Confirmed) (*verdict.Counterexample, error) {
	minimising, cancel := withGrace(ctx)
	defer cancel()
	ctx = context.WithoutCancel(ctx)
	out, file, params, first := c.out, c.file, c.params, c.err
	saved := first
	best, err := w.minimised(minimising, ctx, c.witness, out)
	if err == nil {
		err = w.explain(minimising, best, out.Run)
	}
	if err == nil {
		err = w.findFree(minimising, best, out.Run)
	}
	if err == nil {
		saved = writeRun(file, out.Run)
	}
	switch {
	case saved == nil:
		out.RunFile = file.String()
	case first == nil:
		out.RunFile = file.String()
		out.Warn("the run is saved as it was found, not as it is shown", saved)
	default:
		out.Warn("the run is not saved", saved)
	}
	if params != nil && !w.cfg.NoCorpus && !check.Of(c.witness.key.Kind).Sought && isSeed(out.Run.Input) {
		var err error
		if out.Corpus, err = writeCorpus(w.program, w.target, corpusEntry(params, out.Run.Input)); err != nil {
			out.Warn("the input is not saved", err)
		}
	}
	return out, err
}

// minimised makes the run of a witness smaller, if it can be, and puts it into out. It returns the
// witness of that.
func (w *Worker) minimised(minimising, ctx context.Context, best *Witness, out *verdict.Counterexample) (*Witness, error) {
	was := best
	best, err := w.minimise(minimising, best)
	if err != nil || best == was {
		return best, err
	}
	best, small, err := w.replayed(ctx, best)
	if err != nil {
		return best, err
	}
	if small == nil {
		return best, fmt.Errorf("the minimised run of %q does not show it", out.Run.Finding.Message)
	}
	out.Run, out.Switches, out.Output = small, switches(best.needed()), string(w.machine.Printed)
	return best, nil
}

// grace is how long a run may be made smaller once the search is to end.
const grace = 500 * time.Millisecond

// withGrace returns a context that ends a short time after ctx does.
func withGrace(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(grace):
			cancel()
		case <-longer.Done():
		}
	})
	return longer, func() {
		stop()
		cancel()
	}
}

// isSeed reports whether a seed file can stand for an input. It cannot if the run ended
// before it had one, or if a choice was made: go test gives what it reads from a seed file
// no more room than it needs, and a seed that was run as it is is there already.
func isSeed(input []schedule.Input) bool {
	return len(input) > 0 && !slices.ContainsFunc(input, func(v schedule.Input) bool { return v.Choice })
}

// replayed makes the run of a witness, recording everything. The run is nil
// when it does not show the finding.
func (w *Worker) replayed(ctx context.Context, c *Witness) (*Witness, *schedule.Run, error) {
	read, err := w.notingFiles()
	if err != nil {
		return nil, nil, err
	}
	got, t, err := w.rerun(ctx, c, run.Plan{Record: true, RecordPlain: true})
	files := read()
	if err != nil {
		return nil, nil, err
	}
	f := check.Find(t, c.key)
	if f == nil {
		return got, nil, nil
	}
	recorded := w.record(got, t, f)
	recorded.Read = files
	return got, recorded, nil
}

// notingFiles has the next run begin at the start, and note what it reads. The function returns
// that, and has further runs go on as before.
func (w *Worker) notingFiles() (func() map[string]string, error) {
	m := w.machine
	if m.Files == nil {
		return func() map[string]string { return nil }, nil
	}
	files, read, err := w.program.RunFiles(w.target)
	if err != nil {
		return nil, err
	}
	was, fromStart, texts := m.Files, m.FromStart, m.HostTexts
	m.Files, m.FromStart, m.HostTexts = files, true, map[string]string{}
	return func() map[string]string {
		m.Files, m.FromStart, m.HostTexts = was, fromStart, texts
		return read()
	}, nil
}

// runFile returns the file of the next run with a finding.
func (w *Worker) runFile(run *schedule.Run) disk.Path {
	w.written++
	suffix := "-" + strings.ReplaceAll(run.Finding.Kind, " ", "-")
	if w.written > 1 {
		suffix += fmt.Sprintf("-%d", w.written)
	}
	return w.program.Output(w.cfg.OutDir, w.target, suffix+".run")
}

// writeRun writes a run file.
func writeRun(file disk.Path, run *schedule.Run) error {
	return file.Write(func(to io.Writer) error { return schedule.WriteRun(to, run) })
}
