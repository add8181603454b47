package summary

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	word "github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// An effect is what an instruction does to the path that comes to it.
type effect uint8

const (
	done   effect = iota
	forked        // the node has ended, and others follow
	cut           // the instruction is not covered
)

// step takes a path past an instruction that is no jump and no return.
func (b *builder) step(n *Node, s *path, in *code.Instr) effect {
	f := &s.frames[len(s.frames)-1]
	r := f.regs
	e := done
	switch in.Op {
	case code.Nop:
	case code.Mov:
		r[in.A] = r[in.B]
	case code.MovN:
		copy(r[in.A:int(in.A)+int(in.K)], append([]int32(nil), r[in.B:int(in.B)+int(in.K)]...))
	case code.Zero:
		for i := range int32(in.K) {
			r[in.A+i] = b.imm(n, s, 0)
		}
	case code.Const:
		b.constant(n, s, in)
	case code.Cover:
		n.Steps = append(n.Steps, Step{Kind: Cover, PC: f.pc, In: *in})
	case code.New:
		e = b.allocate(n, s, in)
	case code.Load, code.LoadN:
		e = b.load(n, s, in, &r[in.B], in.C)
	case code.Store, code.StoreN:
		e = b.store(n, s, in, &r[in.A], in.C)
	case code.LoadA, code.StoreA, code.IndexA:
		e = b.array(n, s, in)
	case code.LoadS, code.StoreS, code.IndexS:
		e = b.slice(n, s, in)
	case code.NilCheck:
		e = b.nilCheck(n, s, in)
	case code.Addr:
		if e = b.point(n, s, &r[in.B]); e == done {
			r[in.A] = b.offset(n, s, r[in.B], in.C)
		}
	case code.Call:
		return b.enter(n, s, in)
	default:
		if !computes(in.Op) {
			return cut
		}
		e = b.compute(n, s, in)
	}
	if e == done {
		f.pc++
	}
	return e
}

// imm adds the step for a number that is known.
func (b *builder) imm(n *Node, s *path, v int32) int32 {
	to := b.known(s, uint64(int64(v)))
	n.Steps = append(n.Steps, Step{Kind: Compute, In: code.Instr{Op: code.Imm, A: to, C: v}})
	return to
}

// constant is step for a Const.
func (b *builder) constant(n *Node, s *path, in *code.Instr) {
	f := &s.frames[len(s.frames)-1]
	c := &f.fn.Consts[in.B]
	renamed := *in
	for i := range int32(in.K) {
		var v int32
		switch {
		case c.Kind == code.ConstWords:
			v = b.known(s, c.Bits[i])
		case c.Kind == code.ConstString && i == 1:
			v = b.known(s, uint64(len(c.Text)))
		default:
			v = b.unknown(s, "constant")
			s.values[v].concrete = true
		}
		if i == 0 {
			renamed.A = v
		}
		f.regs[in.A+i] = v
	}
	n.Steps = append(n.Steps, Step{Kind: Constant, PC: f.pc, In: renamed})
}

// compute is step for an instruction that computes one word from one or two others.
func (b *builder) compute(n *Node, s *path, in *code.Instr) effect {
	f := &s.frames[len(s.frames)-1]
	if in.Op == code.Imm {
		f.regs[in.A] = b.imm(n, s, in.C)
		return done
	}
	renamed := *in
	renamed.B = f.regs[in.B]
	concrete, known := s.values[renamed.B].concrete, s.values[renamed.B].sym == expr.None
	if reads(in.Op) == 2 {
		renamed.C = f.regs[in.C]
		y := &s.values[renamed.C]
		concrete, known = concrete && y.concrete, known && y.sym == expr.None
	}
	switch in.Op {
	case code.Mul, code.MulK, code.MulI, code.Div, code.Rem, code.Xor:
		b.tree.Mixes = true
	}
	switch in.Op {
	case code.Div, code.Rem:
		if s.values[renamed.C].sym == expr.None && s.values[renamed.C].word == 0 {
			return cut
		}
		n.Steps = append(n.Steps, Step{Kind: Divisor, PC: f.pc, In: renamed, Exit: b.exit(s)})
	case code.Shl, code.Shr:
		if code.Kind(in.D).Signed() {
			if s.values[renamed.C].sym == expr.None && int64(s.values[renamed.C].word) < 0 {
				return cut
			}
			n.Steps = append(n.Steps, Step{Kind: Count, PC: f.pc, In: renamed, Exit: b.exit(s)})
		}
	}
	result := value{concrete: concrete, object: -1}
	switch same, decided := s.samePointer(&renamed); {
	case decided:
		result.word = word.Bool(same == (in.Op == code.EqP))
	case known:
		words, _ := s.registers()
		result.word = Apply(&renamed, words).N
	default:
		words, syms := s.registers()
		x, y := symbolic.OperandsOf(&renamed, words, syms)
		sym, k := symbolic.Result(b.arena, &renamed, x, y)
		if v, constant := b.arena.ConstValue(sym); constant {
			result.word = word.Canonical(v, k)
		} else {
			result.sym = sym
		}
	}
	renamed.A = b.add(s, result)
	f.regs[in.A] = renamed.A
	n.Steps = append(n.Steps, Step{Kind: Compute, PC: f.pc, In: renamed})
	return done
}

// samePointer reports whether the operands of a comparison of pointers are the same, if that is known.
func (s *path) samePointer(in *code.Instr) (same, known bool) {
	if in.Op != code.EqP && in.Op != code.NeP {
		return false, false
	}
	x, y := &s.values[in.B], &s.values[in.C]
	isNil := func(v *value) bool { return v.sym == expr.None && v.word == 0 && v.object < 0 }
	switch {
	case x.object >= 0 && y.object >= 0:
		return x.object == y.object && x.offset == y.offset, true
	case x.object >= 0 && isNil(y), y.object >= 0 && isNil(x):
		return false, true
	}
	return false, false
}

// point makes the pointer in a register concrete and known not to be nil, and has it lead to an object.
func (b *builder) point(n *Node, s *path, reg *int32) effect {
	f := &s.frames[len(s.frames)-1]
	v := s.values[*reg]
	if v.sym == expr.None && v.object < 0 {
		return cut // it is nil
	}
	if v.concrete && v.object >= 0 {
		return done
	}
	from := *reg
	exit := b.exit(s)
	v.concrete = true
	*reg = b.add(s, v)
	n.Steps = append(n.Steps, Step{Kind: Point, PC: f.pc, In: code.Instr{A: *reg, B: from}, Exit: exit})
	if v.object >= 0 {
		return done
	}
	if b.refuted(s, b.arena.Not(b.arena.Eq(v.sym, b.arena.Const(0, 64)))) {
		b.leaf(n, s, "a nil pointer", &b.tree.Size.Cut)
		return forked
	}
	return b.lead(n, s, from, *reg)
}

// lead ends a node with the choice of the object to which a pointer leads, which has just become concrete.
func (b *builder) lead(n *Node, s *path, from, to int32) effect {
	b.end(n, s, Shape)
	n.On = to
	n.Next = make([]*Node, s.objects+1)
	for k := range n.Next {
		if b.tree.Size.Nodes >= b.limits.Nodes {
			b.tree.Size.Bounded++
			continue
		}
		c := s.clone()
		cost := 1
		if k < s.objects {
			cost = 6
		} else {
			c.objects++
		}
		for _, v := range [...]int32{from, to} {
			c.values[v].object, c.values[v].offset = int32(k), 0
		}
		n.Next[k] = new(Node)
		b.push(n.Next[k], c, b.cost+cost)
	}
	b.tree.Objects = max(b.tree.Objects, s.objects+1)
	return forked
}

// offset adds the pointer that is a number of cells after another one, which leads to an object.
func (b *builder) offset(n *Node, s *path, v, by int32) int32 {
	at := s.values[v]
	if by == 0 {
		return v
	}
	b.fresh++
	at.offset += by
	to := b.add(s, at)
	n.Steps = append(n.Steps, Step{Kind: Compute, In: code.Instr{Op: code.Addr, A: to, B: v, C: by}})
	return to
}

// nilCheck is step for a NilCheck.
func (b *builder) nilCheck(n *Node, s *path, in *code.Instr) effect {
	f := &s.frames[len(s.frames)-1]
	v := &s.values[f.regs[in.B]]
	if v.sym == expr.None && v.object < 0 {
		return cut
	}
	if v.concrete && v.object >= 0 {
		return done
	}
	// The register stays as it is, but for the code the check is a condition.
	n.Steps = append(n.Steps, Step{Kind: Point, PC: f.pc, In: code.Instr{Op: code.NilCheck, A: -1, B: f.regs[in.B]}, Exit: b.exit(s)})
	if v.object < 0 && b.refuted(s, b.arena.Not(b.arena.Eq(v.sym, b.arena.Const(0, 64)))) {
		b.leaf(n, s, "a nil pointer", &b.tree.Size.Cut)
		return forked
	}
	return done
}

// allocate is step for a New.
func (b *builder) allocate(n *Node, s *path, in *code.Instr) effect {
	f := &s.frames[len(s.frames)-1]
	if f.fn.Types[in.D].Size == 0 {
		return cut // all such variables are one object
	}
	renamed := *in
	renamed.A = b.unknown(s, "new")
	v := &s.values[renamed.A]
	v.concrete, v.object = true, int32(s.objects)
	s.objects++
	b.tree.Objects = max(b.tree.Objects, s.objects)
	f.regs[in.A] = renamed.A
	n.Steps = append(n.Steps, Step{Kind: New, PC: f.pc, In: renamed})
	return done
}

// cells returns how many cells an instruction accesses, and of which kind.
func cells(in *code.Instr) (n int32, k code.Kind) {
	if in.Op == code.LoadN || in.Op == code.StoreN {
		return int32(in.K), code.NoKind
	}
	return 1, code.Kind(in.K)
}

// alike reports whether what was stored as one kind is the same when it is loaded as another.
func alike(x, y code.Kind) bool {
	return x == y || x != code.NoKind && y != code.NoKind && (x < code.Pointer) == (y < code.Pointer) && word.KindWidth(x) == word.KindWidth(y)
}

// load is step for a load of cells at an offset from the pointer in a register.
func (b *builder) load(n *Node, s *path, in *code.Instr, pointer *int32, off int32) effect {
	f := &s.frames[len(s.frames)-1]
	if e := b.point(n, s, pointer); e != done {
		return e
	}
	count, kind := cells(in)
	at := s.values[*pointer]
	known, pending := true, false
	for i := range count {
		c := cell{at.object, at.offset + off + i}
		got, ok := s.mem[c]
		known = known && ok && alike(got.kind, kind)
		_, written := s.written[c]
		pending = pending || written
	}
	s.count[1] += int(count)
	step := Step{Kind: Load, PC: f.pc, Cell: kind, In: code.Instr{Op: in.Op, K: uint16(count), B: *pointer, C: off}, Exit: b.exit(s)}
	switch {
	case known:
		step.Kind = Again
		for i := range count {
			f.regs[in.A+i] = s.mem[cell{at.object, at.offset + off + i}].value
		}
	case pending:
		return cut
	default:
		for i := range count {
			v := b.unknown(s, "cell")
			if i == 0 {
				step.In.A = v
			}
			if w := word.KindWidth(kind); kind != code.NoKind && kind < code.Pointer && w > 0 && w < 64 {
				s.values[v].sym = symbolic.Fit(b.arena, s.values[v].sym, kind)
			}
			f.regs[in.A+i] = v
			s.mem[cell{at.object, at.offset + off + i}] = content{v, kind}
		}
	}
	n.Steps = append(n.Steps, step)
	return done
}

// store is step for a store of cells at an offset from the pointer in a register.
func (b *builder) store(n *Node, s *path, in *code.Instr, pointer *int32, off int32) effect {
	f := &s.frames[len(s.frames)-1]
	if e := b.point(n, s, pointer); e != done {
		return e
	}
	count, kind := cells(in)
	at := s.values[*pointer]
	s.count[2] += int(count)
	exit, values := b.exit(s), f.regs[in.B:int(in.B)+int(count)]
	for i, v := range values {
		if v != values[0]+int32(i) {
			values = b.together(n, s, values) // it is one access
			break
		}
	}
	n.Steps = append(n.Steps, Step{
		Kind: Store, PC: f.pc, Cell: kind, Exit: exit, In: code.Instr{Op: in.Op, K: uint16(count), A: *pointer, B: values[0], C: off},
	})
	for i := range count {
		c := cell{at.object, at.offset + off + i}
		if _, again := s.written[c]; !again {
			s.order = append(s.order, c)
		}
		s.written[c] = Write{To: *pointer, Off: off + i, Value: values[i]}
		s.mem[c] = content{values[i], kind}
	}
	return done
}

// together copies values, so that they are one after the other.
func (b *builder) together(n *Node, s *path, values []int32) (copies []int32) {
	for _, v := range values {
		to := b.add(s, s.values[v])
		copies = append(copies, to)
		n.Steps = append(n.Steps, Step{Kind: Compute, In: code.Instr{Op: code.Mov, A: to, B: v}})
	}
	return copies
}

// array is step for an access to an array at an index that is known.
func (b *builder) array(n *Node, s *path, in *code.Instr) effect {
	f := &s.frames[len(s.frames)-1]
	pointer := &f.regs[in.B]
	if in.Op == code.StoreA {
		pointer = &f.regs[in.A]
	}
	i := s.values[f.regs[in.C]]
	if !i.concrete || i.sym != expr.None || i.word >= uint64(in.D) {
		return cut
	}
	return b.element(n, s, in, pointer, int32(i.word))
}

// element is step for an access to an element of the array to which a pointer leads.
func (b *builder) element(n *Node, s *path, in *code.Instr, pointer *int32, i int32) effect {
	f := &s.frames[len(s.frames)-1]
	switch in.Op {
	case code.LoadA, code.LoadS:
		return b.load(n, s, in, pointer, i)
	case code.StoreA, code.StoreS:
		return b.store(n, s, in, pointer, i)
	}
	if e := b.point(n, s, pointer); e != done {
		return e
	}
	f.regs[in.A] = b.offset(n, s, *pointer, i*int32(in.K))
	return done
}

// slice is step for an access to a slice at an index that is known.
func (b *builder) slice(n *Node, s *path, in *code.Instr) effect {
	f := &s.frames[len(s.frames)-1]
	base := in.B
	if in.Op == code.StoreS {
		base = in.A
	}
	i := s.values[f.regs[in.C]]
	if !i.concrete || i.sym != expr.None || i.word >= 1<<20 {
		return cut
	}
	for k := range int32(3) {
		reg := &f.regs[base+k]
		if *reg < 0 || s.values[*reg].concrete {
			continue
		}
		exit := b.exit(s)
		v := s.values[*reg]
		v.concrete = true
		from := *reg
		*reg = b.add(s, v)
		n.Steps = append(n.Steps, Step{Kind: Fix, PC: f.pc, In: code.Instr{A: *reg, B: from}, Exit: exit})
	}
	length := s.values[f.regs[base+1]]
	if length.sym == expr.None {
		if i.word >= length.word {
			return cut
		}
	} else {
		n.Steps = append(n.Steps, Step{Kind: Length, PC: f.pc, In: code.Instr{B: f.regs[base+1], C: int32(i.word)}, Exit: b.exit(s)})
	}
	return b.element(n, s, in, &f.regs[base], int32(i.word))
}

// enter is step for a call.
func (b *builder) enter(n *Node, s *path, in *code.Instr) effect {
	f := &s.frames[len(s.frames)-1]
	if in.K != code.ModeCall || len(s.frames) >= b.limits.Frames {
		return cut
	}
	callee := b.Callee(f.fn, in.B)
	if callee == nil || callee.Recover >= 0 || len(callee.Code) == 0 {
		return cut
	}
	active := 0
	for i := range s.frames {
		if s.frames[i].fn == callee {
			active++
		}
	}
	if active >= b.limits.Rounds {
		return cut
	}
	n.Steps = append(n.Steps, Step{Kind: Enter, PC: f.pc, In: *in})
	s.fuel++
	inner := b.frame(callee)
	for i := range callee.Params {
		inner.regs[i] = f.regs[int(in.A)+i]
	}
	s.frames = append(s.frames, inner)
	b.tree.Frames = max(b.tree.Frames, len(s.frames))
	return done
}

// leave takes a path past the return from a call.
func (b *builder) leave(n *Node, s *path, in *code.Instr) {
	last := len(s.frames) - 1
	inner, f := &s.frames[last], &s.frames[last-1]
	call := &f.fn.Code[f.pc]
	n.Steps = append(n.Steps, Step{Kind: Leave, PC: inner.pc, In: code.Instr{A: inner.pc}})
	s.fuel += int64(inner.pc)
	for i := range int32(in.K) {
		f.regs[call.A+i] = inner.regs[in.A+i]
	}
	f.pc++
	s.frames = s.frames[:last]
}
