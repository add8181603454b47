package protection

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/lockset"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// A Bound says between which numbers a variable is: a package variable, or a field of all variables of a struct.
type Bound struct {
	Variable *ssa.Global
	Struct   types.Type // nil for a package variable
	Fields   []int
	// Free is where it is while nobody holds its lock, and Ever where it always is. If there is no
	// lock, they are the same.
	Free, Ever Interval
	// Locked says that there is a lock, which is Lock: of a package variable, or else the one to
	// which LockFields lead in a variable of type LockIn.
	Locked     bool
	Lock       lockset.Path
	LockIn     types.Type
	LockFields []int
	// Set says that 0, which is there before whoever makes a variable has set it, does not count,
	// if it does so before anybody else can know of it.
	Set bool

	cell *cell
	by   *bounding // what has found the bound of the cell
}

// Within returns the numbers of the type.
func (b *Bound) Within() Interval { return b.cell.within }

// String returns the bounds as they are written in tests.
func (b *Bound) String() string {
	if !b.Locked {
		return fmt.Sprintf("%s %v", b.name(), b.Ever)
	}
	return fmt.Sprintf("%s %v, %v with its lock held", b.name(), b.Free, b.Ever)
}

// name returns the name of the variable, or of the field with its struct, as it is written in tests.
func (b *Bound) name() string {
	if b.Variable != nil {
		return b.Variable.Name()
	}
	t := b.Struct
	name := types.TypeString(t, func(*types.Package) string { return "" })
	for _, i := range b.Fields {
		f := t.Underlying().(*types.Struct).Field(i)
		name, t = name+"."+f.Name(), f.Type()
	}
	return name
}

// A cell is a number in memory of which bounds are looked for.
type cell struct {
	bound  Bound
	within Interval // the numbers of the type
	stores []*ssa.Store
	guard  guard
	upTo   int // how many of the fields lead to what has the lock
	fns    []*callgraph.Node
	rounds int
	// unwinds says that what panics may unlock the guard as it leaves functions.
	unwinds bool

	course      *course // nil if there is none
	courseKnown bool
}

// A cellKey tells cells apart.
type cellKey struct {
	global *ssa.Global
	field  string
}

// keyOf returns the cell that an address is of, and the value from which fields lead there; ok is false if it is none.
func keyOf(addr ssa.Value) (key cellKey, base ssa.Value, fields []int, ok bool) {
	base = addr
	for {
		f, is := base.(*ssa.FieldAddr)
		if !is {
			break
		}
		fields = append(fields, f.Field)
		base = f.X
	}
	slices.Reverse(fields)
	if len(fields) > 0 {
		return cellKey{field: fmt.Sprint(types.TypeString(pointed(base), nil), fields)}, base, fields, true
	}
	g, is := base.(*ssa.Global)
	return cellKey{global: g}, base, nil, is
}

// Structs say what is known of the structs of a program.
type Structs interface {
	// Known reports whether all variables with a struct are written by nothing but stores to fields
	// that the program makes.
	Known(strct types.Type) bool
	// MadeWith reports whether a field is set by all that make a variable with it, before anybody
	// else can know of that.
	MadeWith(strct types.Type, fields []int) bool
}

// Bounds returns the bounds of those numbers that have some: of the program's own package variables and structs.
func (p *Program) Bounds(structs Structs) []Bound {
	if p.numbers != nil {
		return p.bounds
	}
	b := &bounding{Program: p, cells: make(map[cellKey]*cell), mayUnlock: make(map[unlocking]bool), mayHolds: make(map[unlocking]bool)}
	p.numbers = b
	b.findCells(structs)
	b.solve()
	for _, c := range b.order {
		if c.bound.Ever != c.within || c.bound.Free != c.within || b.mayHaveCourse(c) {
			c.bound.by, c.bound.cell = b, c
			p.bounds = append(p.bounds, c.bound)
		}
	}
	return p.bounds
}

// MayHold reports whether a goroutine whose frames are at instructions, innermost first, may hold the lock of a number.
func (p *Program) MayHold(b *Bound, stack []ssa.Instruction) bool {
	if !b.Locked {
		return false
	}
	g := guard{global: b.Lock, strct: b.LockIn}
	for _, f := range b.LockFields {
		g.fields += strconv.Itoa(f) + "."
	}
	return p.mayHold(g, stack)
}

// mayHold reports whether a goroutine whose frames are at instructions may hold a guard.
func (p *Program) mayHold(g guard, stack []ssa.Instruction) bool {
	return slices.ContainsFunc(p.Locks.Held(stack), func(h lockset.Held) bool {
		return h.Path.Root != nil && h.Path == g.global || p.among(g, h.Locks)
	})
}

// A bounding finds bounds.
type bounding struct {
	*Program
	cells     map[cellKey]*cell
	order     []*cell
	ends      []int64 // constants of the program, and those beside them, in order
	mayUnlock map[unlocking]bool
	mayHolds  map[unlocking]bool
	changed   bool
}

// An unlocking is a question: whether an instruction may unlock the guard of a cell, or whether the
// goroutine may hold it there.
type unlocking struct {
	of *cell
	at ssa.Instruction
}

// findCells finds the cells that only stores write which the program's own functions make.
func (b *bounding) findCells(structs Structs) {
	renamed := b.findStores()
	b.order = slices.DeleteFunc(b.order, func(c *cell) bool {
		isRenamed := func(t types.Type) bool { return t != nil && (isIn(c.bound.Struct, t) || isIn(t, c.bound.Struct)) }
		if c.bound.Struct != nil && (!structs.Known(c.bound.Struct) || slices.ContainsFunc(renamed, isRenamed)) || b.isWrittenElsewhere(c) {
			key, _, _, _ := keyOf(c.stores[0].Addr)
			delete(b.cells, key)
			return true
		}
		return false
	})
	for _, c := range b.order {
		c.bound.Free, c.bound.Ever = Interval{}, Interval{}
		if c.bound.Struct != nil && structs.MadeWith(c.bound.Struct, c.bound.Fields) {
			c.bound.Free, c.bound.Ever, c.bound.Set = none, none, true
		}
		b.protect(c)
		c.unwinds = c.bound.Locked && slices.ContainsFunc(b.Calls.Nodes, func(n *callgraph.Node) bool {
			return n.Body != nil && b.Own(n.Body) &&
				slices.ContainsFunc(n.Sites, func(s *callgraph.Site) bool { return b.defersUnlock(c, s) })
		})
		for _, n := range b.Calls.Nodes {
			if b.matters(c, n) {
				c.fns = append(c.fns, n)
			}
		}
	}
}

// findStores finds the cells that the program's own functions store to, and the constants with
// which they compute. It returns the types that pointers point to which they convert to pointers to
// another type, and those other types.
func (b *bounding) findStores() (renamed []types.Type) {
	ends := map[int64]bool{-1: true, 0: true, 1: true}
	for _, n := range b.Calls.Nodes {
		if n.Body == nil || !b.Own(n.Body) {
			continue
		}
		for instr := range ssaform.Instructions(n.Body) {
			switch instr := instr.(type) {
			case *ssa.Store:
				b.addStore(instr)
			case *ssa.ChangeType:
				renamed = append(renamed, pointed(instr), pointed(instr.X))
			case *ssa.BinOp:
				for _, v := range []ssa.Value{instr.X, instr.Y} {
					if k, ok := number(v); ok {
						ends[k-1], ends[k], ends[k+1] = true, true, true
					}
				}
			}
		}
	}
	b.ends = slices.AppendSeq(b.ends, maps.Keys(ends))
	slices.Sort(b.ends)
	return renamed
}

// addStore notes a store to a number.
func (b *bounding) addStore(store *ssa.Store) {
	within, ok := all(store.Val.Type())
	if !ok {
		return
	}
	key, base, fields, ok := keyOf(store.Addr)
	if !ok || key.global != nil && key.global.Object() == nil { // which says whether a package is initialised
		return
	}
	c := b.cells[key]
	if c == nil {
		c = &cell{within: within}
		if c.bound.Variable = key.global; key.global == nil {
			c.bound.Struct, c.bound.Fields = pointed(base), fields
		}
		b.cells[key] = c
		b.order = append(b.order, c)
	}
	c.stores = append(c.stores, store)
}

// isWrittenElsewhere reports whether something else than the stores of a cell may write there.
func (b *bounding) isWrittenElsewhere(c *cell) bool {
	of := make(map[ssa.Instruction]bool)
	for _, s := range c.stores {
		of[s] = true
	}
	return slices.ContainsFunc(c.stores, func(s *ssa.Store) bool {
		return b.Definitions.Written(s.Addr, func(w ssa.Instruction) bool { return !of[w] })
	})
}

// protect finds the lock of a cell.
func (b *bounding) protect(c *cell) {
	var list []guard
	for i, s := range c.stores {
		if b.isAlone(s) {
			continue
		}
		of := b.guardsOf(c.stores[i].Addr)
		if list = of; len(of) == 0 {
			return
		}
		break
	}
	for _, g := range list {
		upTo, ok := 0, g.global.Root != nil
		t := c.bound.Struct
		for i := 0; !ok && t != nil && i < len(c.bound.Fields); i++ {
			if types.Identical(t, g.strct) {
				upTo, ok = i, true
				break
			}
			t = t.Underlying().(*types.Struct).Field(c.bound.Fields[i]).Type()
		}
		// All stores have to have it, and not only the first one and what may be the same.
		if !ok || slices.ContainsFunc(c.stores, func(s *ssa.Store) bool { return !b.isAlone(s) && !slices.ContainsFunc(b.guardsOf(s.Addr), g.is) }) {
			continue
		}
		c.guard, c.upTo = g, upTo
		c.bound.Locked, c.bound.Lock, c.bound.LockIn, c.bound.LockFields = true, g.global, g.strct, lockset.Path{Fields: g.fields}.FieldNumbers()
		return
	}
}

// matters reports whether a function has to be looked at for a cell: it stores something there, or
// may unlock its guard.
func (b *bounding) matters(c *cell, n *callgraph.Node) bool {
	if n.Body == nil || b.Control(n.Body) == nil {
		return false
	}
	if slices.ContainsFunc(c.stores, func(s *ssa.Store) bool { return s.Parent() == n.Body }) {
		return true
	}
	return c.bound.Locked && b.Own(n.Body) && slices.ContainsFunc(n.Body.Blocks, func(block *ssa.BasicBlock) bool {
		return slices.ContainsFunc(block.Instrs, func(instr ssa.Instruction) bool { return b.unlocks(c, instr) })
	})
}

// unlocks reports whether an instruction may unlock the guard of a cell.
func (b *bounding) unlocks(c *cell, instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		_, runs := instr.(*ssa.RunDefers)
		return runs && slices.ContainsFunc(b.Calls.Of(instr.Parent()).Sites, func(s *callgraph.Site) bool { return b.defersUnlock(c, s) })
	}
	if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
		return false
	}
	of := unlocking{c, instr}
	may, known := b.mayUnlock[of]
	if !known {
		may = b.Program.mayUnlock(c.guard, instr)
		b.mayUnlock[of] = may
	}
	return may
}

// holdsAt reports whether a goroutine may hold the guard of a cell at an instruction.
func (b *bounding) holdsAt(c *cell, at ssa.Instruction) bool {
	of := unlocking{c, at}
	may, known := b.mayHolds[of]
	if !known {
		may = b.mayHold(c.guard, []ssa.Instruction{at})
		b.mayHolds[of] = may
	}
	return may
}

// defersUnlock reports whether a site is a deferred call that may unlock the guard of a cell.
func (b *bounding) defersUnlock(c *cell, s *callgraph.Site) bool {
	return s.Mode == callgraph.Defer &&
		slices.ContainsFunc(b.callees(s), func(callee *callgraph.Node) bool { return b.mayUnlockIn(c.guard, s, callee) })
}

// solve makes the bounds larger until they contain what the stores store.
func (b *bounding) solve() {
	for b.changed = true; b.changed; {
		b.changed = false
		for _, c := range b.order {
			for _, n := range c.fns {
				newFlow(b, c, n).run()
			}
		}
	}
}

// maxRounds bounds how often the bounds of a cell grow.
const maxRounds = 60

// grow adds numbers to those that are there while nobody holds the lock of a cell, or to those that are ever there.
func (b *bounding) grow(c *cell, free bool, by Interval) {
	was := &c.bound.Ever
	if free {
		was = &c.bound.Free
	}
	if by.isNone() || was.has(by) {
		return
	}
	b.changed = true
	if c.rounds++; c.rounds > maxRounds {
		c.bound.Free, c.bound.Ever = c.within, c.within
		return
	}
	if was.isNone() {
		*was = by
	} else {
		*was = widen(*was, by, b.ends, c.within)
	}
	if free {
		b.grow(c, false, *was)
	} else if !c.bound.Locked {
		c.bound.Free = c.bound.Ever
	}
}

// number returns the value of a constant: false is 0, and true 1.
func number(v ssa.Value) (int64, bool) {
	k, ok := v.(*ssa.Const)
	if !ok || k.Value == nil || k.Value.Kind() != constant.Bool {
		return ssaform.Int(v)
	}
	if constant.BoolVal(k.Value) {
		return 1, true
	}
	return 0, true
}

// valueOf returns between which numbers a value is, wherever it is computed.
func (b *bounding) valueOf(v ssa.Value, depth int) Interval {
	within, ok := all(v.Type())
	if !ok {
		return Interval{-1 << 63, 1<<63 - 1}
	}
	const limit = 10
	if k, ok := number(v); ok {
		return Interval{k, k}
	}
	if depth > limit {
		return within
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			if key, _, _, ok := keyOf(v.X); ok && b.cells[key] != nil {
				return b.cells[key].bound.Ever
			}
			if value, ok := reaching.Settled(v.X); ok {
				return b.valueOf(value, depth+1)
			}
		}
	case *ssa.BinOp:
		return compute(v.Op, b.valueOf(v.X, depth+1), b.valueOf(v.Y, depth+1), within)
	case *ssa.Convert:
		if from, ok := all(v.X.Type()); ok {
			if x := b.valueOf(v.X, depth+1); from.has(x) && within.has(x) {
				return x
			}
		}
	case *ssa.ChangeType:
		return b.valueOf(v.X, depth+1)
	case *ssa.Call:
		if builtin, ok := v.Call.Value.(*ssa.Builtin); ok {
			switch builtin.Name() {
			case "len", "cap":
				return Interval{0, within.Most}
			case "min", "max":
				r := none
				for i, arg := range v.Call.Args {
					x := b.valueOf(arg, depth+1)
					switch {
					case i == 0:
						r = x
					case builtin.Name() == "min":
						r = Interval{min(r.Least, x.Least), min(r.Most, x.Most)}
					default:
						r = Interval{max(r.Least, x.Least), max(r.Most, x.Most)}
					}
				}
				return r
			}
			return within
		}
		return b.sources(v, depth, within)
	case *ssa.Parameter, *ssa.Phi:
		return b.sources(v, depth, within)
	}
	return within
}

// sources returns between which numbers the values are that a value may be.
func (b *bounding) sources(v ssa.Value, depth int, within Interval) Interval {
	list := b.Definitions.Sources(v)
	const limit = 20
	if len(list) == 0 || len(list) > limit {
		return within
	}
	r := none
	for _, s := range list {
		if s == nil || s == v {
			return within
		}
		if r = r.join(b.valueOf(s, depth+1)); r == within {
			break
		}
	}
	return r
}
