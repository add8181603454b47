package code

import (
	"fmt"
	"slices"
	"strings"
)

// A Region is the code from a conditional jump to where its two sides meet again,
// when all that is done in between is to compute: values go from registers to
// registers, nothing can fail, no instruction is come to twice, and nothing else can
// tell that it was run. So both sides can be carried out and their results chosen
// by the condition: veritesting (Avgerinos, Rebert, Cha, Brumley: Enhancing Symbolic
// Execution with Veritesting, ICSE 2014), section 3, without its system calls and
// unresolved jumps.
//
// Where the sides meet is the immediate post-dominator of the jump. Calls of
// functions are part of a region when all of the function is like one.
//
// A region of several jumps may have two ends: tests that decide together which of two
// ways the program goes, as those of a condition with && and || do. Which of the ends
// is come to is one condition then.
type Region struct {
	Head int    // the conditional jump
	Ends [2]int // where the sides meet, len(Code) for the end of the function; -1 for no second end
	Size int    // instructions before the ends, those of functions called included
	// Counted says that there are branches before the ends that are counted (Program.Branches).
	Counted bool
}

// Regions are the regions of a function, in the order of their heads. Each jump
// within a region is the head of another one, which ends no later, or, if there are
// two ends, one of the tests, with the same ends.
type Regions struct {
	List []Region
	// Whole is, if all of the function does nothing but compute, from its beginning to its
	// end, like a region, otherwise nil.
	Whole *Region
}

// maxRegion bounds the Size of a region. The largest one that the parsers of bench/solve
// come to has 32 instructions.
const maxRegion = 64

// Regions returns the regions of f.
func (p *Program) Regions(f *Func) *Regions {
	if rs := p.regions[f]; rs != nil {
		return rs
	}
	rs := new(Regions)
	p.regions[f] = rs // functions that call themselves are not looked into
	if f.Intrinsic || f.Recover >= 0 {
		return rs
	}
	before := f.predecessors()
	meet := f.postDominators(before)
	t := tests{p: p, f: f, before: before, ends: make(map[int]*[2]int)}
	for i := range f.Code {
		if !f.isTest(i) || meet[i] < 0 {
			continue
		}
		r := Region{Head: i, Ends: [2]int{meet[i], -1}}
		ok := p.follow(f, &r, f.successors(i))
		if !ok {
			if r.Ends, ok = t.together(i); ok {
				ok = p.follow(f, &r, f.successors(i))
			}
		}
		if ok {
			rs.List = append(rs.List, r)
		}
	}
	if r := (Region{Ends: [2]int{len(f.Code), -1}}); p.follow(f, &r, []int{0}) {
		rs.Whole = &r
	}
	return rs
}

// A tests finds the jumps that decide together which of two ways a function goes.
type tests struct {
	p      *Program
	f      *Func
	before [][]int
	ends   map[int]*[2]int // by jump; nil while it is looked at
}

// together returns the two ends of the region of jump i. It is false when it decides
// on its own.
func (t *tests) together(i int) (ends [2]int, ok bool) {
	ends = t.of(i)
	return ends, ends != t.alone(i) && ends[0] != ends[1]
}

// of returns where the program goes at the end of the tests that jump i is the first
// of.
func (t *tests) of(i int) [2]int {
	if ends, known := t.ends[i]; known {
		if ends == nil {
			return [2]int{i, i} // a loop
		}
		return *ends
	}
	t.ends[i] = nil
	ends := t.alone(i)
	for k, next := range ends {
		if next < len(t.f.Code) && len(t.before[next]) == 1 && t.f.isTest(next) {
			if there := t.of(next); slices.Contains(there[:], ends[1-k]) {
				ends = there
				break
			}
		}
	}
	t.ends[i] = &ends
	return ends
}

// alone returns where the program goes after jump i, as far as it only computes and comes
// to no place that others lead to, or to another jump.
func (t *tests) alone(i int) (ends [2]int) {
	for k, at := range t.f.successors(i) {
		for range maxRegion {
			if at == len(t.f.Code) || len(t.before[at]) > 1 || !t.p.computes(t.f, &t.f.Code[at], new(Region)) || t.f.isTest(at) || t.f.Code[at].Op == Return {
				break
			}
			at = t.f.successors(at)[0]
		}
		ends[k] = at
	}
	return ends
}

// isTest reports whether instruction i is a conditional jump.
func (f *Func) isTest(i int) bool { return isJump(f.Code[i].Op) && f.Code[i].Op != Jmp }

// At returns the region of the jump at instruction head, nil when it has none.
func (rs *Regions) At(head int) *Region {
	i, ok := slices.BinarySearchFunc(rs.List, head, func(r Region, head int) int { return r.Head - head })
	if !ok {
		return nil
	}
	return &rs.List[i]
}

// String lists the regions, one a line.
func (rs *Regions) String() string {
	var b strings.Builder
	for _, r := range rs.List {
		fmt.Fprintf(&b, "region %d to %d", r.Head, r.Ends[0])
		if r.Ends[1] >= 0 {
			fmt.Fprintf(&b, " or %d", r.Ends[1])
		}
		fmt.Fprintf(&b, ": size %d\n", r.Size)
	}
	if rs.Whole != nil {
		fmt.Fprintf(&b, "whole: size %d\n", rs.Whole.Size)
	}
	return b.String()
}

// follow looks at the instructions that are come to from those in starts before one of the
// ends of r. It is false when they do not only compute, or do not lead there.
func (p *Program) follow(f *Func, r *Region, starts []int) bool {
	r.Size, r.Counted = 0, false
	done := make(map[int]bool) // false while the ways from there are followed
	var visit func(i int) bool
	visit = func(i int) bool {
		if i == r.Ends[0] || i == r.Ends[1] {
			return true
		}
		if finished, known := done[i]; known {
			return finished // otherwise it is a loop
		}
		if i == len(f.Code) || !p.computes(f, &f.Code[i], r) || r.Size > maxRegion {
			return false
		}
		done[i] = false
		for _, next := range f.successors(i) {
			if !visit(next) {
				return false
			}
		}
		done[i] = true
		return true
	}
	for _, i := range starts {
		if !visit(i) {
			return false
		}
	}
	return true
}

// computes reports whether in does nothing but compute, and adds it to r. Division by zero
// and negative shift counts are for the interpreter to rule out, and pointers are
// only compared.
func (p *Program) computes(f *Func, in *Instr, r *Region) bool {
	r.Size++
	switch in.Op {
	case Nop, Mov, MovN, Imm, Const, Zero, Jmp, Return,
		Add, AddK, AddI, AddKI, Sub, SubK, Mul, MulK, MulI, Div, Rem, And, AndI, Or, Xor, AndNot,
		MulHi, Shl, Shr, ShlI, ShrI, Neg, Com, Not, AddF, SubF, MulF, DivF, NegF, SqrtF, RoundF,
		EqW, NeW, LtS, LeS, LtU, LeU, EqF, NeF, LtF, LeF, EqP, NeP, Conv:
		return true
	case Cover:
		r.Counted = true
		return true
	case MinMax:
		return Kind(in.K) != String
	case Call:
		if in.K != ModeCall {
			return false
		}
		whole := p.Regions(p.Func(f.Callees[in.B])).Whole
		if whole == nil {
			return false
		}
		r.Size += whole.Size
		r.Counted = r.Counted || whole.Counted
		return true
	}
	return isJump(in.Op)
}

// successors returns where the program can go on after instruction i, len(f.Code)
// where it leaves the function. Copies of the head of a loop are taken for the head.
func (f *Func) successors(i int) []int {
	next, target := f.Code[i].Flow()
	var list []int
	if next {
		list = append(list, f.Origin(i+1))
	}
	if target >= 0 {
		list = append(list, f.Origin(target))
	}
	if len(list) == 0 {
		list = append(list, len(f.Code))
	}
	return list
}

// predecessors returns the instructions from which the program can go on at each
// instruction, and at the end of the function.
func (f *Func) predecessors() [][]int {
	before := make([][]int, len(f.Code)+1)
	seen := make([]bool, len(f.Code)+1)
	seen[0], seen[len(f.Code)] = true, true
	for work := []int{0}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range f.successors(i) {
			before[s] = append(before[s], i)
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return before
}

// postDominators returns the immediate post-dominator of each instruction, len(f.Code)
// for the end of the function, or -1 when that cannot be come to (Cooper, Harvey,
// Kennedy: A Simple, Fast Dominance Algorithm, 2001, on the flow turned round).
func (f *Func) postDominators(before [][]int) []int {
	end := len(f.Code)
	number, order := make([]int, end+1), make([]int, 0, end+1) // in postorder from the end
	for i := range number {
		number[i] = -1
	}
	type visit struct{ at, next int }
	seen := make([]bool, end+1)
	seen[end] = true
	for stack := []visit{{end, 0}}; len(stack) > 0; {
		v := &stack[len(stack)-1]
		if v.next < len(before[v.at]) {
			i := before[v.at][v.next]
			v.next++
			if !seen[i] {
				seen[i] = true
				stack = append(stack, visit{i, 0})
			}
			continue
		}
		number[v.at] = len(order)
		order = append(order, v.at)
		stack = stack[:len(stack)-1]
	}
	meet := make([]int, end+1)
	for i := range meet {
		meet[i] = -1
	}
	meet[end] = end
	for changed := true; changed; {
		changed = false
		for k := len(order) - 2; k >= 0; k-- {
			i, to := order[k], -1
			for _, s := range f.successors(i) {
				switch {
				case meet[s] < 0:
				case to < 0:
					to = s
				default:
					for to != s {
						for number[to] < number[s] {
							to = meet[to]
						}
						for number[s] < number[to] {
							s = meet[s]
						}
					}
				}
			}
			if meet[i] != to {
				meet[i], changed = to, true
			}
		}
	}
	return meet[:end]
}
