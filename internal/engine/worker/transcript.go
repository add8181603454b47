package worker

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/transcript"
	"github.com/everyway-go/everyway/schedule"
)

// Transcribe makes a run of which everything is recorded, from the first seed of a fuzz target,
// with a new scheduler. If it is to be symbolic, a first run finds out which objects goroutines
// share: what is read from these is a symbol.
func (w *Worker) Transcribe(ctx context.Context, newScheduler func() run.Scheduler, symbolic bool) (*run.Trace, error) {
	plan := &run.Plan{Record: true, RecordPlain: true}
	if len(w.seeds) > 0 {
		plan.Input = w.seeds[0]
	}
	t, err := w.Run(ctx, plan, newScheduler())
	if err != nil || !symbolic {
		return t, err
	}
	shared := sharedObjects(t.Accesses)
	return w.Run(ctx, &run.Plan{
		Input: plan.Input, Record: true, RecordPlain: true, ReadSymbols: true,
		Visible: run.Visible{Objects: shared},
	}, newScheduler())
}

// sharedObjects returns the objects that several goroutines have accessed, at least one of them
// to write.
func sharedObjects(accesses []run.Access) map[run.ObjectID]bool {
	type use struct {
		goroutine      int32
		shared, writes bool
	}
	uses := map[run.ObjectID]use{}
	shared := map[run.ObjectID]bool{}
	for _, a := range accesses {
		u, ok := uses[a.Object]
		if !ok {
			u.goroutine = a.Goroutine
		}
		u.shared = u.shared || u.goroutine != a.Goroutine
		u.writes = u.writes || a.Wrote
		uses[a.Object] = u
		if u.shared && u.writes {
			shared[a.Object] = true
		}
	}
	return shared
}

// WriteSchedule writes the last run, of which everything was recorded, as a schedule. It returns
// the number of events.
func (w *Worker) WriteSchedule(to io.Writer, as schedule.Encoding, t *run.Trace, about ...schedule.Property) (int64, error) {
	table := schedule.NewTable()
	header := w.header(t)
	out, err := schedule.NewWriter(to, as, table, append(header.Properties(), about...)...)
	if err != nil {
		return 0, err
	}
	if err := w.writeEvents(out, table, t); err != nil {
		return 0, err
	}
	return out.Events(), out.Close()
}

// writeEvents writes the events of the last run as those of a schedule.
func (w *Worker) writeEvents(to *schedule.Writer, table *schedule.Table, t *run.Trace) error {
	return transcript.Write(to, table, t, transcript.Program{
		Names:    w.machine.Names,
		Arena:    w.machine.Arena,
		Location: func(id run.SiteID) schedule.LocationID { return w.location(table, id) },
		Global:   w.globalNames(),
	})
}

// location returns the number of the place of a site, 0 if it is not known.
func (w *Worker) location(table *schedule.Table, id run.SiteID) schedule.LocationID {
	name, pos := w.machine.Site(id)
	if name == "" {
		return 0
	}
	var l schedule.Location
	file := w.program.Position(w.target, pos)
	for _, to := range []*int32{&l.Column, &l.Line} {
		i := strings.LastIndexByte(file, ':')
		if i < 0 {
			break
		}
		n, err := strconv.ParseInt(file[i+1:], 10, 32)
		if err != nil {
			break
		}
		*to, file = int32(n), file[:i]
	}
	if l.Line == 0 {
		l.Line, l.Column = l.Column, 0 // a directive has named the line only
	}
	var err error
	if l.File, err = table.NameID(file); err != nil {
		return 0
	}
	if l.Func, err = table.NameID(name); err != nil {
		return 0
	}
	at, err := table.LocationID(l)
	if err != nil {
		return 0
	}
	return at
}

// globalNames returns a function that names global variables.
func (w *Worker) globalNames() func(count int32) string {
	names := make(map[int32]string, len(w.machine.GlobalIDs))
	for v, count := range w.machine.GlobalIDs {
		names[count] = fmt.Sprintf("%s.%s", v.Pkg.Pkg.Path(), v.Name())
	}
	return func(count int32) string { return names[count] }
}

// RepeatSymbolic is Repeat with symbols for what is read from objects that goroutines share. The
// trace is that of Repeat if the run cannot be made so.
func (w *Worker) RepeatSymbolic(ctx context.Context, recorded *schedule.Run) (*run.Trace, error) {
	plan, t, err := w.Repeat(ctx, recorded)
	if err != nil {
		return nil, err
	}
	symbolic := *plan
	symbolic.ReadSymbols = true
	decisions, outcome := len(t.Decisions), t.Outcome
	if t, err = w.Run(ctx, &symbolic, run.NonPreemptive{}); err != nil {
		return nil, err
	}
	if len(t.Decisions) == decisions && t.Outcome == outcome {
		return t, nil
	}
	_, t, err = w.Repeat(ctx, recorded)
	return t, err
}
