package code

// Needed says which registers hold a value that is still needed, before each
// instruction of a function: those that are live. Two states of a goroutine that
// agree on these registers continue in the same way.
type Needed struct {
	words int      // of a set
	sets  []uint64 // a set of registers for each instruction
}

// Needed computes the registers of f that are needed. Any instruction may panic,
// so what the code that runs after a recovered panic reads is needed everywhere.
func (f *Func) Needed() *Needed {
	n := &Needed{words: (f.Regs + 63) / 64}
	n.sets = make([]uint64, n.words*(len(f.Code)+1))
	set := make([]uint64, n.words)
	for changed := true; changed; {
		changed = false
		for i := len(f.Code) - 1; i >= 0; i-- {
			in := &f.Code[i]
			clear(set)
			if !in.Op.endsFlow() {
				copy(set, n.Before(i+1))
			}
			if in.Op.isJump() {
				n.include(set, int(in.D))
			}
			reads, writes := f.operands(in)
			for _, w := range writes {
				for r := w.First; r < w.First+int32(w.Words); r++ {
					set[r/64] &^= 1 << (r % 64)
				}
			}
			for _, w := range reads {
				for r := w.First; r < w.First+int32(w.Words); r++ {
					set[r/64] |= 1 << (r % 64)
				}
			}
			if f.Recover >= 0 {
				n.include(set, f.Recover)
			}
			before := n.Before(i)
			for w := range set {
				changed = changed || set[w] != before[w]
			}
			copy(before, set)
		}
	}
	return n
}

// Before returns the set of registers that are needed before instruction i, one bit
// for each register. It is not to be changed.
func (n *Needed) Before(i int) []uint64 { return n.sets[i*n.words : (i+1)*n.words] }

// include adds the registers needed before instruction i to set.
func (n *Needed) include(set []uint64, i int) {
	for w, bits := range n.Before(i) {
		set[w] |= bits
	}
}
