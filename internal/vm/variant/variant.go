package variant

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
)

// A Variant is the code of a function for frames with symbolic registers. Instructions
// that use such a register have their opcode increased by Symbolic, and the others are
// executed as in concrete frames. Which registers may be symbolic at which instruction
// follows from those that are symbolic at one instruction, as long as loads, calls and
// the like yield concrete values. When one does not, another variant is needed.
type Variant struct {
	Code  []code.Instr
	words int      // size of a set of registers
	may   []uint64 // for each instruction, the set of registers that may be symbolic before it
	known []bool   // for each instruction, whether it can be reached
}

// Covers reports whether v can be run from instruction pc on if the given registers are
// symbolic.
func (v *Variant) Covers(pc int, symbolic []uint64) bool {
	if !v.known[pc] {
		return false
	}
	for i, may := range v.before(pc) {
		if symbolic[i]&^may != 0 {
			return false
		}
	}
	return true
}

// before returns the set of registers that may be symbolic before instruction i.
func (v *Variant) before(i int) []uint64 { return v.may[i*v.words : (i+1)*v.words] }

// General returns the variant of f in which every register may be symbolic everywhere.
// The argument fused is the code of f with pairs fused.
func General(f *code.Func, fused []code.Instr) Variant {
	v := newVariant(f, fused)
	for i := range v.may {
		v.may[i] = ^uint64(0)
	}
	for i, in := range f.Code {
		in.Op = in.Op + Symbolic | fused[i].Op&Trapped
		v.Code[i], v.known[i] = in, true
	}
	return v
}

func newVariant(f *code.Func, fused []code.Instr) Variant {
	n, words := len(f.Code), (f.Regs+63)/64
	return Variant{Code: slices.Clone(fused), words: words, may: make([]uint64, n*words), known: make([]bool, n)}
}

// For returns the variant of f for frames in which the given registers are symbolic at
// instruction pc. The argument fused is the code of f with pairs fused.
func For(f *code.Func, fused []code.Instr, pc int, symbolic []uint64) Variant {
	v := newVariant(f, fused)
	copy(v.before(pc), symbolic)
	v.known[pc] = true
	work := []int{pc}
	after := make([]uint64, v.words)
	reach := func(i int) {
		changed := !v.known[i]
		v.known[i] = true
		for k, may := range v.before(i) {
			if after[k]&^may != 0 {
				v.before(i)[k] |= after[k]
				changed = true
			}
		}
		if changed {
			work = append(work, i)
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		in := &f.Code[i]
		copy(after, v.before(i))
		touched := has(after, f.Reads(in))
		for _, run := range f.Writes(in) {
			setAll(after, run, touched)
		}
		next, target := in.Flow()
		if next {
			reach(i + 1)
		}
		if target >= 0 {
			reach(target)
		}
	}
	for i := range v.Code {
		if in := &f.Code[i]; v.known[i] && (has(v.before(i), f.Reads(in)) || has(v.before(i), f.Writes(in))) {
			Mark(v.Code, f.Code, i)
		}
	}
	return v
}

// Mark marks instruction i as one at which the dispatch loop stops. The argument fused is
// the code compiled with pairs fused.
func Mark(fused, compiled []code.Instr, i int) {
	fused[i].Op = compiled[i].Op + Symbolic | fused[i].Op&Trapped
	if i > 0 && fused[i-1].Op < Symbolic {
		fused[i-1].Op = compiled[i-1].Op // it can no longer be fused with this one
	}
}

// has reports whether a set contains a register of the runs.
func has(set []uint64, runs []code.Run) bool {
	for _, run := range runs {
		for r := run.First; r < run.First+int32(run.Words); r++ {
			if set[r/64]&(1<<(r%64)) != 0 {
				return true
			}
		}
	}
	return false
}

// setAll adds the registers of a run to a set, or removes them.
func setAll(set []uint64, run code.Run, in bool) {
	for r := run.First; r < run.First+int32(run.Words); r++ {
		if in {
			set[r/64] |= 1 << (r % 64)
		} else {
			set[r/64] &^= 1 << (r % 64)
		}
	}
}
