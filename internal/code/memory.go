package code

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// alloc compiles the making of a variable: an object, or zero registers.
func (c *compiler) alloc(v *ssa.Alloc) {
	n := c.values[v].node
	if n.variable {
		if c.overwritten[v] {
			return
		}
		c.emitOp(Instr{Op: Zero, K: c.count(n.words), A: n.reg})
		return
	}
	in := Instr{Op: New, A: n.reg, D: c.typeIndex(elem(v.Type()))}
	if v.Heap {
		in.K = 1
	}
	c.emitOp(in)
}

// element returns the folded IndexAddr that addr is, nil when it is none.
func (c *compiler) element(addr ssa.Value) *ssa.IndexAddr {
	index, ok := addr.(*ssa.IndexAddr)
	if !ok || c.values[index].role != folded {
		return nil
	}
	if _, ok := constElement(index); ok {
		return nil // an offset
	}
	return index
}

// accessPos makes the position of the selection that addr stands for the
// present one: go/ssa gives loads and stores none of their own.
func (c *compiler) accessPos(instr ssa.Instruction, addr ssa.Value) {
	if c.values[addr] != nil && c.values[addr].role == folded && !instr.Pos().IsValid() {
		if pos := addr.Pos(); pos.IsValid() {
			c.pos = pos
		}
	}
}

// load compiles the load of v into the registers from dst on.
func (c *compiler) load(v *ssa.UnOp, dst int32) {
	c.accessPos(v, v.X)
	words := c.words(v.Type())
	if alloc, off, ok := c.variable(v.X); ok {
		if words > 0 {
			c.move(dst, c.values[alloc].node.reg+int32(off), words)
		}
		return
	}
	if index := c.element(v.X); index != nil {
		kind := c.p.Type(v.Type()).Kinds[0]
		in := Instr{Op: LoadS, K: uint16(kind), A: dst, B: c.reg(index.X), C: c.indexReg(index.Index)}
		if array, ok := arrayOf(index.X); ok {
			in.Op, in.D = LoadA, c.number(array.Len())
		}
		c.unsignedOperand(0, index.Index)
		c.emitOp(in)
		return
	}
	base, off := c.address(v.X)
	switch {
	case words == 0:
		if !c.notNil(base) {
			c.emitOp(Instr{Op: NilCheck, B: c.reg(base)})
		}
	case words == 1:
		c.emitOp(Instr{Op: Load, K: uint16(c.p.Type(v.Type()).Kinds[0]), A: dst, B: c.reg(base), C: c.number(int64(off))})
	default:
		b := c.reg(base)
		pieces(words, func(at, k int) {
			c.emitOp(Instr{Op: LoadN, K: uint16(k), A: dst + int32(at), B: b, C: c.number(int64(off + at))})
		})
	}
}

// store compiles *addr = val.
func (c *compiler) store(v *ssa.Store) {
	block := c.index[v.Block().Index]
	if c.inFoldedAppend(v) || toBlankField(v.Addr) || storesBack(c.blocks[block].Instrs, int(c.at-c.first[block])-1) {
		return
	}
	c.accessPos(v, v.Addr)
	words := c.words(v.Val.Type())
	from, _ := v.Val.(*ssa.UnOp)
	if val := c.values[v.Val]; val == nil || val.role != folded {
		from = nil
	}
	if alloc, off, ok := c.variable(v.Addr); ok {
		switch dst := c.values[alloc].node; {
		case words == 0:
		case from != nil:
			c.load(from, dst.reg+int32(off))
		default:
			c.put(v.Val, dst.reg+int32(off))
		}
		return
	}
	if index := c.element(v.Addr); index != nil {
		kind := c.p.Type(v.Val.Type()).Kinds[0]
		in := Instr{Op: StoreS, K: uint16(kind), A: c.reg(index.X), B: c.reg(v.Val), C: c.indexReg(index.Index)}
		if array, ok := arrayOf(index.X); ok {
			in.Op, in.D = StoreA, c.number(array.Len())
		}
		c.unsignedOperand(0, index.Index)
		c.emitOp(in)
		return
	}
	base, off := c.address(v.Addr)
	switch {
	case words == 0:
		if !c.notNil(base) {
			c.emitOp(Instr{Op: NilCheck, B: c.reg(base)})
		}
	case words == 1:
		c.emitOp(Instr{Op: Store, K: uint16(c.p.Type(v.Val.Type()).Kinds[0]), A: c.reg(base), B: c.reg(v.Val), C: c.number(int64(off))})
	case from != nil:
		c.copy(base, off, from, words)
	case isConst(v.Val) && words > maxVariable && keyOf(v.Val).n == 0:
		c.storeZero(base, off, words)
	default:
		a, b := c.reg(base), c.reg(v.Val)
		pieces(words, func(at, k int) {
			c.emitOp(Instr{Op: StoreN, K: uint16(k), A: a, B: b + int32(at), C: c.number(int64(off + at))})
		})
	}
}

// toBlankField reports whether addr is in a blank field: a composite literal may give a
// value to one, which the field does not get.
func toBlankField(addr ssa.Value) bool {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			if fieldsOf(a.X.Type()).Field(a.Field).Name() == "_" {
				return true
			}
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		default:
			return false
		}
	}
}

// copy compiles the store of a folded load.
func (c *compiler) copy(base ssa.Value, off int, from *ssa.UnOp, words int) {
	if alloc, at, ok := c.variable(from.X); ok {
		c.emitOp(Instr{Op: StoreN, K: c.count(words), A: c.reg(base), B: c.values[alloc].node.reg + int32(at), C: c.number(int64(off))})
		return
	}
	src, at := c.address(from.X)
	a, b := c.reg(base), c.reg(src)
	// The target overlaps the source only when they are the same, so it does not
	// matter in which order the pieces go.
	pieces(words, func(i, k int) {
		c.emitOp(Instr{Op: Copy, K: uint16(k), A: a, B: b, C: c.number(int64(off + i)), D: c.number(int64(at + i))})
	})
}

// storesBack reports whether the store at index i of a block stores what was just
// loaded from the same result variable. go/ssa makes such a store of a result
// variable that a closure captures, for the statement return v; it is no write of
// the program's, and must not race.
func storesBack(instrs []ssa.Instruction, i int) bool {
	v := instrs[i].(*ssa.Store)
	load, ok := v.Val.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.X != v.Addr || load.Block() != v.Block() || !isResult(v.Addr) {
		return false
	}
	for k := i - 1; k >= 0 && instrs[k] != load; k-- {
		switch instr := instrs[k].(type) {
		case *ssa.UnOp:
			if instr.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if !storesBack(instrs, k) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isResult reports whether addr is that of a result variable of its function.
func isResult(addr ssa.Value) bool {
	a, ok := addr.(*ssa.Alloc)
	if !ok {
		return false
	}
	for v := range a.Parent().Signature.Results().Variables() {
		if v.Pos() == a.Pos() && v.Name() == a.Comment {
			return true
		}
	}
	return false
}

// storeZero compiles the store of a large zero value.
func (c *compiler) storeZero(base ssa.Value, off, words int) {
	a := c.reg(base)
	zero := c.scratch(min(words, maxVariable))
	c.emitOp(Instr{Op: Zero, K: uint16(min(words, maxVariable)), A: zero})
	for words > 0 {
		n := min(words, maxVariable)
		c.emitOp(Instr{Op: StoreN, K: uint16(n), A: a, B: zero, C: c.number(int64(off))})
		words, off = words-n, off+n
	}
}

// indexReg returns the register of an index or length, widened to 64 bits: the
// instructions that take one do not know its kind.
func (c *compiler) indexReg(v ssa.Value) int32 {
	if isConst(v) || kindOf(v.Type()).Bits() == 64 {
		return c.reg(v)
	}
	r := c.scratch(1)
	c.putIndex(v, r)
	return r
}

// unsignedOperand notes that operand i of the instruction to be emitted next is v, an
// index or a bound: a message about it depends on the sign.
func (c *compiler) unsignedOperand(i int, v ssa.Value) {
	if kind := kindOf(v.Type()); isConst(v) || kind.Signed() || kind.Bits() < 64 {
		return
	}
	if c.f.Unsigned == nil {
		c.f.Unsigned = make(map[int32]uint8)
	}
	c.f.Unsigned[int32(len(c.f.Code))] |= 1 << i
}

// putIndex puts an index or length, widened to 64 bits, into register dst.
func (c *compiler) putIndex(v ssa.Value, dst int32) {
	kind := kindOf(v.Type())
	if isConst(v) || kind.Bits() == 64 {
		c.put(v, dst)
		return
	}
	c.emitOp(Instr{Op: Conv, K: uint16(Int64), A: dst, B: c.reg(v), C: int32(kind)})
}

// arrayOf returns the array type when v is a pointer to an array.
func arrayOf(v ssa.Value) (*types.Array, bool) {
	ptr, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil, false
	}
	array, ok := ptr.Elem().Underlying().(*types.Array)
	return array, ok
}

// fieldAddr compiles &x.f where the address itself is wanted.
func (c *compiler) fieldAddr(v *ssa.FieldAddr) {
	base, off := c.address(v.X)
	off += c.p.Type(elem(v.X.Type())).Fields[v.Field].Offset
	c.emitOp(Instr{Op: Addr, A: c.result(v), B: c.reg(base), C: c.number(int64(off))})
}

// indexAddr compiles &x[i].
func (c *compiler) indexAddr(v *ssa.IndexAddr) {
	words := c.words(elem(v.Type()))
	if i, ok := constElement(v); ok {
		base, off := c.address(v.X)
		c.emitOp(Instr{Op: Addr, A: c.result(v), B: c.reg(base), C: c.number(int64(off + i*words))})
		return
	}
	in := Instr{Op: IndexS, K: c.count(words), A: c.result(v), B: c.reg(v.X), C: c.indexReg(v.Index)}
	if array, ok := arrayOf(v.X); ok {
		in.Op, in.D = IndexA, c.number(array.Len())
	}
	c.unsignedOperand(0, v.Index)
	c.emitOp(in)
}

// elementOf compiles x[i] of an array in registers or a string.
func (c *compiler) elementOf(v *ssa.Index) {
	t := c.p.Type(v.X.Type())
	in := Instr{Op: IndexStr, A: c.result(v), B: c.reg(v.X), C: c.indexReg(v.Index)}
	if t.Shape == ShapeArray {
		in.Op, in.K, in.D = IndexV, c.count(t.Elem.Words), c.number(t.Len)
	}
	c.unsignedOperand(0, v.Index)
	c.emitOp(in)
}

// slice compiles x[low:high:max].
func (c *compiler) slice(v *ssa.Slice) {
	t := c.p.Type(v.X.Type())
	in := Instr{B: c.reg(v.X)}
	switch t.Shape {
	case ShapeString:
		in.Op, in.D = SliceStr, c.typeIndex(v.X.Type())
	case ShapeSlice:
		in.Op, in.D = SliceS, c.typeIndex(v.X.Type())
	default:
		in.Op, in.D = SliceP, c.typeIndex(elem(v.X.Type()))
	}
	if v.Low != nil || v.High != nil || v.Max != nil {
		in.C = c.scratch(3)
	}
	for i, bound := range []ssa.Value{v.Low, v.High, v.Max} {
		if bound != nil {
			c.putIndex(bound, in.C+int32(i))
			in.K |= 1 << i
		}
	}
	if alloc, ok := v.X.(*ssa.Alloc); ok && alloc.Comment == "makeslice" {
		in.K |= OfMake
	}
	in.A = c.result(v)
	for i, bound := range []ssa.Value{v.Low, v.High, v.Max} {
		if bound != nil {
			c.unsignedOperand(i, bound)
		}
	}
	c.emitOp(in)
}
