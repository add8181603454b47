package recursion

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// cycleBits is such that 1<<cycleBits frames exceed Go's limit on the size of a stack, 1 GB, or
// 250 MB where a word has 32 bits. Where there is a base pointer, a frame of a function that
// calls others takes 16 bytes or more, for it and the return address, and where a word has 32
// bits at least the 4 bytes of the return address.
//
// The compiler may inline the functions of a cycle into one another, but never a function
// into itself. So each cycle, which calls some function once or more, takes a frame.
const cycleBits = 26

// An induction is a proof that a recursion goes on for 1<<cycleBits cycles. Each cycle begins
// with a call of the same function whose arguments are those of the cycle before, plus a
// constant each.
//
// One cycle is run with symbolic arguments: those of cycle number k, for a variable k of
// cycleBits bits. If nothing is added to the path condition, every branch is taken for all k as
// it is for the first. If the arguments of the call at the end are then those of cycle k+1,
// and the rest of the state is as before, all cycles follow from the first.
type induction struct {
	call
	period int         // in frames
	steps  []uint64    // by argument: what is added in each cycle
	kinds  []code.Kind // by argument
}

// cycleName is the name of the variable k. It is no name of an input.
const cycleName = "cycle of a recursion"

// begin prepares p for a call that is to begin the cycle that is run. It returns false if there
// are no earlier calls in active to which c is the next one.
func (p *induction) begin(m *state.State, active []call, c *call) bool {
	kinds := kindsOf(m, c.fn)
	if kinds == nil {
		return false
	}
	one := before(active, c, kinds)
	if one < 0 {
		return false
	}
	two := before(active[:one], c, kinds)
	if two < 0 {
		return false
	}
	x, y := &active[one], &active[two]
	period := c.depth - x.depth
	if x.depth-y.depth != period {
		return false
	}
	steps := make([]uint64, len(kinds))
	for i, k := range kinds {
		steps[i] = step(k, x.args[i], c.args[i])
		if step(k, y.args[i], x.args[i]) != steps[i] {
			return false
		}
	}
	*p = induction{call: *c, period: period, steps: steps, kinds: kinds}
	p.call.args = slices.Clone(c.args)
	return true
}

// before returns the index of the last of active that calls the same function as c, with the
// same arguments but for numbers. It is -1 if there is none.
func before(active []call, c *call, kinds []code.Kind) int {
	for i := len(active) - 1; i >= 0; i-- {
		if x := &active[i]; x.calls(c) && sameButNumbers(x.args, c.args, kinds) {
			return i
		}
	}
	return -1
}

// sameButNumbers reports whether arguments of the given kinds differ at most in integers.
func sameButNumbers(x, y []heap.Word, kinds []code.Kind) bool {
	for i, k := range kinds {
		if x[i] != y[i] && (!k.Integer() || x[i].P != nil || y[i].P != nil) {
			return false
		}
	}
	return true
}

// step returns what has to be added to x to get y, which are of kind k. It is 0 unless they are
// integers.
func step(k code.Kind, x, y heap.Word) uint64 {
	if !k.Integer() {
		return 0
	}
	d := y.N - x.N
	if bits := k.Bits(); bits < 64 {
		d &= 1<<bits - 1
	}
	return d
}

// kindsOf returns the kinds of the words of the arguments of fn, nil if they are not known.
func kindsOf(m *state.State, fn *state.Function) []code.Kind {
	if fn.SSA == nil {
		return nil
	}
	kinds := make([]code.Kind, 0, fn.Params)
	for _, param := range fn.SSA.Params {
		t := m.Program.Type(param.Type())
		if len(t.Kinds) != t.Words {
			return nil
		}
		kinds = append(kinds, t.Kinds...)
	}
	if len(kinds) != fn.Params {
		return nil // a method that is called through an interface, whose receiver is a pointer then
	}
	return kinds
}

// args returns the symbolic values of the arguments in cycle k+n, expr.None for those that are
// the same in all cycles.
func (p *induction) args(m *state.State, n uint64) []expr.ID {
	a := m.Arena
	cycle := a.Var(cycleName, cycleBits)
	syms := make([]expr.ID, len(p.kinds))
	for i, k := range p.kinds {
		d := p.steps[i]
		if d == 0 {
			continue
		}
		w := uint8(k.Bits())
		number := cycle
		if w < cycleBits {
			number = a.Extract(cycle, 0, w)
		} else {
			number = a.ZExt(cycle, w)
		}
		syms[i] = a.Add(a.Mul(number, a.Const(d, w)), a.Const(p.call.args[i].N+n*d, w))
	}
	return syms
}

// completes reports whether c, whose arguments are at Stack[base] of g, is the call that begins
// the next cycle.
func (p *induction) completes(m *state.State, g *state.Goroutine, c *call, base int) bool {
	if !p.calls(c) || c.depth != p.depth+p.period {
		return false
	}
	var have []expr.ID
	if g.Top().Symbolic {
		have = g.Sym[base : base+len(p.kinds)]
	} else {
		have = make([]expr.ID, len(p.kinds))
	}
	for i, want := range p.args(m, 1) {
		switch {
		case want == expr.None:
			if have[i] != expr.None || c.args[i] != p.call.args[i] {
				return false
			}
		case have[i] == expr.None:
			return false
		default:
			if equal, constant := m.Arena.ConstValue(m.Arena.Eq(have[i], want)); !constant || equal == 0 {
				return false
			}
		}
	}
	return true
}
