package code

import (
	"fmt"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"
)

// A compiler turns one function into register code, in three passes over its
// blocks in layout order:
//
//   - classify (values.go) decides how each SSA value is kept: in registers of
//     its own, as a part of another value, or not at all because the instruction
//     that uses it does its work;
//   - allocate (live.go, registers.go) gives registers to values by their
//     live ranges, so that the copies of a loop variable share one;
//   - emit (emit.go and the files by kind of instruction) writes the code.
type compiler struct {
	p       *Program
	f       *Func
	fn      *ssa.Function
	covered bool

	blocks []block // in layout order
	index  []int32 // of blocks, by ssa.BasicBlock.Index; -1 for unreachable ones
	first  []int32 // number of the first instruction of each block; see live.go
	instrs int32   // numbers given out

	values  map[ssa.Value]*value
	appends map[ssa.Value]*foldedAppend
	nodes   []*node
	// overwritten holds the variables in registers that get a value before they
	// are read: they need not be made zero.
	overwritten map[*ssa.Alloc]bool

	pins   []constKey // constants that are kept in registers throughout
	pinned map[constKey]*node

	// Of emission.
	lendsDefers bool // see missingRunDefers

	at     int32     // number of the instruction being compiled
	pos    token.Pos // its position
	free   int32     // first register above all that hold something here; -1 when not computed yet
	active []*web    // of registers that may be in use at and after at
	next   int       // in webs: the first one not active yet
	webs   []*web    // by start of their ranges
	top    int32     // first register above all values

	labels  []int32 // instruction index of each label; -1 when not placed yet
	fixups  []fixup
	stubs   []edge        // whose code goes behind the blocks
	idle    []posRange    // of what is not evaluated, see unevaluated; nil until it is asked for
	ordered []orderedPart // see orderedParts; nil until it is asked for
	types   map[*Type]int32
	consts  map[constKey]int32
	callees map[*ssa.Function]int32
}

// A block is a basic block and what layout says of it.
type block struct {
	*ssa.BasicBlock
	Instrs []ssa.Instruction // those of the BasicBlock, in the order in which they are run
	loops  int               // that it is in
	label  int32
}

// limitError stops the compilation of a function that is beyond the limits of
// the instruction format.
type limitError string

// compile fills in the code of f from a function with its body.
func compile(p *Program, f *Func, body *ssa.Function) {
	c := &compiler{
		p:       p,
		f:       f,
		fn:      body,
		values:  make(map[ssa.Value]*value),
		appends: make(map[ssa.Value]*foldedAppend),
		pinned:  make(map[constKey]*node),

		overwritten: make(map[*ssa.Alloc]bool),

		types:   make(map[*Type]int32),
		consts:  make(map[constKey]int32),
		callees: make(map[*ssa.Function]int32),
	}
	if pkg := p.pkgOf(f.SSA); pkg != nil && f.SSA.Syntax() != nil {
		c.covered = p.covered(pkg)
	}
	branches := len(p.Branches)
	defer func() {
		if r := recover(); r != nil {
			limit, ok := r.(limitError)
			if !ok {
				panic(fmt.Sprintf("code: compiling %s: %v", f.Name, r))
			}
			p.Branches = p.Branches[:branches]
			f.refuse(p, string(limit))
		}
	}()
	c.layout()
	c.classify()
	c.liveness()
	c.allocate()
	c.emit()
}

// refuse makes f a function that stops the run, saying why.
func (f *Func) refuse(p *Program, why string) {
	*f = Func{
		Name: f.Name, SSA: f.SSA, Params: f.Params, Results: f.Results, Regs: max(f.Params, f.Results),
		Recover: -1, Standard: f.Standard, Wrapper: f.Wrapper,
		Code:     []Instr{{Op: Unsupported, B: 0}},
		Pos:      []token.Pos{p.sourcePos(f.SSA)},
		Messages: []string{why},
	}
}

// layout orders the blocks: in reverse postorder, a loop's body before what
// follows the loop, the block for recovered panics last.
func (c *compiler) layout() {
	c.index = make([]int32, len(c.fn.Blocks))
	for i := range c.index {
		c.index[i] = -1
	}
	var order []*ssa.BasicBlock
	var walk func(b *ssa.BasicBlock)
	walk = func(b *ssa.BasicBlock) {
		c.index[b.Index] = 0
		for i := len(b.Succs) - 1; i >= 0; i-- {
			if s := b.Succs[i]; c.index[s.Index] < 0 {
				walk(s)
			}
		}
		order = append(order, b)
	}
	walk(c.fn.Blocks[0])
	for i := len(order) - 1; i >= 0; i-- {
		c.addBlock(order[i])
	}
	if r := c.fn.Recover; r != nil && c.index[r.Index] < 0 {
		c.addBlock(r)
	}
	// The blocks of a natural loop lie between its header and its last back edge.
	for i := range c.blocks {
		for _, s := range c.blocks[i].Succs {
			if h := int(c.index[s.Index]); h <= i {
				for j := h; j <= i; j++ {
					c.blocks[j].loops++
				}
			}
		}
	}
}

func (c *compiler) addBlock(b *ssa.BasicBlock) {
	c.index[b.Index] = int32(len(c.blocks))
	c.blocks = append(c.blocks, block{BasicBlock: b, Instrs: c.order(b), label: c.newLabel()})
}

// sourcePos is the function sourcePos, while others may build functions.
func (p *Program) sourcePos(fn *ssa.Function) token.Pos {
	defer p.lock()()
	return sourcePos(fn)
}

// sourcePos returns a position for fn: its own, or that of the receiver type of
// a promoted method, or that of a file of the package it initialises. Wrappers of
// error.Error and initialisers of packages without files may have none.
func sourcePos(fn *ssa.Function) token.Pos {
	for f := fn; f != nil; f = f.Parent() {
		if f.Pos().IsValid() {
			return f.Pos()
		}
	}
	if recv := fn.Signature.Recv(); recv != nil {
		return typePos(recv.Type())
	}
	if fn.Pkg != nil && fn.Pkg.Pkg.Scope().NumChildren() > 0 {
		return fn.Pkg.Pkg.Scope().Child(0).Pos()
	}
	return token.NoPos
}

// typePos returns where t, or the first field of struct type t, is declared.
func typePos(t types.Type) token.Pos {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return typePos(t.Elem())
	case *types.Named:
		return t.Obj().Pos()
	case *types.Struct:
		if t.NumFields() > 0 {
			return t.Field(0).Pos()
		}
	}
	return token.NoPos
}

// words returns the number of words of a value of type t.
func (c *compiler) words(t types.Type) int { return c.p.Type(t).Words }

// count returns n as the K of an instruction.
func (c *compiler) count(n int) uint16 {
	if n > math.MaxUint16 {
		panic(limitError(fmt.Sprintf("a value of %d words in registers", n)))
	}
	return uint16(n)
}

// number returns n as the C or D of an instruction.
func (c *compiler) number(n int64) int32 {
	if n > math.MaxInt32 {
		panic(limitError(fmt.Sprintf("an array of %d elements", n)))
	}
	return int32(n)
}

// elem returns the type that pointer type t points to.
func elem(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }
