package worker

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/atomicfile"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// Save writes the run that shows a finding to disk as it was seen, then makes it smaller
// and writes it again. It returns nil when the run, made again, does not show the finding.
func (w *Worker) Save(ctx context.Context, f *check.Finding, seen *Witness) (*verdict.Counterexample, error) {
	// What was found is saved although the budget may end at this moment.
	minimising, cancel := withGrace(ctx)
	defer cancel()
	ctx = context.WithoutCancel(ctx)
	c := *seen
	c.key = check.KeyOf(f)
	best, run, err := w.replayed(ctx, &c)
	if err != nil || run == nil {
		return nil, err
	}
	out := &verdict.Counterexample{}
	if out.RunFile, err = w.writeRun(run, ""); err != nil {
		return nil, err
	}
	if best, err = w.minimise(minimising, best); err != nil {
		return nil, err
	}
	best, out.Run, err = w.replayed(ctx, best)
	if err != nil {
		return nil, err
	}
	if out.Run == nil {
		return nil, fmt.Errorf("the minimised run of %q does not show it", f.Message)
	}
	out.Switches, out.Output = switches(best.steps), string(w.machine.Printed)
	if out.RunFile, err = w.writeRun(out.Run, out.RunFile); err != nil {
		return nil, err
	}
	if params := w.machine.Trace.Params; params != nil && !w.cfg.NoCorpus && isSeed(out.Run.Input) {
		entry := corpusEntry(params, out.Run.Input)
		if out.Corpus, err = writeCorpus(w.target.Package.Dir, w.target.Name, entry); err != nil {
			return nil, err
		}
	}
	return out, nil
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
	got, t, err := w.rerun(ctx, c, run.Plan{Record: true, RecordPlain: true})
	if err != nil {
		return nil, nil, err
	}
	f := check.Find(t, c.key)
	if f == nil {
		return got, nil, nil
	}
	return got, w.record(got, t, f), nil
}

// writeRun writes a run file, in place of the one at path if there is one already, and
// returns its path.
func (w *Worker) writeRun(run *schedule.Run, path string) (string, error) {
	if path == "" {
		w.written++
		suffix := "-" + strings.ReplaceAll(run.Finding.Kind, " ", "-")
		if w.written > 1 {
			suffix += fmt.Sprintf("-%d", w.written)
		}
		path = w.program.OutputFile(w.cfg.OutDir, w.target, suffix+".run")
	}
	err := atomicfile.Write(path, func(to io.Writer) error { return schedule.WriteRun(to, run) })
	if err != nil {
		return "", fmt.Errorf("saving the run: %w", err)
	}
	return path, nil
}
