package compile

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile/regalloc"
	"github.com/everyway-go/everyway/internal/fragment"
)

// Middle returns the way into the middle of functions that call each other, in which a goroutine of
// a context is. The code of a step calls step, a function of one word.
func Middle(p *code.Program, c *fragment.Context, goroutine int, step *ssa.Function) (*code.Middle, error) {
	var inner *code.Middle
	stack := c.Stacks[goroutine]
	names := make(map[string]int) // of all frames, some of which may be of functions of the same name
	for i, at := range stack {
		m := &middle{
			prog: p, context: c, at: at, step: step, inner: inner, given: i+1 < len(stack) && passes(stack[i+1]),
			prefix: prefix(c, goroutine, at.Parent()), names: names,
			locks: ofGoroutine(c.Locks, goroutine, func(l fragment.Lock) bool { return l.Frame == i && l.Root != nil }),
			debts: ofGoroutine(c.Debts, goroutine, func(d fragment.Debt) bool { return d.Frame == i }),
			open:  ofGoroutine(c.Open, goroutine, func(o fragment.Open) bool { return o.Frame == i }),
		}
		if i+1 < len(stack) {
			m.called = calledBy(stack[i+1])
		}
		if c.Memory != nil {
			m.memory = c.Memory[goroutine][i]
		}
		if c.Rounds != nil {
			m.rounds = c.Rounds[goroutine]
		}
		made, err := m.build()
		if err != nil {
			return nil, err
		}
		inner = made
	}
	inner.Unknown = unknownLocks(p, c, goroutine)
	return inner, nil
}

// prefix returns what begins the names of the inputs of a function in which a goroutine is.
func prefix(c *fragment.Context, goroutine int, fn *ssa.Function) string {
	switch {
	case len(c.Stacks) > 1:
		return fmt.Sprintf("%s %d: ", fn.Name(), goroutine+1)
	case len(c.Stacks[0]) > 1:
		return fn.Name() + ": "
	}
	return ""
}

// passes reports whether the arguments that a call gives its callee are in the window from its first register on.
func passes(at ssa.Instruction) bool {
	call, ok := at.(*ssa.Call)
	return ok && call.Call.StaticCallee() != nil && len(call.Call.StaticCallee().FreeVars) == 0
}

// calledBy returns the function that a call names, nil if it names none.
func calledBy(at ssa.Instruction) *ssa.Function {
	if call, ok := at.(*ssa.Call); ok {
		return call.Call.StaticCallee()
	}
	return nil
}

// preparing is the end of the name of the code that prepares a frame, whose instructions are not those of the function.
const preparing = ", being prepared"

// A middle makes a code.Middle of one function.
type middle struct {
	prog    *code.Program
	context *fragment.Context
	at      ssa.Instruction
	step    *ssa.Function
	called  *ssa.Function // what the caller calls, nil if that is not known: a model has the code of a function that has another name
	inner   *code.Middle  // of the function that is called at at, nil if at is no call that is being made
	given   bool          // the parameters are given by the caller
	prefix  string
	locks   []fragment.Lock // that the goroutine holds
	debts   []fragment.Debt // of the goroutine
	open    []fragment.Open // channels that it has still to close
	memory  fragment.Memory
	rounds  map[ssa.Value]fragment.Round
	names   map[string]int // how many inputs of the goroutine have had a name

	e      *emitter
	block  int // of at, and its index there
	index  int
	needed map[ssa.Value]bool
	leaves map[ssa.Value]bool       // of needed: those that are inputs
	taken  map[*ssa.If]bool         // branches that are taken again
	loaded map[ssa.Instruction]bool // loads that are made again
	stored map[*ssa.Store]bool      // likewise
	out    *code.Middle
	fixups []refusal // jumps of Code that lead to its end
	// begins has, of the loops of variables that are inputs and not less than what they begin with,
	// a register for that.
	begins map[*ssa.Phi]int32
	kept   map[*ssa.Phi]bool // of begins: the register has it
}

// A refusal is a jump that is taken if the state is not one from which the instruction in question is executed.
type refusal struct {
	at   int
	fact string // which does not hold then
}

// computes are the instructions that depend on nothing but their operands, or make a new object.
var computes = func() map[code.Op]bool {
	ops := map[code.Op]bool{
		code.New: true, code.Addr: true, code.NilCheck: true, code.IndexS: true, code.IndexA: true, code.IndexV: true, code.IndexStr: true,
		code.FreeVar: true, code.MakeSlice: true, code.SliceS: true, code.SliceStr: true, code.SliceP: true, code.Concat: true, code.MinMax: true,
		code.MakeIface: true, code.Assert: true, code.TypeWord: true, code.MakeMap: true, code.Closure: true, code.MakeChan: true, code.Cap: true,
		code.Conv: true, code.ConvC: true, code.MkComplex: true, code.IntStr: true,
	}
	for op := code.Nop; op <= code.Ne; op++ {
		ops[op] = true
	}
	return ops
}()

// build makes the Middle.
func (m *middle) build() (*code.Middle, error) {
	of := m.prog.Func(m.at.Parent())
	if m.called != nil {
		if named := m.prog.Func(m.called); named.Body == m.at.Parent() {
			of = named
		}
	}
	if of.Body != m.at.Parent() {
		return nil, fmt.Errorf("%s has no code of its own", of.Name)
	}
	scratch := &code.Func{Name: of.Name + preparing, SSA: of.SSA, Params: of.Params, Results: of.Results, Regs: max(of.Params, of.Results), Recover: -1, Standard: of.Standard, Own: of.Own}
	branches := len(m.prog.Branches)
	e, err := emit(m.prog, scratch, of.Body)
	m.prog.Branches = m.prog.Branches[:branches] // which of has counted
	if err != nil {
		return nil, err
	}
	m.e = e
	m.block = int(e.blocks.index[m.at.Block().Index])
	if m.block < 0 {
		return nil, fmt.Errorf("no run comes to the instruction")
	}
	m.index = slices.Index(e.blocks.list[m.block].Instrs, m.at)
	m.out = &code.Middle{Of: of, PC: e.starts[m.block][m.index], Inner: m.inner}
	if m.inner != nil {
		for !makesCall(of.Code[m.out.PC]) {
			m.out.PC++
		}
	}
	m.needed, m.leaves, m.taken = map[ssa.Value]bool{}, map[ssa.Value]bool{}, map[*ssa.If]bool{}
	m.loaded, m.stored = map[ssa.Instruction]bool{}, map[*ssa.Store]bool{}
	m.findNeeded()
	for v := range m.leaves {
		if r, ok := v.(*ssa.Range); ok {
			if _, isMap := r.X.Type().Underlying().(*types.Map); isMap {
				return nil, fmt.Errorf("it is in a loop over a map, of which the rest of the iteration is no input")
			}
		}
	}
	m.write(scratch)
	return m.out, nil
}

func makesCall(in code.Instr) bool {
	return in.Op == code.Call || in.Op == code.CallFn || in.Op == code.CallIface
}

// chain calls f for the instructions on every path to the one in question, in order.
func (m *middle) chain(f func(block, index int, instr ssa.Instruction)) {
	var path []*ssa.BasicBlock
	for b := m.at.Block(); b != nil; b = b.Idom() {
		path = append(path, b)
	}
	for i := len(path) - 1; i >= 0; i-- {
		at := int(m.e.blocks.index[path[i].Index])
		for j, instr := range m.e.blocks.list[at].Instrs {
			if i == 0 && j == m.index {
				return
			}
			f(at, j, instr)
		}
	}
}

// before reports whether an instruction is on every path to the one in question, before it.
func (m *middle) before(instr ssa.Instruction) bool {
	b := instr.Block()
	if b != m.at.Block() {
		return b.Dominates(m.at.Block())
	}
	return slices.Index(m.e.blocks.list[m.block].Instrs, instr) < m.index
}

// findNeeded finds what has to be prepared.
func (m *middle) findNeeded() {
	for v, val := range m.e.of {
		if val.role == own && val.node != nil && m.holds(val.node) {
			if in, ok := v.(ssa.Instruction); ok && v == m.calling() || ok && !m.before(in) {
				continue
			}
			m.need(v)
		}
	}
	if m.inner != nil {
		m.needOperands(m.at)
	}
	if f := m.waitsAt(); f != nil {
		m.need(f.X)
	}
	for _, root := range m.held() {
		m.need(root)
	}
	m.chain(func(_, _ int, instr ssa.Instruction) {
		if d, ok := instr.(*ssa.Defer); ok && d.DeferStack == nil && m.e.blocks.list[m.e.blocks.index[d.Block().Index]].loops == 0 {
			m.needOperands(d)
		}
	})
	for changed := !m.context.NoDefinitions; changed; {
		changed = m.findMemory()
		m.chain(func(_, _ int, instr ssa.Instruction) {
			branch, ok := instr.(*ssa.If)
			if !ok || m.taken[branch] || m.leads(branch) < 0 || !m.computed(branch) || !m.bears(branch.Cond, map[ssa.Value]bool{}) {
				return
			}
			m.taken[branch], changed = true, true
			m.need(branch.Cond)
		})
		changed = m.takeRelated() || changed
		m.chain(func(_, _ int, instr ssa.Instruction) {
			if from := m.beginsWith(instr); from != nil && !m.needed[from] {
				changed = true
				m.need(from)
			}
		})
	}
}

// beginsWith returns the value with which a loop has begun, if an instruction before is the
// variable of the loop and an input, and the value is none, or is needed for something else, too.
func (m *middle) beginsWith(instr ssa.Instruction) ssa.Value {
	phi, ok := instr.(*ssa.Phi)
	if !ok || !m.leaves[phi] || m.rounds[phi].Name != "" {
		return nil
	}
	from := m.context.AtLeast[phi]
	if from == nil || m.e.of[from] == nil {
		return nil
	}
	if m.needed[from] {
		return from
	}
	if by, ok := from.(ssa.Instruction); ok && m.e.of[from].role == own && !m.e.of[from].variable && m.before(by) && m.computed(by) {
		return from
	}
	return nil
}

// calling returns the call that is being made, nil if there is none.
func (m *middle) calling() ssa.Value {
	if m.inner == nil {
		return nil
	}
	v, _ := m.at.(ssa.Value)
	return v
}

// holds reports whether a node holds something that is needed later.
func (m *middle) holds(n *regalloc.Node) bool {
	at := m.index - 1
	if m.inner != nil {
		at = m.index
	}
	return m.e.needs.HoldsAfter(n, m.block, at)
}

// need makes a value, of the instructions before the one in question, one that is prepared.
func (m *middle) need(v ssa.Value) {
	val := m.e.of[v]
	if val == nil || m.needed[v] {
		return
	}
	m.needed[v] = true
	switch {
	case val.role == part:
		m.need(val.base)
	case val.role == folded:
		m.needOperands(v.(ssa.Instruction))
	case val.role == own && val.node != nil:
		if instr, ok := v.(ssa.Instruction); ok && !val.variable && m.computed(instr) {
			m.needOperands(instr)
		} else {
			m.leaves[v] = true
		}
	}
}

func (m *middle) needOperands(instr ssa.Instruction) {
	for _, op := range instr.Operands(nil) {
		if *op != nil {
			m.need(*op)
		}
	}
}

// bears reports whether a value depends on an input that is needed.
func (m *middle) bears(v ssa.Value, seen map[ssa.Value]bool) bool {
	val := m.e.of[v]
	if val == nil || seen[v] {
		return false
	}
	seen[v] = true
	if m.leaves[v] || m.isGiven(v) {
		return true
	}
	if val.role == part {
		return m.bears(val.base, seen)
	}
	instr, ok := v.(ssa.Instruction)
	if !ok || val.role == own && !m.computed(instr) {
		return false
	}
	for _, op := range instr.Operands(nil) {
		if *op != nil && m.bears(*op, seen) {
			return true
		}
	}
	return false
}

// isGiven reports whether a value is a parameter that the caller passes, whose own branches may depend on it.
func (m *middle) isGiven(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok && m.given
}

// takeRelated takes branches of which nothing depends that is needed, but which depend on a value
// on which another branch on the way depends, too: no run may go both ways. It reports whether it
// has taken one more.
func (m *middle) takeRelated() (found bool) {
	var branches []*ssa.If
	origins := make(map[*ssa.If]map[ssa.Value]bool)
	depend := make(map[ssa.Value]int) // how many branches depend on a value
	m.chain(func(_, _ int, instr ssa.Instruction) {
		branch, ok := instr.(*ssa.If)
		if !ok || m.leads(branch) < 0 || !m.taken[branch] && !m.computed(branch) {
			return
		}
		branches, origins[branch] = append(branches, branch), make(map[ssa.Value]bool)
		m.originsOf(branch.Cond, origins[branch], map[ssa.Value]bool{})
		for v := range origins[branch] {
			depend[v]++
		}
	})
	for _, branch := range branches {
		for v := range origins[branch] {
			if !m.taken[branch] && depend[v] > 1 {
				m.taken[branch], found = true, true
				m.need(branch.Cond)
				m.needLoads(branch.Cond, map[ssa.Value]bool{})
			}
		}
	}
	return found
}

// originsOf adds the values from which a value is computed, by what has been executed and by loads
// of what is there still.
func (m *middle) originsOf(v ssa.Value, origins, seen map[ssa.Value]bool) {
	if m.e.of[v] == nil || seen[v] {
		return
	}
	seen[v] = true
	instr, ok := m.again(v)
	if !ok {
		origins[v] = true
		return
	}
	for _, op := range instr.Operands(nil) {
		if *op != nil {
			m.originsOf(*op, origins, seen)
		}
	}
}

// needLoads needs the addresses of the loads from which a value is computed, so that they can be made again.
func (m *middle) needLoads(v ssa.Value, seen map[ssa.Value]bool) {
	instr, ok := m.again(v)
	if m.e.of[v] == nil || seen[v] || !ok {
		return
	}
	seen[v] = true
	for _, op := range instr.Operands(nil) {
		if *op == nil {
			continue
		}
		if isLoad(instr) {
			m.need(*op)
		}
		m.needLoads(*op, seen)
	}
}

// again returns the instruction that computes a value, or loads it from where it still is, if its
// preparation may do so again.
func (m *middle) again(v ssa.Value) (instr ssa.Instruction, ok bool) {
	instr, ok = v.(ssa.Instruction)
	if !ok || !m.before(instr) {
		return nil, false
	}
	if isLoad(instr) {
		return instr, m.memory.Holds[instr]
	}
	val := m.e.of[v]
	return instr, val != nil && (val.role != own || !val.variable && m.computed(instr))
}

// leads returns which successor of a branch every path to the instruction in question goes through,
// -1 if there is none.
func (m *middle) leads(branch *ssa.If) int {
	b := branch.Block()
	if b == m.at.Block() || b.Succs[0] == b.Succs[1] {
		return -1
	}
	for i, s := range b.Succs {
		if len(s.Preds) == 1 && s.Dominates(m.at.Block()) {
			return i
		}
	}
	return -1
}

// span returns the code of an instruction: of a branch, up to its jump.
func (m *middle) span(instr ssa.Instruction) (from, to int32) {
	at := m.e.blocks.index[instr.Block().Index]
	list := m.e.blocks.list[at].Instrs
	j := slices.Index(list, instr)
	from = m.e.starts[at][j]
	switch _, ok := instr.(*ssa.If); {
	case ok:
		for to = from; m.e.f.Code[to].Op == code.Jmp || jumpTarget(&m.e.f.Code[to]) < 0; {
			to++
		}
	case j+1 < len(list):
		to = m.e.starts[at][j+1]
	default:
		to = from
	}
	return from, to
}

func jumpTarget(in *code.Instr) int {
	_, target := in.Flow()
	return target
}

// computed reports whether the code of an instruction only computes.
func (m *middle) computed(instr ssa.Instruction) bool {
	if _, isClosure := instr.(*ssa.MakeClosure); m.context.NoDefinitions && !isClosure {
		return false // a function that is an input has no effects, so a closure is none
	}
	switch v := instr.(type) {
	case *ssa.Phi, *ssa.Next, *ssa.Range:
		return false
	case *ssa.Alloc:
		if m.e.isVariable(v) || m.context.Unmade[v] {
			return false
		}
	}
	if !m.loadsAgain(instr) {
		return false
	}
	from, to := m.span(instr)
	for _, in := range m.e.f.Code[from:to] {
		if !computes[in.Op] && !reads[in.Op] {
			return false
		}
	}
	return from < to || isBranch(instr)
}

func isBranch(instr ssa.Instruction) bool {
	_, ok := instr.(*ssa.If)
	return ok
}

// write writes the code. The tables are those of f.
func (m *middle) write(f *code.Func) {
	to := *f
	to.Code, to.Pos, to.Unsigned, to.Repeats, to.Inverted, to.Commuting, to.Variables, to.Sorted, to.ResultUses = nil, nil, nil, nil, nil, nil, nil, nil, nil
	to.Recover, to.Middle = -1, m.out
	m.begins, m.kept = make(map[*ssa.Phi]int32), make(map[*ssa.Phi]bool)
	m.chain(func(_, _ int, instr ssa.Instruction) {
		if m.beginsWith(instr) != nil {
			m.begins[instr.(*ssa.Phi)] = int32(f.Regs + len(m.begins))
		}
	})
	to.Regs = f.Regs + len(m.begins) + 2 // and one to compute with, which is scratch, and one for the argument of step
	to.Callees = append(slices.Clip(f.Callees), m.step)
	to.Builtins = slices.Clip(f.Builtins)
	to.SetSources(nil, nil)
	m.out.Code = &to
	if len(f.SSA.FreeVars) > 0 {
		m.bindings(f.SSA.FreeVars)
	}
	if !m.given {
		for _, p := range m.e.fn.Params {
			if m.leaves[p] {
				m.draw(p, m.e.of[p].node.Reg, p.Type())
			}
		}
	}
	first := m.e.labels[0]
	m.copy(0, first) // captured variables and constants
	m.holdFromStart()
	m.knowCaptured()
	m.chain(m.prepare)
	if m.inner != nil {
		m.copy(m.e.starts[m.block][m.index], m.out.PC)
		call := m.out.Of.Code[m.out.PC]
		to.Builtins = append(to.Builtins, m.inner.Code)
		m.emit(code.Instr{Op: code.CallOwn, A: call.A, B: int32(len(to.Builtins) - 1), C: int32(m.inner.Of.Params)})
	} else {
		m.enter()
	}
	m.emit(code.Instr{Op: code.Return, K: uint16(f.Regs)}) // so that all registers are needed until the end
	for _, jump := range m.fixups {
		to.Code[jump.at].D = int32(len(to.Code))
		m.emitStep(code.Step{Kind: code.StepReject, Name: jump.fact})
		m.emit(code.Instr{Op: code.Return})
	}
}

// prepare writes the code of an instruction before the one in question.
func (m *middle) prepare(block, index int, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Phi:
		m.keepBeginnings(instr.Block())
	case *ssa.If:
		if m.taken[instr] {
			m.branch(instr)
		}
		return
	case *ssa.Defer:
		if instr.DeferStack == nil && m.e.blocks.list[block].loops == 0 {
			from, to := m.span(instr)
			m.copy(from, to)
		}
		return
	}
	if !m.context.NoDefinitions {
		m.dereference(instr)
	}
	if store, ok := instr.(*ssa.Store); ok && m.stored[store] {
		from, to := m.span(store)
		m.copy(from, to)
		return
	}
	v, ok := instr.(ssa.Value)
	if ok {
		defer m.holdFrom(v)
	}
	if !ok || !m.needed[v] || m.e.of[v].role != own || m.e.of[v].node == nil {
		return
	}
	node := m.e.of[v].node
	if !m.leaves[v] {
		if alloc, ok := v.(*ssa.Alloc); ok && m.madeBefore(alloc, node.Reg) {
			m.variable(alloc, node.Reg)
			return
		}
		from, to := m.span(instr)
		m.copy(from, to)
		switch v := v.(type) {
		case *ssa.Alloc:
			m.variable(v, node.Reg)
		case *ssa.MakeSlice:
			m.emitStep(code.Step{Kind: code.StepElements, Reg: node.Reg, Type: m.prog.Type(v.Type()), Name: m.name(v), Region: m.region(v)})
		case *ssa.MakeMap:
			m.emitStep(code.Step{Kind: code.StepEmpty, Reg: node.Reg, Type: m.prog.Type(v.Type())})
		case *ssa.MakeChan:
			if !m.memory.Fresh[v] {
				m.emitStep(code.Step{
					Kind: code.StepBuffer, Reg: node.Reg, Type: m.prog.Type(v.Type()), Name: m.name(v),
					Region: m.region(v),
				})
			}
		}
		return
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		if m.e.isVariable(v) {
			m.variable(v, node.Reg)
		} else { // not made again, because of Context.NoDefinitions or Context.Unmade
			m.draw(v, node.Reg, v.Type())
		}
	case *ssa.Range:
		m.draw(v, node.Reg, types.Typ[types.Int])
		m.within(node.Reg, v.X, -1)
	case *ssa.Next:
		val, _ := m.e.nextLayout(v)
		name := m.name(v)
		m.drawNamed(name+" ok", node.Reg, types.Typ[types.Bool], false)
		m.drawNamed(name+" index", node.Reg+nextKey, types.Typ[types.Int], false)
		m.within(node.Reg+nextKey, v.Iter.(*ssa.Range).X, node.Reg)
		m.drawNamed(name+" rune", node.Reg+int32(val), types.Typ[types.Rune], false)
	default:
		m.draw(v, node.Reg, v.Type())
		if phi, ok := v.(*ssa.Phi); ok && m.kept[phi] {
			m.refuse(code.Instr{Op: code.JmpLtS, K: uint16(code.KindOf(phi.Type())), A: node.Reg, B: m.begins[phi]},
				fmt.Sprintf("%s%s is at least %s, with which the loop has begun",
					m.prefix, m.describe(phi, 0), m.describe(m.context.AtLeast[phi], 0)))
		}
	}
}

// keepBeginnings copies what the variables of a loop begin with, before these take its place.
func (m *middle) keepBeginnings(loop *ssa.BasicBlock) {
	for _, instr := range loop.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if reg := m.begins[phi]; reg != 0 && !m.kept[phi] {
			if n, off, ok := m.e.locate(m.context.AtLeast[phi]); ok && n != nil {
				m.emit(code.Instr{Op: code.Mov, A: reg, B: n.Reg + off})
				m.kept[phi] = true
			}
		}
	}
}

// dereference writes a check of the pointer that an instruction has gone through, which was not nil.
func (m *middle) dereference(instr ssa.Instruction) {
	var pointer ssa.Value
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op == token.MUL {
			pointer = instr.X
		}
	case *ssa.Store:
		pointer = instr.Addr
	case *ssa.FieldAddr, *ssa.IndexAddr: // there is no address of a part of what nil points to
		pointer = instr.(ssa.Value)
	}
	for pointer != nil { // to a part of what another one points to
		switch p := pointer.(type) {
		case *ssa.FieldAddr:
			pointer = p.X
			continue
		case *ssa.IndexAddr:
			pointer = p.X
			if _, ok := p.X.Type().Underlying().(*types.Slice); ok {
				return
			}
			continue
		}
		break
	}
	if pointer == nil || !m.needed[pointer] || m.e.notNil(pointer) {
		return
	}
	if n, off, ok := m.e.locate(pointer); ok && n != nil {
		m.emit(code.Instr{Op: code.NilCheck, B: n.Reg + off})
	}
}

// draw makes registers an input.
func (m *middle) draw(v ssa.Value, reg int32, t types.Type) {
	name := m.name(v)
	round, ok := m.rounds[v]
	if ok {
		name = round.Name
	}
	if k := m.context.Same[v]; k != nil && code.KindOf(t).Integer() {
		if bits, _ := constBits(k, code.KindOf(t)); int64(bits[0]) == int64(int32(bits[0])) {
			m.emit(code.Instr{Op: code.Imm, A: reg, C: int32(bits[0])})
			return
		}
	}
	points := m.points(v)
	tuple, ok := t.(*types.Tuple)
	if !ok {
		m.drawPointing(name, reg, t, m.context.NotNil[v], points)
		if r, ok := m.context.Ranges[v]; ok {
			// The number that is common is one that the variable has in an iteration, too.
			m.last().From, m.last().To = max(r.Least, r.Least-round.Add), min(r.Most, r.Most-round.Add)
		}
		if round.Add != 0 {
			kind := code.KindOf(t)
			op := code.AddKI
			if kind.Bits() == 64 {
				op = code.AddI
			}
			m.emit(code.Instr{Op: op, K: uint16(kind), A: reg, B: reg, C: int32(round.Add)})
		}
		return
	}
	for i := range tuple.Len() {
		of := tuple.At(i).Type()
		m.drawPointing(fmt.Sprintf("%s #%d", name, i+1), reg, of, m.isResultSet(v, i), points)
		points = points[min(code.Slots(m.prog.Type(of)), len(points)):]
		reg += int32(m.e.words(of))
	}
}

// isResultSet reports whether the i-th of several results is not nil.
func (m *middle) isResultSet(tuple ssa.Value, i int) bool {
	return slices.ContainsFunc(*tuple.Referrers(), func(ref ssa.Instruction) bool {
		e, ok := ref.(*ssa.Extract)
		return ok && e.Index == i && m.context.NotNil[e]
	})
}

// last returns the last step.
func (m *middle) last() *code.Step { return &m.out.Steps[len(m.out.Steps)-1] }

// within makes a register, which has just been drawn, a position in a string: an index of it if
// register cond is true or, if there is none, perhaps its end.
func (m *middle) within(reg int32, text ssa.Value, cond int32) {
	m.last().To = math.MaxInt64
	if m.e.of[text] == nil || !m.needed[text] {
		return // a constant
	}
	if n, off, ok := m.e.locate(text); ok && n != nil {
		m.emitStep(code.Step{Kind: code.StepWithin, Reg: reg, Of: n.Reg + off + 1, If: cond})
	}
}

func (m *middle) drawNamed(name string, reg int32, t types.Type, set bool) {
	m.drawPointing(name, reg, t, set, nil)
}

// drawPointing makes registers an input whose pointers lead to some regions.
func (m *middle) drawPointing(name string, reg int32, t types.Type, set bool, points []fragment.Region) {
	if of := m.prog.Type(t); of.Words > 0 {
		m.emitStep(code.Step{Kind: code.StepDraw, Reg: reg, Type: of, Name: name, Set: set, Points: points})
	}
}

// points returns where the pointers of a value may lead.
func (m *middle) points(v ssa.Value) []fragment.Region {
	if m.context.Pointers == nil {
		return nil
	}
	return m.context.Pointers.Of[v]
}

// region returns the region to which a pointer may lead.
func (m *middle) region(v ssa.Value) fragment.Region {
	if list := m.points(v); len(list) == 1 || len(list) > 0 && !isStruct(v.Type()) {
		return list[0]
	}
	return 0
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// madeBefore has a variable made before anything is prepared, if pointers of the input may lead to it.
func (m *middle) madeBefore(v *ssa.Alloc, reg int32) bool {
	t := m.prog.Type(elem(v.Type()))
	if !v.Heap || t.Size == 0 {
		return false
	}
	m.emitStep(code.Step{Kind: code.StepMade, Reg: reg, Made: len(m.out.Made)})
	m.out.Made = append(m.out.Made, code.Made{Type: t, Region: m.region(v)})
	return true
}

// bindings makes the variables that the function has captured inputs.
func (m *middle) bindings(vars []*ssa.FreeVar) {
	s := code.Step{Kind: code.StepBindings}
	off := int32(0)
	for _, v := range vars {
		t := m.prog.Type(v.Type())
		s.Parts = append(s.Parts, code.Step{Reg: off, Type: t, Name: m.name(v), Set: m.e.fn.Parent() != nil, Points: m.points(v)})
		off += int32(t.Words)
	}
	s.Reg = off
	m.emitStep(s)
}

// branch writes the code of a branch, which has to lead to the instruction in question.
func (m *middle) branch(branch *ssa.If) {
	from, jump := m.span(branch)
	m.copy(from, jump)
	in := m.e.f.Code[jump]
	_, inverted := slices.BinarySearch(m.e.f.Inverted, jump)
	at := len(m.out.Code.Code)
	if jumps := (m.leads(branch) == 0) != inverted; jumps {
		in.D = int32(at + 2)
		m.emit(in)
		m.emit(code.Instr{Op: code.Jmp})
		at++
	} else {
		m.emit(in)
	}
	m.fixups = append(m.fixups, refusal{at, m.fact(branch)})
}

// fact says what a branch has to do that leads to the instruction in question.
func (m *middle) fact(branch *ssa.If) string {
	taken := "taken"
	if m.leads(branch) > 0 {
		taken = "not taken"
	}
	pos := m.prog.SSA.Fset.Position(branch.Cond.Pos())
	return fmt.Sprintf("%sthe branch at %s:%d is %s", m.prefix, filepath.Base(pos.Filename), pos.Line, taken)
}

// copy copies code.
func (m *middle) copy(from, to int32) {
	f := m.out.Code
	for i := from; i < to; i++ {
		if k, ok := m.e.f.Unsigned[i]; ok {
			if f.Unsigned == nil {
				f.Unsigned = make(map[int32]uint8)
			}
			f.Unsigned[int32(len(f.Code))] = k
		}
		f.Code = append(f.Code, m.e.f.Code[i])
		f.Pos = append(f.Pos, m.e.f.Pos[i])
	}
}

// emit appends an instruction.
func (m *middle) emit(in code.Instr) {
	f := m.out.Code
	f.Code = append(f.Code, in)
	f.Pos = append(f.Pos, m.at.Pos())
}

// refuse appends a jump that is taken if a fact does not hold.
func (m *middle) refuse(jump code.Instr, fact string) {
	m.fixups = append(m.fixups, refusal{len(m.out.Code.Code), fact})
	m.emit(jump)
}

// emitStep appends a step.
func (m *middle) emitStep(s code.Step) {
	f := m.out.Code
	window := int32(f.Regs - 1)
	m.emit(code.Instr{Op: code.Imm, A: window, C: int32(len(m.out.Steps))})
	m.emit(code.Instr{Op: code.Call, A: window, B: int32(len(f.Callees) - 1), C: 1})
	m.out.Steps = append(m.out.Steps, s)
}

// name returns a name for an input. Inputs of one name are one input, so that no two of a goroutine
// have the same. What was read from a part of a variable is told from that part as it is now, which
// has the name of the variable and its own.
func (m *middle) name(v ssa.Value) string {
	name := m.prefix + m.describe(v, 0)
	if load, ok := v.(*ssa.UnOp); ok {
		switch load.X.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr:
			name += " as read"
		}
	}
	m.names[name]++
	if n := m.names[name]; n > 1 {
		name = fmt.Sprintf("%s (%d)", name, n)
	}
	return name
}

// describe returns the source of a value, as far as it can be told.
func (m *middle) describe(v ssa.Value, depth int) string {
	if depth > 4 {
		return "…"
	}
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Const:
		return v.Name()
	case *ssa.Global:
		return v.Name()
	case *ssa.Alloc:
		if token.IsIdentifier(v.Comment) {
			return v.Comment
		}
	case *ssa.Phi:
		if token.IsIdentifier(v.Comment) {
			return v.Comment
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return m.describe(v.X, depth+1)
		}
		return v.Op.String() + m.describe(v.X, depth+1)
	case *ssa.FieldAddr:
		return m.describe(v.X, depth+1) + "." + elem(v.X.Type()).Underlying().(*types.Struct).Field(v.Field).Name()
	case *ssa.IndexAddr:
		return m.describe(v.X, depth+1) + "[" + m.describe(v.Index, depth+1) + "]"
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil {
			return fn.Name() + "()"
		}
		if v.Call.IsInvoke() {
			return m.describe(v.Call.Value, depth+1) + "." + v.Call.Method.Name() + "()"
		}
		return strings.TrimPrefix(v.Call.Value.Name(), "builtin ") + "()"
	}
	return v.Name()
}
