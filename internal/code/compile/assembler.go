package compile

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// An assembler appends instructions to a function. It has labels for the targets of
// jumps, and enters in the tables of the function what instructions refer to.
type assembler struct {
	f   *code.Func
	pos token.Pos // of the instructions that are appended

	labels  []int32 // instruction index of each label; -1 when not placed yet
	fixups  []fixup // in order of the instructions
	types   map[*code.Type]int32
	consts  map[constKey]int32
	callees map[*ssa.Function]int32
}

// A fixup is an instruction whose D is to be the index of a label.
type fixup struct{ instr, label int32 }

func newAssembler(f *code.Func) *assembler {
	return &assembler{
		f:       f,
		types:   make(map[*code.Type]int32),
		consts:  make(map[constKey]int32),
		callees: make(map[*ssa.Function]int32),
	}
}

// emit appends an instruction.
func (a *assembler) emit(in code.Instr) {
	a.f.Code = append(a.f.Code, in)
	a.f.Pos = append(a.f.Pos, a.pos)
}

// newLabel returns a label that is not placed yet.
func (a *assembler) newLabel() int32 {
	a.labels = append(a.labels, -1)
	return int32(len(a.labels) - 1)
}

// place puts a label here.
func (a *assembler) place(label int32) { a.labels[label] = int32(len(a.f.Code)) }

// emitJump appends a jump to label.
func (a *assembler) emitJump(in code.Instr, label int32) {
	a.fixups = append(a.fixups, fixup{int32(len(a.f.Code)), label})
	a.emit(in)
}

// resolve sets the targets of all jumps.
func (a *assembler) resolve() {
	for _, f := range a.fixups {
		a.f.Code[f.instr].D = a.labels[f.label]
	}
}

// maxHead is the number of instructions before the conditional jump at the head
// of a loop up to which the head is repeated at the end of the loop.
const maxHead = 2

// jumpTo emits a jump to label. When the code there is a short computation and
// a conditional jump, as at the head of a loop, it is repeated here with the
// jump inverted: one jump a round instead of two. next is the label that will
// be placed right after, or -1.
func (a *assembler) jumpTo(label, next int32) {
	if at := a.labels[label]; at >= 0 {
		for n := int32(0); n <= maxHead && int(at+n) < len(a.f.Code); n++ {
			head := a.f.Code[at+n]
			if inv, ok := invert(head); ok {
				a.repeatHead(at, n, inv, next)
				return
			}
			if !repeatable(head.Op) {
				break
			}
		}
	}
	a.emitJump(code.Instr{Op: code.Jmp}, label)
}

// repeatHead emits the n instructions from at on, then jump, which is the inverse of the
// one after them, and a jump to the target of that one, unless that is next.
func (a *assembler) repeatHead(at, n int32, jump code.Instr, next int32) {
	if a.f.Repeats == nil {
		a.f.Repeats = make(map[int]int)
	}
	for i := range int(n) + 1 {
		a.f.Repeats[len(a.f.Code)+i] = int(at) + i
	}
	pos := a.pos
	for i := range n {
		a.pos = a.f.Pos[at+i]
		a.emit(a.f.Code[at+i])
	}
	a.pos = a.f.Pos[at+n]
	inside := a.newLabel()
	a.labels[inside] = at + n + 1
	a.emitJump(jump, inside)
	a.pos = pos
	i, _ := slices.BinarySearchFunc(a.fixups, at+n, func(f fixup, instr int32) int { return cmp.Compare(f.instr, instr) })
	if out := a.fixups[i].label; out != next {
		a.emitJump(code.Instr{Op: code.Jmp}, out)
	}
}

// repeatable reports whether op works on registers alone and cannot fail: it has no
// other effect, so it can stand at two places.
func repeatable(op code.Op) bool {
	switch op {
	case code.Div, code.Rem, code.Shl, code.Shr, code.Const, code.Eq, code.Ne:
		return false
	}
	return code.Mov <= op && op <= code.LeF
}

// inverses of the conditional jumps. The forms with two registers also swap
// them where the entry is marked: a < b fails when b <= a.
var inverses = map[code.Op]struct {
	op   code.Op
	swap bool
}{
	code.JmpIf:     {code.JmpIfNot, false},
	code.JmpIfNot:  {code.JmpIf, false},
	code.JmpEq:     {code.JmpNe, false},
	code.JmpNe:     {code.JmpEq, false},
	code.JmpLtS:    {code.JmpLeS, true},
	code.JmpLeS:    {code.JmpLtS, true},
	code.JmpLtU:    {code.JmpLeU, true},
	code.JmpLeU:    {code.JmpLtU, true},
	code.JmpEqI:    {code.JmpNeI, false},
	code.JmpNeI:    {code.JmpEqI, false},
	code.JmpLtSI:   {code.JmpGeSI, false},
	code.JmpGeSI:   {code.JmpLtSI, false},
	code.JmpGtSI:   {code.JmpLeSI, false},
	code.JmpLeSI:   {code.JmpGtSI, false},
	code.JmpNil:    {code.JmpNotNil, false},
	code.JmpNotNil: {code.JmpNil, false},
}

// invert returns the jump that is taken when in is not.
func invert(in code.Instr) (code.Instr, bool) {
	inv, ok := inverses[in.Op]
	if !ok {
		return in, false
	}
	in.Op = inv.op
	if inv.swap {
		in.A, in.B = in.B, in.A
	}
	return in, true
}

// typeIndex returns the index of t in the function's table.
func (a *assembler) typeIndex(t *code.Type) int32 {
	i, ok := a.types[t]
	if !ok {
		i = int32(len(a.f.Types))
		a.f.Types = append(a.f.Types, t)
		a.types[t] = i
	}
	return i
}

// constant returns the index in the function's table of the constant with key.
func (a *assembler) constant(key constKey) int32 {
	if i, ok := a.consts[key]; ok {
		return i
	}
	v := code.ConstValue{Kind: key.kind, Text: key.text}
	switch key.kind {
	case code.ConstWords:
		v.Bits = append(v.Bits, key.bits[:key.n]...)
	case code.ConstFunc:
		v.Func = key.ref.(*ssa.Function)
	case code.ConstGlobal:
		v.Global = key.ref.(*ssa.Global)
	}
	i := int32(len(a.f.Consts))
	a.f.Consts = append(a.f.Consts, v)
	a.consts[key] = i
	return i
}

// callee returns the index of fn in the function's table.
func (a *assembler) callee(fn *ssa.Function) int32 {
	i, ok := a.callees[fn]
	if !ok {
		i = int32(len(a.f.Callees))
		a.f.Callees = append(a.f.Callees, fn)
		a.callees[fn] = i
	}
	return i
}

// message returns the index of text in the function's table.
func (a *assembler) message(text string) int32 {
	i := slices.Index(a.f.Messages, text)
	if i < 0 {
		i = len(a.f.Messages)
		a.f.Messages = append(a.f.Messages, text)
	}
	return int32(i)
}

// unsupported emits an instruction that stops the run.
func (a *assembler) unsupported(format string, args ...any) {
	a.emit(code.Instr{Op: code.Unsupported, B: a.message(fmt.Sprintf(format, args...))})
}
