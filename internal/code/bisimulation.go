package code

import (
	"slices"
)

// A Bisimulation says which instructions of a function continue in the same way: from two of one class the same is
// done with the same registers, whatever they and memory hold, up to where it is in the source. So two states of a goroutine that differ
// only in which of the two comes next differ in nothing but what is said of them, unless the program asks where it is.
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

// maxRefinement is the number of instructions that are looked at at most to find a bisimulation. Functions that need more
// are long, and without loops nearly always.
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
	Instr                         // of a jump without its target
	loops, unsigned, sorted, uses int32
}

// A node is a step with the classes of what comes next, and where a jump goes to if it is taken.
type node struct {
	of          int32 // class of the step
	next, taken int32 // -1 for none
}

// Bisimulation computes the coarsest bisimulation of f, by refining classes until none has two instructions that continue in different classes.
func (f *Func) Bisimulation() *Bisimulation {
	n := len(f.Code)
	class, classes := f.steps()
	if classes == n || f.Middle != nil {
		return &Bisimulation{}
	}
	steps := slices.Clone(class)
	for work := 0; ; {
		if work += n; work > maxRefinement {
			return &Bisimulation{}
		}
		numbers := map[node]int32{}
		refined := make([]int32, n)
		for i := range f.Code {
			to := node{of: steps[i], next: -1, taken: -1}
			in, inverted := f.Code[i], false
			if in.Op.isJump() {
				_, inverted = in.upright()
			}
			if next, target := in.Flow(); next && i+1 < n {
				to.next = class[f.landing(i+1)]
				if target >= 0 {
					to.taken = class[f.landing(target)]
				}
			} else if target >= 0 {
				to.next = class[f.landing(target)]
			}
			if inverted {
				to.next, to.taken = to.taken, to.next
			}
			number, ok := numbers[to]
			if !ok {
				number = int32(len(numbers))
				numbers[to] = number
			}
			refined[i] = number
		}
		class = refined
		if len(numbers) == classes {
			break
		}
		classes = len(numbers)
	}
	return newBisimulation(class, classes)
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

// steps numbers the steps of the instructions of f, and returns how many there are.
func (f *Func) steps() (class []int32, classes int) {
	numbers := map[step]int32{}
	class = make([]int32, len(f.Code))
	for i := range f.Code {
		pc := int32(i)
		s := step{Instr: f.Code[i], unsigned: int32(f.Unsigned[pc]), uses: int32(f.ResultUses[pc])}
		if s.Op.isJump() {
			s.Instr, _ = s.upright()
			s.D = 0
		}
		if f.Sorted[pc] {
			s.sorted = 1
		}
		for _, l := range f.Commuting { // in which a panic means something else
			if l.Contains(pc) {
				s.loops = s.loops*31 + l.From + 1
			}
		}
		number, ok := numbers[s]
		if !ok {
			number = int32(len(numbers))
			numbers[s] = number
		}
		class[i] = number
	}
	return class, len(numbers)
}

// landing returns where execution goes on that comes to instruction i: there, or where unconditional jumps lead from it.
func (f *Func) landing(i int) int {
	for range len(f.Code) {
		if f.Code[i].Op != Jmp {
			break
		}
		i = int(f.Code[i].D)
	}
	return i
}

// upright returns a conditional jump as one of those that are compiled for either order of the branches, and whether that one is taken where in is not.
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
