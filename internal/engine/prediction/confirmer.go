package prediction

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A Confirmer follows the witnesses of findings in schedules, in programs that it loads. It keeps the last
// program for the next schedule.
type Confirmer struct {
	dir      string // in the module of the programs
	loaded   func(*program.Program)
	key      string // what the program was loaded for
	program  *program.Program
	machines *worker.Machines
}

// NewConfirmer returns a Confirmer for programs of the module that dir is in. The function loaded is called with
// each program that was loaded, before it runs.
func NewConfirmer(dir string, loaded func(*program.Program)) *Confirmer {
	return &Confirmer{dir: dir, loaded: loaded}
}

// A LoadError says that what was run could not be loaded.
type LoadError struct{ Err error }

func (e *LoadError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *LoadError) Unwrap() error { return e.Err }

// Confirm follows the witnesses of findings in the schedule that r reads. It returns what came of each. An error
// is a *LoadError if the program is the reason.
func (c *Confirmer) Confirm(ctx context.Context, r *schedule.Reader, findings []*analysis.Finding) ([]Result, error) {
	results := make([]Result, len(findings))
	s, err := readSchedule(r)
	if errors.Is(err, errUnknown) || errors.Is(err, errTooLong) {
		for i := range results {
			results[i].Why = err.Error()
		}
		return results, nil
	}
	if err != nil {
		return nil, err
	}
	recorded := &schedule.Run{Header: s.header}
	target, err := c.load(ctx, recorded)
	if err != nil {
		return nil, &LoadError{err}
	}
	build, err := c.program.Build(target)
	if err != nil {
		return nil, err
	}
	w, err := c.worker(ctx, target, recorded)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	for i, f := range findings {
		if name := s.missingInput(f); name != "" {
			results[i].Why = fmt.Sprintf("it takes another value of %s, which is no input of the target", name)
			continue
		}
		if results[i], err = s.confirm(ctx, w, f); err != nil {
			return nil, err
		}
		if results[i].Why != "" && build != s.header.Build {
			results[i].Why += " (the sources or the toolchain are not those of the schedule)"
		}
	}
	return results, nil
}

// worker returns a worker of the target that was run.
func (c *Confirmer) worker(ctx context.Context, target *load.Target, recorded *schedule.Run) (*worker.Worker, error) {
	corpus, err := worker.ReadCorpus(c.program, target)
	if err != nil {
		return nil, err
	}
	cfg := worker.Config{Settings: worker.RecordedSettings(recorded.Options), Corpus: corpus, Leaks: check.LeaksAll, NoCorpus: true}
	cfg.Stall = run.AnyStall // an order of events says nothing of time; reports say how long it takes
	return c.machines.Worker(ctx, target, cfg, run.NewNames(), func([]byte) {})
}

// load returns the target that was run, of the program that is there if that is the one.
func (c *Confirmer) load(ctx context.Context, r *schedule.Run) (*load.Target, error) {
	key, err := json.Marshal([]any{r.Package, r.Binary, r.Files, r.Kind == load.TargetFunc.String(), r.Options})
	if err != nil {
		return nil, fmt.Errorf("comparing what was run: %w", err)
	}
	if c.program != nil && c.key == string(key) {
		return c.program.Recorded(r)
	}
	prog, target, err := program.LoadRecorded(ctx, c.dir, r)
	if err != nil {
		return nil, err
	}
	c.loaded(prog)
	c.key, c.program, c.machines = string(key), prog, worker.NewMachines(prog, func(time.Duration) {})
	return target, nil
}
