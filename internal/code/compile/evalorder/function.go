package evalorder

import "golang.org/x/tools/go/ssa"

// A Function is a function whose instructions are to be ordered.
type Function struct {
	fn    *ssa.Function
	parts []part // see findParts; nil until they are needed
	idle  []span // see idleOperands; nil until they are needed
}

// New returns the Function for fn.
func New(fn *ssa.Function) *Function { return &Function{fn: fn} }

// Instrs returns the instructions of b, a block of the function, in the order in which
// they are executed. The result may be b.Instrs itself.
func (f *Function) Instrs(b *ssa.BasicBlock) []ssa.Instruction {
	if !readsBeforeCall(b.Instrs) {
		return b.Instrs
	}
	if f.parts == nil {
		f.parts = findParts(f.fn.Syntax())
	}
	var out []ssa.Instruction
	for rest := b.Instrs; len(rest) > 0; {
		p, n := firstPart(f.parts, rest)
		if p.to.IsValid() && readsBeforeCall(rest[:n]) {
			out = append(out, orderPart(rest[:n], p)...)
		} else {
			out = append(out, rest[:n]...)
		}
		rest = rest[n:]
	}
	return out
}

// readsBeforeCall reports whether in list a load of the source comes before a
// call or receive.
func readsBeforeCall(list []ssa.Instruction) bool {
	reads := false
	for _, instr := range list {
		if isLoad(instr) && instr.Pos().IsValid() {
			reads = true
		} else if reads && runsCode(instr) {
			return true
		}
	}
	return false
}
