package search

import (
	"cmp"
	"context"
	"io"
	"reflect"
	"slices"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/schedule"
)

// A savedRun is a run in which a search of the target has found something.
type savedRun struct {
	path      string
	run       *schedule.Run
	unchanged bool // the program is the one of the run, and so are the files that it reads
}

// savedRuns returns the runs of a target that earlier searches have saved and that this one
// can make again, those found last first. A file that cannot be read, or is not of the target, is
// passed over: it may be in the way of a new one, but of nothing else.
func savedRuns(ctx context.Context, prog *program.Program, target *load.Target, cfg Config, build string) []savedRun {
	files, err := prog.Output(cfg.OutDir, target, "-*.run").Glob()
	if err != nil {
		return nil // there is no such directory, or it cannot be read
	}
	var list []savedRun
	written := map[string]int64{} // in seconds
	for _, file := range files {
		if r, err := readRun(ctx, file); err == nil && isOf(r, prog, target, cfg) {
			list = append(list, savedRun{file.String(), r, r.Build == build && prog.Unchanged(target, r.Read)})
			written[file.String()] = file.Modified().Unix()
		}
	}
	slices.SortStableFunc(list, func(a, b savedRun) int { return cmp.Compare(written[b.path], written[a.path]) })
	return list
}

func readRun(ctx context.Context, file disk.Path) (r *schedule.Run, err error) {
	err = file.Read(func(from io.Reader) (err error) {
		r, err = schedule.ReadRun(disk.NewReader(ctx, from), file.String())
		return err
	})
	return r, err
}

// isOf reports whether a run is one of the target with settings that are those of a search, as
// far as they make a difference to a single run. A run to a place has found nothing wrong.
func isOf(r *schedule.Run, prog *program.Program, target *load.Target, cfg Config) bool {
	same := r.Finding != nil && len(r.Goal) == 0 && r.Package == target.Package.Path &&
		r.Target == target.RecordedName() && r.Kind == target.Kind.String()
	for i := range r.Tests {
		same = same && i < len(target.Tests) && r.Tests[i].Package == target.Tests[i].Package.Path &&
			r.Tests[i].Name == target.Tests[i].Name
	}
	now, was := worker.RecordedOptions(prog, target, cfg.Settings), r.Options
	now.MaxLen, now.Instructions, was.MaxLen, was.Instructions = 0, 0, 0, 0
	if was.Stall == cfg.LongStall && cfg.LongStall > cfg.Stall { // otherwise there are no runs with it
		now.Stall = was.Stall
	}
	was.Memory = cmp.Or(was.Memory, worker.DefaultLimits.Memory) // files of version 1 do not say it
	return same && len(r.Tests) == len(target.Tests) && reflect.DeepEqual(now, was)
}

// function returns the function outside the standard library in which a finding is.
func function(f *schedule.Finding) string {
	for _, frame := range f.Stack {
		if frame.Pos == f.Pos {
			return frame.Func
		}
	}
	return ""
}
