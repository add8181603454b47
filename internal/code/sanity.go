package code

import (
	"errors"
	"fmt"
)

// Sanity checks what the machine relies on: that registers, targets and
// table indexes are in range, that every instruction has a position in the
// source, that the result of an instruction does not overlap its operands where
// it must not, and that every register is written before it is read, on every
// path. A call counts as destroying its window and everything above it, so the
// last check also finds windows below live registers.
func Sanity(f *Func) error {
	var errs []error
	fail := func(i int, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: instruction %d (%s): %s", f.Name, i, f.Code[i].Op, fmt.Sprintf(format, args...)))
	}
	if f.Intrinsic {
		return nil
	}
	if len(f.Pos) != len(f.Code) || len(f.Code) == 0 {
		return fmt.Errorf("%s: %d instructions with %d positions", f.Name, len(f.Code), len(f.Pos))
	}
	if f.Params > f.Regs || f.Results > f.Regs {
		return fmt.Errorf("%s: %d registers for %d words of parameters and %d of results", f.Name, f.Regs, f.Params, f.Results)
	}
	for i := range f.Code {
		in := &f.Code[i]
		if err := f.checkTables(in); err != nil {
			fail(i, "%v", err)
			continue
		}
		reads, writes := f.operands(in)
		for _, r := range append(reads, writes...) {
			if r.Words > 0 && (r.First < 0 || int(r.First)+r.Words > f.Regs) {
				fail(i, "%v of %d registers", r, f.Regs)
			}
		}
		if !f.Pos[i].IsValid() && !f.nowhere() {
			fail(i, "no position")
		}
		if in.Op.isJump() && (in.D < 0 || int(in.D) >= len(f.Code)) {
			fail(i, "target %d of %d", in.D, len(f.Code))
		}
		if !mayOverlap(in, reads, writes) {
			for _, w := range writes {
				for _, r := range reads {
					if w.Words > 0 && r.Words > 0 && w.First < r.First+int32(r.Words) && r.First < w.First+int32(w.Words) {
						fail(i, "result %v overlaps operand %v", w, r)
					}
				}
			}
		}
	}
	if last := len(f.Code) - 1; !f.Code[last].Op.endsFlow() {
		fail(last, "the code ends here")
	}
	if f.Recover >= len(f.Code) {
		errs = append(errs, fmt.Errorf("%s: recovers at %d of %d", f.Name, f.Recover, len(f.Code)))
	}
	if len(errs) == 0 {
		f.checkWritten(fail)
	}
	for _, own := range f.Builtins {
		errs = append(errs, Sanity(own))
	}
	return errors.Join(errs...)
}

// nowhere reports whether f has no position in any source: a wrapper of error.Error,
// the initialiser of a package without files.
func (f *Func) nowhere() bool { return !sourcePos(f.SSA).IsValid() }

// mayOverlap reports whether the result of in may overlap its operands.
func mayOverlap(in *Instr, reads, writes []Run) bool {
	if in.Op == MovN || in.Op == StrNext || in.Op.isCall() {
		return true
	}
	for _, r := range append(reads, writes...) {
		if r.Words != 1 {
			return false
		}
	}
	return in.Op <= LeF || in.Op == Conv || in.Op == EqP || in.Op == NeP || in.Op == Load
}

// checkTables checks the indexes of in into the tables of f.
func (f *Func) checkTables(in *Instr) error {
	check := func(i int32, n int, what string) error {
		if i < 0 || int(i) >= n {
			return fmt.Errorf("%s %d of %d", what, i, n)
		}
		return nil
	}
	switch in.Op {
	case Invalid:
		return errors.New("invalid")
	case Const:
		return check(in.B, len(f.Consts), "constant")
	case Eq, Ne, New, SliceToArr, MakeSlice, SliceS, SliceStr, SliceP, Append, AppendN, CopyS, ClearS, MakeIface, TypeWord,
		MakeMap, MapGet, MapSet, MapDel, MapIter, MapNext, MakeChan, Send, Recv, MkSlice:
		return check(in.D, len(f.Types), "type")
	case Assert:
		return errors.Join(check(in.C, len(f.Types), "type"), check(in.D, len(f.Types), "type"))
	case Closure, Call:
		return check(in.B, len(f.Callees), "callee")
	case CallOwn:
		return check(in.B, len(f.Builtins), "builtin")
	case CallIface:
		return check(in.D, len(f.Methods), "method")
	case SelectCh:
		return check(in.B, len(f.Selects), "select")
	case Unsupported:
		return check(in.B, len(f.Messages), "message")
	case NilCheck:
		if in.C > 0 {
			return check(in.C-1, len(f.Messages), "message")
		}
	}
	return nil
}

// checkWritten checks that registers are written before they are read.
func (f *Func) checkWritten(fail func(i int, format string, args ...any)) {
	words := (f.Regs + 63) / 64
	// states[i] holds the registers written on every path to i, nil before the
	// first path is known.
	states := make([][]uint64, len(f.Code))
	entry := make([]uint64, words)
	for r := range f.Params {
		entry[r/64] |= 1 << (r % 64)
	}
	var work []int
	meet := func(i int, state []uint64) {
		if states[i] == nil {
			states[i] = append([]uint64(nil), state...)
			work = append(work, i)
			return
		}
		changed := false
		for w := range words {
			if m := states[i][w] & state[w]; m != states[i][w] {
				states[i][w] = m
				changed = true
			}
		}
		if changed {
			work = append(work, i)
		}
	}
	if f.Recover >= 0 {
		// Which registers are written when a panic occurs is not known here.
		all := make([]uint64, words)
		for w := range all {
			all[w] = ^uint64(0)
		}
		meet(f.Recover, all)
	}
	meet(0, entry)
	state := make([]uint64, words)
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		copy(state, states[i])
		f.step(&f.Code[i], state)
		in := &f.Code[i]
		if in.Op.isJump() {
			meet(int(in.D), state)
		}
		if !in.Op.endsFlow() {
			if i+1 == len(f.Code) {
				fail(i, "the code ends here")
				return
			}
			meet(i+1, state)
		}
	}
	for i := range f.Code {
		if states[i] == nil {
			continue // never reached
		}
		for _, r := range f.Reads(&f.Code[i]) {
			for reg := r.First; reg < r.First+int32(r.Words); reg++ {
				if states[i][reg/64]&(1<<(reg%64)) == 0 {
					fail(i, "register %d is read before it is written", reg)
				}
			}
		}
	}
}

// step updates the set of written registers for the effect of in.
func (f *Func) step(in *Instr, written []uint64) {
	set := func(r Run, value bool) {
		for reg := r.First; reg < r.First+int32(r.Words); reg++ {
			if value {
				written[reg/64] |= 1 << (reg % 64)
			} else {
				written[reg/64] &^= 1 << (reg % 64)
			}
		}
	}
	for _, w := range f.Writes(in) {
		set(w, !in.Op.isCall())
	}
	if in.Op.isCall() {
		set(f.CallResults(in), true)
	}
}
