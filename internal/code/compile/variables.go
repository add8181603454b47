package compile

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile/regalloc"
)

// A tracer finds out when the variables of a function change.
type tracer struct {
	*emitter
	out   *code.Variables
	index map[*types.Var]int32
	// memory has the variables for which go/ssa makes a variable of its own, by their position in
	// the source: what is said of their values elsewhere does not count.
	memory map[token.Pos]*types.Var
	source *statements
	// implicit has the variables of clauses of type switches by the instruction that gives them their values:
	// the first reference to such a variable says what that is.
	implicit map[ssa.Instruction][]*code.Reference
}

// variables returns when the variables of the function change, for which the source has references.
func (e *emitter) variables(refs []code.Reference) *code.Variables {
	t := &tracer{
		emitter: e, out: new(code.Variables), index: make(map[*types.Var]int32), memory: make(map[token.Pos]*types.Var),
		source: newStatements(e.fn.Syntax()), implicit: make(map[ssa.Instruction][]*code.Reference),
	}
	t.declare(refs)
	t.findImplicit(refs)
	for i := range e.blocks.list {
		t.block(i, refs)
	}
	t.settle()
	t.repeat()
	slices.SortStableFunc(t.out.Assignments, func(a, b code.Assignment) int { return cmp.Compare(a.PC, b.PC) })
	return t.out
}

// declare lists the variables of the function.
func (t *tracer) declare(refs []code.Reference) {
	byPos := make(map[token.Pos]*types.Var)
	for i, p := range t.fn.Params {
		if v, ok := p.Object().(*types.Var); ok && v.Name() != "" && v.Name() != "_" {
			t.variable(v, p.Type()).Param = t.of[p].reg(t.fn, i, t.values)
			byPos[v.Pos()] = v
		}
	}
	for v := range t.fn.Signature.Results().Variables() {
		if v.Name() != "" && v.Name() != "_" {
			byPos[v.Pos()] = v
		}
	}
	note := func(refs []code.Reference) {
		for i := range refs {
			if v := refs[i].Var; !isImplicit(v) {
				byPos[v.Pos()] = v
			}
		}
	}
	note(refs)
	var within func(fn *ssa.Function)
	within = func(fn *ssa.Function) {
		for _, anon := range fn.AnonFuncs {
			note(t.prog.References.Of(anon))
			within(anon)
		}
	}
	within(t.fn)
	off := int32(0)
	for _, fv := range t.fn.FreeVars {
		if v := byPos[fv.Pos()]; v != nil && v.Name() == fv.Name() && t.fn.Parent() != nil {
			t.variable(v, elem(fv.Type())).Captured = off
			t.memory[v.Pos()] = v
		}
		off += int32(t.words(fv.Type()))
	}
	for i := range t.blocks.list {
		for _, instr := range t.blocks.list[i].Instrs {
			alloc, ok := instr.(*ssa.Alloc)
			if !ok {
				continue
			}
			if v := byPos[alloc.Pos()]; v != nil && v.Name() == alloc.Comment {
				t.variable(v, elem(alloc.Type()))
				t.memory[v.Pos()] = v
			}
		}
	}
	for v := range t.fn.Signature.Results().Variables() {
		// A result that is not in memory is zero at first.
		if v.Name() == "" || v.Name() == "_" || t.memory[v.Pos()] != nil {
			continue
		}
		// The references of a function that is made from a generic one are to the variables of that.
		typ := v.Type()
		v = byPos[v.Pos()]
		at := t.variable(v, typ)
		t.add(0, code.FromEntry, v, code.Assignment{Words: int32(at.Type.Words), Place: code.Place{Kind: code.IsZero}})
	}
}

// reg returns the register of parameter i of fn.
func (v *value) reg(fn *ssa.Function, i int, vs *values) int32 {
	off := int32(0)
	for _, p := range fn.Params[:i] {
		off += int32(vs.of[p].words)
	}
	return off
}

// findImplicit finds out what gives the variables of clauses of type switches their values.
func (t *tracer) findImplicit(refs []code.Reference) {
	seen := make(map[*types.Var]bool)
	for i := range refs {
		ref := &refs[i]
		if !isImplicit(ref.Var) || seen[ref.Var] || ref.IsAddr || t.memory[ref.Var.Pos()] == ref.Var {
			continue
		}
		seen[ref.Var] = true
		v := t.variable(ref.Var, ref.Value.Type())
		switch whole := t.whole(ref.Value).(type) {
		case ssa.Instruction:
			t.implicit[whole] = append(t.implicit[whole], ref)
		case *ssa.Parameter, *ssa.Const:
			a := code.Assignment{Words: int32(v.Type.Words), Place: t.place(0, 0, ref.Value)}
			t.add(0, code.FromEntry, ref.Var, a)
		}
	}
}

// variable returns the entry of a variable of some type.
func (t *tracer) variable(v *types.Var, typ types.Type) *code.Variable {
	i, ok := t.index[v]
	if !ok {
		i = int32(len(t.out.List))
		t.index[v] = i
		t.out.List = append(t.out.List, code.Variable{Var: v, Type: t.prog.Type(typ), Param: -1, Captured: -1})
	}
	return &t.out.List[i]
}

// isImplicit reports whether v is the variable of a clause of a type switch: it is declared before
// the clause, which is its scope.
func isImplicit(v *types.Var) bool { return v.Parent() != nil && v.Pos() < v.Parent().Pos() }

// block adds the assignments in a block.
func (t *tracer) block(i int, refs []code.Reference) {
	b := &t.blocks.list[i]
	at := make(map[ssa.Instruction]int, len(b.Instrs))
	for j, instr := range b.Instrs {
		at[instr] = j
	}
	// In gc's order of evaluation some instructions are delayed: they come after others of their statement that
	// they precede in go/ssa's. What a statement assigns is assigned after the other ones before it, and when it
	// has been computed.
	index := make(map[ssa.Instruction]int, len(b.Instrs)) // in the order of go/ssa
	for k, instr := range b.BasicBlock.Instrs {
		index[instr] = k
	}
	delayed := make([]bool, len(b.Instrs))
	latest := -1
	for j, instr := range b.Instrs {
		delayed[j] = index[instr] < latest
		latest = max(latest, index[instr])
	}
	after := make([][]code.Reference, len(b.Instrs)+1) // by number of instructions that come before
	last, seen := 0, 0
	for _, ref := range refs {
		if ref.Block != b.BasicBlock {
			continue
		}
		for ; seen < ref.Before; seen++ {
			if j, ok := at[b.BasicBlock.Instrs[seen]]; ok && !delayed[j] {
				last = max(last, j+1)
			}
		}
		k := last
		if instr, ok := t.whole(ref.Value).(ssa.Instruction); ok && instr.Block() == b.BasicBlock {
			if j, ok := at[instr]; ok {
				k = max(k, j+1)
			}
		}
		after[k] = append(after[k], ref)
	}
	for j := range after {
		if j > 0 {
			t.instr(i, j-1)
		}
		for k := range after[j] {
			t.reference(i, j, &after[j][k])
		}
	}
}

// whole returns the value of which v is a part.
func (t *tracer) whole(v ssa.Value) ssa.Value {
	for t.of[v] != nil && t.of[v].role == part {
		v = t.of[v].base
	}
	return v
}

// instr adds the assignment that an instruction makes which creates a variable or stores in one that is
// kept in registers.
func (t *tracer) instr(i, j int) {
	for _, ref := range t.implicit[t.blocks.list[i].Instrs[j]] {
		words := t.variable(ref.Var, ref.Value.Type()).Type.Words
		t.at(i, j+1, ref.Var, code.Assignment{Words: int32(words), Place: t.place(i, j+1, ref.Value)})
	}
	switch instr := t.blocks.list[i].Instrs[j].(type) {
	case *ssa.Alloc:
		v := t.memory[instr.Pos()]
		if v == nil || v.Name() != instr.Comment {
			return
		}
		val := t.of[instr]
		switch {
		case val.role == dead && t.words(elem(instr.Type())) == 0, val.variable:
			t.at(i, j+1, v, code.Assignment{Words: int32(t.words(elem(instr.Type()))), Place: code.Place{Kind: code.IsZero}})
		case val.node != nil:
			t.at(i, j+1, v, code.Assignment{Place: t.address(i, j+1, instr)})
		default:
			t.at(i, j+1, v, code.Assignment{})
		}
	case *ssa.Store:
		alloc, off, ok := t.values.variable(instr.Addr)
		if !ok {
			return
		}
		v := t.memory[alloc.Pos()]
		if v == nil || v.Name() != alloc.Comment {
			return
		}
		a := code.Assignment{Off: int32(off), Words: int32(t.words(instr.Val.Type()))}
		if n := t.of[alloc].node; n != nil && t.needs.HoldsAfter(n, i, j) {
			a.Place = code.Place{Kind: code.InRegisters, Reg: n.Reg + int32(off)}
		} else {
			a.Place = t.place(i, j+1, instr.Val)
		}
		t.at(i, j+1, v, a)
	}
}

// reference adds what a reference says, before instruction j of block i.
func (t *tracer) reference(i, j int, ref *code.Reference) {
	pos, assigns := t.source.begin(ref.Ident.Pos()), t.source.assigned[ref.Ident]
	v := ref.Var
	if v.Parent() == nil || v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return // a package variable
	}
	if t.memory[v.Pos()] == v || ref.IsAddr || !assigns && !isImplicit(v) {
		t.at(i, j, v, code.Assignment{Pos: pos, Off: -1})
		return
	}
	words := t.variable(v, ref.Value.Type()).Type.Words
	t.at(i, j, v, code.Assignment{Pos: pos, Words: int32(words), Place: t.place(i, j, ref.Value)})
}

// place says where the value of v is before instruction j of block i.
func (t *tracer) place(i, j int, v ssa.Value) code.Place {
	if val := t.of[v]; val == nil || val.role == part {
		base, off := v, 0
		for t.of[base] != nil && t.of[base].role == part {
			base, off = t.of[base].base, off+t.of[base].off
		}
		if t.of[base] == nil {
			return t.constant(base, off, v)
		}
	}
	if t.values.isVariable(v) {
		return code.Place{} // the address of a variable in registers, which has none
	}
	if n, off, ok := t.located(v); ok {
		if n != nil && !t.holds(n, i, j) {
			return code.Place{}
		}
		if n == nil {
			return code.Place{Kind: code.IsZero}
		}
		return code.Place{Kind: code.InRegisters, Reg: n.Reg + off}
	}
	if base, off := t.values.address(v); base != v && off >= 0 {
		if n, at, ok := t.located(base); ok && n != nil && t.holds(n, i, j) && !t.values.isVariable(base) {
			return code.Place{Kind: code.IsPart, Reg: n.Reg + at, Plus: int32(off)}
		}
		return code.Place{}
	}
	if r, ok := t.unread(i, j, v); ok {
		return code.Place{Kind: code.InRegisters, Reg: r}
	}
	if op, ok := v.(*ssa.BinOp); ok && t.of[v] != nil && t.of[v].role == folded {
		k := code.KindOf(op.X.Type())
		if !k.Integer() && k != code.Bool {
			return code.Place{}
		}
		x, y := t.place(i, j, op.X), t.place(i, j, op.Y)
		if x.Kind == code.Nowhere || y.Kind == code.Nowhere {
			return code.Place{}
		}
		return code.Place{Kind: code.IsCompared, Op: op.Op, Of: k, Left: &x, Right: &y}
	}
	return code.Place{}
}

// unread returns the register in which the result v of a call is that is not read, or a part of one, if instruction j
// of block i is the first to be executed after it.
func (t *tracer) unread(i, j int, v ssa.Value) (reg int32, ok bool) {
	off := int32(0)
	for t.of[v] != nil && t.of[v].role == part {
		off += int32(t.of[v].off)
		v = t.of[v].base
	}
	call, ok := v.(*ssa.Call)
	if !ok || !isCall(call) || call.Block() != t.blocks.list[i].BasicBlock || j >= len(t.starts[i]) {
		return 0, false
	}
	at := slices.Index(t.blocks.list[i].Instrs, ssa.Instruction(call))
	pc := t.starts[i][j] - 1
	if at < 0 || pc < t.starts[i][at] || t.starts[i][at+1] != pc+1 {
		return 0, false
	}
	in := &t.f.Code[pc]
	switch in.Op {
	case code.Call, code.CallOwn, code.CallFn, code.CallIface:
		return t.f.CallResults(in).First + off, true
	}
	return 0, false
}

// constant returns the place of a constant, or of v, which is a part of it.
func (t *tracer) constant(base ssa.Value, off int, v ssa.Value) code.Place {
	key := keyOf(base)
	if key.n == 0 {
		if c, ok := base.(*ssa.Const); ok && c.Value == nil {
			return code.Place{Kind: code.IsZero}
		}
		return code.Place{}
	}
	if off != 0 || v != base && t.valueWords(v) != key.n {
		return code.Place{}
	}
	return code.Place{Kind: code.IsConstant, Const: key.value()}
}

// address returns the place of a variable in memory, of which v is the address.
func (t *tracer) address(i, j int, v ssa.Value) code.Place {
	p := t.place(i, j, v)
	if p.Kind == code.InRegisters {
		p.Kind = code.InMemory
	}
	return p
}

// located is locate for a value that may not be in registers.
func (t *tracer) located(v ssa.Value) (n *regalloc.Node, off int32, ok bool) {
	for {
		val := t.of[v]
		switch {
		case val == nil:
			return nil, 0, false
		case val.role == part:
			off += int32(val.off)
			v = val.base
		case val.role != own:
			return nil, 0, false
		case val.node != nil:
			return val.node, off, true
		default:
			return nil, 0, val.words == 0
		}
	}
}

// holds reports whether the registers of a node hold its value before instruction j of block i: after the one before
// it or, if that needs no code, the one before that, and so on.
func (t *tracer) holds(n *regalloc.Node, i, j int) bool {
	starts := t.starts[i]
	for k := j - 1; n.Live(); k-- {
		if t.needs.HoldsAfter(n, i, k) {
			return true
		}
		if k < 0 || j >= len(starts) || starts[k] != starts[j] {
			break
		}
	}
	return false
}

// at adds an assignment to v, before instruction j of block i is executed.
func (t *tracer) at(i, j int, v *types.Var, a code.Assignment) {
	starts := t.starts[i]
	if j >= len(starts) {
		return // the block has ended
	}
	pc := starts[j]
	first := i // of the blocks from which one comes only to the next
	for first > 0 && len(t.blocks.list[first].Preds) == 1 && t.blocks.list[first].Preds[0] == t.blocks.list[first-1].BasicBlock {
		first--
	}
	from := code.FromAnywhere
	for k := i + 1; k < len(t.blocks.list) && t.labels[k] == pc; k++ {
		// Block k begins here, too. Who comes from elsewhere comes to that one.
		switch {
		case len(t.blocks.list[k].Preds) == 1:
		case pc > t.labels[first]:
			from = code.FromBefore
		case first > 0:
			from = code.FromUnknown
		case pc > 0:
			from = code.FromBefore
		default:
			from = code.FromEntry
		}
	}
	t.add(pc, from, v, a)
}

// add adds an assignment to v at pc.
func (t *tracer) add(pc int32, from code.Origin, v *types.Var, a code.Assignment) {
	a.PC, a.From, a.Var = pc, from, t.index[v]
	t.out.Assignments = append(t.out.Assignments, a)
}

// settle lists the statements of the instructions, and leaves assignments to those of their statements, if there are
// any.
func (t *tracer) settle() {
	some := make(map[token.Pos]bool)
	for i, pos := range t.owns {
		at := t.source.begin(pos)
		if !pos.IsValid() && t.f.Code[i].Op == code.Return {
			at = t.source.end
		}
		some[at] = true
		t.out.Statements = append(t.out.Statements, at)
	}
	list := t.out.Assignments[:0]
	for _, a := range t.out.Assignments {
		if some[a.Pos] {
			a.Pos = token.NoPos
		}
		if a.Pos.IsValid() || a.Off >= 0 {
			list = append(list, a)
		}
	}
	t.out.Assignments = list
}

// repeat adds the assignments in the heads of loops that are repeated at their ends.
func (t *tracer) repeat() {
	if len(t.f.Repeats) == 0 {
		return
	}
	copies := make(map[int32][]int32)
	for to, of := range t.f.Repeats {
		copies[int32(of)] = append(copies[int32(of)], int32(to))
	}
	for _, a := range slices.Clone(t.out.Assignments) {
		if a.From != code.FromAnywhere {
			continue
		}
		pcs := copies[a.PC]
		slices.Sort(pcs)
		for _, pc := range pcs {
			a.PC = pc
			t.out.Assignments = append(t.out.Assignments, a)
		}
	}
}
