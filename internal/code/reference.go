package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// References are the places of functions at which the source mentions a variable. Package
// go/ssa writes them into the code of packages that are built in debug mode, as instructions
// of type [ssa.DebugRef]. References takes them out, so that functions are compiled to what
// they would be without them. Programs that share an ssa.Program share one.
type References struct {
	of       map[*ssa.Function][]Reference
	exprs    map[ssa.Value]ast.Expr
	operands map[ssa.Instruction]ast.Expr
}

// A Reference says that a variable of the source has a value at a place.
type Reference struct {
	Block  *ssa.BasicBlock
	Before int // the number of instructions of the block that come before the place
	Ident  *ast.Ident
	Var    *types.Var
	// Value is the value of the variable or, if IsAddr is set, its address.
	Value  ssa.Value
	IsAddr bool
}

// NewReferences returns References that have taken out none.
func NewReferences() *References {
	return &References{
		of: make(map[*ssa.Function][]Reference), exprs: make(map[ssa.Value]ast.Expr),
		operands: make(map[ssa.Instruction]ast.Expr),
	}
}

// Of returns the references of a function that take has been called for.
func (r *References) Of(fn *ssa.Function) []Reference { return r.of[fn] }

// Expr returns the expression whose evaluation computes a value, nil if none is known. Nothing is executed between
// the instruction that computes the value and the end of the evaluation.
func (r *References) Expr(v ssa.Value) ast.Expr { return r.exprs[v] }

// Operand returns the expression that was evaluated just before an instruction that compares its
// value, or takes its length; nil for others.
func (r *References) Operand(instr ssa.Instruction) ast.Expr { return r.operands[instr] }

// isOperand reports whether an instruction compares a value, or takes its length.
func isOperand(v ssa.Value, instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.BinOp:
		return instr.Op == token.LSS && instr.Y == v
	case *ssa.Call:
		_, ok := instr.Call.Value.(*ssa.Builtin)
		return ok && len(instr.Call.Args) == 1 && instr.Call.Args[0] == v
	}
	return false
}

// isValue reports whether an instruction computes a value.
func isValue(instr ssa.Instruction, v ssa.Value) bool {
	of, ok := instr.(ssa.Value)
	return ok && of == v
}

// take takes the references out of a function and those within it.
func (r *References) take(fn *ssa.Function) {
	if _, taken := r.of[fn]; taken || fn.Blocks == nil {
		return
	}
	r.of[fn] = nil
	found := false
	for _, b := range fn.Blocks {
		kept := b.Instrs[:0]
		var last *ssa.DebugRef // just before the instruction
		for _, instr := range b.Instrs {
			ref, ok := instr.(*ssa.DebugRef)
			if !ok {
				if last != nil && isOperand(last.X, instr) {
					r.operands[instr] = last.Expr
				}
				last = nil
				kept = append(kept, instr)
				continue
			}
			last = ref
			found = true
			if ref.X == nil {
				continue
			}
			if refs := ref.X.Referrers(); refs != nil {
				*refs = slices.DeleteFunc(*refs, func(i ssa.Instruction) bool { return i == instr })
			}
			if !ref.IsAddr && r.exprs[ref.X] == nil && len(kept) > 0 && isValue(kept[len(kept)-1], ref.X) {
				r.exprs[ref.X] = ref.Expr
			}
			v, isVar := ref.Object().(*types.Var)
			id, isIdent := ast.Unparen(ref.Expr).(*ast.Ident)
			if isVar && isIdent && !v.IsField() {
				r.of[fn] = append(r.of[fn], Reference{b, len(kept), id, v, ref.X, ref.IsAddr})
			}
		}
		clear(b.Instrs[len(kept):])
		b.Instrs = kept
	}
	if found {
		r.dropPhis(fn)
	}
	for _, anon := range fn.AnonFuncs {
		r.take(anon)
	}
}

// dropPhis removes the phis that go/ssa has kept only for the references.
func (r *References) dropPhis(fn *ssa.Function) {
	live := make(map[*ssa.Phi]bool)
	var mark func(phi *ssa.Phi)
	mark = func(phi *ssa.Phi) {
		if live[phi] {
			return
		}
		live[phi] = true
		for _, v := range phi.Edges {
			if q, ok := v.(*ssa.Phi); ok {
				mark(q)
			}
		}
	}
	for _, b := range fn.Blocks {
		for _, phi := range phis(b) {
			// Those of && and || are kept in any case, as in go/ssa.
			if phi.Comment == "&&" || phi.Comment == "||" || slices.ContainsFunc(*phi.Referrers(), func(i ssa.Instruction) bool {
				_, isPhi := i.(*ssa.Phi)
				return !isPhi
			}) {
				mark(phi)
			}
		}
	}
	for _, b := range fn.Blocks {
		dropped := 0
		for _, phi := range phis(b) {
			if live[phi] {
				continue
			}
			dropped++
			for _, v := range phi.Edges {
				if refs := v.Referrers(); refs != nil {
					*refs = slices.DeleteFunc(*refs, func(i ssa.Instruction) bool { return i == ssa.Instruction(phi) })
				}
			}
		}
		if dropped == 0 {
			continue
		}
		kept := make([]ssa.Instruction, 0, len(b.Instrs)-dropped)
		gone := 0
		before := make([]int, len(b.Instrs)+1) // by number of instructions, how many of them are dropped
		for i, instr := range b.Instrs {
			if phi, ok := instr.(*ssa.Phi); ok && !live[phi] {
				gone++
			} else {
				kept = append(kept, instr)
			}
			before[i+1] = gone
		}
		for i := range r.of[fn] {
			if ref := &r.of[fn][i]; ref.Block == b {
				ref.Before -= before[ref.Before]
			}
		}
		b.Instrs = kept
	}
}

// phis returns the phis of a block.
func phis(b *ssa.BasicBlock) (list []*ssa.Phi) {
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		list = append(list, phi)
	}
	return list
}
