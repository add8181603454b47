package vm

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
)

// maxVariants is the number of variants of a function, the last of which is for
// all cases.
const maxVariants = 8

// symbolicCode returns what f, a frame of g with symbolic registers, runs from its
// pc on. The shadows of registers that hold nothing needed are dropped.
func (g *goroutine) symbolicCode(f *frame) []code.Instr {
	fn := f.fn
	if g.merging.on {
		return fn.regions.ins
	}
	needed := fn.neededBefore(f.pc)
	var room [8]uint64
	symbolic := room[:]
	if len(needed) > len(room) {
		symbolic = make([]uint64, len(needed))
	}
	symbolic = symbolic[:len(needed)]
	for r, x := range g.sym[f.base : int(f.base)+fn.Regs] {
		if x == expr.None {
			continue
		}
		if bit := uint64(1) << (r % 64); needed[r/64]&bit != 0 {
			symbolic[r/64] |= bit
		} else {
			g.sym[int(f.base)+r] = expr.None
		}
	}
	for i := range fn.variants {
		if v := &fn.variants[i]; v.covers(int(f.pc), symbolic) {
			return v.ins
		}
	}
	if len(fn.variants) == maxVariants-1 {
		fn.variants = append(fn.variants, fn.general())
	} else {
		fn.variants = append(fn.variants, fn.variant(int(f.pc), symbolic))
	}
	return fn.variants[len(fn.variants)-1].ins
}

// covers reports whether v can be run from instruction pc on when those registers are
// symbolic.
func (v *variant) covers(pc int, symbolic []uint64) bool {
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

// before returns the set of the registers that may be symbolic before instruction i.
func (v *variant) before(i int) []uint64 { return v.may[i*v.words : (i+1)*v.words] }

// general returns the variant in which every register may be symbolic everywhere.
func (f *function) general() variant {
	v := f.newVariant()
	for i := range v.may {
		v.may[i] = ^uint64(0)
	}
	for i, in := range f.Code {
		in.Op += symbolicOps
		v.ins[i], v.known[i] = in, true
	}
	return v
}

func (f *function) newVariant() variant {
	n, words := len(f.Code), (f.Regs+63)/64
	return variant{ins: slices.Clone(f.ins), words: words, may: make([]uint64, n*words), known: make([]bool, n)}
}

// variant returns the variant for frames that have symbolic values in the given
// registers at instruction pc.
func (f *function) variant(pc int, symbolic []uint64) variant {
	v := f.newVariant()
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
	for i := range v.ins {
		if in := &f.Code[i]; v.known[i] && (has(v.before(i), f.Reads(in)) || has(v.before(i), f.Writes(in))) {
			v.ins[i].Op = in.Op + symbolicOps
			if i > 0 && v.ins[i-1].Op < symbolicOps {
				v.ins[i-1].Op = f.Code[i-1].Op // it is no longer fused with this one
			}
		}
	}
	return v
}

// has reports whether a set has a register of the runs.
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

// setAll adds the registers of a run to a set, or takes them away.
func setAll(set []uint64, run code.Run, in bool) {
	for r := run.First; r < run.First+int32(run.Words); r++ {
		if in {
			set[r/64] |= 1 << (r % 64)
		} else {
			set[r/64] &^= 1 << (r % 64)
		}
	}
}
