package reflection

import (
	"cmp"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/value"
)

// runtimePrimitives returns the primitives of packages runtime, sync and related ones
// that other goroutines cannot notice.
func runtimePrimitives() []exec.Primitive {
	list := []exec.Primitive{
		{Name: "runtime.position", Run: position},
		{Name: "runtime.entry", Run: func(c *exec.Call) {
			pc := uint64(0)
			if fn, _ := c.Machine.AtPC(c.Window[0].N); fn != nil {
				pc = state.PCOf(fn, 0)
			}
			c.Set(0, pc)
		}},
		{Name: "runtime.memoryUse", Run: func(c *exec.Call) {
			c.Machine.CountAllocations(c.Goroutine)
			objects := uint64(0)
			for _, g := range c.Machine.Goroutines {
				objects += uint64(g.Allocs)
			}
			c.Set(0, uint64(c.Machine.Used))
			c.Set(1, objects)
		}},
		{Name: "runtime.version", Run: func(c *exec.Call) { c.SetText(0, runtime.Version()) }},

		{Name: "sync/atomic.sameType", Shadows: true, Run: func(c *exec.Call) {
			c.SetBool(0, dynamicType(c, 0) == dynamicType(c, 2))
			c.SetShadow(0, expr.None)
		}},
		{Name: "internal/sync.isComparable", Shadows: true, Run: func(c *exec.Call) {
			c.SetBool(0, types.Comparable(dynamicType(c, 0).Desc.Elem.Go))
			c.SetShadow(0, expr.None)
		}},
		{Name: "internal/sync.hashOf", Run: hashOf},
		{Name: "sync.checkCopy", Run: checkCopy},
		{Name: "sync.choose", Run: exec.Choose},
		{Name: "sync.commute", Run: commute},
		{Name: "sync.earlier", Run: func(c *exec.Call) { c.Machine.Trace.Bounds.Add(run.RangeEarlier) }},
	}
	// The processor reports no optional features, so that portable code is used.
	for _, pkg := range []string{"golang.org/x/sys/cpu.", "vendor/golang.org/x/sys/cpu."} {
		for _, name := range []string{"cpuid", "xgetbv"} {
			list = append(list, exec.Primitive{Name: pkg + name, Optional: true, Run: func(c *exec.Call) { clear(c.Window) }})
		}
	}
	for _, name := range []string{"internal/abi.FuncPCABI0", "internal/abi.FuncPCABIInternal"} {
		list = append(list, exec.Primitive{Name: name, Run: func(c *exec.Call) {
			pc := uint64(0)
			if fn := c.Window[1].P; fn != nil && fn.Kind == heap.ClosureObject {
				pc = state.PCOf(c.Machine.Funcs[fn.Func], 0)
			}
			c.Set(0, pc)
		}})
	}
	return list
}

// commute reports whether nothing can come between the calls that sync.Map.Range makes of a
// function, and these commute.
func commute(c *exec.Call) {
	over, fn, m := c.Window[0].P.Desc.Go.Underlying().(*types.Map), c.Window[2].P, c.Machine
	c.SetBool(0, !m.Multi && fn != nil && m.Program.CallsCommute(m.Funcs[fn.Func].SSA, 0, over, true))
}

// dynamicType returns the type word of the interface that begins in argument word i, which is made
// concrete. The value may remain an input.
func dynamicType(c *exec.Call, i int) *heap.Object {
	if x := c.Shadow(i); x != expr.None {
		c.Machine.ConcretizeWord(c.Goroutine, c.Window[i], code.Int64, x)
	}
	return c.Window[i].P
}

// position returns the function, file and line of a program counter, which is a return
// address or the entry of a function.
func position(c *exec.Call) {
	name, file, line := positionOf(c.Machine, c.Window[0].N)
	c.SetText(0, name)
	c.SetText(2, file)
	c.Set(4, uint64(line))
}

// positionOf is position with Go values. They are empty if pc is not valid.
func positionOf(m *exec.Interpreter, pc uint64) (name, file string, line int) {
	fn, instr := m.AtPC(pc)
	if fn == nil {
		return "", "", 0
	}
	pos := fn.SSA.Pos()
	if instr > 0 && int(instr) <= len(fn.Pos) {
		pos = fn.Pos[instr-1]
	}
	p := m.Program.SSA.Fset.Position(pos)
	return symbolOf(fn), fileName(m, pos, p), p.Line
}

// symbolOf returns the name of fn that a program sees.
func symbolOf(fn *state.Function) string { return cmp.Or(names[fn.Name], code.SymbolName(fn.SSA)) }

// fileName returns the file of a position as gc's runtime reports it: the name in a line
// directive is used as it is written, whereas package token prepends the directory of the
// source file.
func fileName(m *exec.Interpreter, pos token.Pos, p token.Position) string {
	source := m.Program.SSA.Fset.PositionFor(pos, false).Filename
	switch {
	case p.Filename == source:
		return source
	case p.Filename == "":
		return "??"
	}
	return strings.TrimPrefix(p.Filename, filepath.Dir(source)+string(filepath.Separator))
}

// hashOf returns the hash of a value in an interface, mixed with a seed.
func hashOf(c *exec.Call) {
	var h value.Hash
	h.Add(c.Window[2].N)
	if c.Machine.AddInterface(c.Goroutine, &h, c.Window[:2]) {
		c.Set(0, uint64(h))
	}
}

// checkCopy reports whether a cell holds its own address. If the cell is nil, it sets it
// to that address first.
func checkCopy(c *exec.Call) {
	l := c.CellAt(0)
	self := c.Window[0]
	switch l.Object.Cells[l.Offset] {
	case heap.Word{}:
		c.Machine.Heap.Store(l.Object, l.Offset, []heap.Word{self}, nil)
		c.SetBool(0, true)
	case self:
		c.SetBool(0, true)
	default:
		c.SetBool(0, false)
	}
}
