package contexts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/shape"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// maxRuns bounds the paths of a preparation that are tried.
const maxRuns = 20_000

// maxDepth bounds how many pointers lead to what is compared, one after the other.
const maxDepth = 3

// An Admission asks whether the initial states of a context admit the state of a run from the start.
type Admission struct {
	From   *vm.Machine    // has run to the places of its goal
	To     *vm.Machine    // begins in the context, and has the same goal
	Places []run.SiteID   // of From
	Sites  [][]run.SiteID // the same places of To
	Frames []int          // how many frames of each goroutine are known
	// Own says of which packages variables are compared.
	Own func(*types.Package) bool

	solver *solve.Solver
	paths  paths
	work   []run.Input // the last one is tried next
	late   []run.Input // of paths that have the first wrong choice of one that was tried; these are tried when there is no other work
	// Compared counts registers and cells that were compared, and Followed pointers that are inputs
	// and that led to objects.
	Compared, Followed int
	// Synchronised counts counters of wait groups and channels with a buffer that were compared.
	Synchronised int
	// Waiting counts goroutines that wait at conditions.
	Waiting int
}

// Paths are those of a preparation that were tried or asked for, with conditions of their own:
// those of a run are gone when the next one begins.
type paths struct {
	arena  *expr.Arena
	copier expr.Copier // from the arena of the runs
	solver *solve.Solver
	seen   map[string]bool
	tried  map[string][]expr.ID // by the conditions before it, what a condition has been on paths that were tried
}

// newPaths returns paths of which there are none yet.
func newPaths(of *expr.Arena) paths {
	arena := expr.NewArena()
	return paths{
		arena: arena, copier: expr.Copier{To: arena, From: of}, solver: solve.New(arena, solve.Options{}),
		seen: make(map[string]bool), tried: make(map[string][]expr.ID),
	}
}

// copies returns conditions of the run that was made last.
func (p *paths) copies(conds []expr.ID) []expr.ID {
	list := make([]expr.ID, len(conds))
	for i, c := range conds {
		list[i] = p.copier.Copy(c)
	}
	return list
}

// ErrRuns is returned if the preparation has more paths than are tried.
var ErrRuns = errors.New("too many paths")

// Admits returns why no initial state is that of the run, "" if one is.
func (a *Admission) Admits(ctx context.Context) (why string, err error) {
	a.solver = solve.New(a.To.Arena, solve.Options{})
	a.paths = newPaths(a.To.Arena)
	a.work, a.late = []run.Input{{}}, nil
	for range maxRuns {
		from := &a.work
		if len(a.work) == 0 {
			from = &a.late
		}
		if len(*from) == 0 {
			return cmp.Or(why, "there is no path"), nil
		}
		last := len(*from) - 1
		input := (*from)[last]
		*from = (*from)[:last]
		trace, err := a.To.Run(ctx, &run.Plan{Input: input}, arriving{})
		if err != nil {
			return "", err
		}
		a.solver.Reset()
		a.paths.copier.Restart()
		if trace.Reached != nil {
			a.chooseAll()
		}
		prepared := len(trace.Path)
		wrong := prepared
		var wanted [][]expr.ID
		if trace.Reached == nil || trace.Skipped {
			why = cmp.Or(why, fmt.Sprintf("the preparation does not come to its end: %v %s", trace.Outcome, trace.Message))
		} else {
			w := &walk{Admission: a, to: make(map[*heap.Object]*heap.Object), from: make(map[*heap.Object]*heap.Object), by: make(map[*heap.Object]expr.ID), depth: make(map[*heap.Object]int), wrong: -1}
			done, err := w.states(ctx)
			if err != nil || done {
				return "", err
			}
			why, wanted = w.why, w.other
			if w.wrong >= 0 {
				wrong = w.wrong
			}
		}
		if err := a.others(ctx, trace, prepared, wrong); err != nil {
			return "", err
		}
		for _, conds := range wanted {
			if err := a.wanted(ctx, trace, a.paths.copies(conds)); err != nil {
				return "", err
			}
		}
	}
	return "", fmt.Errorf("%w: %s", ErrRuns, why)
}

// chooseAll chooses the pointers that the run has not used, so that each state is that of a path.
func (a *Admission) chooseAll() {
	g := at(a.To, a.Sites[0][0], 0)
	if g == nil {
		return
	}
	a.To.Over = false
	a.To.InputHeap.(*shape.Heap).ChooseAll(g)
	a.To.Over = true
}

// An arriving scheduler lets all goroutines arrive at their places before one leaves.
type arriving struct{}

// Choose implements [run.Scheduler].
func (arriving) Choose(p *run.SchedulingPoint) int {
	return max(0, slices.IndexFunc(p.Enabled, func(t run.Transition) bool { return !t.IsStop() || t.Delta != run.Leaves }))
}

// others adds the inputs with which the preparation takes other paths. Those that have the choice
// at the index wrong, too, are tried last.
func (a *Admission) others(ctx context.Context, trace *run.Trace, prepared, wrong int) error {
	p := &a.paths
	conds := p.copies(conditions(trace))
	for i := range prepared {
		if trace.Path[i].Kind == run.Assumed {
			continue
		}
		to := &a.work
		if i > wrong {
			to = &a.late
		}
		before := fmt.Sprint(conds[:i])
		if !slices.Contains(p.tried[before], conds[i]) {
			p.tried[before] = append(p.tried[before], conds[i])
		}
		if err := a.ask(ctx, trace, p.untried(conds[:i]), to); err != nil {
			return err
		}
	}
	return nil
}

// untried returns the condition that a path begins with some conditions, and has not been tried. A
// pointer has more than two values, so that each one that was tried is ruled out.
func (p *paths) untried(before []expr.ID) []expr.ID {
	query := slices.Clone(before)
	for _, cond := range p.tried[fmt.Sprint(before)] {
		query = append(query, p.arena.Not(cond))
	}
	return query
}

// wanted adds an input for which the last one of some conditions holds after the others, on a path
// that has not been tried. It is tried next.
func (a *Admission) wanted(ctx context.Context, trace *run.Trace, conds []expr.ID) error {
	last := len(conds) - 1
	return a.ask(ctx, trace, append(a.paths.untried(conds[:last]), conds[last]), &a.work)
}

// ask adds an input to a list for which conditions hold, if there is one that was not asked for before.
func (a *Admission) ask(ctx context.Context, trace *run.Trace, conds []expr.ID, to *[]run.Input) error {
	key := fmt.Sprint(conds)
	if a.paths.seen[key] {
		return nil
	}
	a.paths.seen[key] = true
	result, model, err := a.paths.solver.Check(ctx, conds)
	switch {
	case err != nil:
		return err
	case result == solve.Unknown:
		return errors.New("the solver gives no answer")
	case result == solve.Sat:
		*to = append(*to, inputOf(a.paths.arena, trace, model))
	}
	return nil
}

// inputOf returns the input of a model.
func inputOf(arena *expr.Arena, trace *run.Trace, model *solve.Model) run.Input {
	input := make(run.Input)
	for _, v := range trace.Inputs {
		input[v.Name] = model.Value(arena.VarOfRun(v.Name, v.Width))
	}
	return input
}

// conditions returns the path condition of a run.
func conditions(trace *run.Trace) []expr.ID {
	var list []expr.ID
	for _, c := range trace.Path {
		list = append(list, c.Cond)
	}
	return list
}

// A walk goes through a state of a run from the start and one in which a preparation has ended.
type walk struct {
	*Admission
	to, from map[*heap.Object]*heap.Object // what corresponds
	by       map[*heap.Object]expr.ID      // the pointer that led to an object of the run, if it is an input
	met      []*heap.Object                // those of the run, in the order in which they were met
	equal    []equation                    // what is the same in both states then
	next     []pair                        // of objects that are compared next
	within   expr.ID                       // the choice because of which what is compared corresponds; None if none is
	depth    map[*heap.Object]int          // how many pointers led to an object of the run, the fewest so far
	choices  []choice                      // those that are compared then
	why      string                        // the states are not the same on this path
	wrong    int                           // the index of the first choice for which they are not; -1 if it is not known
	other    [][]expr.ID                   // conditions of paths on which they may be
}

// An equation is a condition on values that correspond because of a choice.
type equation struct{ cond, within expr.ID }

// A pair is two objects that correspond because of a choice.
type pair struct {
	a, b   *heap.Object
	g      *state.Goroutine
	depth  int
	name   string
	within expr.ID
}

// A choice is a comparison of a part of the state that has been chosen on this path.
type choice struct {
	at      int // the index of the condition by which it has been chosen
	compare func()
}

// states compares the goroutines at the places. It reports whether the states can be the same on this path.
func (w *walk) states(ctx context.Context) (done bool, err error) {
	w.To.Over = false // so that pointers are chosen that have not been
	for i, site := range w.Places {
		before := timesIn(w.Places[:i], site)
		from, to := at(w.From, site, before), at(w.To, w.Sites[i][0], before)
		if from == nil || to == nil {
			return false, fmt.Errorf("no goroutine is at %v", site)
		}
		for k := range w.Frames[i] {
			w.frame(from, to, k)
		}
		w.waiting(from, to)
		for _, v := range w.To.InputVariables {
			w.object(w.From.Variable(v), w.To.Variable(v), to, 0, v.Name())
		}
	}
	// What has been chosen is compared in the order of the choices: so the first one that is not as
	// in the run comes after others that are, and what it has to be follows from these.
	for w.why == "" {
		if len(w.next) > 0 {
			p := w.next[0]
			w.next = w.next[1:]
			w.within = p.within
			w.content(p.a, p.b, p.g, p.depth, p.name)
			continue
		}
		if len(w.choices) == 0 {
			break
		}
		first := 0
		for i := range w.choices {
			if w.choices[i].at < w.choices[first].at {
				first = i
			}
		}
		c := w.choices[first]
		w.choices = slices.Delete(w.choices, first, first+1)
		c.compare()
	}
	w.To.Over = true
	if w.why != "" {
		return false, nil
	}
	result, _, err := w.solver.Check(ctx, w.all())
	switch {
	case err != nil:
		return false, err
	case result == solve.Unknown:
		return false, errors.New("the solver gives no answer")
	case result == solve.Unsat:
		err = w.contradiction(ctx)
	}
	return result == solve.Sat, err
}

// contradiction says which equation cannot be true, and asks for paths on which it can: with the
// first choice that it depends on, with the second one, and so on.
func (w *walk) contradiction(ctx context.Context) error {
	w.why = "the path cannot be taken"
	path := conditions(w.To.Trace)
	conds := slices.Clone(path)
	for _, e := range w.equal {
		conds = append(conds, e.cond)
		result, _, err := w.solver.Check(ctx, conds)
		if err != nil {
			return err
		}
		if result != solve.Unsat {
			continue
		}
		w.why = fmt.Sprintf("%s cannot be true", w.To.Arena.String(e.cond))
		var choices []int
		for _, v := range w.To.Arena.Vars(nil, e.cond) {
			if at := w.chosen(v); at >= 0 {
				choices = append(choices, at)
			}
		}
		slices.Sort(choices)
		w.wrong = w.chosen(e.within)
		if len(choices) > 0 {
			w.wrong = max(w.wrong, choices[len(choices)-1])
		}
		for _, at := range choices {
			w.other = append(w.other, append(slices.Clone(path[:at]), e.cond))
		}
		return nil
	}
	return nil
}

// waiting compares the conditions at which two goroutines wait.
func (w *walk) waiting(from, to *state.Goroutine) {
	a, b := from.Cond, to.Cond
	switch {
	case (a.Object == nil) != (b.Object == nil) || a.Offset != b.Offset || from.Notified != to.Notified:
		w.why = fmt.Sprintf("waits at a condition: %t, signalled: %t; in the initial states: %t, %t", a.Object != nil, from.Notified, b.Object != nil, to.Notified)
	case a.Object != nil:
		w.Waiting++
		w.object(a.Object, b.Object, to, 0, "condition")
	}
}

// all returns the path condition and the equations.
func (w *walk) all() []expr.ID {
	list := conditions(w.To.Trace)
	for _, e := range w.equal {
		list = append(list, e.cond)
	}
	return list
}

// at returns the goroutine that is at a site after some others that are there, too; nil if there are
// no more.
func at(m *vm.Machine, site run.SiteID, others int) *state.Goroutine {
	for _, g := range m.Goroutines {
		if g.Status == state.Ended || len(g.Frames) == 0 {
			continue
		}
		if f := g.Top(); f.Func.ID != site.Func || f.Func.Origin(int(f.PC)) != int(site.Instr) {
			continue
		}
		if others == 0 {
			return g
		}
		others--
	}
	return nil
}

// timesIn returns how often a site is in a list.
func timesIn(list []run.SiteID, site run.SiteID) (n int) {
	for _, s := range list {
		if s == site {
			n++
		}
	}
	return n
}

// frame compares frames of two goroutines, of which some others are called. Of those that have
// called others, what the call gives is not there yet.
func (w *walk) frame(from, to *state.Goroutine, others int) {
	a, b := &from.Frames[len(from.Frames)-1-others], &to.Frames[len(to.Frames)-1-others]
	if a.Closure != nil && b.Closure != nil {
		// Two goroutines may have begun with one closure, which is one for each in the initial
		// states. Nothing can tell.
		w.follow(pair{a.Closure, b.Closure, to, 0, "closure", expr.None})
	}
	inInterface := false
	// What is needed when a panic is recovered may not have been written.
	code := *a.Func.Func
	code.Recover = -1
	at := int(a.PC)
	if others > 0 {
		at++
	}
	needed := slices.Clone(code.Needed().Before(at))
	if others > 0 {
		for _, result := range code.Writes(&code.Code[a.PC]) {
			for r := result.First; r < result.First+int32(result.Words); r++ {
				needed[r/64] &^= 1 << (r % 64)
			}
		}
	}
	for i, bits := range needed {
		for k := range 64 {
			if r := int32(i*64 + k); bits>>k&1 != 0 {
				sym := expr.None
				if b.Symbolic {
					sym = to.Sym[b.Base+r]
				}
				if is := sym != expr.None && isType(from.Stack[a.Base+r]); is || inInterface {
					inInterface = is
					continue
				}
				name := fmt.Sprintf("register %d", r)
				if others > 0 {
					name = fmt.Sprintf("%s of the caller %d", name, others)
				}
				w.word(from.Stack[a.Base+r], to.Stack[b.Base+r], sym, to, 0, name)
			}
		}
	}
}

// word compares a word of the run with one of the preparation.
func (w *walk) word(a, b heap.Word, sym expr.ID, g *state.Goroutine, depth int, name string) {
	if w.why != "" {
		return
	}
	w.Compared++
	arena := w.To.Arena
	equals := func(v uint64) {
		cond := arena.Eq(sym, arena.Const(v, arena.Width(sym)))
		x := sym
		if p := w.input(sym); p != expr.None {
			x = p
			cond = arena.Eq(x, arena.Const(v, arena.Width(x)))
		}
		if vars := arena.Vars(nil, x); len(vars) == 1 && w.chosen(vars[0]) >= 0 && (x == vars[0] && w.value(x) != v || x != vars[0] && b.N != v) {
			w.chooses(vars[0], func() {
				w.differs(fmt.Sprintf("%s is %d, and cannot be in the initial states", name, v), vars[0], cond)
			})
			return
		}
		w.equal = append(w.equal, equation{cond, w.within})
	}
	switch {
	case sym == expr.None && a.P != nil && a.P.Kind == heap.Array && b.P == nil: // of a string; its length is compared
	case sym == expr.None && (a.P == nil) != (b.P == nil), sym == expr.None && a.P == nil && a.N != b.N:
		w.fails(fmt.Sprintf("%s is %v, and %v in the initial states", name, a, b))
	case sym == expr.None && a.P != nil:
		w.object(a.P, b.P, g, depth+1, name)
	case sym == expr.None:
	case a.P == nil:
		equals(a.N)
	case w.input(sym) != expr.None:
		w.chooses(w.input(sym), func() { w.pointer(a, b, w.input(sym), g, depth, name) })
	default: // of a slice or string, which has an array of its own
		w.equal = append(w.equal, equation{arena.Not(arena.Eq(sym, arena.Const(0, arena.Width(sym)))), w.within})
	}
}

// chooses adds a comparison of an input that has been chosen, or that is chosen by the comparison.
func (w *walk) chooses(sym expr.ID, compare func()) {
	at := w.chosen(sym)
	if at < 0 {
		at = len(w.To.Trace.Path)
	}
	within := w.within
	w.choices = append(w.choices, choice{at, func() {
		w.within = within
		compare()
	}})
}

// input returns the input that is a pointer of which a word of memory consists, which may be
// another word where it leads to a variable that is no object of the input. A comparison of such a
// pointer is none.
func (w *walk) input(sym expr.ID) expr.ID {
	vars := w.To.Arena.Vars(nil, sym)
	if len(vars) != 1 || w.To.Arena.Width(sym) != w.To.Arena.Width(vars[0]) {
		return expr.None
	}
	i := slices.IndexFunc(w.To.Trace.Inputs, func(v run.InputVar) bool { return v.Sym == vars[0] })
	if i < 0 || !pointing(w.To.Trace.Inputs[i].Type) {
		return expr.None
	}
	return vars[0]
}

// pointing reports whether an input is a pointer, map, channel or function, by its type.
func pointing(t string) bool {
	return strings.HasPrefix(t, "*") || strings.HasPrefix(t, "map[") || strings.HasPrefix(t, "chan") || strings.HasPrefix(t, "<-chan") || strings.HasPrefix(t, "func(")
}

// code returns the value of an input that leads to a cell.
func (w *walk) code(to heap.Word) uint64 { return w.To.InputHeap.(*shape.Heap).ValueOf(to) }

// made reports whether an object is one that the program has made before.
func (w *walk) made(o *heap.Object) bool {
	to := heap.Word{P: o}
	return o.ID.Goroutine != run.InputObjects && w.code(to) != to.PointerCode()
}

// pointer compares a pointer that is not nil with an input.
func (w *walk) pointer(a, b heap.Word, sym expr.ID, g *state.Goroutine, depth int, name string) {
	arena := w.To.Arena
	equals := func(v uint64) expr.ID { return arena.Eq(sym, arena.Const(v, arena.Width(sym))) }
	value := w.value(sym)
	if value == 0 {
		want := w.apart(sym, a.P)
		if other := w.to[a.P]; other != nil {
			want = equals(w.code(heap.Word{P: other, N: a.N}))
		}
		w.differs(fmt.Sprintf("%s is nil in the initial states", name), sym, want)
		return
	}
	other := w.to[a.P]
	if other == nil && (depth >= maxDepth || a.P.Kind != heap.Variable && a.P.Kind != heap.ChanObject || a.N != 0 || !w.owns(a.P.Type)) {
		return
	}
	if _, ok := w.To.InputHeap.Choose(g, sym, value); !ok {
		w.fails(fmt.Sprintf("%s leads to %v, and cannot be chosen to", name, a.P.ID))
		if conds := conditions(w.To.Trace); len(conds) > 0 { // the last one says why
			last := len(conds) - 1
			w.other = append(w.other, append(conds[:last:last], arena.Not(conds[last])))
		}
		return
	}
	switch met := w.from[b.P]; {
	case other == b.P && a.N == b.N:
	case other != nil: // which is another one on this path
		w.differs(fmt.Sprintf("%s leads to %v, and cannot in the initial states", name, a.P.ID), sym, equals(w.code(heap.Word{P: other, N: a.N})))
	case met != nil: // by a pointer that leads to another object in the run
		w.differs(fmt.Sprintf("%s leads to %v, and to %v in the initial states", name, a.P.ID, met.ID), sym,
			arena.And(w.apart(sym, a.P), arena.Not(w.into(sym, b.P))))
	default:
		w.Followed++
		w.by[a.P] = sym
		w.within = sym
		w.object(a.P, b.P, g, depth+1, name)
	}
}

// value returns the value of an input on this path.
func (w *walk) value(sym expr.ID) uint64 {
	for i := range w.To.Trace.Inputs {
		if v := &w.To.Trace.Inputs[i]; v.Sym == sym {
			return v.Value
		}
	}
	return 0
}

// apart returns the condition that a pointer, which leads to an object of the run, leads to none of
// those that have been chosen for others before it.
func (w *walk) apart(sym expr.ID, of *heap.Object) expr.ID {
	arena := w.To.Arena
	cond := arena.Not(arena.Eq(sym, arena.Const(0, arena.Width(sym))))
	for _, o := range w.met {
		if o != of && (w.by[o] != expr.None || w.made(w.to[o])) {
			cond = arena.And(cond, arena.Not(w.into(sym, w.to[o])))
		}
	}
	return cond
}

// into returns the condition that a pointer leads to an object or to a part of it.
func (w *walk) into(sym expr.ID, o *heap.Object) expr.ID {
	arena, whole := w.To.Arena, w.code(heap.Word{P: o})
	part := w.code(heap.Word{P: o, N: 1}) - whole // the offset is above the number
	mask := arena.Const(part-1, arena.Width(sym))
	return arena.Eq(arena.And(sym, mask), arena.Const(whole&(part-1), arena.Width(sym)))
}

// chosen returns the index of the condition by which a pointer has been chosen.
func (w *walk) chosen(sym expr.ID) int {
	return slices.IndexFunc(w.To.Trace.Path, func(c run.Condition) bool { return c.Kind == run.Concretized && c.Value == sym })
}

// fails ends the walk: what is compared does not correspond.
func (w *walk) fails(why string) { w.why, w.wrong = why, w.chosen(w.within) }

// differs ends the walk, and asks for paths on which a condition holds of a pointer when it is chosen.
func (w *walk) differs(why string, sym, cond expr.ID) {
	w.why, w.wrong = why, w.chosen(sym)
	conds := conditions(w.To.Trace)
	if w.wrong >= 0 {
		conds = conds[:w.wrong]
	}
	w.other = append(w.other, append(conds, cond))
}

// held ends the walk, since a lock in object b is held that is to be free, and asks for paths on
// which it is not: a lock of the input of which it has been chosen that it is held may be that one,
// or a pointer may lead to b to which the goroutine knows that it holds the lock.
func (w *walk) held(why string, b *heap.Object) {
	w.fails(why)
	wrong := w.wrong
	arena := w.To.Arena
	for _, v := range w.To.Trace.Inputs {
		switch {
		case w.chosen(v.Sym) < 0:
			continue
		case v.Value != 0 && (strings.Contains(v.Name, " is held") || strings.Contains(v.Name, "holds ")):
			w.differs(why, v.Sym, arena.Eq(v.Sym, arena.Const(0, arena.Width(v.Sym))))
		case w.input(v.Sym) != expr.None && w.leads(v.Sym, b):
			w.differs(why, v.Sym, arena.Not(w.into(v.Sym, b)))
		default:
			continue
		}
		wrong = max(wrong, w.wrong)
	}
	w.wrong = wrong
}

// elsewhere asks for paths on which the last pointer that has been chosen to lead to b, which is to
// correspond to a and does not, leads to what does, or to nothing that has been met; if there is
// none, as b is what the program has made, for those on which pointers do not lead to what has a
// pointer to b. It also asks for those on which the pointer leads to b that leads to what has been
// taken for a.
func (w *walk) elsewhere(a, b *heap.Object) {
	arena := w.To.Arena
	if by := w.leading(w.to[a]); by != expr.None && b != nil {
		w.differs(w.why, by, arena.Eq(by, arena.Const(w.code(heap.Word{P: b}), arena.Width(by))))
	}
	by := w.leading(b)
	if by == expr.None {
		wrong := w.wrong
		for _, o := range w.holders(b) {
			if by := w.leading(o); by != expr.None {
				w.differs(w.why, by, arena.Not(w.into(by, o)))
				wrong = max(wrong, w.wrong)
			}
		}
		w.wrong = wrong
		return
	}
	cond := arena.Not(w.into(by, b))
	if other := w.to[a]; other != nil {
		cond = w.into(by, other)
	}
	w.differs(w.why, by, cond)
}

// holders returns the objects that have a pointer to one, of those to which goroutines in the
// middle have pointers themselves.
func (w *walk) holders(of *heap.Object) (list []*heap.Object) {
	for _, g := range w.To.Goroutines {
		for _, word := range g.Stack {
			if o := word.P; o != nil && !slices.Contains(list, o) && slices.ContainsFunc(o.Cells, func(cell heap.Word) bool { return cell.P == of }) {
				list = append(list, o)
			}
		}
	}
	return list
}

// leading returns the last input that has been chosen to lead to an object, or to a part of it.
func (w *walk) leading(o *heap.Object) expr.ID {
	for _, c := range slices.Backward(w.To.Trace.Path) {
		if c.Kind == run.Concretized && w.input(c.Value) != expr.None && w.leads(c.Value, o) {
			return c.Value
		}
	}
	return expr.None
}

// leads reports whether an input leads to a part of an object on this path.
func (w *walk) leads(sym expr.ID, o *heap.Object) bool {
	if o == nil {
		return false
	}
	v := w.value(sym)
	return w.To.Arena.Eval(w.into(sym, o), func(expr.ID) uint64 { return v }) != 0
}

// object compares an object of the run with one of the preparation.
func (w *walk) object(a, b *heap.Object, g *state.Goroutine, depth int, name string) {
	if w.to[a] == b && b != nil {
		if depth < w.depth[a] {
			w.follow(pair{a, b, g, depth, name, w.within})
		}
		return
	}
	if b == nil || w.to[a] != nil || w.from[b] != nil {
		w.fails(fmt.Sprintf("%s leads to %v, and to another object in the initial states", name, a.ID))
		wrong := w.wrong
		w.elsewhere(a, b)
		w.wrong = max(w.wrong, wrong)
		return
	}
	w.to[a], w.from[b] = b, a
	w.met = append(w.met, a)
	w.follow(pair{a, b, g, depth, name, w.within})
}

// follow lets what is in two objects be compared next.
func (w *walk) follow(p pair) {
	w.depth[p.a] = p.depth
	if p.a.Kind == p.b.Kind && p.depth <= maxDepth { // others are of the machine itself, or too far
		w.next = append(w.next, p)
	}
}

// content compares what is in two objects.
func (w *walk) content(a, b *heap.Object, g *state.Goroutine, depth int, name string) {
	cells := a.Size()
	skip := make([]bool, cells)
	switch a.Kind {
	case heap.Variable, heap.Array:
		if !w.owns(a.Type) || cells != b.Size() {
			return
		}
		for i := 0; i < cells && a.Type.Words > 0; i += a.Type.Words {
			synchronisation(a.Type, skip[i:i+a.Type.Words])
			for _, at := range sliceHeaders(nil, a.Type, i) {
				w.bounded(a, at, skip)
			}
			for _, at := range mutexes(nil, a.Type, i) {
				if a.Word(at).N == 0 && b.Word(at).N != 0 && w.why == "" {
					w.held(fmt.Sprintf("the lock at %s[%d] is free, and held in the initial states", name, at), b)
				}
			}
			for _, at := range onces(nil, a.Type, i) {
				skip[at] = b.Sym == nil || b.Sym[at] == expr.None
			}
			for _, at := range counters(nil, a.Type, i) {
				if pending := b.Word(at).N - w.others(b, at); a.Word(at).N <= pending+maxOthers {
					skip[at] = false
					w.Synchronised++
				}
			}
		}
	case heap.ChanObject:
		w.channel(a, b, g, depth, name)
		return
	case heap.ClosureObject:
	default:
		return
	}
	inInterface := false
	for i := range cells {
		sym := expr.None
		if b.Sym != nil {
			sym = b.Sym[i]
		}
		if is := sym != expr.None && isType(a.Word(i)); is || inInterface || skip[i] {
			inInterface = is
			continue
		}
		w.word(a.Word(i), b.Word(i), sym, g, depth, fmt.Sprintf("%s[%d]", name, i))
	}
}

// bounded leaves out of a slice of the run, whose header is at an index, what no slice in an input
// has, which bounds say: more elements than MaxLen, or room for others behind them.
func (w *walk) bounded(a *heap.Object, at int, skip []bool) {
	switch length, room := a.Word(at+1).N, a.Word(at+2).N; {
	case length > uint64(w.To.MaxLen):
		skip[at], skip[at+1], skip[at+2] = true, true, true
	case room > length:
		skip[at+2] = true
	}
}

// maxOthers is how many others a wait group counts at most, which a bound says.
const maxOthers = 2

// others returns the value of the input in the counter of a wait group.
func (w *walk) others(o *heap.Object, at int) uint64 {
	if o.Sym == nil || o.Sym[at] == expr.None {
		return 0
	}
	vars := w.To.Arena.Vars(nil, o.Sym[at])
	return w.value(vars[0])
}

// mutexes appends to list where in a value of type t, which begins at an offset, the words of
// mutexes are that say whether these are held.
func mutexes(list []int, t *code.Type, off int) []int {
	switch {
	case t.Shape == code.ShapeArray:
		for i := range int(t.Len) {
			list = mutexes(list, t.Elem, off+i*t.Elem.Words)
		}
	case t.Shape == code.ShapeStruct:
		if named, ok := types.Unalias(t.Go).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" {
			if named.Obj().Name() == "Mutex" {
				list = append(list, off)
			}
			return list
		}
		for i := range t.Fields {
			list = mutexes(list, t.Fields[i].Type, off+t.Fields[i].Offset)
		}
	}
	return list
}

// onces appends to list where in a value of type t, which begins at an offset, the words of
// variables of type sync.Once are that say whether these are done.
func onces(list []int, t *code.Type, off int) []int {
	switch {
	case t.Shape == code.ShapeArray:
		for i := range int(t.Len) {
			list = onces(list, t.Elem, off+i*t.Elem.Words)
		}
	case t.Shape == code.ShapeStruct:
		if named, ok := types.Unalias(t.Go).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" {
			if named.Obj().Name() == "Once" {
				list = append(list, off+shape.DoneOf(t))
			}
			return list
		}
		for i := range t.Fields {
			list = onces(list, t.Fields[i].Type, off+t.Fields[i].Offset)
		}
	}
	return list
}

// sliceHeaders appends to list where in a value of type t, which begins at an offset, the headers of slices are.
func sliceHeaders(list []int, t *code.Type, off int) []int {
	switch t.Shape {
	case code.ShapeSlice:
		list = append(list, off)
	case code.ShapeArray:
		for i := range int(t.Len) {
			list = sliceHeaders(list, t.Elem, off+i*t.Elem.Words)
		}
	case code.ShapeStruct:
		for i := range t.Fields {
			list = sliceHeaders(list, t.Fields[i].Type, off+t.Fields[i].Offset)
		}
	}
	return list
}

// counters appends to list where in a value of type t, which begins at an offset, the counters of wait groups are.
func counters(list []int, t *code.Type, off int) []int {
	switch {
	case t.Shape == code.ShapeArray:
		for i := range int(t.Len) {
			list = counters(list, t.Elem, off+i*t.Elem.Words)
		}
	case t.Shape == code.ShapeStruct:
		named, ok := types.Unalias(t.Go).(*types.Named)
		group := ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" && named.Obj().Name() == "WaitGroup"
		for i := range t.Fields {
			f := &t.Fields[i]
			if group && f.Name == "state" {
				list = append(list, off+f.Offset)
			} else if !group {
				list = counters(list, f.Type, off+f.Offset)
			}
		}
	}
	return list
}

// channel compares two channels. How much there is in one is an input that has been chosen: if it
// differs, there are other paths.
func (w *walk) channel(a, b *heap.Object, g *state.Goroutine, depth int, name string) {
	for _, c := range []struct {
		at   int
		name string // of the input, with that of the channel
	}{{state.ChanCap, "cap(%s)"}, {state.ChanCount, "len(%s)"}, {state.ChanClosed, "%s.closed"}} {
		have, want := b.Cells[c.at].N, a.Cells[c.at].N
		if have == want {
			continue
		}
		why := fmt.Sprintf("%s is %d, and %d in the initial states", fmt.Sprintf(c.name, name), want, have)
		inputs := w.numbersOf(b, c.name, have)
		if len(inputs) == 0 {
			w.fails(why)
			return
		}
		w.chooses(inputs[0].Sym, func() {
			for _, v := range inputs {
				w.differs(why, v.Sym, w.To.Arena.Eq(v.Sym, w.To.Arena.Const(want, v.Width)))
			}
		})
		return
	}
	room := int(a.Cells[state.ChanCap].N)
	if room == 0 {
		return
	}
	w.Synchronised++
	width := a.Type.Elem.Words
	for i := range int(a.Cells[state.ChanCount].N) {
		from := state.ChanBuffer + (int(a.Cells[state.ChanHead].N)+i)%room*width
		to := state.ChanBuffer + (int(b.Cells[state.ChanHead].N)+i)%room*width
		for k := range width {
			sym := expr.None
			if b.Sym != nil {
				sym = b.Sym[to+k]
			}
			w.word(a.Cells[from+k], b.Cells[to+k], sym, g, depth, fmt.Sprintf("%s element %d", name, i))
		}
	}
}

// numbersOf returns the inputs that may be a number of a channel, by the form of their names and by
// what they are. Of a channel that is no object of the input there may be several.
func (w *walk) numbersOf(channel *heap.Object, form string, value uint64) (list []run.InputVar) {
	before, after, _ := strings.Cut(form, "%s")
	numbered := channel.ID.Goroutine == run.InputObjects
	for _, v := range w.To.Trace.Inputs {
		of, begins := strings.CutPrefix(v.Name, before)
		of, ends := strings.CutSuffix(of, after)
		if !begins || !ends || v.Value != value || numbered && of != fmt.Sprintf("&%d", channel.ID.Count) || !numbered && strings.HasPrefix(of, "&") {
			continue
		}
		list = append(list, v)
	}
	return list
}

// isType reports whether a word is the dynamic type of an interface. An interface that is an input
// has one of some types, which a bound says.
func isType(w heap.Word) bool { return w.P != nil && w.P.Kind == heap.TypeObject }

// synchronisation notes the words of a value that belong to types of package sync.
func synchronisation(t *code.Type, skip []bool) {
	if pkg := packageOf(t); pkg != nil && pkg.Path() == "sync" {
		for i := range skip {
			skip[i] = true
		}
		return
	}
	switch t.Shape {
	case code.ShapeStruct:
		for i := range t.Fields {
			f := &t.Fields[i]
			synchronisation(f.Type, skip[f.Offset:f.Offset+f.Type.Words])
		}
	case code.ShapeArray:
		for i := range int(t.Len) {
			synchronisation(t.Elem, skip[i*t.Elem.Words:(i+1)*t.Elem.Words])
		}
	}
}

// owns reports whether variables of a type are compared.
func (w *walk) owns(t *code.Type) bool {
	if t == nil {
		return false
	}
	pkg := packageOf(t)
	return pkg == nil || w.Own(pkg) || pkg.Path() == "sync/atomic"
}

// packageOf returns the package of a named type, nil for others.
func packageOf(t *code.Type) *types.Package {
	named, ok := types.Unalias(t.Go).(*types.Named)
	if !ok {
		return nil
	}
	return named.Obj().Pkg()
}
