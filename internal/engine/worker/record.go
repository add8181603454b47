package worker

import (
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// record turns a run into the form that goes to disk: every number that means something to
// this machine only becomes a name.
func (w *Worker) record(c *Witness, t *run.Trace, f *check.Finding) *schedule.Run {
	table := schedule.NewTable()
	r := schedule.NewRun(w.recordHeader(c, t, f), table, func(to *schedule.Writer) error { return w.writeEvents(to, table, t) })
	w.nameParts(r, t, f)
	return r
}

// recordHeader is record without the events.
func (w *Worker) recordHeader(c *Witness, t *run.Trace, f *check.Finding) schedule.Header {
	h := w.header(t)
	h.Visible, h.Finding = w.recordVisible(c.visible), w.RecordFinding(f)
	h.NoLogs, h.NoAtomics, h.NoAdds, h.Goal = c.visible.HideLogs, c.visible.HideAtomics, c.visible.HideAdds, w.cfg.Goal
	if h.Finding != nil {
		h.Finding.Stall = t.Stall
		h.Finding.Test = w.subtest(t, f)
	}
	names := map[int32]string{}
	for _, d := range t.Decisions {
		name, ok := names[d.Goroutine]
		if !ok {
			name = w.goroutine(d.Goroutine)
			names[d.Goroutine] = name
		}
		h.Decisions = append(h.Decisions, schedule.Decision{Value: d.Kind == run.Value, Goroutine: name, Alt: d.Alt})
	}
	return h
}

// header says what a run was made of, with its input.
func (w *Worker) header(t *run.Trace) schedule.Header {
	h := Header(w.program, w.target, w.build, w.cfg.Settings)
	h.Initialisers, h.Tests = int(t.Initialisers), w.recordTests(t)
	for i, v := range w.inputs(t) {
		if v.Value != t.Inputs[i].Absent || !v.Choice && run.SourceOf(v.Name) != run.ClockReading { // else it is as without a plan
			h.Input = append(h.Input, v)
		}
	}
	return h
}

// inputs returns all that a run has drawn.
func (w *Worker) inputs(t *run.Trace) []schedule.Input {
	var list []schedule.Input
	types := program.NewInputTypes(w.target, t.Params)
	for _, v := range t.Inputs {
		list = append(list, schedule.Input{Name: v.Name, Type: types.Of(v), Width: v.Width, Value: v.Value, Choice: v.Choice})
	}
	return list
}

// Header returns what is said of any run of a target, in a program of the given build.
func Header(p *program.Program, t *load.Target, build string, s run.Settings) schedule.Header {
	return schedule.Header{
		Version: schedule.Version,
		Tool:    fault.Version(),
		Dir:     p.Dir(t),
		Build:   build,
		Package: t.Package.Path,
		Binary:  binary(t.Package),
		Files:   p.NamedFiles(t),
		Target:  t.RecordedName(),
		Kind:    t.Kind.String(),
		Options: RecordedOptions(p, t, s),
	}
}

// binary returns the import path of the package that p tests, if p is an external test
// package, and otherwise an empty string.
func binary(p *load.Package) string {
	if b := p.Binary(); b != p.Path {
		return b
	}
	return ""
}

// recordTests returns the tests of a target that is several.
func (w *Worker) recordTests(t *run.Trace) []schedule.Test {
	var list []schedule.Test
	for i := range w.target.Tests {
		test := schedule.Test{Package: w.target.Tests[i].Package.Path, Name: w.target.Tests[i].Name}
		if i < len(t.Tests) {
			test.Goroutine = w.goroutine(t.Tests[i])
		}
		list = append(list, test)
	}
	return list
}

// subtest returns the name of the subtest that a finding of t is in: that of which the test
// says so or, otherwise, that of the goroutine. It is empty if there is none.
func (w *Worker) subtest(t *run.Trace, f *check.Finding) string {
	if f.Test != "" {
		if strings.Contains(f.Test, "/") {
			return f.Test
		}
		return ""
	}
	test, of := "", w.goroutine(f.Goroutine)+"."
	for _, s := range t.Subtests { // those within others come after them
		if strings.HasPrefix(of, w.goroutine(s.Goroutine)+".") {
			test = s.Name
		}
	}
	return test
}

// goroutine returns the name of a goroutine, or that of the timers.
func (w *Worker) goroutine(g int32) string {
	if g < 0 {
		return schedule.Timer
	}
	return w.machine.Names.String(g)
}

func (w *Worker) recordVisible(v run.Visible) *schedule.Visible {
	if v.Size()+len(v.Atomics) == 0 {
		return nil
	}
	out := &schedule.Visible{}
	for id := range v.Sites {
		out.Sites = append(out.Sites, w.Place(id))
	}
	for id := range v.Objects {
		out.Objects = append(out.Objects, w.object(id))
	}
	for id := range v.Stops {
		out.Stops = append(out.Stops, w.Place(id))
	}
	for id := range v.Atomics {
		out.Atomics = append(out.Atomics, w.Place(id))
	}
	slices.SortFunc(out.Atomics, schedule.Place.Compare)
	slices.SortFunc(out.Stops, schedule.Place.Compare)
	slices.SortFunc(out.Sites, schedule.Place.Compare)
	slices.SortFunc(out.Objects, schedule.Object.Compare)
	return out
}

// Place names a site.
func (w *Worker) Place(id run.SiteID) schedule.Place {
	name, _ := w.machine.Site(id)
	return schedule.Place{Func: name, Instr: id.Instr}
}

// RaceSites returns the sites of the races of a run.
func (w *Worker) RaceSites(t *run.Trace) []schedule.Place {
	v := run.Visible{Sites: map[run.SiteID]bool{}}
	for i := range t.Unordered {
		v.Sites[t.Unordered[i].Earlier.Innermost()], v.Sites[t.Unordered[i].Later.Innermost()] = true, true
	}
	if recorded := w.recordVisible(v); recorded != nil {
		return recorded.Sites
	}
	return nil
}

func (w *Worker) object(id run.ObjectID) schedule.Object {
	switch {
	case id.Goroutine == run.GlobalObjects:
		return schedule.Object{Count: id.Count}
	case id.Goroutine == run.InputObjects:
		return schedule.Object{Goroutine: schedule.Inputs, Count: id.Count}
	case id.Goroutine < 0:
		return schedule.Object{Goroutine: schedule.Nobody, Count: id.Count}
	}
	return schedule.Object{Goroutine: w.goroutine(id.Goroutine), Count: id.Count}
}

// RecordFinding turns a finding into the form that goes to disk.
func (w *Worker) RecordFinding(f *check.Finding) *schedule.Finding {
	if f == nil {
		return nil
	}
	out := &schedule.Finding{
		Kind:      string(f.Kind),
		Message:   f.Message,
		Goroutine: w.goroutine(f.Goroutine),
		Pos:       w.userPosition(f),
		Events:    f.Events,
	}
	for i := range f.Others {
		out.Others = append(out.Others, *w.RecordFinding(&f.Others[i]))
	}
	for _, frame := range f.Frames {
		out.Stack = append(out.Stack, schedule.Frame{Func: frame.Func, Pos: w.position(frame.Site)})
	}
	return out
}

// userPosition returns the position of a finding, or if that is in the standard
// library, the innermost of its stack that is not.
func (w *Worker) userPosition(f *check.Finding) string {
	if !w.machine.Standard(f.Site) {
		return w.position(f.Site)
	}
	for _, frame := range f.Frames {
		if !w.machine.Standard(frame.Site) {
			return w.position(frame.Site)
		}
	}
	return w.position(f.Site)
}
