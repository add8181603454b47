package code

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A value says how an SSA value is kept.
type value struct {
	role  role
	words int
	node  *node     // own: its registers
	base  ssa.Value // part: of which value it is a part
	off   int       // part: from which word on
}

// A role is a way to keep an SSA value.
type role uint8

const (
	// own values have registers.
	own role = iota
	// part values are a run of words of another value.
	part
	// folded values are not computed where they stand: the instructions that
	// use them do.
	folded
	// dead values are not computed at all.
	dead
)

// A node is something that needs registers: an SSA value, or a variable whose
// address goes nowhere, which lives in registers for as long as it is read.
type node struct {
	id       int32
	words    int
	variable bool
	early    bool // it is written while the operands of its instruction are still needed
	fixed    bool // a parameter: its register is given
	reg      int32
	ranges   []span // in ascending order, from liveness on
	web      *web
}

// maxVariable is the number of words up to which a variable is kept in registers.
const maxVariable = 64

func (c *compiler) newNode(words int) *node {
	n := &node{id: int32(len(c.nodes)), words: words, early: words > 1}
	c.nodes = append(c.nodes, n)
	return n
}

// classify finds the role of every value.
func (c *compiler) classify() {
	c.classifyParams()
	for i := range c.blocks {
		for _, instr := range c.blocks[i].Instrs {
			if alloc, ok := instr.(*ssa.Alloc); ok {
				c.classifyAlloc(alloc)
			}
		}
	}
	for i := range c.blocks {
		for _, instr := range c.blocks[i].Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				c.foldAppend(call)
			}
		}
	}
	for i := range c.blocks {
		for j, instr := range c.blocks[i].Instrs {
			if v, ok := instr.(ssa.Value); ok && c.values[v] == nil {
				c.values[v] = c.classifyValue(v, c.blocks[i].Instrs[j+1:])
			}
		}
	}
	for i := range c.blocks {
		for j, instr := range c.blocks[i].Instrs {
			if load, ok := instr.(*ssa.UnOp); ok && load.Op == token.MUL {
				c.shareVariable(load, c.blocks[i].Instrs[j+1:])
			}
		}
	}
	c.pinConstants()
}

// classifyParams gives registers to parameters and captured variables.
func (c *compiler) classifyParams() {
	reg := int32(0)
	for _, p := range c.fn.Params {
		v := &value{words: c.words(p.Type())}
		if v.words > 0 {
			v.node = c.newNode(v.words)
			v.node.fixed, v.node.reg = true, reg
		}
		reg += int32(v.words)
		c.values[p] = v
	}
	for _, fv := range c.fn.FreeVars {
		v := &value{words: c.words(fv.Type())}
		if v.words > 0 {
			v.node = c.newNode(v.words)
		}
		c.values[fv] = v
	}
}

// classifyAlloc keeps a variable in registers when it is only loaded, stored
// and selected from.
func (c *compiler) classifyAlloc(alloc *ssa.Alloc) {
	words := c.words(elem(alloc.Type()))
	v := &value{words: 1}
	c.values[alloc] = v
	switch {
	case len(*alloc.Referrers()) == 0:
		v.role = dead
	case words <= maxVariable && c.staysLocal(alloc):
		v.words = words
		v.role = folded
		if words > 0 {
			v.role = own
			v.node = c.newNode(words)
			v.node.variable = true
		}
	default:
		v.node = c.newNode(1)
	}
}

// isVariable says whether alloc is kept in registers.
func (c *compiler) isVariable(v ssa.Value) bool {
	alloc, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	val := c.values[alloc]
	return val != nil && (val.role == folded || val.node != nil && val.node.variable)
}

// staysLocal says whether address addr is used for nothing but to load, to
// store and to select fields and elements at constant indexes.
func (c *compiler) staysLocal(addr ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp:
		case *ssa.Store:
			if ref.Val == addr {
				return false
			}
		case *ssa.FieldAddr:
			if !c.staysLocal(ref) {
				return false
			}
		case *ssa.IndexAddr:
			if _, ok := constElement(ref); !ok || !c.staysLocal(ref) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// constElement returns the index of an IndexAddr into an array when it is a
// constant, and in range.
func constElement(addr *ssa.IndexAddr) (int, bool) {
	ptr, ok := addr.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return 0, false
	}
	index, ok := addr.Index.(*ssa.Const)
	if !ok || index.Value == nil {
		return 0, false
	}
	i := index.Int64()
	return int(i), 0 <= i && i < ptr.Elem().Underlying().(*types.Array).Len()
}

// classifyValue finds the role of a value that is not an Alloc.
func (c *compiler) classifyValue(v ssa.Value, after []ssa.Instruction) *value {
	out := new(value)
	if base, off, ok := c.partOf(v); ok {
		out.role, out.base, out.off = part, base, off
		out.words = c.valueWords(v)
		return out
	}
	switch {
	case c.foldable(v, after):
		out.role = folded
		out.words = c.valueWords(v)
		return out
	case len(*v.Referrers()) == 0 && c.pure(v), c.unevaluated(v):
		out.role = dead
		return out
	}
	if out.words = c.valueWords(v); out.words > 0 && len(*v.Referrers()) > 0 {
		out.node = c.newNode(out.words)
		out.node.early = !c.inPlace(v) || out.words > 1 && !isCall(v)
	}
	return out
}

// valueWords returns the number of words of v. The tuples and iterators of
// range loops have types of their own.
func (c *compiler) valueWords(v ssa.Value) int {
	switch v := v.(type) {
	case *ssa.Range:
		return 1
	case *ssa.Next:
		_, _, words := c.nextLayout(v)
		return words
	}
	return c.words(v.Type())
}

// nextLayout returns the offsets of key and value in the result of v, and
// its length. A key or value that is not wanted has its place all the same.
func (c *compiler) nextLayout(v *ssa.Next) (key, val, words int) {
	if v.IsString {
		return 1, 2, 3
	}
	m := v.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map)
	val = 1 + c.words(m.Key())
	return 1, val, val + c.words(m.Elem())
}

// partOf says of which value v is a run of words, if of any.
func (c *compiler) partOf(v ssa.Value) (base ssa.Value, off int, ok bool) {
	switch v := v.(type) {
	case *ssa.ChangeType:
		return v.X, 0, true
	case *ssa.ChangeInterface:
		return v.X, 0, true
	case *ssa.MultiConvert:
		return v.X, 0, c.sameWords(v.X.Type(), v.Type())
	case *ssa.Convert:
		return v.X, 0, c.sameWords(v.X.Type(), v.Type())
	case *ssa.Field:
		t := c.p.Type(v.X.Type())
		return v.X, t.Fields[v.Field].Offset, true
	case *ssa.Index:
		if index, ok := v.Index.(*ssa.Const); ok {
			if t := c.p.Type(v.X.Type()); t.Shape == ShapeArray {
				i := index.Int64()
				return v.X, int(i) * t.Elem.Words, 0 <= i && i < t.Len
			}
		}
	case *ssa.Extract:
		if next, ok := v.Tuple.(*ssa.Next); ok {
			key, val, _ := c.nextLayout(next)
			return next, [...]int{0, key, val}[v.Index], true
		}
		tuple := v.Tuple.Type().(*types.Tuple)
		for i := range v.Index {
			off += c.words(tuple.At(i).Type())
		}
		return v.Tuple, off, true
	case *ssa.BinOp:
		// x ^ 0 hides a pointer from the escape analysis of gc.
		if y, ok := constInt(v.Y); ok && y == 0 && v.Op == token.XOR {
			return v.X, 0, true
		}
	case *ssa.Call:
		builtin, ok := v.Call.Value.(*ssa.Builtin)
		if !ok {
			return nil, 0, false
		}
		switch arg := v.Call.Args; builtin.Name() {
		case "len":
			switch c.p.Type(arg[0].Type()).Shape {
			case ShapeString, ShapeSlice:
				return arg[0], 1, true
			}
		case "cap":
			return arg[0], 2, c.p.Type(arg[0].Type()).Shape == ShapeSlice
		case "real":
			return arg[0], 0, true
		case "imag":
			return arg[0], 1, true
		}
	}
	return nil, 0, false
}

// sameWords says whether a conversion from one type to the other leaves the
// words as they are, and their kinds' widths.
func (c *compiler) sameWords(from, to types.Type) bool {
	a, b := c.p.Type(from), c.p.Type(to)
	if a.Shape == b.Shape && a.Shape != Scalar {
		return a.Shape != ShapeComplex || a.Kinds[0] == b.Kinds[0]
	}
	if a.Shape == ShapeUnsafePointer || b.Shape == ShapeUnsafePointer {
		return a.Shape == ShapePointer || b.Shape == ShapePointer
	}
	if a.Shape != Scalar || b.Shape != Scalar {
		return false
	}
	x, y := a.Kinds[0], b.Kinds[0]
	return x == y || x.Integer() && y.Integer() && x.Bits() == 64 && y.Bits() == 64
}

// foldable says whether v can be left to its uses. What follows it in its block
// is after.
func (c *compiler) foldable(v ssa.Value, after []ssa.Instruction) bool {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return c.foldableAddr(v, v.X)
	case *ssa.IndexAddr:
		if _, ok := constElement(v); ok {
			return c.foldableAddr(v, v.X)
		}
		return c.foldableElement(v)
	case *ssa.BinOp:
		return c.fusible(v) && onlyIf(v)
	case *ssa.UnOp:
		switch v.Op {
		case token.NOT:
			return onlyIf(v)
		case token.MUL:
			return c.foldableLoad(v, after)
		}
	}
	return false
}

// foldableAddr says whether an address at a constant offset from base can be
// left to the loads and stores that use it. When base can be nil, they have
// to be in the same block, so that the panic comes at about the same place (gc
// too evaluates the right side of an assignment first).
func (c *compiler) foldableAddr(addr, base ssa.Value) bool {
	if len(*addr.Referrers()) == 0 {
		return false
	}
	return c.onlyAccessed(addr, addr.(ssa.Instruction).Block(), c.notNil(base))
}

// onlyAccessed says whether addr is only loaded from and stored to, itself or
// at constant offsets, and unless anywhere is set, only in block b.
func (c *compiler) onlyAccessed(addr ssa.Value, b *ssa.BasicBlock, anywhere bool) bool {
	for _, ref := range *addr.Referrers() {
		if !anywhere && ref.Block() != b {
			return false
		}
		switch ref := ref.(type) {
		case *ssa.UnOp:
		case *ssa.Store:
			if ref.Val == addr {
				return false
			}
		case *ssa.FieldAddr:
			// It may itself be wanted as an address: then it is computed from
			// addr's base, and nothing is lost.
			if !anywhere && !c.onlyAccessed(ref, b, false) {
				return false
			}
		case *ssa.IndexAddr:
			if _, ok := constElement(ref); !ok || !anywhere && !c.onlyAccessed(ref, b, false) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// notNil says whether pointer v is known not to be nil.
func (c *compiler) notNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global:
		return true
	case *ssa.FreeVar:
		return c.fn.Parent() != nil // the address of a captured variable
	case *ssa.FieldAddr:
		return c.values[v] != nil && c.values[v].role == own || c.notNil(v.X)
	case *ssa.IndexAddr:
		return c.values[v] != nil && c.values[v].role == own || c.notNil(v.X)
	}
	return false
}

// foldableElement says whether the address of an element of one word can be
// left to the one or two loads and stores that use it.
func (c *compiler) foldableElement(addr *ssa.IndexAddr) bool {
	refs := *addr.Referrers()
	if len(refs) == 0 || len(refs) > 2 || c.words(elem(addr.Type())) != 1 {
		return false
	}
	for _, ref := range refs {
		if ref.Block() != addr.Block() {
			return false
		}
		switch ref := ref.(type) {
		case *ssa.UnOp:
		case *ssa.Store:
			if ref.Val == addr {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// fusible says whether comparison v can be part of a conditional jump.
func (c *compiler) fusible(v *ssa.BinOp) bool {
	switch v.Op {
	case token.EQL, token.NEQ:
		if isNil(v.X) || isNil(v.Y) {
			return true
		}
		k := kindOf(v.X.Type())
		return k.Integer() || k == Bool && (isConst(v.X) || isConst(v.Y))
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return kindOf(v.X.Type()).Integer()
	}
	return false
}

// onlyIf says whether v, or its negation, is only the condition at the end of
// its own block.
func onlyIf(v ssa.Value) bool {
	refs := *v.Referrers()
	if len(refs) != 1 || refs[0].Block() != v.(ssa.Instruction).Block() {
		return false
	}
	switch ref := refs[0].(type) {
	case *ssa.If:
		return true
	case *ssa.UnOp:
		return ref.Op == token.NOT && onlyIf(ref)
	}
	return false
}

// foldableLoad says whether a value of several words is loaded only to be
// stored elsewhere at once, so that one instruction copies it.
func (c *compiler) foldableLoad(load *ssa.UnOp, after []ssa.Instruction) bool {
	refs := *load.Referrers()
	if len(refs) != 1 || refs[0].Block() != load.Block() || c.words(load.Type()) < 2 {
		return false
	}
	store, ok := refs[0].(*ssa.Store)
	if !ok || store.Val != load || c.inFoldedAppend(store) {
		return false
	}
	for _, instr := range after {
		switch v := instr.(type) {
		case *ssa.Store:
			return v == store
		case *ssa.FieldAddr, *ssa.IndexAddr:
		default:
			return false
		}
	}
	return false
}

// pure says whether computing v does nothing but give its value.
func (c *compiler) pure(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return c.notNil(v.X)
	case *ssa.IndexAddr:
		_, ok := constElement(v)
		return ok && c.notNil(v.X)
	case *ssa.BinOp:
		switch v.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return isConst(v.Y) && kindOf(v.Type()).Float()
		case token.EQL, token.NEQ:
			return kindOf(v.X.Type()) != NoKind
		}
		return true
	case *ssa.UnOp:
		return v.Op != token.MUL && v.Op != token.ARROW
	case *ssa.MakeInterface, *ssa.MakeClosure, *ssa.Phi, *ssa.Range:
		return true
	case *ssa.Convert:
		return kindOf(v.X.Type()) != NoKind && kindOf(v.Type()) != NoKind && kindOf(v.Type()) != Pointer
	}
	return false
}

// inPlace says whether the one word of v may be written to a register of an
// operand that is not needed any more: whether its instruction reads all of
// its operands first. See Instr.
func (c *compiler) inPlace(v ssa.Value) bool {
	single := func(t types.Type) bool {
		k := kindOf(t)
		return k != NoKind && k != String && k != Complex64 && k != Complex128
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return true
	case *ssa.BinOp:
		return single(v.X.Type())
	case *ssa.UnOp:
		return v.Op != token.ARROW && (v.Op != token.MUL || c.element(v.X) == nil)
	case *ssa.Convert:
		return single(v.X.Type()) && single(v.Type()) && kindOf(v.X.Type()) != Pointer && kindOf(v.Type()) != Pointer
	case *ssa.Call:
		return isCall(v)
	}
	return false
}

// isCall says whether v is the result of a function call, not of a builtin: it
// moves out of the window after the call.
func isCall(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	_, builtin := call.Call.Value.(*ssa.Builtin)
	return !builtin
}

// shareVariable makes a value that is loaded from a variable in registers a part
// of the variable, when all that use it come before the variable can change.
// rest holds the instructions after the load.
func (c *compiler) shareVariable(load *ssa.UnOp, rest []ssa.Instruction) {
	v := c.values[load]
	if v.role != own || v.node == nil {
		return
	}
	alloc, off, ok := c.variable(load.X)
	if !ok {
		return
	}
	uses := c.usedIn(load, load.Block())
	if uses == 0 {
		return
	}
	for _, instr := range rest {
		if slices.Contains(*load.Referrers(), instr) {
			if uses--; uses == 0 {
				v.role, v.base, v.off, v.node = part, alloc, off, nil
				return
			}
		}
		switch instr := instr.(type) {
		case *ssa.Store:
			if a, _, ok := c.variable(instr.Addr); ok && a == alloc {
				return
			}
		case *ssa.Alloc:
			if instr == alloc {
				return
			}
		}
	}
}

// usedIn returns the number of instructions that use v where they stand. It is
// 0 when one of them is not in block b, or leaves v to others again.
func (c *compiler) usedIn(v ssa.Value, b *ssa.BasicBlock) int {
	refs := *v.Referrers()
	for i, ref := range refs {
		if ref.Block() != b || slices.Contains(refs[:i], ref) {
			return 0
		}
		switch ref := ref.(type) {
		case *ssa.Phi:
			return 0
		case *ssa.Store:
			if c.inFoldedAppend(ref) {
				return 0
			}
		}
		if rv, ok := ref.(ssa.Value); ok && c.values[rv].role != own {
			return 0
		}
	}
	return len(refs)
}

// variable resolves addr to a variable in registers and an offset in it.
func (c *compiler) variable(addr ssa.Value) (alloc *ssa.Alloc, off int, ok bool) {
	base, off := c.address(addr)
	alloc, _ = base.(*ssa.Alloc)
	return alloc, off, alloc != nil && c.isVariable(alloc)
}

// address resolves addr through folded selections to a base and an offset.
func (c *compiler) address(addr ssa.Value) (base ssa.Value, off int) {
	for {
		v := c.values[addr]
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			if v.role != folded {
				return addr, off
			}
			off += c.p.Type(elem(a.X.Type())).Fields[a.Field].Offset
			addr = a.X
		case *ssa.IndexAddr:
			i, ok := constElement(a)
			if v.role != folded || !ok {
				return addr, off
			}
			off += i * c.words(elem(a.Type()))
			addr = a.X
		default:
			return addr, off
		}
	}
}

func isConst(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}

func isNil(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.IsNil()
}

// constInt returns the value of a constant of integer or boolean type.
func constInt(v ssa.Value) (int64, bool) {
	k, ok := v.(*ssa.Const)
	if !ok || k.Value == nil {
		return 0, false
	}
	switch kind := kindOf(k.Type()); {
	case kind == Bool:
		return int64(boolBits(k)), true
	case kind.Signed():
		return k.Int64(), true
	case kind.Integer():
		return int64(k.Uint64()), true
	}
	return 0, false
}
