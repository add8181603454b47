package vm

import (
	"fmt"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// testingPrimitives lists how the model of package testing tells of the target,
// beside the inputs that it draws.
func testingPrimitives() []primitive {
	return []primitive{
		{name: "testing.reportFailure", run: reportFailure},
		{name: "testing.reportExample", run: func(c *call) {
			at := run.StackTrace{Goroutine: c.g.ID, Site: run.SiteID{Func: c.window[0].P.Func}}
			c.m.Trace.TestFailures = append(c.m.Trace.TestFailures, run.Failure{StackTrace: at, Message: c.text(3)})
		}},
		{name: "testing.reportSkip", run: func(c *call) {
			// A subtest that is skipped leaves the target as it is.
			if !strings.Contains(c.text(0), "/") {
				c.m.Trace.Skipped = true
			}
		}},
		{name: "testing.failures", run: func(c *call) { c.set(0, uint64(len(c.m.Trace.TestFailures))) }},
		{name: "testing.Short", run: func(c *call) { c.setBool(0, c.m.Short) }},
		{name: "testing.Verbose", run: func(c *call) { c.setBool(0, c.m.Verbose) }},
		{name: "testing.callSite", run: func(c *call) {
			_, pos := c.m.Site(testSite(c.m, c.m.StackOf(c.g, len(c.g.Frames))))
			p := c.m.Program.SSA.Fset.Position(pos)
			c.setText(0, fmt.Sprintf("%s:%d: ", filepath.Base(p.Filename), p.Line))
		}},
		{name: "testing.logLine", run: func(c *call) {
			if n := int(c.window[1].N); n > 0 && c.m.Output != nil {
				c.m.WriteOutput(heap.BytesAt(c.window[0], n))
			}
		}},
		{name: "testing.panicking", run: func(c *call) {
			panicking := false
			for i := range c.g.Panics {
				p := &c.g.Panics[i]
				panicking = panicking || !p.Goexit && !p.Recovered
			}
			c.setBool(0, panicking)
		}},
		{name: "testing.settled", run: settled, shadows: true},
		{name: "fmt.settled", run: settled, shadows: true},
		{name: "testing.function", run: func(c *call) {
			f := c.window[0]
			c.window[0], c.window[1] = c.m.typeWord(c.m.Program.Type(functionType(c.m.Funcs[f.P.Func].SSA))), f
		}},
		{name: "testing.paramName", run: paramName},
		{name: "testing.seedWord", run: func(c *call) {
			n := int(c.int(0))
			for len(c.m.Trace.Seeds) <= n {
				c.m.Trace.Seeds = append(c.m.Trace.Seeds, run.Input{})
			}
			c.m.Trace.Seeds[n][c.text(1)] = c.window[3].N
		}},
		{name: "testing.unsupportedInput", run: func(c *call) { c.m.Unsupported(c.g, c.text(0)) }},
	}
}

// reportFailure notes that a test has failed, at the place in the
// test that says so.
func reportFailure(c *call) {
	name, message := c.text(0), c.text(2)
	if message == "" {
		message = name + " failed"
	} else if strings.Contains(name, "/") {
		message = name + ": " + message
	}
	stack := c.m.StackOf(c.g, len(c.g.Frames))
	at := run.StackTrace{Goroutine: c.g.ID, Site: testSite(c.m, stack), Frames: stack}
	c.m.Trace.TestFailures = append(c.m.Trace.TestFailures, run.Failure{StackTrace: at, Message: message})
}

// testSite returns the site of a stack that package testing attributes messages
// to: the innermost outside the standard library, in a function that does not
// call Helper. If all do, it is the innermost of them.
func testSite(m *Interpreter, stack []run.Frame) run.SiteID {
	for _, f := range stack {
		if fn := m.Funcs[f.Site.Func]; !fn.Standard && !callsHelper(fn.SSA) {
			return f.Site
		}
	}
	return m.UserSite(stack)
}

// callsHelper reports whether a function calls the method Helper of a T, B, F
// or TB: go test has it called before it counts, which functions that have it
// do at their start.
func callsHelper(fn *ssa.Function) bool {
	if fn == nil {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			c, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			common := c.Common()
			if common.IsInvoke() {
				if m := common.Method; m.Name() == "Helper" && m.Pkg() != nil && m.Pkg().Path() == "testing" {
					return true
				}
			} else if callee := common.StaticCallee(); callee != nil && callee.Name() == "Helper" {
				if obj := callee.Object(); obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "testing" {
					return true
				}
			}
		}
	}
	return false
}

// functionType returns the type of a func value of fn; that of a method takes
// the receiver first.
func functionType(fn *ssa.Function) *types.Signature {
	sig := fn.Signature
	recv := sig.Recv()
	if recv == nil {
		return sig
	}
	params := []*types.Var{recv}
	for v := range sig.Params().Variables() {
		params = append(params, v)
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
}

// paramName gives the name of a parameter of a func value in an interface. One
// without a name is called after its place.
func paramName(c *call) {
	i := int(c.int(2))
	name := ""
	if f := c.window[1].P; f != nil {
		if fn := c.m.Funcs[f.Func].SSA; fn != nil && i < len(fn.Params) {
			name = fn.Params[i].Name()
		}
	}
	if name == "" || name == "_" {
		name = fmt.Sprintf("arg%d", i)
	}
	c.setText(0, name)
}

// isSettled gives a copy of a []any in which numbers and texts are concrete. What
// is behind pointers stays as it is.
func settled(c *call) {
	base, n := c.window[0], int(c.window[1].N)
	if n == 0 || base.P.Sym == nil && !symbolicBoxes(c.m, base, n) {
		return
	}
	o := c.m.NewArray(c.g, base.P.Type, n)
	if o == nil {
		return
	}
	for i := range n {
		at := int(base.N) + 2*i
		typ, data := base.P.Word(at), base.P.Word(at+1)
		if typ.P != nil {
			data = unshadowed(c.m, c.g, typ.P.Desc, data)
		}
		o.Fill(2*i, []heap.Word{typ, data}, nil)
	}
	c.window[0], c.window[1], c.window[2] = heap.Word{P: o}, heap.Word{N: uint64(n)}, heap.Word{N: uint64(n)}
	for i := range 3 {
		c.setShadow(i, expr.None)
	}
}

// symbolicBoxes reports whether some value of more than one word among n
// interface values has symbolic parts.
func symbolicBoxes(m *Interpreter, base heap.Word, n int) bool {
	for i := range n {
		at := int(base.N) + 2*i
		typ, data := base.P.Word(at), base.P.Word(at+1)
		if typ.P == nil || typ.P.Desc.Words < 2 {
			continue
		}
		if data.P.Sym != nil {
			return true
		}
		if t := typ.P.Desc; t.Shape == code.ShapeString || t.Shape == code.ShapeSlice {
			if s := data.P.Word(int(data.N)); s.P != nil && s.P.Sym != nil {
				return true
			}
		}
	}
	return false
}

// unshadowed returns the data word of an interface that holds a value of type t
// without the symbolic parts of data.
func unshadowed(m *Interpreter, g *state.Goroutine, t *code.Type, data heap.Word) heap.Word {
	if t.Words < 2 {
		return data
	}
	words := unbox(nil, t, data)
	if t.Shape == code.ShapeString || t.Shape == code.ShapeSlice && t.Elem.Bytes {
		if n := int(words[1].N); n > 0 {
			words[0] = m.newString(g, heap.StringAt(words[0], n))
			if t.Shape == code.ShapeSlice {
				words[2].N = words[1].N
			}
		}
	}
	_, boxed := m.box(g, t, words)
	return boxed
}
