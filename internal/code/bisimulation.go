package code

import "slices"

// A Bisimulation says which instructions of a function continue in the same way: from two of one
// class the same is done with the same registers, whatever they and memory hold, up to where it is
// in the source. So two states of a goroutine that differ only in which of the two comes next
// differ in nothing but what is said of them, unless the program asks where it is.
//
// A loop has such instructions if what is done at its start is done again at its end:
//
//	for i := next(); i < n; i = next() {
//
// and so has a loop whose head the compiler has repeated (Func.Repeats).
type Bisimulation struct {
	first []int32 // of its class, for each instruction
	alone []bool  // there is no other one in its class
}

// maxRefinement is the number of instructions that are looked at at most to find a bisimulation. A
// function that needs more has none.
const maxRefinement = 1 << 18

// Representative returns the first instruction of the class of instruction i.
func (b *Bisimulation) Representative(i int) int {
	if b.first == nil || i >= len(b.first) {
		return i
	}
	return int(b.first[i])
}

// IsAlone reports whether no other instruction is in the class of instruction i.
func (b *Bisimulation) IsAlone(i int) bool { return b.first == nil || i >= len(b.first) || b.alone[i] }

// A step is what an instruction does, up to where it continues.
type step struct {
	Instr                 // of a jump without its target
	unsigned, uses, loops int32
	sorted                bool
}

// A node is a class of instructions with those of what comes next, and of where a jump goes to if it is taken.
type node struct {
	step, next, taken int32 // none is -1
}

// A numbering numbers the different values among those that it is asked for, in their order.
type numbering[T comparable] map[T]int32

func (n numbering[T]) of(x T) int32 {
	i, ok := n[x]
	if !ok {
		i = int32(len(n))
		n[x] = i
	}
	return i
}

// Bisimulation computes the coarsest bisimulation of f, by refining classes until none has two
// instructions that continue in different classes.
func (f *Func) Bisimulation() *Bisimulation {
	n := len(f.Code)
	found := numbering[step]{}
	steps := make([]int32, n)
	for i := range f.Code {
		steps[i] = found.of(f.stepAt(i))
	}
	classes := len(found)
	if classes == n || f.Middle != nil {
		return &Bisimulation{}
	}
	next, taken := make([]int, n), make([]int, n)
	for i := range f.Code {
		next[i], taken[i] = f.successors(i)
	}
	class := steps
	of := func(i int) int32 {
		if i < 0 {
			return -1
		}
		return class[i]
	}
	for work := n; work <= maxRefinement; work += n {
		found := numbering[node]{}
		refined := make([]int32, n)
		for i := range refined {
			refined[i] = found.of(node{steps[i], of(next[i]), of(taken[i])})
		}
		class = refined
		if len(found) == classes {
			return newBisimulation(class, classes)
		}
		classes = len(found)
	}
	return &Bisimulation{}
}

func newBisimulation(class []int32, classes int) *Bisimulation {
	b := &Bisimulation{make([]int32, len(class)), make([]bool, len(class))}
	first, count := make([]int32, classes), make([]int32, classes)
	for i, c := range slices.Backward(class) {
		first[c] = int32(i)
		count[c]++
	}
	for i, c := range class {
		b.first[i], b.alone[i] = first[c], count[c] == 1
	}
	return b
}

// stepAt returns what instruction i does.
func (f *Func) stepAt(i int) step {
	pc := int32(i)
	s := step{Instr: f.Code[i], unsigned: int32(f.Unsigned[pc]), uses: int32(f.ResultUses[pc]), sorted: f.Sorted[pc]}
	if s.Op.isJump() {
		s.Instr, _ = s.upright()
		s.D = 0
	}
	for _, l := range f.Commuting { // in which a panic means something else
		if l.Contains(pc) {
			s.loops = s.loops*31 + l.From + 1
		}
	}
	return s
}

// successors returns where execution continues after instruction i, and where if it is a
// conditional jump that is taken, as upright has it; -1 for none.
func (f *Func) successors(i int) (next, taken int) {
	in := f.Code[i]
	flows, target := in.Flow()
	next, taken = -1, -1
	if target >= 0 {
		taken = f.landing(target)
	}
	switch {
	case flows && i+1 < len(f.Code):
		next = f.landing(i + 1)
	case in.Op == Jmp:
		return taken, -1
	}
	if _, inverted := in.upright(); inverted {
		return taken, next
	}
	return next, taken
}

// landing returns where execution goes on that comes to instruction i: there, or where
// unconditional jumps lead from it.
func (f *Func) landing(i int) int {
	for range len(f.Code) {
		if f.Code[i].Op != Jmp {
			break
		}
		i = int(f.Code[i].D)
	}
	return i
}

// upright returns a conditional jump as one of those that are compiled for either order of the
// branches, and whether that one is taken where in is not.
func (in Instr) upright() (Instr, bool) {
	switch in.Op {
	case JmpIfNot:
		in.Op = JmpIf
	case JmpNe:
		in.Op = JmpEq
	case JmpNeI:
		in.Op = JmpEqI
	case JmpNotNil:
		in.Op = JmpNil
	case JmpLeS, JmpLeU:
		in.Op -= JmpLeS - JmpLtS
		in.A, in.B = in.B, in.A
	case JmpGeSI:
		in.Op = JmpLtSI
	case JmpGtSI:
		in.Op = JmpLeSI
	default:
		return in, false
	}
	return in, true
}
