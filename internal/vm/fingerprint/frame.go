package fingerprint

import (
	"math/bits"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// addFrames appends to h the frames of a goroutine with its stack: the registers that are still
// needed, as in package reach.
func (p *Printer) addFrames(h *hash, frames []state.Frame, stack []heap.Word, syms []expr.ID, from name) {
	h.addInt(len(frames))
	for i := range frames {
		f := &frames[i]
		at := from
		at.b += uint64(i+1) << 32
		h.addInt(int(f.Func.ID))
		h.addInt(p.placeOf(f))
		h.addInt(int(f.Base))
		h.addInt(int(f.Mode))
		p.addDeferred(h, f, at)
		pc, end := f.PC, f.Func.Regs
		if len(f.Func.Code) > int(pc) && f.Func.Code[pc].Op == code.FreeVar {
			p.addPointer(h, f.Closure, at, 1<<31)
		}
		if i+1 < len(frames) && frames[i+1].Mode == state.Called {
			end = int(f.Func.Code[pc].A)
			pc++
		}
		p.addRegisters(h, f, pc, end, stack, syms, at)
	}
}

// placeOf returns the instruction at which f is, or another one that stands for all that continue in the same way.
func (p *Printer) placeOf(f *state.Frame) int {
	if !p.Plan.MergePlaces {
		return int(f.PC)
	}
	return f.Func.Bisimulation().Representative(int(f.PC))
}

// addRegisters appends to h the registers of f below end that are needed before pc.
func (p *Printer) addRegisters(h *hash, f *state.Frame, pc int32, end int, stack []heap.Word, syms []expr.ID, from name) {
	for w, set := range f.Func.NeededBefore(pc) {
		for ; set != 0; set &= set - 1 {
			r := w*64 + bits.TrailingZeros64(set)
			if r >= end {
				return
			}
			at := int(f.Base) + r
			sym := expr.None
			if f.Symbolic {
				sym = syms[at]
			}
			p.addWord(h, stack[at], sym, from, uint64(r))
		}
	}
}

// addDeferred appends to h the deferred calls of f.
func (p *Printer) addDeferred(h *hash, f *state.Frame, from name) {
	h.addInt(len(f.Defers))
	for i := range f.Defers {
		d := &f.Defers[i]
		closure, args := d.Values()
		at := uint64(i+1) << 40
		h.addInt(int(d.Func.ID))
		p.addPointer(h, closure, from, at)
		h.addInt(len(args))
		p.addWords(h, args, d.Shadows(), from, at+1)
	}
}

// addWords appends to h words with their symbolic values, of which there are none if all are
// concrete.
func (p *Printer) addWords(h *hash, words []heap.Word, syms []expr.ID, from name, at uint64) {
	for i := range words {
		sym := expr.None
		if len(syms) > 0 {
			sym = syms[i]
		}
		p.addWord(h, words[i], sym, from, at+uint64(i))
	}
}
