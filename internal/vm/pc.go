package vm

// A program counter, as programs see it through package runtime, is the number
// of a function and of an instruction in it. As in gc's runtime, that of a call is
// one more than its instruction's: it is a return address. Zero is none.

const pcInstrBits = 24

// pcOf returns the program counter of an instruction.
func pcOf(fn *function, instr int32) uint64 {
	return uint64(fn.id+1)<<pcInstrBits | uint64(instr)
}

// atPC returns the function and the instruction of a program counter, nil when
// it is none.
func (m *Machine) atPC(pc uint64) (fn *function, instr int32) {
	i := pc >> pcInstrBits
	if i == 0 || i > uint64(len(m.Funcs)) {
		return nil, 0
	}
	fn, instr = m.Funcs[i-1], int32(pc&(1<<pcInstrBits-1))
	if int(instr) > len(fn.Pos) { // a return address may be behind the last instruction
		return nil, 0
	}
	return fn, instr
}
