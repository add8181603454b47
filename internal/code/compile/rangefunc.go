package compile

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// Loops over functions. SSA has a variable jump for each, which the function that is the loop's
// body checks: 0 while the body can be called, busy while it runs or after it has panicked,
// exhausted when the loop is over, and numbers above 0 when the body has left it. Where the
// function that is ranged over breaks the rules, SSA panics with a string, and gc with a runtime
// error that says more. So these values are replaced, and the variable is set where gc sets its own
// and SSA does not: when the loop has been left, and when the body is called although it must not
// be.
const (
	jumpBusy      = -1
	jumpExhausted = -2
)

// The errors of gc.
const (
	continuedAfterPanic = "range function continued iteration after loop body panic"
	continuedAfterLoop  = "range function continued iteration after whole loop exit"
	continuedAfterLeft  = "range function continued iteration after function for loop body returned false"
	recoveredBodyPanic  = "range function recovered a loop body panic and did not resume panicking"
)

// rangeError compiles v if it is the value of a panic because a function that is ranged over breaks
// the rules. It reports whether it is.
func (e *emitter) rangeError(v *ssa.MakeInterface) bool {
	text, ok := v.X.(*ssa.Const)
	pkg := e.prog.SSA.ImportedPackage("runtime")
	if !ok || text.Value == nil || text.Value.Kind() != constant.String || pkg == nil || pkg.Type("errorString") == nil {
		return false
	}
	var jump *ssa.FreeVar
	var off int32
	block := v.Block()
	if block.Comment == "yield-invalid" && len(block.Preds) == 1 {
		jump, off = e.jumpVariable(block.Preds[0])
	}
	recovered := block.Comment == "rangefunc.resume.busy"
	if jump == nil && !recovered {
		return false
	}
	typ := e.typeIndex(pkg.Type("errorString").Type())
	at := e.regs.Scratch(2)
	say := func(text string) { e.loadConst(constKey{kind: code.ConstString, n: 2, text: text}, at) }
	if recovered {
		say(recoveredBodyPanic)
	} else {
		kind, p, end := uint16(code.KindOf(types.Typ[types.Int])), e.regs.Scratch(1), e.newLabel()
		e.emit(code.Instr{Op: code.FreeVar, K: 1, A: p, C: off})
		e.emit(code.Instr{Op: code.Load, K: kind, A: at, B: p})
		for _, state := range []struct {
			jump int32
			text string
		}{{jumpBusy, continuedAfterPanic}, {jumpExhausted, continuedAfterLoop}} {
			next := e.newLabel()
			e.emitJump(code.Instr{Op: code.JmpNeI, K: kind, A: at, C: state.jump}, next)
			say(state.text)
			e.emitJump(code.Instr{Op: code.Jmp}, end)
			e.place(next)
		}
		say(continuedAfterLeft)
		e.place(end)
		busy := e.regs.Scratch(1)
		e.emit(code.Instr{Op: code.Imm, A: busy, C: jumpBusy})
		e.emit(code.Instr{Op: code.Store, K: kind, A: p, B: busy})
	}
	e.emit(code.Instr{Op: code.MakeIface, A: e.result(v), B: at, D: typ})
	return true
}

// jumpVariable returns the variable jump of a loop over a function, which the loop's body checks at
// the end of a block, and at which word of the captured variables it is; nil if there is none.
func (e *emitter) jumpVariable(check *ssa.BasicBlock) (jump *ssa.FreeVar, off int32) {
	branch, _ := check.Instrs[len(check.Instrs)-1].(*ssa.If)
	if branch == nil {
		return nil, 0
	}
	if compared, ok := branch.Cond.(*ssa.BinOp); ok {
		if load, ok := compared.X.(*ssa.UnOp); ok {
			jump, _ = load.X.(*ssa.FreeVar)
		}
	}
	for _, fv := range e.fn.FreeVars {
		if fv == jump {
			return jump, off
		}
		off += int32(e.of[fv].words)
	}
	return nil, 0
}

// leaveLoop compiles that a loop over a function is over, if v reads its variable jump to find out
// how the body has left it.
func (e *emitter) leaveLoop(v *ssa.UnOp) {
	jump, ok := v.X.(*ssa.Alloc)
	if !ok || !jump.Heap || !strings.HasPrefix(jump.Comment, "jump$") {
		return
	}
	over := e.regs.Scratch(1)
	e.emit(code.Instr{Op: code.Imm, A: over, C: jumpExhausted})
	e.emit(code.Instr{Op: code.Store, K: uint16(code.KindOf(types.Typ[types.Int])), A: e.reg(jump), B: over})
}
