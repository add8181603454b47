package compile

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile/evalorder"
	"github.com/everyway-go/everyway/internal/code/compile/regalloc"
)

// maxVariable is the number of words up to which a variable is kept in registers.
const maxVariable = 64

// A classifier decides how the values of a function are kept.
type classifier struct {
	*values
	order *evalorder.Function
}

// classify returns the values of the function with the given blocks.
func classify(p *code.Program, bs *blocks, order *evalorder.Function) *values {
	c := &classifier{
		values: &values{
			prog:    p,
			fn:      bs.fn,
			of:      make(map[ssa.Value]*value),
			appends: make(map[ssa.Value][]ssa.Value),
			pinned:  make(map[constKey]*regalloc.Node),
			nodes:   new(regalloc.Function),
		},
		order: order,
	}
	c.classifyParams()
	for i := range bs.list {
		for _, instr := range bs.list[i].Instrs {
			if alloc, ok := instr.(*ssa.Alloc); ok {
				c.classifyAlloc(alloc)
			}
		}
	}
	for i := range bs.list {
		for _, instr := range bs.list[i].Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				c.foldAppend(call)
			}
		}
	}
	for i := range bs.list {
		for j, instr := range bs.list[i].Instrs {
			if v, ok := instr.(ssa.Value); ok && c.of[v] == nil {
				c.of[v] = c.classifyValue(v, bs.list[i].Instrs[j+1:])
			}
		}
	}
	for i := range bs.list {
		for j, instr := range bs.list[i].Instrs {
			if load, ok := instr.(*ssa.UnOp); ok && load.Op == token.MUL {
				c.shareVariable(load, bs.list[i].Instrs[j+1:])
			}
		}
	}
	c.pinConstants(bs)
	return c.values
}

// newNode returns a node for a value of so many words.
func (c *classifier) newNode(words int) *regalloc.Node {
	n := c.nodes.NewNode(words)
	n.Early = words > 1
	return n
}

// classifyParams gives registers to parameters and captured variables.
func (c *classifier) classifyParams() {
	for _, p := range c.fn.Params {
		v := &value{words: c.words(p.Type())}
		if v.words > 0 {
			v.node = c.newNode(v.words)
			v.node.Fixed, v.node.Reg = true, c.nodes.Params
		}
		c.nodes.Params += int32(v.words)
		c.of[p] = v
	}
	for _, fv := range c.fn.FreeVars {
		v := &value{words: c.words(fv.Type())}
		if v.words > 0 {
			v.node = c.newNode(v.words)
		}
		c.of[fv] = v
	}
}

// classifyAlloc keeps a variable in registers when it is only loaded, stored
// and selected from.
func (c *classifier) classifyAlloc(alloc *ssa.Alloc) {
	words := c.words(elem(alloc.Type()))
	v := &value{words: 1}
	c.of[alloc] = v
	switch {
	case len(*alloc.Referrers()) == 0:
		v.role = dead
	case words <= maxVariable && staysLocal(alloc):
		v.variable = true
		v.words = words
		v.role = folded
		if words > 0 {
			v.role = own
			v.node = c.newNode(words)
		}
	default:
		v.node = c.newNode(1)
	}
}

// staysLocal reports whether address addr is used for nothing but to load, to
// store and to select fields and elements at constant indexes.
func staysLocal(addr ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp:
		case *ssa.Store:
			if ref.Val == addr {
				return false
			}
		case *ssa.FieldAddr:
			if !staysLocal(ref) {
				return false
			}
		case *ssa.IndexAddr:
			if _, ok := constElement(ref); !ok || !staysLocal(ref) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// classifyValue decides how a value that is not an Alloc is kept. What follows it in its
// block is after.
func (c *classifier) classifyValue(v ssa.Value, after []ssa.Instruction) *value {
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
	case len(*v.Referrers()) == 0 && c.pure(v), c.order.Unevaluated(v):
		out.role = dead
		return out
	}
	if out.words = c.valueWords(v); out.words > 0 && len(*v.Referrers()) > 0 {
		out.node = c.newNode(out.words)
		out.node.Early = !c.inPlace(v) || out.words > 1 && !isCall(v)
	}
	return out
}

// partOf returns the value of which v is a run of words, if it is of any.
func (c *classifier) partOf(v ssa.Value) (base ssa.Value, off int, ok bool) {
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
		t := c.prog.Type(v.X.Type())
		return v.X, t.Fields[v.Field].Offset, true
	case *ssa.Index:
		if index, ok := v.Index.(*ssa.Const); ok {
			if t := c.prog.Type(v.X.Type()); t.Shape == code.ShapeArray {
				i := index.Int64()
				return v.X, int(i) * t.Elem.Words, 0 <= i && i < t.Len
			}
		}
	case *ssa.Extract:
		if next, ok := v.Tuple.(*ssa.Next); ok {
			val, _ := c.nextLayout(next)
			return next, [...]int{0, nextKey, val}[v.Index], true
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
			switch c.prog.Type(arg[0].Type()).Shape {
			case code.ShapeString, code.ShapeSlice:
				return arg[0], 1, true
			}
		case "real":
			return arg[0], 0, true
		case "imag":
			return arg[0], 1, true
		}
	}
	return nil, 0, false
}

// pure reports whether computing v has no effect but to give its value.
func (c *classifier) pure(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return c.notNil(v.X)
	case *ssa.IndexAddr:
		_, ok := constElement(v)
		return ok && c.notNil(v.X)
	case *ssa.BinOp:
		switch v.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return isConst(v.Y) && code.KindOf(v.Type()).Float()
		case token.EQL, token.NEQ:
			return code.KindOf(v.X.Type()) != code.NoKind
		}
		return true
	case *ssa.UnOp:
		return v.Op != token.MUL && v.Op != token.ARROW
	case *ssa.MakeInterface, *ssa.MakeClosure, *ssa.Phi, *ssa.Range:
		return true
	case *ssa.Convert:
		return code.KindOf(v.X.Type()) != code.NoKind && code.KindOf(v.Type()) != code.NoKind && code.KindOf(v.Type()) != code.Pointer
	}
	return false
}

// inPlace reports whether the one word of v may be written to a register of an operand
// that is no longer needed: whether its instruction reads all of its operands first. See
// [code.Instr].
func (c *classifier) inPlace(v ssa.Value) bool {
	single := func(t types.Type) bool {
		k := code.KindOf(t)
		return k != code.NoKind && k != code.String && k != code.Complex64 && k != code.Complex128
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return true
	case *ssa.BinOp:
		return single(v.X.Type())
	case *ssa.UnOp:
		return v.Op != token.ARROW && (v.Op != token.MUL || c.element(v.X) == nil)
	case *ssa.Convert:
		return single(v.X.Type()) && single(v.Type()) && code.KindOf(v.X.Type()) != code.Pointer && code.KindOf(v.Type()) != code.Pointer
	case *ssa.Call:
		return isCall(v)
	}
	return false
}

// shareVariable makes a value that is loaded from a variable in registers a part of the
// variable, when all its uses come before the variable can change. The instructions
// after the load are in rest.
func (c *classifier) shareVariable(load *ssa.UnOp, rest []ssa.Instruction) {
	v := c.of[load]
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

// usedIn returns the number of instructions that use v where they stand. It is 0 when
// one of them is not in block b, or is itself left to its uses.
func (c *classifier) usedIn(v ssa.Value, b *ssa.BasicBlock) int {
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
		if rv, ok := ref.(ssa.Value); ok && c.of[rv].role != own {
			return 0
		}
	}
	return len(refs)
}
