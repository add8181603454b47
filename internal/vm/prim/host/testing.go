package host

import (
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// testingPrimitives returns the primitives by which the model of package testing reports
// on the target. Those for inputs are in inputPrimitives.
func testingPrimitives() []exec.Primitive {
	return []exec.Primitive{
		{Name: "testing.reportFailure", Run: reportFailure},
		{Name: "testing.reportExample", Run: func(c *exec.Call) {
			at := run.StackTrace{Goroutine: c.Goroutine.ID, Site: run.SiteID{Func: c.Window[0].P.Func}}
			c.Machine.ReportFailure(run.Failure{StackTrace: at, Message: c.Text(3)})
		}},
		{Name: "testing.reportSkip", Run: func(c *exec.Call) {
			// If a subtest is skipped, the target is not.
			if !strings.Contains(c.Text(0), "/") {
				c.Machine.Trace.Skipped = true
			}
		}},
		{Name: "testing.reportStart", Run: func(c *exec.Call) {
			g := c.Machine.Goroutines[len(c.Machine.Goroutines)-1]
			c.Machine.Trace.Tests = append(c.Machine.Trace.Tests, g.ID)
		}},
		{Name: "testing.reportSubtest", Shadows: true, Run: func(c *exec.Call) {
			if c.Machine.Plan.RecordPlain { // the run will be shown
				g := c.Machine.Goroutines[len(c.Machine.Goroutines)-1]
				c.Machine.Trace.Subtests = append(c.Machine.Trace.Subtests, run.Subtest{Goroutine: g.ID, Name: c.Text(0)})
			}
		}},
		{Name: "testing.selected", Run: func(c *exec.Call) {
			selects := c.Machine.SelectsSubtest
			c.SetBool(0, selects == nil || selects(c.Text(0)))
		}},
		{Name: "testing.reportParallel", Run: func(c *exec.Call) { c.Machine.Trace.Parallel = true }},
		{Name: "testing.failures", Run: func(c *exec.Call) { c.Set(0, uint64(len(c.Machine.Trace.TestFailures))) }},
		{Name: "testing.Short", Run: func(c *exec.Call) { c.SetBool(0, c.Machine.Short) }},
		{Name: "testing.Verbose", Run: func(c *exec.Call) { c.SetBool(0, c.Machine.Verbose) }},
		{Name: "testing.markHelper", Run: markHelper},
		{Name: "testing.countAllocations", Run: func(c *exec.Call) { c.Machine.CountAllocations(c.Goroutine) }},
		{Name: "testing.callSite", Run: func(c *exec.Call) {
			_, pos := c.Machine.Site(testSite(c.Machine, c.Machine.StackOf(c.Goroutine, len(c.Goroutine.Frames))))
			p := c.Machine.Program.SSA.Fset.Position(pos)
			c.SetText(0, fmt.Sprintf("%s:%d: ", filepath.Base(p.Filename), p.Line))
		}},
		{Name: "testing.logsHidden", Run: func(c *exec.Call) { c.SetBool(0, c.Machine.Plan.Visible.HideLogs) }},
		{Name: "testing.endLog", Run: func(c *exec.Call) {
			l := c.CellAt(0)
			touchEnd(c, l, true)
			c.Machine.Heap.Put(l, 1)
		}},
		{Name: "testing.logEnded", Run: func(c *exec.Call) {
			l := c.CellAt(0)
			touchEnd(c, l, false)
			ended := l.Load() != 0
			c.Machine.Trace.LogsMatter = c.Machine.Trace.LogsMatter || ended
			c.SetBool(0, ended)
		}},
		{Name: "testing.logLine", Run: func(c *exec.Call) {
			if n := int(c.Window[1].N); n > 0 && c.Machine.Output != nil {
				c.Machine.WriteOutput(heap.BytesAt(c.Window[0], n))
			}
		}},
		{Name: "testing.panicking", Run: func(c *exec.Call) {
			panicking := false
			for i := range c.Goroutine.Panics {
				p := &c.Goroutine.Panics[i]
				panicking = panicking || !p.Goexit && !p.Recovered
			}
			c.SetBool(0, panicking)
		}},
		{Name: "testing.mainExited", Run: func(c *exec.Call) { c.Machine.MainExited = true }},
		{Name: "testing.testsRan", Run: func(c *exec.Call) { c.Machine.TestsRan = true }},
		{Name: "testing.settled", Run: settled, Shadows: true},
		{Name: "fmt.settled", Run: settled, Shadows: true},
		{Name: "fmt.countNeeded", Run: countNeeded},
		{Name: "testing.function", Run: func(c *exec.Call) {
			f := c.Window[0]
			c.Window[0], c.Window[1] = c.Machine.TypeWord(c.Machine.Program.Type(functionType(c.Machine.Funcs[f.P.Func].SSA))), f
		}},
		{Name: "testing.paramName", Run: paramName},
		{Name: "testing.drawnReceiver", Run: drawnReceiver, Shadows: true},
		{Name: "testing.seedWord", Run: func(c *exec.Call) {
			n := int(c.Int(0))
			for len(c.Machine.Trace.Seeds) <= n {
				c.Machine.Trace.Seeds = append(c.Machine.Trace.Seeds, run.Input{})
			}
			c.Machine.Trace.Seeds[n][c.Text(1)] = c.Window[3].N
		}},
		{Name: "testing.unsupportedInput", Run: func(c *exec.Call) { c.Machine.Unsupported(c.Goroutine, c.Text(0)) }},
	}
}

// touchEnd records an access to the variable that says whether a test is done, for its log. If it races, logs matter.
func touchEnd(c *exec.Call, l heap.Location, write bool) {
	m := c.Machine
	if !m.Watching {
		return
	}
	races := len(m.Trace.Unordered)
	m.ShadowOf(l.Object)
	m.Touch(c.Goroutine, l.Object, l.Offset, 1, write)
	if len(m.Trace.Unordered) > races {
		m.Trace.Unordered, m.Trace.LogsMatter = m.Trace.Unordered[:races], true
	}
}

// reportFailure records that a test has failed, at the site in the test that reports it.
func reportFailure(c *exec.Call) {
	name, message := c.Text(0), c.Text(2)
	if message == "" {
		message = name + " failed"
	}
	stack := c.Machine.StackOf(c.Goroutine, len(c.Goroutine.Frames))
	again := c.Bool(4)
	if again && isOfBubble(c.Machine, stack) {
		return
	}
	at := run.StackTrace{Goroutine: c.Goroutine.ID, Site: testSite(c.Machine, stack), Frames: stack}
	c.Machine.ReportFailure(run.Failure{StackTrace: at, Message: message, Test: name, Again: again})
}

// isOfBubble reports whether synctest.Test has called FailNow: it fails a test again of which the
// bubble has failed, as T.Run fails that of a subtest, and it is no failure of its own, even if
// those in the bubble are accepted. The deferred calls and cleanups that FailNow runs come after
// that.
func isOfBubble(m *exec.Interpreter, stack []run.Frame) bool {
	for _, f := range stack {
		switch m.Funcs[f.Site.Func].Name {
		case "testing.(*common).Fail", "testing.(*common).FailNow":
		case "testing/synctest.Test":
			return true
		default:
			return false
		}
	}
	return false
}

// testSite returns the site of a stack to which package testing attributes messages: the
// innermost one outside the standard library in a function that has not called Helper. If
// all of them have, it is that of the test's own function, the outermost one, or on
// another goroutine the innermost one.
func testSite(m *exec.Interpreter, stack []run.Frame) run.SiteID {
	test := run.NoSite
	for _, f := range stack {
		switch fn := m.Funcs[f.Site.Func]; {
		case !fn.Standard && !m.IsTestHelper(fn):
			return f.Site
		case !fn.Standard:
			test = f.Site
		case fn.Name == testRunner && test != run.NoSite:
			return test
		}
	}
	return m.UserSite(stack)
}

// testRunner is the function of the model of package testing that calls that of a test.
const testRunner = "testing.tRunner"

// markHelper marks the function that calls the method Helper as a test helper. On the
// stack, a method that wraps Helper for an interface may be between the two.
func markHelper(c *exec.Call) {
	for i := len(c.Goroutine.Frames) - 2; i >= 0; i-- {
		if fn := c.Goroutine.Frames[i].Func; !fn.Wrapper {
			c.Machine.MarkTestHelper(fn)
			return
		}
	}
}

// functionType returns the type of fn as a function value. For a method, the first
// parameter is the receiver.
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

// paramName returns the name of a parameter of a function value in an interface.
func paramName(c *exec.Call) {
	var fn *ssa.Function
	if f := c.Window[1].P; f != nil {
		fn = c.Machine.Funcs[f.Func].SSA
	}
	c.SetText(0, parameterName(fn, int(c.Int(2))))
}

// drawnReceiver has the run end if the first argument of a function value in an interface, which is
// an input, is the receiver of a method that nobody expects to be called with a nil pointer, and is
// nil.
func drawnReceiver(c *exec.Call) {
	f := c.Window[1].P
	if f == nil {
		return
	}
	fn := c.Machine.Funcs[f.Func].SSA
	if fn == nil || fn.Signature.Recv() == nil || code.ComparesReceiver(fn) {
		return
	}
	name := c.Text(2)
	c.Machine.AddBound(run.NoSite, "a receiver "+name+" that is not nil: the method does not compare it with nil")
	notNil(c, c.Window[4], c.Shadow(4), name)
}

// parameterName returns the name of parameter i of fn. One without a name is called arg and
// its index.
func parameterName(fn *ssa.Function, i int) string {
	name := ""
	if fn != nil && i < len(fn.Params) {
		name = fn.Params[i].Name()
	}
	if name == "" || name == "_" {
		name = fmt.Sprintf("arg%d", i)
	}
	return name
}

// countNeeded returns whether the number of bytes that the caller's caller, a function of package
// fmt, returns as its first result is needed by whatever called that.
func countNeeded(c *exec.Call) {
	frames := c.Goroutine.Frames
	printer := &frames[len(frames)-2]
	if printer.Mode != state.Called {
		c.SetBool(0, false)
		return
	}
	caller := &frames[len(frames)-3]
	result := int(printer.Base - caller.Base)
	c.SetBool(0, caller.Func.NeededBefore(caller.PC + 1)[result/64]>>(result%64)&1 != 0)
}

// settled returns a copy of a []any in which numbers and strings are concrete, except for
// those that a method of the program may see when they are printed: what it does is not
// only text. What is behind pointers is not copied.
func settled(c *exec.Call) {
	base, n := c.Window[0], int(c.Window[1].N)
	if n == 0 || base.P.Sym == nil && !symbolicBoxes(base, n) {
		return
	}
	o := c.Machine.NewArray(c.Goroutine, base.P.Type, n)
	if o == nil {
		return
	}
	for i := range n {
		at := int(base.N) + 2*i
		typ, data := base.P.Word(at), base.P.Word(at+1)
		if typ.P != nil && printsItself(c.Machine, typ.P.Desc) {
			o.Fill(2*i, []heap.Word{typ, data}, base.P.ShadowAt(at, 2))
			continue
		}
		if typ.P != nil {
			data = withoutShadows(c.Machine, c.Goroutine, typ.P.Desc, data)
		}
		o.Fill(2*i, []heap.Word{typ, data}, nil)
	}
	c.Window[0], c.Window[1], c.Window[2] = heap.Word{P: o}, heap.Word{N: uint64(n)}, heap.Word{N: uint64(n)}
	for i := range 3 {
		c.SetShadow(i, expr.None)
	}
}

// printsItself reports whether package fmt may call methods of the program to print a value of
// type t.
func printsItself(m *exec.Interpreter, t *code.Type) bool {
	for _, method := range m.Program.Methods(t) {
		switch method.Name {
		case "Error", "Format", "GoString", "String":
			if !m.Program.Standard(method.Sel.Obj().Pkg()) {
				return true
			}
		}
	}
	switch t.Shape {
	case code.ShapeStruct:
		return slices.ContainsFunc(t.Fields, func(f code.Field) bool {
			return (f.Exported || f.Embedded) && printsItself(m, f.Type)
		})
	case code.ShapeArray:
		return printsItself(m, t.Elem)
	case code.ShapeSlice:
		return t.Elem.Bytes && printsItself(m, t.Elem)
	}
	return false
}

// symbolicBoxes reports whether some of n interface values holds a value of more than one
// word with symbolic parts.
func symbolicBoxes(base heap.Word, n int) bool {
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

// withoutShadows returns the data word of an interface that holds the same value of type
// t as data, with its symbolic parts made concrete.
func withoutShadows(m *exec.Interpreter, g *state.Goroutine, t *code.Type, data heap.Word) heap.Word {
	if t.Words < 2 {
		return data
	}
	words := heap.Unbox(nil, t, data)
	if t.Shape == code.ShapeString || t.Shape == code.ShapeSlice && t.Elem.Bytes {
		if n := int(words[1].N); n > 0 {
			words[0] = m.NewString(g, heap.StringAt(words[0], n))
			if t.Shape == code.ShapeSlice {
				words[2].N = words[1].N
			}
		}
	}
	_, boxed := m.Box(g, t, words)
	return boxed
}
