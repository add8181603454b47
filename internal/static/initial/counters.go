package initial

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/lockset"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// A barrier of a lock and a condition counts those who wait there (Bergan 2014, section 2.5.3: the
// number of threads that have arrived at a barrier is that of its waiters). Who comes adds one; the
// last one sets the number to 0, and changes another number, a generation; the others wait until
// that is not what it was when they came. So whoever has left has come before the number was last
// 0, and it is 0 when nobody is there.

// A counter is a number that counts those who are in a function, and is 0 if nobody is.
type counter struct {
	cell
	field  fragment.Field  // if it is one
	inside []*ssa.Function // the functions that count
	steps  []*ssa.Store    // that add one
	resets []*ssa.Store    // that set it to 0
	counts []countedRegion // where whoever has added one may still be counted, by step
}

// A countedRegion is where a goroutine that has executed a step of a counter may be while the
// counter has not been set to 0 since.
type countedRegion struct {
	step *ssa.Store
	// until has, by block, the index of the instruction that sets the counter to 0, or the number
	// of instructions if none does.
	until map[*ssa.BasicBlock]int
}

// has reports whether a goroutine that is about to execute an instruction may be in the region.
func (r countedRegion) has(at ssa.Instruction) bool {
	b := at.Block()
	until, ok := r.until[b]
	i := slices.Index(b.Instrs, at)
	return ok && i <= until && (b != r.step.Block() || i > slices.Index(b.Instrs, ssa.Instruction(r.step)))
}

// A cell is a number in memory: in a package variable, or in all variables of a struct.
type cell struct {
	global *ssa.Global // nil if it is a field of a struct that a pointer of this type leads to
	typ    string
	path   string
}

// whole is the path of a cell that is a package variable.
const whole = "[]"

// cellOf returns what an address is the address of, and the pointer from which fields lead there,
// nil for a package variable.
func cellOf(addr ssa.Value) (c cell, base ssa.Value) {
	base, fields := fieldsOf(addr)
	c.path = fmt.Sprint(fields)
	if g, ok := base.(*ssa.Global); ok {
		c.global = g
		return c, nil
	}
	c.typ = base.Type().String()
	return c, base
}

// counting finds counters.
type counting struct {
	calls       *callgraph.Graph
	definitions *reaching.Program
	held        *lockset.Result
	stores      map[cell][]*ssa.Store
}

// countersOf returns the counters of a program.
func countersOf(calls *callgraph.Graph, definitions *reaching.Program, held *lockset.Result, isStandard func(*ssa.Package) bool) []*counter {
	c := &counting{calls, definitions, held, make(map[cell][]*ssa.Store)}
	var order []cell
	for _, n := range calls.Nodes {
		if n.Body == nil || isStandard(n.Body.Pkg) {
			continue
		}
		anyOf(n.Body, func(instr ssa.Instruction) bool {
			if store, ok := instr.(*ssa.Store); ok && ssaform.IsInteger(store.Val.Type()) {
				at, _ := cellOf(store.Addr)
				if c.stores[at] == nil {
					order = append(order, at)
				}
				if !slices.Contains(c.stores[at], store) {
					c.stores[at] = append(c.stores[at], store)
				}
			}
			return false
		})
	}
	var list []*counter
	for _, at := range order {
		if found := c.counter(at); found != nil {
			list = append(list, found)
		}
	}
	return list
}

// counter returns the counter that a cell is, nil if it is none.
func (c *counting) counter(at cell) *counter {
	found := &counter{cell: at}
	var resets, steps []*ssa.Store
	for _, store := range c.stores[at] {
		switch {
		case isNumber(store.Val, 0):
			resets = append(resets, store)
		case added(store) == 1:
			steps = append(steps, store)
		default:
			return nil
		}
	}
	if len(steps) == 0 || len(resets) == 0 || !c.writtenBy(at) {
		return nil
	}
	lock := ""
	for _, store := range append(slices.Clone(steps), resets...) {
		if isInitialising(store) {
			continue
		}
		switch l := c.lockAt(store); {
		case l == "" || lock != "" && l != lock:
			return nil
		default:
			lock = l
		}
	}
	for _, store := range steps {
		until, ok := c.returnsWhenReset(store, at, lock)
		if !ok || c.isRecovered(store.Parent()) {
			return nil
		}
		found.counts = append(found.counts, countedRegion{store, until})
		if !slices.Contains(found.inside, store.Parent()) {
			found.inside = append(found.inside, store.Parent())
		}
	}
	found.steps, found.resets = steps, resets
	if base, fields := fieldsOf(steps[0].Addr); at.global == nil {
		pointer, ok := base.Type().Underlying().(*types.Pointer)
		if !ok || len(fields) == 0 {
			return nil
		}
		found.field = fragment.Field{Struct: pointer.Elem(), Fields: fields}
	}
	return found
}

// isInitialising reports whether an instruction initialises a package.
func isInitialising(instr ssa.Instruction) bool {
	return instr.Parent().Synthetic == "package initializer"
}

// writtenBy reports whether only stores to a cell itself write it.
func (c *counting) writtenBy(at cell) bool {
	return !slices.ContainsFunc(c.stores[at], func(store *ssa.Store) bool {
		return c.definitions.Written(store.Addr, func(w ssa.Instruction) bool {
			by, ok := w.(*ssa.Store)
			return !ok || !slices.Contains(c.stores[at], by)
		})
	})
}

// lockAt names a lock that is held for certain at a store, as things are seen from the variable of
// which the cell is a part. It is "" if there is none, or more than one.
func (c *counting) lockAt(store *ssa.Store) string {
	_, base := cellOf(store.Addr)
	name := ""
	for _, h := range c.held.Held([]ssa.Instruction{store}) {
		if !h.Sure {
			continue
		}
		g, isGlobal := h.Path.Root.(*ssa.Global)
		if !isGlobal && (base == nil || h.Path.Root != base) || name != "" {
			return ""
		}
		if name = "." + h.Path.Fields; isGlobal {
			name = g.String() + name
		}
	}
	return name
}

// returnsWhenReset reports whether a function returns, after a store that adds one to a cell, only
// if the cell has been set to 0 since, and returns where it is until then, as in a countedRegion.
func (c *counting) returnsWhenReset(step *ssa.Store, at cell, lock string) (until map[*ssa.BasicBlock]int, ok bool) {
	_, base := cellOf(step.Addr)
	if !unlockedBetween(step.Val.(*ssa.BinOp).X.(ssa.Instruction), step) {
		return nil, false
	}
	until = make(map[*ssa.BasicBlock]int)
	var work []*ssa.BasicBlock
	// through follows instructions to where the cell is reset, or the program ends. It returns
	// false if the function is left before.
	through := func(b *ssa.BasicBlock, from int) (done, ok bool) {
		until[b] = len(b.Instrs)
		for i, instr := range b.Instrs[from:] {
			switch instr := instr.(type) {
			case *ssa.Store:
				cl, of := cellOf(instr.Addr)
				switch {
				case cl == at && of == base:
					until[b] = from + i
					return true, isNumber(instr.Val, 0)
				case of != nil && of != base:
					return false, false // it may be nil
				}
			case *ssa.UnOp:
				if _, of := cellOf(instr.X); instr.Op == token.ARROW || instr.Op == token.MUL && of != nil && of != base {
					return false, false
				}
			case *ssa.Panic:
				return true, c.endsAtOnce(step.Parent())
			case *ssa.Return, *ssa.Go, *ssa.Defer, *ssa.RunDefers, *ssa.Send, *ssa.Select, *ssa.MapUpdate, *ssa.TypeAssert, *ssa.IndexAddr, *ssa.Index, *ssa.Slice:
				return false, false // it is left, or may be
			case *ssa.Call:
				if callee := instr.Call.StaticCallee(); callee == nil || !isWaiting[callee.String()] {
					return false, false
				}
			case *ssa.BinOp:
				if instr.Op == token.QUO || instr.Op == token.REM {
					return false, false
				}
			}
		}
		return false, true
	}
	b := step.Block()
	follow := func(b *ssa.BasicBlock, from int) bool {
		done, ok := through(b, from)
		if done || !ok {
			return ok
		}
		changed := -1
		if end, is := b.Instrs[len(b.Instrs)-1].(*ssa.If); is {
			changed = c.changed(end.Cond, step, base, at, lock)
		}
		for i, s := range b.Succs {
			if s == step.Block() && i != changed {
				return false // it adds one again
			}
			if _, seen := until[s]; i != changed && !seen {
				until[s] = 0
				work = append(work, s)
			}
		}
		return true
	}
	if !follow(b, slices.Index(b.Instrs, ssa.Instruction(step))+1) {
		return nil, false
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if !follow(n, 0) {
			return nil, false
		}
	}
	return until, true
}

// isWaiting has the functions that return if they do: nothing that they do leaves their caller.
var isWaiting = map[string]bool{
	"(*sync.Mutex).Lock": true, "(*sync.Mutex).Unlock": true, "(*sync.Cond).Wait": true, "(*sync.Cond).Signal": true, "(*sync.Cond).Broadcast": true,
}

// changed returns which successor of a branch is taken only if a generation is not any more what it
// was at a step, -1 if none is.
func (c *counting) changed(cond ssa.Value, step *ssa.Store, base ssa.Value, at cell, lock string) int {
	op, ok := cond.(*ssa.BinOp)
	if !ok || op.Op != token.EQL && op.Op != token.NEQ {
		return -1
	}
	x, y := loadOf(op.X), loadOf(op.Y)
	if x == nil || y == nil {
		return -1
	}
	before := x
	if !unlockedBetween(before, step) {
		before, y = y, x
	}
	of, b := cellOf(before.X)
	if now, b2 := cellOf(y.X); !unlockedBetween(before, step) || now != of || b != base || b2 != base || of == at {
		return -1
	}
	if len(c.stores[of]) == 0 || !c.writtenBy(of) {
		return -1
	}
	for _, store := range c.stores[of] {
		if isInitialising(store) {
			continue
		}
		if n := added(store); n != 1 && n != -1 || c.lockAt(store) != lock || !c.resets(store, at) {
			return -1
		}
	}
	if op.Op == token.EQL {
		return 1
	}
	return 0
}

// resets reports whether a cell of the same variable is set to 0 together with a store.
func (c *counting) resets(store *ssa.Store, at cell) bool {
	_, base := cellOf(store.Addr)
	return slices.ContainsFunc(store.Block().Instrs, func(instr ssa.Instruction) bool {
		reset, ok := instr.(*ssa.Store)
		if !ok || !isNumber(reset.Val, 0) || !unlockedBetween(reset, store) && !unlockedBetween(store, reset) {
			return false
		}
		of, b := cellOf(reset.Addr)
		return of == at && b == base
	})
}

// unlockedBetween reports whether one instruction comes after another one in a block, without a
// call in between that may unlock something.
func unlockedBetween(from, to ssa.Instruction) bool {
	if from.Block() != to.Block() {
		return false
	}
	i, k := slices.Index(from.Block().Instrs, from), slices.Index(from.Block().Instrs, to)
	return i < k && !slices.ContainsFunc(from.Block().Instrs[i:k], isCall)
}

func isCall(instr ssa.Instruction) bool {
	_, is := instr.(ssa.CallInstruction)
	return is
}

// added returns 1 or -1 if a store adds that to what is there, and 0 otherwise.
func added(store *ssa.Store) int {
	op, ok := store.Val.(*ssa.BinOp)
	if !ok || op.Op != token.ADD && op.Op != token.SUB || !isNumber(op.Y, 1) {
		return 0
	}
	load := loadOf(op.X)
	if load == nil {
		return 0
	}
	of, base := cellOf(load.X)
	if to, b := cellOf(store.Addr); of != to || b != base || !unlockedBetween(load, store) {
		return 0
	}
	if op.Op == token.SUB {
		return -1
	}
	return 1
}

func loadOf(v ssa.Value) *ssa.UnOp {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	return load
}

func isNumber(v ssa.Value, n int64) bool {
	k, ok := ssaform.Int(v)
	return ok && k == n
}

// A census is what is known of counters when goroutines are at the places of a context, and nobody
// else is in the functions that count.
type census struct {
	variables map[*ssa.Global]bool // that are 0
	fields    []fragment.Field     // that are 0
	bounds    []fragment.Bound     // of those that may count goroutines of the context
	assumes   []string             // what is assumed of these, a line each
}

// census counts the goroutines of a context that may be counted (Bergan 2014, section 2.5.3: no
// more have arrived at a barrier than wait there).
func (v *Variables) census(stacks [][]ssa.Instruction) census {
	used := reached(nodesOf(v.calls, stacks))
	is := census{variables: make(map[*ssa.Global]bool)}
	for _, c := range v.counters {
		i := slices.IndexFunc(c.inside, func(fn *ssa.Function) bool { return used[v.calls.Of(fn)] })
		if i < 0 || c.global != nil && c.path != whole {
			continue
		}
		counted, others := int64(0), "nobody"
		for _, stack := range stacks {
			if slices.ContainsFunc(stack, func(at ssa.Instruction) bool { return slices.Contains(c.inside, at.Parent()) }) {
				others = "nobody else"
			}
			if slices.ContainsFunc(stack, func(at ssa.Instruction) bool {
				return slices.ContainsFunc(c.counts, func(r countedRegion) bool { return r.has(at) })
			}) {
				counted++
			}
		}
		switch {
		case counted > 0:
			is.bounds = append(is.bounds, fragment.Bound{
				Variable: c.global, Field: c.field, Range: fragment.Range{Least: 0, Most: counted},
			})
		case c.global == nil:
			is.fields = append(is.fields, c.field)
		default:
			is.variables[c.global] = true
		}
		is.assumes = append(is.assumes, fmt.Sprintf("%s waits in %s", others, c.inside[i].Name()))
	}
	return is
}

// isRecovered reports whether something recovers from a panic in a function, but for package
// testing, which ends the test, and (*sync.WaitGroup).Go, which ends the program.
func (c *counting) isRecovered(fn *ssa.Function) bool {
	n := c.calls.Of(fn)
	return n == nil || slices.ContainsFunc(c.above(n), func(n *callgraph.Node) bool {
		return !slices.Contains(c.calls.Given(), n) && !endsProgram(n) && c.calls.Recovers(n)
	})
}

// endsAtOnce reports whether nothing but locks changes between a panic in a function and the end of
// the program, as nobody has deferred anything else.
func (c *counting) endsAtOnce(fn *ssa.Function) bool {
	n := c.calls.Of(fn)
	return n != nil && !slices.ContainsFunc(c.above(n), func(n *callgraph.Node) bool {
		return !endsProgram(n) && (n.Body == nil || anyOf(n.Body, func(instr ssa.Instruction) bool {
			d, ok := instr.(*ssa.Defer)
			return ok && (d.Call.StaticCallee() == nil || !isWaiting[d.Call.StaticCallee().String()])
		}))
	})
}

// endsProgram reports whether a function is one of those that end the test, or the program, when what they call panics.
func endsProgram(n *callgraph.Node) bool {
	return strings.HasPrefix(n.Name, "testing.") || strings.HasPrefix(n.Name, "sync.(*WaitGroup).Go")
}

// above returns the functions that lead to one in the same goroutine, and that one.
func (c *counting) above(n *callgraph.Node) []*callgraph.Node {
	list := []*callgraph.Node{n}
	for i := 0; i < len(list); i++ {
		if slices.Contains(c.calls.Given(), list[i]) {
			continue
		}
		for _, s := range list[i].Callers() {
			if s.Mode != callgraph.Go && s.Caller.Func != nil && !slices.Contains(list, s.Caller) { // reflection is left out
				list = append(list, s.Caller)
			}
		}
	}
	return list
}
