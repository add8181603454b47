package initial

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/control"
)

// assumptions returns what is taken for granted of the state in which the goroutines of a context
// begin, each thing once.
func assumptions(a *static.Analysis, c *fragment.Context) []string {
	list := []string{
		"no other goroutine takes part: none holds a lock, and none waits",
		"pools, sync.Maps and the like are as new",
	}
	add := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	for i, stack := range c.Stacks {
		if isWait(stack[0]) {
			add("who is at a call of Wait in %s has not begun to wait", stack[0].Parent().Name())
		}
		for _, at := range stack {
			name := at.Parent().Name()
			if makes(at) {
				add("slices, maps and channels of the input are not those that %s has made before", name)
			}
			if leavesOutDefers(at) {
				add("calls that %s defers in loops, or on some paths to the place only, are not deferred", name)
			}
		}
		outermost := stack[len(stack)-1].Parent()
		if recovers(outermost) {
			add("no panic is under way that %s could recover", outermost.Name())
		}
		if inherits(c, i) {
			add("a goroutine that returns from %s unlocks what its callers have locked, and ends", outermost.Name())
		} else {
			add("a goroutine that returns from %s ends", outermost.Name())
		}
	}
	for _, missed := range a.Unsound() {
		add("what the static analysis may miss does not happen: %s", missed)
	}
	return list
}

// inherits reports whether callers that are not in the stack of a goroutine may hold locks.
func inherits(c *fragment.Context, goroutine int) bool {
	return c.Locks != nil && slices.ContainsFunc(c.Locks[goroutine], func(l fragment.Lock) bool { return l.Inherited })
}

// isWait reports whether an instruction is a call of (*sync.Cond).Wait.
func isWait(at ssa.Instruction) bool {
	call, ok := at.(*ssa.Call)
	return ok && call.Call.StaticCallee() != nil && call.Call.StaticCallee().String() == "(*sync.Cond).Wait"
}

// makes reports whether slices, maps or channels are made on every path to an instruction. They are
// made again, and are no objects of the input.
func makes(at ssa.Instruction) bool {
	return anyOf(at.Parent(), func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
			return ssaform.Dominates(instr, at)
		}
		return false
	})
}

// leavesOutDefers reports whether calls may be deferred when a goroutine is at an instruction that
// its preparation does not defer: it defers those that every path defers once, outside of loops.
// The loop over a function may defer calls of the function around it.
func leavesOutDefers(at ssa.Instruction) bool {
	toOther := func(instr ssa.Instruction) bool {
		d, ok := instr.(*ssa.Defer)
		return ok && d.DeferStack != nil
	}
	if slices.ContainsFunc(at.Parent().AnonFuncs, func(fn *ssa.Function) bool { return deepAnyOf(fn, toOther) }) {
		return true
	}
	return anyOf(at.Parent(), func(instr ssa.Instruction) bool {
		d, ok := instr.(*ssa.Defer)
		if !ok {
			return false
		}
		loops := control.Leads(d.Block(), d.Block())
		if ssaform.Dominates(d, at) {
			return loops || d.DeferStack != nil
		}
		return control.Leads(d.Block(), at.Block())
	})
}

// recovers reports whether a function calls recover.
func recovers(fn *ssa.Function) bool {
	return anyOf(fn, func(instr ssa.Instruction) bool {
		call, ok := instr.(ssa.CallInstruction)
		return ok && ssaform.IsBuiltin(call.Common(), "recover")
	})
}

// anyOf reports whether something is true of an instruction of a function.
func anyOf(fn *ssa.Function, is func(ssa.Instruction) bool) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, is) })
}

// deepAnyOf is anyOf for a function and those in it.
func deepAnyOf(fn *ssa.Function, is func(ssa.Instruction) bool) bool {
	return anyOf(fn, is) || slices.ContainsFunc(fn.AnonFuncs, func(fn *ssa.Function) bool { return deepAnyOf(fn, is) })
}
