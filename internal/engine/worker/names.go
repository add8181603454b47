package worker

import (
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/naming"
	"github.com/everyway-go/everyway/schedule"
)

// names returns the names of what the run of t is about, the last that the machine has made.
func (w *Worker) names(t *run.Trace) *naming.Names {
	user := make(map[run.ObjectID]int32)
	isShared := make(map[run.ObjectID]bool)
	var shared, others []run.ObjectID
	use := func(id run.ObjectID, g int32) {
		if was, ok := user[id]; !ok {
			user[id] = g
			others = append(others, id)
		} else if was != g && !isShared[id] {
			isShared[id] = true
			shared = append(shared, id)
		}
	}
	waitedFor := func(id run.ObjectID) { // two that wait for objects of the same kind must not seem to wait for one
		if !isShared[id] {
			isShared[id] = true
			shared = append(shared, id)
		}
	}
	for i := range t.Events {
		use(t.Events[i].Object, t.Events[i].Goroutine)
	}
	for i := range t.Pending {
		use(t.Pending[i].Object, t.Pending[i].Goroutine)
		waitedFor(t.Pending[i].Object)
	}
	return naming.New(&w.machine.Interpreter, w.target.Package.Types, shared, others)
}

// nameParts says what the goroutines, variables and values of a run are called that t has become.
func (w *Worker) nameParts(r *schedule.Run, t *run.Trace, f *check.Finding) {
	names := w.names(t)
	r.Goroutines = w.recordGoroutines(t, names)
	if r.Finding != nil {
		w.recordWaits(t, f, r.Finding, names)
	}
	if len(r.Events) != len(t.Events) {
		return // it is incomplete
	}
	for i := range r.Events {
		out, e := &r.Events[i], &t.Events[i]
		out.Var, out.Call = names.Cell(e.Object, e.Offset), names.Called(e)
		several := len(e.Rest) > 0 // the first word alone says nothing of the value
		if text := names.Read(e); text != "" || several {
			out.Read = text
		}
		if text := names.Wrote(e); text != "" || several {
			out.Wrote = text
		}
		if e.Own != e.Caller {
			out.Own = w.position(e.Own)
		}
	}
}

// recordGoroutines says by what people know the goroutines of a run.
func (w *Worker) recordGoroutines(t *run.Trace, names *naming.Names) []schedule.Origin {
	var ids []int32
	for i := range t.Events {
		if g := t.Events[i].Goroutine; g >= 0 && !slices.Contains(ids, g) {
			ids = append(ids, g)
		}
	}
	slices.SortFunc(ids, w.machine.Names.Compare)
	var list []schedule.Origin
	for _, id := range ids {
		list = append(list, w.origin(t, id, names))
	}
	return list
}

// origin says by what people know a goroutine of a run.
func (w *Worker) origin(t *run.Trace, id int32, names *naming.Names) schedule.Origin {
	known := names.Goroutine(id)
	g := schedule.Origin{Name: w.goroutine(id), Func: known.Func, Literal: known.Literal, Test: w.testOf(t, id, names)}
	if known.Created != run.NoSite {
		g.Pos = w.position(known.Created)
	}
	return g
}

// introduce adds to the goroutines of r that of a step which the run has not had, if it has had none of that
// goroutine. The trace is that of a run in which the goroutine was started, the last that the machine has made.
func (w *Worker) introduce(r *schedule.Run, s *schedule.WhyStep, t *run.Trace) {
	has := func(g schedule.Origin) bool { return g.Name == s.Goroutine }
	id, ok := w.machine.Names.Lookup(s.Goroutine)
	if !ok || slices.ContainsFunc(r.Goroutines, has) {
		return
	}
	r.Goroutines = append(r.Goroutines, w.origin(t, id, w.names(t)))
	slices.SortFunc(r.Goroutines, func(a, b schedule.Origin) int {
		x, _ := w.machine.Names.Lookup(a.Name)
		y, _ := w.machine.Names.Lookup(b.Name)
		return w.machine.Names.Compare(x, y)
	})
}

// testOf returns the name of the test whose goroutine has the given number, empty if it is that of
// none. The function of a test that is in a bubble has another goroutine than the test that has called synctest.Test.
func (w *Worker) testOf(t *run.Trace, id int32, names *naming.Names) string {
	for _, s := range t.Subtests {
		if s.Goroutine == id {
			return s.Name
		}
	}
	for i, g := range t.Tests {
		if g == id && i < len(w.target.Tests) {
			return w.target.Tests[i].Name
		}
	}
	if id == 0 {
		if w.target.Kind == load.TargetFuzz || w.target.Kind == load.TargetMain || w.target.Kind == load.TargetParallel {
			return ""
		}
		return w.target.Name
	}
	if names.Goroutine(id).Func != testRunner {
		return ""
	}
	for above := w.goroutine(id); ; {
		i := strings.LastIndexByte(above, '.')
		if i < 0 {
			break
		}
		above = above[:i]
		if parent, ok := w.machine.Names.Lookup(above); ok {
			if test := w.testOf(t, parent, names); test != "" {
				return test + " (bubble)"
			}
		}
	}
	if w.target.Kind == load.TargetFuzz {
		return w.target.Name // it runs what was given to f.Fuzz
	}
	return ""
}

// testRunner is the function that package testing starts in the goroutine of a test.
const testRunner = "testing.tRunner"

// recordWaits says what each goroutine of a finding waits for.
func (w *Worker) recordWaits(t *run.Trace, f *check.Finding, out *schedule.Finding, names *naming.Names) {
	if !check.Of(f.Kind).Stuck {
		return
	}
	out.Waits = w.waits(t, f.Goroutine, names)
	for i := range out.Others {
		out.Others[i].Waits = w.waits(t, f.Others[i].Goroutine, names)
	}
}

// waits returns what a goroutine waits for at the end of a run.
func (w *Worker) waits(t *run.Trace, g int32, names *naming.Names) []schedule.Wait {
	var list []schedule.Wait
	for i := range t.Pending {
		p := &t.Pending[i]
		if p.Goroutine != g {
			continue
		}
		wait := schedule.Wait{Op: p.Op, Offset: p.Offset, Var: names.Cell(p.Object, p.Offset)}
		if p.Object != run.NoObject {
			o := w.object(p.Object)
			wait.Object = &o
		}
		if !slices.ContainsFunc(list, func(v schedule.Wait) bool {
			return v.Op == wait.Op && v.Var == wait.Var && v.Offset == wait.Offset && (v.Object == nil || *v.Object == *wait.Object)
		}) {
			list = append(list, wait)
		}
	}
	return list
}
