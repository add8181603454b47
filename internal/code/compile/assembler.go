package compile

import (
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
	own token.Pos // pos, unless it is that of something else
	src int32     // number of the SSA instruction that is being compiled; see code.Func.Source

	owns    []token.Pos // by instruction: own
	sources []int32     // by instruction: src
	labels  []int32     // instruction index of each label; -1 when not placed yet
	fixups  []fixup     // in order of the instructions
	types   map[*code.Type]int32
	consts  map[constKey]int32
	callees map[*ssa.Function]int32
}

// A fixup is an instruction whose D is to be the index of a label.
type fixup struct{ instr, label int32 }

func newAssembler(f *code.Func) *assembler {
	return &assembler{
		f:       f,
		src:     -1,
		types:   make(map[*code.Type]int32),
		consts:  make(map[constKey]int32),
		callees: make(map[*ssa.Function]int32),
	}
}

// emit appends an instruction.
func (a *assembler) emit(in code.Instr) {
	a.f.Code = append(a.f.Code, in)
	a.f.Pos = append(a.f.Pos, a.pos)
	a.owns = append(a.owns, a.own)
	a.sources = append(a.sources, a.src)
}

// move copies n registers.
func (a *assembler) move(dst, src int32, n int) {
	switch {
	case n == 0 || dst == src:
	case n == 1:
		a.emit(code.Instr{Op: code.Mov, A: dst, B: src})
	default:
		// Registers that move up are moved in pieces from their end.
		up := dst > src
		for off, k := range code.Pieces(n) {
			if up {
				off = n - off - k
			}
			a.emit(code.Instr{Op: code.MovN, K: uint16(k), A: dst + int32(off), B: src + int32(off)})
		}
	}
}

// zero emits code that makes the n registers from dst on zero.
func (a *assembler) zero(dst int32, n int) {
	for off, k := range code.Pieces(n) {
		a.emit(code.Instr{Op: code.Zero, K: uint16(k), A: dst + int32(off)})
	}
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
	v := key.value()
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
