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
type Region struct {
	Head int // the conditional jump
	Join int // where the sides meet, len(Code) for the end of the function
	Size int // instructions on both sides, those of functions called included
}

// Regions are the regions of a function, in the order of their heads. Each jump
// within a region is the head of another one, which ends no later.
type Regions struct {
	List  []Region
	Whole int // if the whole function does nothing but compute: its Size, else 0
}

// maxRegion bounds the Size of a region. In the 22 parsers of bench/solve it was never
// reached by a region that was come to.
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
	meet := f.postDominators()
	for i := range f.Code {
		if in := &f.Code[i]; isJump(in.Op) && in.Op != Jmp && meet[i] >= 0 {
			if size, ok := p.between(f, f.successors(i), meet[i]); ok {
				rs.List = append(rs.List, Region{i, meet[i], size})
			}
		}
	}
	if size, ok := p.between(f, []int{0}, len(f.Code)); ok {
		rs.Whole = size
	}
	return rs
}

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
		fmt.Fprintf(&b, "region %d to %d: size %d\n", r.Head, r.Join, r.Size)
	}
	if rs.Whole > 0 {
		fmt.Fprintf(&b, "whole: size %d\n", rs.Whole)
	}
	return b.String()
}

// between returns the number of instructions that are come to from those in starts
// before join, which all ways lead to. It is false when they do not only compute.
func (p *Program) between(f *Func, starts []int, join int) (size int, ok bool) {
	done := make(map[int]bool) // false while the ways from there are followed
	var follow func(i int) bool
	follow = func(i int) bool {
		if i == join {
			return true
		}
		if finished, known := done[i]; known {
			return finished // otherwise it is a loop
		}
		n := p.computes(f, &f.Code[i])
		if size += n; n == 0 || size > maxRegion {
			return false
		}
		done[i] = false
		for _, next := range f.successors(i) {
			if !follow(next) {
				return false
			}
		}
		done[i] = true
		return true
	}
	for _, i := range starts {
		if !follow(i) {
			return 0, false
		}
	}
	return size, true
}

// computes returns how many instructions in stands for, 0 when it may do more than
// compute. Division by zero and negative shift counts are for the interpreter to
// rule out, and pointers are only compared.
func (p *Program) computes(f *Func, in *Instr) int {
	switch in.Op {
	case Nop, Mov, MovN, Imm, Const, Zero, Jmp, Cover, Return,
		Add, AddK, AddI, AddKI, Sub, SubK, Mul, MulK, MulI, Div, Rem, And, AndI, Or, Xor, AndNot,
		MulHi, Shl, Shr, ShlI, ShrI, Neg, Com, Not, AddF, SubF, MulF, DivF, NegF, SqrtF, RoundF,
		EqW, NeW, LtS, LeS, LtU, LeU, EqF, NeF, LtF, LeF, EqP, NeP, Conv:
		return 1
	case MinMax:
		if Kind(in.K) != String {
			return 1
		}
	case Call:
		if in.K != ModeCall {
			return 0
		}
		if whole := p.Regions(p.Func(f.Callees[in.B])).Whole; whole > 0 {
			return 1 + whole
		}
	default:
		if isJump(in.Op) {
			return 1
		}
	}
	return 0
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

// postDominators returns the immediate post-dominator of each instruction, len(f.Code)
// for the end of the function, or -1 when that cannot be come to (Cooper, Harvey,
// Kennedy: A Simple, Fast Dominance Algorithm, 2001, on the flow turned round).
func (f *Func) postDominators() []int {
	end := len(f.Code)
	before := make([][]int, end+1)
	for i := range f.Code {
		for _, s := range f.successors(i) {
			before[s] = append(before[s], i)
		}
	}
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
