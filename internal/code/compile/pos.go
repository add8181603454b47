package compile

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// instrPos returns the position of instr in the source, or of an operand of it.
func instrPos(instr ssa.Instruction) token.Pos {
	if pos := instr.Pos(); pos.IsValid() {
		return pos
	}
	switch instr := instr.(type) {
	case *ssa.If:
		return valuePos(instr.Cond)
	case *ssa.UnOp:
		if pos := resultPos(instr); pos.IsValid() {
			return pos
		}
		return valuePos(instr.X)
	case *ssa.Store:
		if pos := valuePos(instr.Addr); pos.IsValid() {
			return pos
		}
		return valuePos(instr.Val)
	case *ssa.MakeInterface:
		return valuePos(instr.X)
	case *ssa.Extract:
		return valuePos(instr.Tuple)
	case *ssa.Slice:
		return valuePos(instr.X)
	case *ssa.Next:
		return valuePos(instr.Iter) // that of the loop
	case *ssa.Return:
		for _, v := range instr.Results {
			if pos := valuePos(v); pos.IsValid() {
				return pos
			}
		}
	case ssa.CallInstruction:
		return instr.Common().Pos()
	}
	return token.NoPos
}

// resultPos returns the position of the return statement that reads a named result, if that is what v does.
func resultPos(v *ssa.UnOp) token.Pos {
	for _, user := range *v.Referrers() {
		if ret, ok := user.(*ssa.Return); ok {
			return ret.Pos()
		}
	}
	return token.NoPos
}

// returnPos returns the position at which a block returns, where deferred calls appear
// to be made: that of its return statement or the end of the function.
func (e *emitter) returnPos(b *ssa.BasicBlock) token.Pos {
	if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && ret.Pos().IsValid() {
		return ret.Pos()
	}
	var body *ast.BlockStmt
	switch fn := e.fn.Syntax().(type) {
	case *ast.FuncDecl:
		body = fn.Body
	case *ast.FuncLit:
		body = fn.Body
	}
	if body == nil || !body.Rbrace.IsValid() {
		return e.pos
	}
	return body.Rbrace
}

// valuePos returns the position of the instruction that computes v.
func valuePos(v ssa.Value) token.Pos {
	if instr, ok := v.(ssa.Instruction); ok {
		if _, phi := v.(*ssa.Phi); !phi {
			return instr.Pos()
		}
	}
	return token.NoPos
}

// blockPos returns a position to start block b with: that of its first
// instruction that has one, else of its dominators, else of the function.
func (e *emitter) blockPos(b *ssa.BasicBlock) token.Pos {
	for ; b != nil; b = b.Idom() {
		for _, instr := range b.Instrs {
			if pos := instrPos(instr); pos.IsValid() {
				return pos
			}
		}
	}
	return e.prog.SourcePos(e.fn)
}
