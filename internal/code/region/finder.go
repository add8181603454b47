package region

import "github.com/everyway-go/everyway/internal/code"

// maxSize bounds the Size of a region. The largest one that the parsers of bench/solve
// reach has 32 instructions.
const maxSize = 64

// A Finder finds the regions of the functions of a program, and remembers them. It is
// not safe for concurrent use.
type Finder struct {
	prog *code.Program
	sets map[*code.Func]*Set
}

// NewFinder returns a Finder for the functions of prog.
func NewFinder(prog *code.Program) *Finder {
	return &Finder{prog: prog, sets: make(map[*code.Func]*Set)}
}

// Find returns the regions of f.
func (fd *Finder) Find(f *code.Func) *Set {
	if s := fd.sets[f]; s != nil {
		return s
	}
	s := new(Set)
	fd.sets[f] = s // a function that calls itself has no region with that call
	if f.Intrinsic || f.Recover >= 0 {
		return s
	}
	fl := flow{f}
	before := fl.predecessors()
	meet := fl.postDominators(before)
	t := tests{finder: fd, flow: fl, before: before, ends: make(map[int]*[2]int)}
	for i := range f.Code {
		if !fl.isTest(i) || meet[i] < 0 {
			continue
		}
		r := Region{Head: i, Ends: [2]int{meet[i], -1}}
		ok := fd.follow(fl, &r, fl.successors(i))
		if !ok {
			if r.Ends, ok = t.together(i); ok {
				ok = fd.follow(fl, &r, fl.successors(i))
			}
		}
		if ok {
			s.List = append(s.List, r)
		}
	}
	if r := (Region{Ends: [2]int{len(f.Code), -1}}); fd.follow(fl, &r, []int{0}) {
		s.Whole = &r
	}
	return s
}

// follow visits the instructions that are reached from starts before one of the ends of
// r, and sets the Size of r and Counted. It reports whether they only compute and all
// lead to an end.
func (fd *Finder) follow(fl flow, r *Region, starts []int) bool {
	r.Size, r.Counted = 0, false
	done := make(map[int]bool) // false while the paths from there are followed
	var visit func(i int) bool
	visit = func(i int) bool {
		if i == r.Ends[0] || i == r.Ends[1] {
			return true
		}
		if finished, known := done[i]; known {
			return finished // otherwise it is a loop
		}
		if i == len(fl.f.Code) || !fd.computes(fl.f, &fl.f.Code[i], r) || r.Size > maxSize {
			return false
		}
		done[i] = false
		for _, next := range fl.successors(i) {
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

// computes reports whether in does nothing but compute, and adds it to r. Division by
// zero and negative shift counts are for the machine to rule out, and pointers are
// only compared.
func (fd *Finder) computes(f *code.Func, in *code.Instr, r *Region) bool {
	r.Size++
	switch in.Op {
	case code.Nop, code.Mov, code.MovN, code.Imm, code.Const, code.Zero, code.Jmp, code.Return,
		code.Add, code.AddK, code.AddI, code.AddKI, code.Sub, code.SubK, code.Mul, code.MulK, code.MulI, code.Div, code.Rem,
		code.And, code.AndI, code.Or, code.Xor, code.AndNot, code.MulHi, code.Shl, code.Shr, code.ShlI, code.ShrI,
		code.Neg, code.Com, code.Not, code.AddF, code.SubF, code.MulF, code.DivF, code.NegF, code.SqrtF, code.RoundF,
		code.EqW, code.NeW, code.LtS, code.LeS, code.LtU, code.LeU, code.EqF, code.NeF, code.LtF, code.LeF, code.EqP, code.NeP,
		code.Conv:
		return true
	case code.Cover:
		r.Counted = true
		return true
	case code.MinMax:
		return code.Kind(in.K) != code.String
	case code.Call:
		if in.K != code.ModeCall {
			return false
		}
		whole := fd.Find(fd.prog.Func(f.Callees[in.B])).Whole
		if whole == nil {
			return false
		}
		r.Size += whole.Size
		r.Counted = r.Counted || whole.Counted
		return true
	}
	_, target := in.Flow()
	return target >= 0
}

// A tests finds the jumps of a function that decide together which of two ways it takes.
type tests struct {
	finder *Finder
	flow
	before [][]int
	ends   map[int]*[2]int // by jump; nil while it is looked at
}

// together returns the two ends of the region of jump i. It is false when the jump
// decides on its own.
func (t *tests) together(i int) (ends [2]int, ok bool) {
	ends = t.of(i)
	return ends, ends != t.alone(i) && ends[0] != ends[1]
}

// of returns where the function continues after the tests of which jump i is the first.
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
		if next < len(t.f.Code) && len(t.before[next]) == 1 && t.isTest(next) {
			if there := t.of(next); there[0] == ends[1-k] || there[1] == ends[1-k] {
				ends = there
				break
			}
		}
	}
	t.ends[i] = &ends
	return ends
}

// alone returns how far each side of jump i only computes before it reaches another jump
// or a place that other instructions lead to.
func (t *tests) alone(i int) (ends [2]int) {
	for k, at := range t.successors(i) {
		for range maxSize {
			if at == len(t.f.Code) || len(t.before[at]) > 1 ||
				!t.finder.computes(t.f, &t.f.Code[at], new(Region)) || t.isTest(at) || t.f.Code[at].Op == code.Return {
				break
			}
			at = t.successors(at)[0]
		}
		ends[k] = at
	}
	return ends
}
