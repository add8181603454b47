package regalloc

import "slices"

// An Allocation has the registers of a function, and says which of them are free at one
// of its instructions. It starts at the entry of the function and is moved from there to
// the end.
type Allocation struct {
	fn     *Function
	webs   []*web // by start of their ranges
	instrs int32  // numbers given to instructions
	top    int32  // the first register above all nodes
	used   int32  // the first register above those that have been taken for scratch values

	at     int32  // the number of the instruction
	free   int32  // the first register above everything in use there; -1 when not computed yet
	active []*web // of registers that may be in use at and after at
	next   int    // in webs: the first one not active yet
}

// EnterBlock moves to the entry of a block.
func (a *Allocation) EnterBlock(block int) { a.enter(a.fn.Blocks[block].first) }

// EnterInstr moves to an instruction of a block.
func (a *Allocation) EnterInstr(block, instr int) {
	a.enter(a.fn.Blocks[block].first + 1 + int32(instr))
}

// EnterEnd moves behind all blocks. Code there may be executed between any two of them,
// so no register of a node is free.
func (a *Allocation) EnterEnd() { a.enter(a.instrs) }

func (a *Allocation) enter(at int32) {
	a.at = at
	a.free = -1
	now := 2 * at
	for a.next < len(a.webs) && a.webs[a.next].ranges[0].from <= now+1 {
		a.active = append(a.active, a.webs[a.next])
		a.next++
	}
	a.active = slices.DeleteFunc(a.active, func(w *web) bool { return w.ranges[len(w.ranges)-1].to <= now })
}

// Scratch returns the first of n registers that hold nothing here. They can be used
// until the next move.
func (a *Allocation) Scratch(n int) int32 {
	if a.free < 0 {
		a.free = 0
		if a.at >= a.instrs {
			a.free = a.top
		}
		for _, w := range a.active {
			if w.covers(2*a.at) || w.covers(2*a.at+1) {
				a.free = max(a.free, w.end())
			}
		}
	}
	r := a.free
	a.Reserve(r + int32(n))
	return r
}

// ScratchAbove is like Scratch, but returns registers above those of all nodes.
func (a *Allocation) ScratchAbove(n int) int32 {
	r := max(a.top, a.free)
	a.Reserve(r + int32(n))
	return r
}

// Reserve takes the registers below end, so that scratch values get others.
func (a *Allocation) Reserve(end int32) {
	a.free = max(a.free, end)
	a.used = max(a.used, a.free)
}

// Reserved returns the register after those taken for scratch values here, -1 when there
// are none.
func (a *Allocation) Reserved() int32 { return a.free }

// Window returns the register at which the window of a call begins.
func (a *Allocation) Window(call *Call) int32 {
	var result *web
	if call.Result != nil {
		result = call.Result.web
	}
	return windowBase(a.active, call, result)
}

// Regs returns the number of registers in use, scratch values included.
func (a *Allocation) Regs() int { return int(max(a.top, a.used)) }
