package closing

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// Closes knows the instructions of a program that close channels.
type Closes struct {
	graph    *callgraph.Graph
	pointers *pointsto.Result
	closes   []ssa.CallInstruction
	stores   []*ssa.Store     // of channels, and of structs
	fields   []*ssa.FieldAddr // of channels, and of structs in structs
}

// An Open is a channel that is not closed.
type Open struct {
	Frame  int       // index in the stack of the function in which Root is a value
	Root   ssa.Value // the channel or, if it is a captured variable, the address of what has it
	Fields []int     // if there are some, Root, or the captured variable, points to a struct in which they lead to the channel, or is nil
}

// New returns the closes of a program.
func New(g *callgraph.Graph, pointers *pointsto.Result) *Closes {
	c := &Closes{graph: g, pointers: pointers}
	for _, n := range g.Nodes {
		if n.Body == nil {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case ssa.CallInstruction:
					if isClose(instr) {
						c.closes = append(c.closes, instr)
					}
				case *ssa.Store:
					switch instr.Val.Type().Underlying().(type) {
					case *types.Chan, *types.Struct:
						c.stores = append(c.stores, instr)
					}
				case *ssa.FieldAddr:
					switch instr.Type().Underlying().(*types.Pointer).Elem().Underlying().(type) {
					case *types.Chan, *types.Struct:
						c.fields = append(c.fields, instr)
					}
				}
			}
		}
	}
	return c
}

func isClose(call ssa.CallInstruction) bool { return ssaform.IsBuiltin(call.Common(), "close") }

// Open returns the channels that are open when a goroutine is at the instructions of a stack, innermost first.
func (c *Closes) Open(stack []ssa.Instruction) []Open {
	var list []Open
	for i, at := range stack {
		for _, cl := range c.closes {
			if root, fields := c.open(cl, at); root != nil {
				list = append(list, Open{i, root, fields})
			}
		}
	}
	return list
}

// open returns a value of the function of an instruction from which the channel follows that the
// function has still to close, or a pointer to the struct in which fields lead to it, or the
// address of a captured variable that is one of these; nil if that is not known.
func (c *Closes) open(cl ssa.CallInstruction, at ssa.Instruction) (root ssa.Value, fields []int) {
	fn, by := at.Parent(), cl
	if cl.Parent() != fn {
		d := control.DeferOf(cl.Parent())
		if d == nil || d.Parent() != fn {
			return nil, nil
		}
		by = d
	}
	if !isOnce(by) || !isOnce(cl) || control.MayHaveRun(by, at) {
		return nil, nil
	}
	channel := cl.Common().Args[0]
	if of, addr := fieldOf(channel, fn); of != nil {
		if _, ok := c.guarded(cl); ok || c.isOwn(cl, of, addr) {
			return of, []int{addr.Field}
		}
		return nil, nil
	}
	made := c.made(channel, fn)
	if made == nil || !c.only(cl, made) {
		return nil, nil
	}
	switch root := rootOf(channel, fn).(type) {
	case nil:
	case *ssa.Parameter, *ssa.FreeVar:
		return root, nil
	case *ssa.MakeChan:
		if ssaform.Dominates(root, at) {
			return root, nil
		}
	}
	return nil, nil
}

// isOnce reports whether an execution of a function executes a call, or what it defers, once at most.
func isOnce(call ssa.CallInstruction) bool {
	switch call := call.(type) {
	case *ssa.Go:
		return false
	case *ssa.Defer:
		if call.DeferStack != nil {
			return false
		}
	}
	return !control.Leads(call.Block(), call.Block())
}

// only reports whether nothing else than one instruction closes the channels that another one makes.
func (c *Closes) only(cl ssa.CallInstruction, made *ssa.MakeChan) bool {
	to := c.pointers.Pointees(made)
	if to.Empty() || to.Exposed() {
		return false
	}
	return !slices.ContainsFunc(c.closes, func(other ssa.CallInstruction) bool {
		return other != cl && c.pointers.Pointees(other.Common().Args[0]).May(to)
	})
}

// made returns the instruction that makes a channel, of which each execution of a function has one
// of its own; nil if that is not known.
func (c *Closes) made(channel ssa.Value, fn *ssa.Function) *ssa.MakeChan {
	for {
		switch v := channel.(type) {
		case *ssa.MakeChan:
			if v.Parent() == fn || c.isRenewed(v, fn) {
				return v
			}
			return nil
		case *ssa.ChangeType:
			channel = v.X
		case *ssa.UnOp:
			value, ok := reaching.Settled(v.X)
			if v.Op != token.MUL || !ok {
				return nil
			}
			channel = value
		case *ssa.Parameter:
			start := c.start(fn)
			i := slices.Index(fn.Params, v)
			if start == nil || i < 0 || start.Common().IsInvoke() || i >= len(start.Common().Args) {
				return nil
			}
			channel = start.Common().Args[i]
		default:
			return nil
		}
	}
}

// start returns the only instruction that calls a function, or starts it, and calls that function
// and no other one; nil if there is none.
func (c *Closes) start(fn *ssa.Function) ssa.CallInstruction {
	if list := c.starts(fn); len(list) == 1 {
		return list[0]
	}
	return nil
}

// starts returns the instructions that call a function, or start it, if each of them calls that
// function and no other one.
func (c *Closes) starts(fn *ssa.Function) (list []ssa.CallInstruction) {
	n := c.graph.Of(fn)
	if n == nil {
		return nil
	}
	for _, s := range n.Callers() {
		if !c.pointers.MayCall(s, n) {
			continue
		}
		if s.Instr == nil || s.Instr.Common().StaticCallee() != fn {
			return nil
		}
		list = append(list, s.Instr)
	}
	return list
}

// isRenewed reports whether a channel is made between any two executions of the instruction that
// starts a function, which is in the function that makes it. What is computed of the channel for
// that, a closure for instance, comes after it on every path, and before the start, so that it is
// computed anew, too.
func (c *Closes) isRenewed(made *ssa.MakeChan, fn *ssa.Function) bool {
	start := c.start(fn)
	return start != nil && start.Parent() == made.Parent() && !control.LeadsAround(start.Block(), start.Block(), made.Block())
}

// rootOf returns the value of a function from which a channel follows: a parameter, the address of
// a captured variable, or what makes the channel.
func rootOf(channel ssa.Value, fn *ssa.Function) ssa.Value {
	for {
		switch v := channel.(type) {
		case *ssa.ChangeType:
			channel = v.X
			continue
		case *ssa.UnOp:
			free, ok := v.X.(*ssa.FreeVar)
			if ok && free.Parent() == fn {
				return free
			}
			if ok { // of what fn defers
				d := control.DeferOf(free.Parent())
				if d == nil || d.Parent() != fn {
					return nil
				}
				closure, ok := d.Call.Value.(*ssa.MakeClosure)
				if !ok {
					return nil
				}
				bound := closure.Bindings[slices.Index(free.Parent().FreeVars, free)]
				if free, ok := bound.(*ssa.FreeVar); ok {
					return free
				}
			}
			value, ok := reaching.Settled(v.X)
			if !ok {
				return nil
			}
			channel = value
			continue
		case *ssa.Parameter:
			if v.Parent() == fn {
				return v
			}
		case *ssa.MakeChan:
			if v.Parent() == fn {
				return v
			}
		}
		return nil
	}
}
