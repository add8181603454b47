package vm

import (
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// runtimePrimitives lists what packages runtime, sync and those near them ask of
// the machine, and that no other goroutine notices.
func runtimePrimitives() []primitive {
	list := []primitive{
		{name: "runtime.callers", run: callers},
		{name: "runtime.position", run: position},
		{name: "runtime.entry", run: func(c *call) {
			pc := uint64(0)
			if fn, _ := c.m.AtPC(c.window[0].N); fn != nil {
				pc = state.PCOf(fn, 0)
			}
			c.set(0, pc)
		}},
		{name: "runtime.takesArguments", run: func(c *call) {
			fn, _ := c.m.AtPC(c.window[0].N)
			c.setBool(0, fn != nil && fn.SSA.Signature.Recv() != nil || fn != nil && fn.SSA.Signature.Params().Len() > 0)
		}},
		{name: "runtime.goroutineID", run: func(c *call) { c.set(0, uint64(c.g.Slot+1)) }},
		{name: "runtime.memoryUse", run: func(c *call) {
			objects := uint64(0)
			for _, g := range c.m.Goroutines {
				objects += uint64(g.Allocs)
			}
			c.set(0, 8*uint64(c.m.Used))
			c.set(1, objects)
		}},
		{name: "runtime.neverRun", run: func(c *call) {
			// The innermost frame is that of SetFinalizer or AddCleanup.
			if n := len(c.g.Frames) - 2; n >= 0 && !c.g.Frames[n].Func.Standard {
				c.m.Trace.NeverRun = true
			}
		}},
		{name: "runtime.version", run: func(c *call) { c.setText(0, runtime.Version()) }},

		{name: "sync/atomic.sameType", run: func(c *call) { c.setBool(0, c.window[0].P == c.window[2].P) }},
		{name: "internal/sync.isComparable", run: func(c *call) {
			c.setBool(0, types.Comparable(c.window[0].P.Desc.Elem.Go))
		}},
		{name: "internal/sync.hashOf", run: hashOf},
		{name: "sync.checkCopy", run: checkCopy},
		{name: "sync.choose", run: func(c *call) {
			if v, ok := c.m.ChooseValue(c.g, int(c.int(0))); ok {
				c.set(0, uint64(v))
			}
		}},
		{name: "sync.trusted", run: func(c *call) {
			// The innermost frame is the pool's method.
			n := len(c.g.Frames) - 2
			c.setBool(0, n >= 0 && c.g.Frames[n].Func.Standard)
		}},
	}
	// The processor has no features: portable code is taken.
	for _, pkg := range []string{"golang.org/x/sys/cpu.", "vendor/golang.org/x/sys/cpu."} {
		for _, name := range []string{"cpuid", "xgetbv"} {
			list = append(list, primitive{name: pkg + name, run: func(c *call) { clear(c.window) }})
		}
	}
	for _, name := range []string{"internal/abi.FuncPCABI0", "internal/abi.FuncPCABIInternal"} {
		list = append(list, primitive{name: name, run: func(c *call) {
			pc := uint64(0)
			if fn := c.window[1].P; fn != nil && fn.Kind == heap.ClosureObject {
				pc = state.PCOf(c.m.Funcs[fn.Func], 0)
			}
			c.set(0, pc)
		}})
	}
	return list
}

// callers fills a slice with the program counters of the calls on the stack, from
// that of the function that asks.
func callers(c *call) {
	skip, base, n := int(c.int(0)), c.window[1], int(c.window[2].N)
	filled := 0
	add := func(fn *state.Function, instr int32) {
		if skip > 0 {
			skip--
		} else if filled < n {
			c.m.Heap.Store(base.P, int(base.N)+filled, []heap.Word{{N: state.PCOf(fn, instr)}}, nil)
			filled++
		}
	}
	for i := len(c.g.Frames) - 1; i >= 0 && filled < n; i-- {
		f := &c.g.Frames[i]
		if !f.Func.Wrapper && !f.Func.Intrinsic {
			add(f.Func, f.PC+1)
		}
		if f.Mode == state.PanicDeferred {
			add(runtimeFunc(c.m, "gopanic"), 1)
		}
	}
	if c.g.Slot == 0 && c.g.Frames[0].Func.SSA.Name() == "main" {
		add(runtimeFunc(c.m, "main"), 1)
	}
	add(runtimeFunc(c.m, "goexit"), 1)
	c.set(0, uint64(filled))
}

// runtimeFunc returns a function of package runtime's model that is on the stacks of
// gc's programs.
func runtimeFunc(m *Interpreter, name string) *state.Function {
	return m.link(m.runtimePkg.Func(name))
}

// position gives the function, file and line of a program counter: a return
// address, or the entry of a function.
func position(c *call) {
	fn, instr := c.m.AtPC(c.window[0].N)
	if fn == nil {
		c.setText(0, "")
		c.setText(2, "")
		c.set(4, 0)
		return
	}
	pos := fn.SSA.Pos()
	if instr > 0 && int(instr) <= len(fn.Pos) {
		pos = fn.Pos[instr-1]
	}
	p := c.m.Program.SSA.Fset.Position(pos)
	c.setText(0, fn.Name)
	c.setText(2, fileName(c.m, pos, p))
	c.set(4, uint64(p.Line))
}

// fileName returns the file of a position as gc's runtime has it: a line directive's
// as it is written, where package token puts the directory of the source before it.
func fileName(m *Interpreter, pos token.Pos, p token.Position) string {
	source := m.Program.SSA.Fset.PositionFor(pos, false).Filename
	switch {
	case p.Filename == source:
		return source
	case p.Filename == "":
		return "??"
	}
	return strings.TrimPrefix(p.Filename, filepath.Dir(source)+string(filepath.Separator))
}

// hashOf gives the hash of a value in an interface, mixed with a seed.
func hashOf(c *call) {
	var h hash
	h.add(c.window[2].N)
	if c.m.addInterface(c.g, &h, c.window[:2]) {
		c.set(0, uint64(h))
	}
}

// checkCopy reports whether a cell holds its own address, which it is given when
// it holds nil.
func checkCopy(c *call) {
	l := c.cellAt(0)
	self := c.window[0]
	switch l.Object.Cells[l.Offset] {
	case heap.Word{}:
		c.m.Heap.Store(l.Object, l.Offset, []heap.Word{self}, nil)
		c.setBool(0, true)
	case self:
		c.setBool(0, true)
	default:
		c.setBool(0, false)
	}
}
