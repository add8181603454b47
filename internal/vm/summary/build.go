package summary

import (
	"container/heap"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	word "github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// Limits bound a tree.
type Limits struct {
	Nodes  int // of the tree
	Rounds int // how often a path comes to the same jump of a frame, and how many frames of one function it has
	Frames int // of a path
	Steps  int // instructions of a path
}

// DefaultLimits are those of searches.
var DefaultLimits = Limits{Nodes: 64, Rounds: 6, Frames: 6, Steps: 400}

// A Program is what a Build has to know of one.
type Program interface {
	// Callee returns the function that an instruction Call with callee i of f calls, nil if calls
	// of it need more than its code.
	Callee(f *code.Func, i int32) *code.Func
	// Refutes reports whether no values satisfy a conjunction.
	Refutes(conj []expr.ID) bool
}

// Build makes the tree of f from an instruction on. The arena gets the expressions of its
// conditions, over what the function is called with.
func Build(p Program, a *expr.Arena, f *code.Func, pc int32, limits Limits) *Tree {
	b := &builder{
		Program: p, arena: a, limits: limits, tree: &Tree{PC: pc, Root: new(Node), Frames: 1},
		needed: make(map[*code.Func]*code.Needed),
	}
	s := &path{mem: make(map[cell]content), written: make(map[cell]Write)}
	s.frames = []frame{b.frame(f)}
	s.frames[0].pc = pc
	for r := range f.Regs {
		if b.needs(f, pc, r) {
			s.frames[0].regs[r] = b.unknown(s, "register "+fmt.Sprint(r))
			b.tree.Formals = append(b.tree.Formals, int32(r))
		}
	}
	b.push(b.tree.Root, s, 0)
	for b.work.Len() > 0 {
		w := heap.Pop(&b.work).(*task)
		b.cost = w.cost
		b.run(w.node, w.path)
	}
	b.tree.Root.prune(make(liveness, b.tree.Values))
	return b.tree
}

// A builder makes a tree: it takes the function alone along all of its paths, with unknown contents
// of registers and memory. What is not known is an expression, so that conditions are expressions
// over what the function is called with, and the sides that no input can take are refuted. A
// pointer that is used leads to one of the objects of the path or to a new one (lazy
// initialisation).
type builder struct {
	Program
	arena  *expr.Arena
	limits Limits
	tree   *Tree
	needed map[*code.Func]*code.Needed
	work   tasks
	pushed int
	cost   int // of the task
	fresh  int // number of variables
}

// A path is the state at the end of a path.
type path struct {
	frames  []frame
	values  []value
	mem     map[cell]content // what is known of memory
	written map[cell]Write
	order   []cell // of written
	objects int
	conds   []expr.ID
	fuel    int64
	count   [3]int // instructions, cells that are read, and written
}

// A frame is an activation of a function.
type frame struct {
	fn     *code.Func
	pc     int32
	regs   []int32 // values, -1 for none
	rounds map[int32]int
}

// A value is what is known of one.
type value struct {
	sym      expr.ID // None if the word is known
	word     uint64
	concrete bool // it is concrete wherever the tree is used
	// object is that to which it points, at an offset, if that is not negative.
	object, offset int32
}

// A cell is one of an object of a path.
type cell struct{ object, offset int32 }

// A content is the value of a cell, and whether it is one that is represented by a pointer, if that is known.
type content struct {
	value int32
	kind  code.Kind
}

// A task is a node that is to be built.
type task struct {
	node   *Node
	path   *path
	cost   int
	number int
}

// tasks are those with the shortest paths first, of which those with pointers that lead to the same
// object count as longer.
type tasks []*task

func (t tasks) Len() int      { return len(t) }
func (t tasks) Swap(i, j int) { t[i], t[j] = t[j], t[i] }
func (t *tasks) Push(x any)   { *t = append(*t, x.(*task)) }
func (t tasks) Less(i, j int) bool {
	return t[i].cost < t[j].cost || t[i].cost == t[j].cost && t[i].number < t[j].number
}

func (t *tasks) Pop() any {
	last := (*t)[len(*t)-1]
	*t = (*t)[:len(*t)-1]
	return last
}

// push has a node built.
func (b *builder) push(n *Node, s *path, cost int) {
	b.pushed++
	b.tree.Size.Nodes++
	heap.Push(&b.work, &task{n, s, cost, b.pushed})
}

// clone returns a copy of s.
func (s *path) clone() *path {
	c := *s
	c.frames = slices.Clone(s.frames)
	for i := range c.frames {
		f := &c.frames[i]
		f.regs = slices.Clone(f.regs)
		rounds := make(map[int32]int, len(f.rounds))
		for pc, n := range f.rounds {
			rounds[pc] = n
		}
		f.rounds = rounds
	}
	c.values, c.order, c.conds = slices.Clone(s.values), slices.Clone(s.order), slices.Clone(s.conds)
	c.mem, c.written = make(map[cell]content, len(s.mem)), make(map[cell]Write, len(s.written))
	for k, v := range s.mem {
		c.mem[k] = v
	}
	for k, v := range s.written {
		c.written[k] = v
	}
	return &c
}

// frame returns a frame of a function.
func (b *builder) frame(f *code.Func) frame {
	regs := make([]int32, f.Regs)
	for i := range regs {
		regs[i] = -1
	}
	return frame{fn: f, regs: regs, rounds: make(map[int32]int)}
}

// needs reports whether a register is needed at an instruction of f or after it.
func (b *builder) needs(f *code.Func, pc int32, reg int) bool {
	n := b.needed[f]
	if n == nil {
		n = f.Needed()
		b.needed[f] = n
	}
	return n.Before(int(pc))[reg/64]&(1<<(reg%64)) != 0
}

// add adds a value.
func (b *builder) add(s *path, v value) int32 {
	s.values = append(s.values, v)
	b.tree.Values = max(b.tree.Values, len(s.values))
	return int32(len(s.values)) - 1
}

// unknown adds a value of which nothing is known.
func (b *builder) unknown(s *path, name string) int32 {
	b.fresh++
	return b.add(s, value{sym: b.arena.Var(fmt.Sprintf("%s (%d)", name, b.fresh), 64), object: -1})
}

// known adds a value that is the same wherever the tree is used.
func (b *builder) known(s *path, v uint64) int32 {
	return b.add(s, value{word: v, concrete: true, object: -1})
}

// exit returns the state of a path.
func (b *builder) exit(s *path) *Exit {
	e := new(Exit)
	for i := range s.frames {
		f := &s.frames[i]
		at := Frame{PC: f.pc}
		for r, v := range f.regs {
			if v >= 0 && (r < f.fn.Params || b.needs(f.fn, f.pc, r)) { // a run shows the parameters of frames that are left
				at.Regs = append(at.Regs, Register{int32(r), v})
			}
		}
		e.Frames = append(e.Frames, at)
	}
	for _, c := range s.order {
		e.Writes = append(e.Writes, s.written[c])
	}
	return e
}

// end ends a node.
func (b *builder) end(n *Node, s *path, how End) {
	n.End, n.PC, n.Exit = how, s.frames[len(s.frames)-1].pc, b.exit(s)
	n.Instructions, n.Reads, n.Writes = s.count[0], s.count[1], s.count[2]
	b.tree.Fuel, b.tree.Objects = max(b.tree.Fuel, s.fuel), max(b.tree.Objects, s.objects)
}

// leaf ends a node as a leaf.
func (b *builder) leaf(n *Node, s *path, why string, count *int) {
	b.end(n, s, Leaf)
	n.Why = why
	*count++
}

// spend has a path take fuel.
func (s *path) spend(n *Node, take int64) {
	s.fuel += take
	n.Steps = append(n.Steps, Step{Kind: Spend, In: code.Instr{A: int32(take)}})
}

// run builds a node.
func (b *builder) run(n *Node, s *path) {
	for {
		f := &s.frames[len(s.frames)-1]
		in := &f.fn.Code[f.pc]
		if s.count[0] >= b.limits.Steps {
			b.leaf(n, s, "the path is too long", &b.tree.Size.Bounded)
			return
		}
		next, target := in.Flow()
		switch {
		case in.Op == code.Return:
			if len(s.frames) == 1 {
				b.leaf(n, s, "return", &b.tree.Size.Returns)
				return
			}
			b.leave(n, s, in)
		case target >= 0 && !next:
			b.jump(n, s, target)
		case target >= 0:
			if b.branch(n, s, in, target) {
				return
			}
		default:
			switch b.step(n, s, in) {
			case forked:
				return
			case cut:
				b.leaf(n, s, in.Op.String(), &b.tree.Size.Cut)
				return
			}
		}
		s.count[0]++
	}
}

// jump takes a path to another instruction.
func (b *builder) jump(n *Node, s *path, target int) {
	f := &s.frames[len(s.frames)-1]
	if take := int64(f.pc) + 1 - int64(target); take > 0 {
		s.spend(n, take)
	}
	f.pc = int32(target)
}

// branch takes a path past a conditional jump. It reports whether that ends the node.
func (b *builder) branch(n *Node, s *path, in *code.Instr, target int) (ended bool) {
	f := &s.frames[len(s.frames)-1]
	x := f.regs[in.A]
	how, cond := Branch, expr.None
	n.Jump, n.On = *in, x
	n.Jump.A = x
	concrete, known, taken := s.values[x].concrete, s.values[x].sym == expr.None, false
	if in.Op == code.JmpNil || in.Op == code.JmpNotNil {
		how = Nil
		v := &s.values[x]
		taken = v.word == 0
		if v.object >= 0 {
			known, taken = true, false
		}
		if !known {
			cond = b.arena.Eq(v.sym, b.arena.Const(0, 64))
		}
		if in.Op == code.JmpNotNil {
			taken = !taken
			if !known {
				cond = b.arena.Not(cond)
			}
		}
	} else {
		words, syms := s.registers()
		if in.Op < code.JmpEqI && in.Op > code.JmpIfNot {
			y := f.regs[in.B]
			n.Jump.B = y
			concrete, known = concrete && s.values[y].concrete, known && s.values[y].sym == expr.None
		}
		t := symbolic.ComparisonOf(&n.Jump, words, syms)
		taken = t.Holds()
		if !known {
			cond = t.Expr(b.arena)
		}
		if in.Op == code.JmpIfNot {
			taken = !taken
			if !known {
				cond = b.arena.Not(cond)
			}
		}
	}
	if known && concrete {
		n.Jump, n.On = code.Instr{}, 0
		if taken {
			b.jump(n, s, target)
		} else {
			f.pc++
		}
		return false
	}
	if f.rounds[f.pc]++; f.rounds[f.pc] > b.limits.Rounds {
		n.Jump, n.On = code.Instr{}, 0
		b.leaf(n, s, "the loop has too many rounds", &b.tree.Size.Bounded)
		return true
	}
	s.count[0]++
	b.end(n, s, how)
	n.Next = make([]*Node, 2)
	for side := range 2 {
		to := s.clone()
		if known && (side == 1) != taken {
			b.tree.Size.Infeasible++
			continue
		}
		if !known {
			c := cond
			if side == 0 {
				c = b.arena.Not(c)
			}
			if b.refuted(to, c) {
				b.tree.Size.Infeasible++
				continue
			}
		}
		top := &to.frames[len(to.frames)-1]
		if side == 0 {
			top.pc++
		} else {
			n.Fuel = max(0, int64(top.pc)+1-int64(target))
			to.fuel += n.Fuel
			top.pc = int32(target)
		}
		if b.tree.Size.Nodes >= b.limits.Nodes {
			b.tree.Size.Bounded++
			continue
		}
		n.Next[side] = new(Node)
		b.push(n.Next[side], to, b.cost+1)
	}
	return true
}

// refuted adds a condition to those of a path, and reports whether they exclude each other.
func (b *builder) refuted(s *path, cond expr.ID) bool {
	if v, constant := b.arena.ConstValue(cond); constant {
		return v == 0
	}
	s.conds = append(s.conds, cond)
	b.tree.Size.Queries++
	return b.Refutes(s.conds)
}

// registers returns the values as registers.
func (s *path) registers() (words []word.Word, syms []expr.ID) {
	words, syms = make([]word.Word, len(s.values)), make([]expr.ID, len(s.values))
	for i := range s.values {
		words[i].N, syms[i] = s.values[i].word, s.values[i].sym
	}
	return words, syms
}
