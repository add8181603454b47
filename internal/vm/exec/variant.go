package exec

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// maxVariants is the number of variants of a function, the last of which is for
// all cases.
const maxVariants = 8

// symbolicCode returns what f, a frame of g with symbolic registers, runs from its
// pc on. The shadows of registers that hold nothing needed are dropped.
func symbolicCode(g *state.Goroutine, f *state.Frame) []code.Instr {
	fn := f.Func
	if g.Merging.On {
		return fn.Regions.Code
	}
	needed := fn.NeededBefore(f.PC)
	var room [8]uint64
	symbolic := room[:]
	if len(needed) > len(room) {
		symbolic = make([]uint64, len(needed))
	}
	symbolic = symbolic[:len(needed)]
	for r, x := range g.Sym[f.Base : int(f.Base)+fn.Regs] {
		if x == expr.None {
			continue
		}
		if bit := uint64(1) << (r % 64); needed[r/64]&bit != 0 {
			symbolic[r/64] |= bit
		} else {
			g.Sym[int(f.Base)+r] = expr.None
		}
	}
	for i := range fn.Variants {
		if v := &fn.Variants[i]; covers(v, int(f.PC), symbolic) {
			return v.Code
		}
	}
	if len(fn.Variants) == maxVariants-1 {
		fn.Variants = append(fn.Variants, GeneralVariant(fn))
	} else {
		fn.Variants = append(fn.Variants, variantFor(fn, int(f.PC), symbolic))
	}
	return fn.Variants[len(fn.Variants)-1].Code
}

// covers reports whether v can be run from instruction pc on when those registers are
// symbolic.
func covers(v *state.Variant, pc int, symbolic []uint64) bool {
	if !v.Known[pc] {
		return false
	}
	for i, may := range maybeSymbolic(v, pc) {
		if symbolic[i]&^may != 0 {
			return false
		}
	}
	return true
}

// maybeSymbolic returns the set of the registers that may be symbolic before instruction i.
func maybeSymbolic(v *state.Variant, i int) []uint64 { return v.May[i*v.Words : (i+1)*v.Words] }

// GeneralVariant returns the variant in which every register may be symbolic everywhere.
func GeneralVariant(f *state.Function) state.Variant {
	v := newVariant(f)
	for i := range v.May {
		v.May[i] = ^uint64(0)
	}
	for i, in := range f.Code {
		in.Op += symbolicOps
		v.Code[i], v.Known[i] = in, true
	}
	return v
}

func newVariant(f *state.Function) state.Variant {
	n, words := len(f.Code), (f.Regs+63)/64
	return state.Variant{Code: slices.Clone(f.Fused), Words: words, May: make([]uint64, n*words), Known: make([]bool, n)}
}

// variantFor returns the variant for frames that have symbolic values in the given
// registers at instruction pc.
func variantFor(f *state.Function, pc int, symbolic []uint64) state.Variant {
	v := newVariant(f)
	copy(maybeSymbolic(&v, pc), symbolic)
	v.Known[pc] = true
	work := []int{pc}
	after := make([]uint64, v.Words)
	reach := func(i int) {
		changed := !v.Known[i]
		v.Known[i] = true
		for k, may := range maybeSymbolic(&v, i) {
			if after[k]&^may != 0 {
				maybeSymbolic(&v, i)[k] |= after[k]
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
		copy(after, maybeSymbolic(&v, i))
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
		if in := &f.Code[i]; v.Known[i] && (has(maybeSymbolic(&v, i), f.Reads(in)) || has(maybeSymbolic(&v, i), f.Writes(in))) {
			v.Code[i].Op = in.Op + symbolicOps
			if i > 0 && v.Code[i-1].Op < symbolicOps {
				v.Code[i-1].Op = f.Code[i-1].Op // it is no longer fused with this one
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
