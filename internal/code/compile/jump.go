package compile

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
)

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
	pos, own, src := a.pos, a.own, a.src
	for i := range n {
		a.pos, a.own, a.src = a.f.Pos[at+i], a.owns[at+i], a.sources[at+i]
		a.emit(a.f.Code[at+i])
	}
	a.pos, a.own, a.src = a.f.Pos[at+n], a.owns[at+n], a.sources[at+n]
	inside := a.newLabel()
	a.labels[inside] = at + n + 1
	a.emitJump(jump, inside)
	a.pos, a.own, a.src = pos, own, src
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
