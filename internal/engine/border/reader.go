package border

import (
	"fmt"
	"go/token"
	"go/types"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/synchronisation"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/maptable"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// maxCells bounds the cells of a state, and maxObjects the objects.
const (
	maxCells   = 1 << 12
	maxObjects = 1 << 16
)

// A Reader reads the states of a machine.
type Reader struct {
	vm       *vm.Machine
	slice    *synchronisation.Slice
	memory   *synchronisation.Memory
	source   *code.References
	position func(token.Pos) string

	// Concrete has states described by the values of the run alone: that they depend on inputs of
	// the run is no problem.
	Concrete bool

	holdings   map[at][]compile.Holding
	roots      map[held]cover.Root // but for which frame they are of
	primitives map[*code.Type]bool
	globals    []global // by their names
	globalOf   map[*heap.Object]*global
	sites      map[*heap.Object]run.SiteID // where the objects of the run were allocated
}

// An at is an instruction of a function, before it or while it makes a call.
type at struct {
	instr  ssa.Instruction
	within bool
}

// NewReader returns a Reader. The machine's program has references to its source, so that values
// have names. Position returns a position as sets have it.
func NewReader(m *vm.Machine, s *synchronisation.Slice, position func(token.Pos) string) *Reader {
	r := &Reader{
		vm: m, slice: s, memory: s.Memory(), source: m.Program.References, position: position,
		holdings: make(map[at][]compile.Holding), roots: make(map[held]cover.Root), primitives: make(map[*code.Type]bool), globalOf: make(map[*heap.Object]*global),
	}
	r.findGlobals()
	return r
}

// A walk reads one state.
type walk struct {
	*Reader
	out     *State
	text    strings.Builder
	numbers map[*heap.Object]int
	queue   []reached
	names   map[string]bool
	// captures has, of closures that frames hold which have made them, how the source leads to the
	// variables that they have captured.
	captures map[*heap.Object]func(i int) (path, bool)
}

// A reached is an object that has been reached, and how.
type reached struct {
	object *heap.Object
	path   path
}

// Read reads the state in which the machine is. The goroutines are those that have not ended, in an
// order that does not depend on the run.
func (r *Reader) Read(goroutines []*state.Goroutine) *State {
	r.sites = make(map[*heap.Object]run.SiteID, len(r.vm.Allocated))
	for _, a := range r.vm.Allocated {
		r.sites[a.Object] = a.Site
	}
	w := &walk{
		Reader: r, out: &State{}, numbers: make(map[*heap.Object]int), names: make(map[string]bool),
		captures: make(map[*heap.Object]func(int) (path, bool)),
	}
	if addr := r.memory.Unknown(); addr != nil {
		w.problem("it is not known where %s of %s leads", addr.Name(), addr.Parent().Name())
	}
	for i, g := range goroutines {
		w.goroutine(i, g)
	}
	w.reachGlobals()
	for len(w.queue) > 0 && w.out.Problem == "" {
		next := w.queue[0]
		w.queue = w.queue[1:]
		w.object(next.object, next.path)
	}
	w.out.shape = w.text.String()
	return w.out
}

func (w *walk) problem(format string, args ...any) {
	if w.out.Problem == "" {
		w.out.Problem = fmt.Sprintf(format, args...)
	}
}

func (w *walk) note(format string, args ...any) { fmt.Fprintf(&w.text, format, args...) }

// goroutine reads what a goroutine has.
func (w *walk) goroutine(number int, g *state.Goroutine) {
	w.note("goroutine at %d phase %d notified %t panics %d\n", g.At, g.Phase, g.Notified, len(g.Panics))
	top := len(g.Frames) - 1
	if g.Status != state.Parked || len(g.Panics) > 0 || top < 0 {
		w.problem("a goroutine is not between two operations")
		return
	}
	if g.WaitsSince != 0 || g.Served != nil {
		w.problem("time has passed while a goroutine waited for a channel, so that it is known which one waits first")
		return
	}
	from := path{text: strconv.Itoa(number) + ":"}
	user := 0
	for i := top; i >= 0; i-- {
		f := &g.Frames[i]
		w.note("frame %s %d mode %d", f.Func.Name, f.PC, f.Mode)
		if f.Closure != nil {
			w.pointer(heap.Word{P: f.Closure}, from.unnamed("closure"))
		}
		w.text.WriteByte('\n')
		frame := -1
		if !f.Func.Standard {
			frame = user
			user++
		}
		w.frame(number, frame, g, i)
		for k := range f.Defers {
			closure, args := f.Defers[k].Values()
			w.deferred(call{f.Defers[k].Func, closure, args, f.Defers[k].Shadows(), f.Defers[k].Site()}, from.unnamed("deferred"))
		}
	}
	switch g.At {
	case state.AtStop:
	case state.AtPrimitive:
		w.note("primitive %s", g.Prim.Name)
		var syms []expr.ID
		if g.Top().Symbolic {
			syms = g.Sym[g.PrimBase : g.PrimBase+g.Prim.Params]
		}
		w.words(g.Stack[g.PrimBase:g.PrimBase+g.Prim.Params], syms, from.unnamed("argument"))
		if g.Cond.Object != nil {
			w.pointer(heap.Word{P: g.Cond.Object, N: uint64(g.Cond.Offset)}, from.unnamed("condition"))
		}
	case state.AtCommunication:
		w.note("select %t default %t", g.Selects, g.HasDefault)
		for i := range g.Comms {
			c := &g.Comms[i]
			w.note(" send %t", c.Send)
			w.pointer(heap.Word{P: c.Chan}, from.unnamed("channel"))
			if c.Send && w.memory.Received(c.Elem.Go) {
				w.value(c.Elem, 0, 0, synchronisation.All(), onStack{g, top, c.Value, nil}, from.unnamed("sent"))
			}
		}
	default:
		w.problem("a goroutine waits in the middle of an operation")
	}
	w.text.WriteByte('\n')
}

// A call is one that was deferred.
type call struct {
	fn      *state.Function
	closure *heap.Object
	args    []heap.Word
	syms    []expr.ID
	site    run.SiteID
}

// deferred reads a call that was deferred, if the slice has that.
func (w *walk) deferred(d call, p path) {
	f := w.vm.Funcs[d.site.Func].Func
	instr, ok := f.Instr(f.Origin(int(d.site.Instr))).(*ssa.Defer)
	if ok && !w.slice.Has(instr) && !w.slice.Primitive(instr.Parent()) {
		return
	}
	w.note("deferred %s", d.fn.Name)
	if d.closure != nil {
		w.pointer(heap.Word{P: d.closure}, p)
	}
	if !ok || d.fn.Body == nil || w.slice.Primitive(d.fn.Body) {
		w.words(d.args, d.syms, p)
		return
	}
	at := 0
	for _, param := range d.fn.Body.Params {
		n := w.vm.Program.Type(param.Type()).Words
		if w.slice.HasValue(param) && at+n <= len(d.args) {
			w.words(d.args[at:at+n], d.syms[min(at, len(d.syms)):min(at+n, len(d.syms))], p)
		}
		at += n
	}
}

// instruction returns the instruction that a frame is at.
func instruction(f *state.Frame) ssa.Instruction {
	for pc := int(f.PC); pc < len(f.Func.Code); pc++ {
		if instr := f.Func.Instr(f.Func.Origin(pc)); instr != nil {
			return instr
		}
	}
	return nil
}

// frame reads the registers of a frame. Its number is that among those of the source, -1 if it is none of these.
func (w *walk) frame(goroutine, number int, g *state.Goroutine, i int) {
	f := &g.Frames[i]
	within, pc, end := false, f.PC, f.Func.Regs
	if i+1 < len(g.Frames) {
		switch g.Frames[i+1].Mode {
		case state.Called:
			within, end = true, int(f.Func.Code[pc].A)
			pc++
		case state.DeferredCall:
			within = true
		default:
			w.problem("a goroutine is in the middle of a panic")
			return
		}
	} else if g.At == state.AtPrimitive {
		within, end = true, g.PrimBase-int(f.Base)
		pc++
	}
	instr := instruction(f)
	if instr == nil {
		w.problem("%s: it is not known where a goroutine is", f.Func.Name)
		return
	}
	key := at{instr, within}
	list, known := w.holdings[key]
	if !known {
		var err error
		if list, err = compile.Holdings(w.vm.Program, instr, within); err != nil {
			w.problem("%v", err)
			return
		}
		w.holdings[key] = list
	}
	need := f.Func.NeededBefore(pc)
	covered := make(map[int]bool)
	done := make(map[int]bool)
	for k := range list {
		h := &list[k]
		t := w.typeOf(h)
		if t == nil {
			for n := range w.iteration(h, instr) {
				covered[int(h.Reg)+n] = true
			}
			continue
		}
		first := int(h.Reg)
		for n := range t.Words {
			covered[first+n] = true
		}
		content := synchronisation.All()
		if h.Variable && !w.slice.Primitive(instr.Parent()) {
			content, _ = w.memory.At(h.Value.(*ssa.Alloc))
		}
		if done[first] || first+t.Words > end {
			continue
		}
		if t.Shape == code.ShapeTuple && !w.slice.Primitive(instr.Parent()) {
			done[first] = w.results(h, instr, within, func(part *ssa.Extract, of *code.Type, offset int) {
				w.note("register %d: ", first+offset)
				w.value(of, 0, 0, content, onStack{g, i, int(f.Base) + first + offset, need},
					w.pathOf(goroutine, number, &compile.Holding{Value: part}, instr))
			})
			continue
		}
		if !w.matters(h, content, code.Slots(t), instr, within) {
			continue
		}
		done[first] = true
		if c, ok := h.Value.(*ssa.MakeClosure); ok {
			w.captures[g.Stack[int(f.Base)+first].P] = func(i int) (path, bool) { return w.captured(goroutine, number, c, i, instr) }
		}
		w.note("register %d: ", first)
		w.value(t, 0, 0, content, onStack{g, i, int(f.Base) + first, need}, w.pathOf(goroutine, number, h, instr))
	}
	for n, set := range need {
		for ; set != 0; set &= set - 1 {
			r := n*64 + bits.TrailingZeros64(set)
			if r >= end || covered[r] {
				continue
			}
			// No value of the source, such as a constant.
			at := int(f.Base) + r
			var syms []expr.ID
			if f.Symbolic {
				syms = g.Sym[at : at+1]
			}
			w.note("needed %d: ", r)
			w.words(g.Stack[at:at+1], syms, path{text: fmt.Sprintf("%d:register", goroutine)})
		}
	}
}

// typeOf returns the type of what the registers of a holding have, nil if it is none of the program.
func (w *walk) typeOf(h *compile.Holding) *code.Type {
	t := h.Value.Type()
	if h.Variable {
		t = t.Underlying().(*types.Pointer).Elem()
	}
	switch h.Value.(type) {
	case *ssa.Range, *ssa.Next:
		return nil
	}
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() == 0 {
		return nil
	}
	return w.vm.Program.Type(t)
}

// iteration returns how many registers of a holding have how far a loop over a string has come, or
// what it has there, that the slice does not have.
func (w *walk) iteration(h *compile.Holding, instr ssa.Instruction) int {
	if w.slice.Primitive(instr.Parent()) {
		return 0 // the slice has its calls, and not its code
	}
	switch v := h.Value.(type) {
	case *ssa.Range:
		if !w.slice.HasValue(v) {
			return 1
		}
	case *ssa.Next:
		if v.IsString && !w.slice.HasValue(v) && !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			part, ok := r.(*ssa.Extract)
			return ok && w.slice.HasValue(part)
		}) {
			return 3 // whether there is another one, its index, and what it is
		}
	}
	return 0
}

// matters reports whether what is in the registers of a holding is in the slice, and used there from an instruction on.
func (w *walk) matters(h *compile.Holding, content synchronisation.Content, slots int, from ssa.Instruction, within bool) bool {
	if w.slice.Primitive(from.Parent()) {
		return true // the slice has its calls, and not its code
	}
	if h.Variable {
		return content.ReadsAny(0, slots)
	}
	for _, v := range append([]ssa.Value{h.Value}, h.Parts...) {
		if !w.slice.HasValue(v) {
			continue
		}
		refs := v.Referrers()
		if refs == nil || slices.ContainsFunc(*refs, func(r ssa.Instruction) bool { return w.uses(r) && follows(r, from, within) }) {
			return true
		}
	}
	return false
}

// results calls read for each of several results that are in the registers of a holding, if it is
// in the slice, and used there from an instruction on. The slice may have one result of a call, and
// not the others. It reports whether there is one.
func (w *walk) results(h *compile.Holding, from ssa.Instruction, within bool, read func(part *ssa.Extract, of *code.Type, offset int)) bool {
	some := false
	tuple := h.Value.Type().(*types.Tuple)
	offset := 0
	for i := range tuple.Len() {
		t := w.vm.Program.Type(tuple.At(i).Type())
		at := offset
		offset += t.Words
		var part *ssa.Extract
		var parts []ssa.Value
		for _, v := range h.Parts {
			e := extracted(v, h.Value)
			if e != nil && e.Index == i {
				parts = append(parts, v)
				if part == nil || e == v {
					part = e
				}
			}
		}
		if part == nil {
			continue
		}
		slices.SortFunc(parts, func(a, b ssa.Value) int { return strings.Compare(a.Name(), b.Name()) })
		if w.matters(&compile.Holding{Value: part, Parts: parts}, synchronisation.Content{}, 0, from, within) {
			read(part, t, at)
			some = true
		}
	}
	return some
}

// extracted returns the instruction by which a value, a part of a tuple, is taken from it, nil if it is not.
func extracted(v, tuple ssa.Value) *ssa.Extract {
	for {
		if e, ok := v.(*ssa.Extract); ok {
			if e.Tuple == tuple {
				return e
			}
			return nil
		}
		instr, ok := v.(ssa.Instruction)
		if !ok {
			return nil
		}
		if call, ok := v.(*ssa.Call); ok && len(call.Call.Args) > 0 {
			v = call.Call.Args[0] // of len, real or imag
			continue
		}
		ops := instr.Operands(nil)
		if len(ops) == 0 {
			return nil
		}
		v = *ops[0]
	}
}

// uses reports whether the slice may have what an instruction does with a value.
func (w *walk) uses(instr ssa.Instruction) bool {
	if w.slice.Has(instr) {
		return true
	}
	switch instr := instr.(type) {
	case *ssa.DebugRef:
		return false
	case *ssa.Call:
		if _, ok := instr.Call.Value.(*ssa.Builtin); ok {
			return w.slice.HasValue(instr) || instr.Type() == nil || len(instr.Call.Args) != 1
		}
		return true
	case *ssa.BinOp, *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Index, *ssa.Field, *ssa.Lookup, *ssa.Extract:
		return w.slice.HasValue(instr.(ssa.Value))
	}
	return true
}

// follows reports whether an instruction may be executed after another one, or is that; not the
// call that goes on, unless it is made again.
func follows(instr, from ssa.Instruction, within bool) bool {
	b, at := instr.Block(), from.Block()
	if phi, ok := instr.(*ssa.Phi); ok && phi.Block() != at {
		return control.Leads(at, b)
	}
	if b == at {
		if i, k := slices.Index(b.Instrs, instr), slices.Index(b.Instrs, from); i > k || i == k && !within {
			return true
		}
	}
	return control.Leads(at, b)
}

// A global is a package variable of which a part may be read.
type global struct {
	name    string
	of      *ssa.Global
	object  *heap.Object
	content synchronisation.Content
}

// findGlobals finds the package variables of which a part may be read, also those to which no code
// refers that has been carried out so far.
func (r *Reader) findGlobals() {
	for _, pkg := range r.vm.Program.SSA.AllPackages() {
		for _, member := range pkg.Members {
			v, ok := member.(*ssa.Global)
			if !ok || strings.Contains(v.Name(), "$") {
				continue
			}
			content, known := r.memory.Variable(v)
			if !known {
				continue
			}
			t := r.vm.Program.Type(v.Type().Underlying().(*types.Pointer).Elem())
			if !content.ReadsAny(0, code.Slots(t)) && (r.vm.Program.Standard(pkg.Pkg) || !r.hasPrimitive(t)) {
				continue
			}
			if o := r.vm.Variable(v); o != r.vm.ZeroSized {
				r.globals = append(r.globals, global{pkg.Pkg.Path() + "." + v.Name(), v, o, content})
			}
		}
	}
	slices.SortFunc(r.globals, func(a, b global) int { return strings.Compare(a.name, b.name) })
	for i := range r.globals {
		r.globalOf[r.globals[i].object] = &r.globals[i]
	}
}

// globalPath returns the path to a package variable.
func globalPath(v *ssa.Global) path {
	name := v.Pkg.Pkg.Path() + "." + v.Name()
	return path{root: cover.Root{Kind: cover.Global, Name: name}, text: name, variable: true}
}

// reachGlobals reaches the package variables.
func (w *walk) reachGlobals() {
	for _, g := range w.globals {
		w.note("variable %s ", g.name)
		w.pointer(heap.Word{P: g.object}, globalPath(g.of))
		w.text.WriteByte('\n')
	}
}

// object reads an object that has been reached.
func (w *walk) object(o *heap.Object, p path) {
	w.note("#%d kind %d", w.numbers[o], o.Kind)
	switch o.Kind {
	case heap.Variable:
		if o.Type == nil {
			break
		}
		w.note(" %s: ", o.Type.Go)
		w.value(o.Type, 0, 0, w.content(o, p), inObject{o, 0}, p)
	case heap.Array:
		if o.Type == nil || o.Type.Words == 0 {
			break
		}
		n := o.Size() / o.Type.Words
		w.note(" [%d]%s: ", n, o.Type.Go)
		content := w.content(o, p)
		if !content.ReadsAny(0, code.Slots(o.Type)) && !w.hasPrimitive(o.Type) {
			break
		}
		for i := range n {
			w.value(o.Type, 0, 0, content, inObject{o, i * o.Type.Words}, p.step(cover.Step(fmt.Sprintf("[%d]", i))))
		}
	case heap.ClosureObject:
		w.closure(o, p)
	case heap.MapObject:
		w.mapped(o, p)
	case heap.ChanObject:
		w.channel(o, p)
	case heap.HostObject:
	default:
		w.problem("%s leads to what cannot be described", p)
	}
	w.text.WriteByte('\n')
}

// content returns what is read of an object.
func (w *walk) content(o *heap.Object, p path) synchronisation.Content {
	if o.ID.Goroutine == run.GlobalObjects {
		if v := w.globalOf[o]; v != nil {
			return v.content
		}
		return synchronisation.Content{}
	}
	if fn := w.vm.Funcs[o.Func]; fn != nil && fn.Body != nil {
		if w.slice.Primitive(fn.Body) {
			return synchronisation.All()
		}
		content, known := w.memory.Made(fn.Body, o.Type.Go)
		if site, ok := w.sites[o]; ok {
			content, known = w.memory.At(fn.Func.Instr(fn.Func.Origin(int(site.Instr))))
		}
		if known {
			return content
		}
	}
	w.problem("%s leads to a %s of which it is not known where it was made", p, o.Type.Go)
	return synchronisation.Content{}
}

// closure reads the variables that a closure has captured.
func (w *walk) closure(o *heap.Object, p path) {
	fn := w.vm.Funcs[o.Func]
	if fn == nil || fn.Body == nil {
		w.note(" function %d", o.Func)
		w.words(o.Cells, o.Sym, p.unnamed("captured"))
		return
	}
	w.note(" function %s", fn.Name)
	off := 0
	for i, fv := range fn.Body.FreeVars {
		t := w.vm.Program.Type(fv.Type())
		if (w.slice.HasValue(fv) || w.slice.Primitive(fn.Body)) && off+t.Words <= len(o.Cells) {
			w.note(" %s ", fv.Name())
			captured := p.unnamed(" " + fv.Name())
			if p.root.Kind == cover.Unnamed {
				captured = path{text: strings.TrimSuffix(p.text, "closure") + fv.Name()}
			}
			if by := w.captures[o]; by != nil {
				if q, ok := by(i); ok {
					captured = q
				}
			}
			w.value(t, 0, 0, synchronisation.All(), inObject{o, off}, captured)
		}
		off += t.Words
	}
}

// mapped reads a map: its keys are a part of the shape.
func (w *walk) mapped(o *heap.Object, p path) {
	if !w.content(o, p).ReadsAny(0, code.Slots(o.Type.Key)+code.Slots(o.Type.Elem)) {
		return
	}
	if o.Cells[maptable.Entries].P == nil {
		return
	}
	table := o.Cells[maptable.Entries].P
	type entry struct {
		key   string
		place int
	}
	var list []entry
	stride := maptable.Stride(o.Type)
	for place := range int(o.Cells[maptable.Used].N) {
		if table.Cells[place*stride].N == 0 {
			continue
		}
		key := fmt.Sprintf("%016x", table.Cells[place*stride].N) // the hash, which is that of the content
		for k := range o.Type.Key.Words {
			c := table.Cells[place*stride+1+k]
			if c.P != nil && o.Type.Key.Shape != code.ShapeString {
				w.problem("%s is a map with keys that are no numbers or strings", p)
				return
			}
			if c.P == nil {
				key += fmt.Sprintf(" %d", c.N)
			}
		}
		list = append(list, entry{key, place})
	}
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	w.note(" map %d", len(list))
	for _, e := range list {
		w.note(" %s: ", e.key)
		in := inObject{table, e.place*stride + 1}
		w.fixed(o.Type.Key, 0, in, p.unnamed("[key]"))
		w.value(o.Type.Elem, o.Type.Key.Words, 0, synchronisation.All(), in, p.unnamed("["+e.key+"]"))
	}
}

// channel reads a channel.
func (w *walk) channel(o *heap.Object, p path) {
	if state.IsTimerChan(o) {
		w.problem("%s is the channel of a timer", p)
		return
	}
	room, count, head := int(o.Cells[state.ChanCap].N), int(o.Cells[state.ChanCount].N), int(o.Cells[state.ChanHead].N)
	w.note(" channel of %s, room %d, %d in it, closed %d", o.Type.Go, room, count, o.Cells[state.ChanClosed].N)
	elem := o.Type
	if elem.Shape == code.ShapeChan {
		elem = elem.Elem
	}
	if elem.Words == 0 || !w.memory.Received(elem.Go) {
		return
	}
	for i := range count {
		at := state.ChanBuffer + (head+i)%room*elem.Words
		w.value(elem, 0, 0, synchronisation.All(), inObject{o, at}, p.step(cover.Step(fmt.Sprintf("<%d>", i))))
	}
}
