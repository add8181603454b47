package reflection

import (
	"encoding/binary"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/clock"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/sched"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// Stacks and goroutines as a program sees them. They are those of a binary that go test
// has built: package testing is below a test, and if the machine starts a test as the
// first goroutine, a main goroutine that waits for it is listed too.

// stackPrimitives returns the primitives of package runtime by which a program sees
// stacks:
//
//	func callers(skip int, pcs []uintptr) int // of the calling goroutine
//	func stackText() string                   // likewise, as text
//	func allStackTexts() string               // of all goroutines, the calling one first
//	func allStacks() string                   // likewise: for each its length and its program counters, as numbers of 8 bytes
func stackPrimitives() []exec.Primitive {
	return []exec.Primitive{
		{Name: "runtime.callers", Run: callers},
		{Name: "runtime.stackText", Run: func(c *exec.Call) {
			c.SetText(0, string(appendGoroutine(nil, c.Machine, c.Goroutine, "running")))
		}},
		ofAllGoroutines("runtime.allStackTexts", allStackTexts),
		ofAllGoroutines("runtime.allStacks", allStacks),
	}
}

// ofAllGoroutines returns a primitive that returns what text makes of the stacks of all
// goroutines. Any step changes them.
func ofAllGoroutines(name string, text func(m *exec.Interpreter, current *state.Goroutine) []byte) exec.Primitive {
	return exec.Primitive{
		Name:      name,
		DependsOn: state.OnNothing,
		Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
			return append(to, run.Transition{Op: schedule.Read, Object: run.GoroutinesObject, Cells: 1, Partner: -1, Enabled: true})
		},
		Run: func(c *exec.Call) {
			c.Machine.Trace.Bounds.Add(run.StacksRead)
			c.Machine.Trace.NamesMatter = true // in which order goroutines have been started
			c.Machine.Trace.GoroutinesMatter = true
			c.Machine.Record(c.Goroutine, run.Event{Op: schedule.Read, Object: run.GoroutinesObject})
			c.SetText(0, string(text(c.Machine, c.Goroutine)))
		},
	}
}

// callers fills a slice with the program counters of the calls on the stack, beginning
// with the function that calls runtime.callers.
func callers(c *exec.Call) {
	skip, base, n := int(c.Int(0)), c.Window[1], int(c.Window[2].N)
	pcs := stackOf(c.Machine, c.Goroutine)
	pcs = pcs[min(max(skip, 0), len(pcs)):]
	pcs = pcs[:min(n, len(pcs))]
	for i, pc := range pcs {
		c.Machine.Heap.Store(base.P, int(base.N)+i, []heap.Word{{N: pc}}, nil)
	}
	c.Set(0, uint64(len(pcs)))
}

// runnerFrames are the functions of the model of package testing by which the machine
// starts a target. Stacks show another function of the model in their place, or nothing.
var runnerFrames = map[string]string{
	"testing.everywayTest":                   "",
	"testing.everywayFuzz":                   "",
	"testing.everywayBench":                  "",
	"testing.everywayCall":                   "",
	"testing.everywayContext":                "",
	"testing.everywayExample":                "runExamples",
	"testing.everywayTestMain":               "testMain",
	"testing.everywayTestMain.func1":         "",
	"testing.everywayParallelTestMain":       "testMain",
	"testing.everywayParallelTestMain.func1": "",
	"testing.runTests.func1":                 "",
	"testing.runFuzzTests.func1":             "",
}

// parallelEntry is the function of the model of package testing at which the machine starts
// several tests. It starts them itself, where natively runTests calls T.Run.
const parallelEntry = "testing.everywayParallel"

// names are the names on stacks of functions of the model of package testing that stand for
// others: the main function that go test generates, and a function literal in runTests.
var names = map[string]string{
	"testing.testMain": "main.main",
	"testing.eachTest": "testing.runTests.func1",
}

// stackOf returns the program counters of the calls on the stack of g, innermost first.
func stackOf(m *exec.Interpreter, g *state.Goroutine) []uint64 {
	var pcs []uint64
	for i := len(g.Frames) - 1; i >= 0; i-- {
		f := &g.Frames[i]
		as, runner := runnerFrames[f.Func.Name]
		switch {
		case runner && as != "":
			pcs = append(pcs, entered(m.Link(f.Func.SSA.Pkg.Func(as))))
		case !runner && !f.Func.Wrapper && !f.Func.Intrinsic:
			switch f.Func.Name {
			case "testing.runTests":
				pcs = appendWaitForTest(pcs, m, f.Func.SSA.Pkg)
			case parallelEntry:
				pcs = appendWaitForTest(pcs, m, f.Func.SSA.Pkg)
				pcs = append(pcs, entered(m.Link(f.Func.SSA.Pkg.Func("runTests"))))
				continue
			}
			seePlace(m, f)
			pcs = append(pcs, state.PCOf(f.Func, f.PC+1))
		}
		if f.Mode == state.PanicDeferred {
			pcs = append(pcs, entered(runtimeFunc(m, "gopanic")))
		}
	}
	if g.Slot == 0 {
		switch bottom := g.Frames[0].Func; {
		case bottom.Name == "testing.everywayExample", bottom.Name == parallelEntry:
			pcs = appendMain(pcs, m, bottom.SSA.Pkg)
		case bottom.Name == "testing.everywayTestMain", bottom.Name == "testing.everywayParallelTestMain", bottom.SSA.Name() == "main":
			pcs = append(pcs, entered(runtimeFunc(m, "main")))
		}
	}
	return append(pcs, entered(runtimeFunc(m, "goexit")))
}

// seePlace notes that the program is told where a frame is.
func seePlace(m *exec.Interpreter, f *state.Frame) {
	if m.Plan.MergePlaces && !f.Func.Bisimulation().IsAlone(int(f.PC)) {
		m.Trace.PlacesMatter = true
	}
}

// mainStack returns the stack of the main goroutine that waits for the target, if
// State.MainWaits.
func mainStack(m *exec.Interpreter) []uint64 {
	var pcs []uint64
	testing := m.Entry.SSA.Pkg
	if m.Entry.Name == state.FuzzEntry {
		pcs = append(pcs, entered(m.Link(testing.Func("runFuzzTests"))))
	} else {
		pcs = appendWaitForTest(pcs, m, testing)
		pcs = append(pcs, entered(m.Link(testing.Func("runTests"))))
	}
	pcs = appendMain(pcs, m, testing)
	return append(pcs, entered(runtimeFunc(m, "goexit")))
}

// appendWaitForTest appends the calls, from the innermost one up to that of runTests
// exclusively, in which a main goroutine waits for a test.
func appendWaitForTest(pcs []uint64, m *exec.Interpreter, testing *ssa.Package) []uint64 {
	return append(pcs, entered(runMethod(m, testing, "T")), entered(m.Link(testing.Func("eachTest"))),
		entered(m.Link(testing.Func("tRunner"))))
}

// appendMain appends the calls from that of M.Run on, in the main function that go test
// generates.
func appendMain(pcs []uint64, m *exec.Interpreter, testing *ssa.Package) []uint64 {
	return append(pcs, entered(runMethod(m, testing, "M")), entered(m.Link(testing.Func("testMain"))), entered(runtimeFunc(m, "main")))
}

// entered returns a return address in fn, which the machine has not called.
func entered(fn *state.Function) uint64 { return state.PCOf(fn, 1) }

// runMethod returns the method Run of *typ, a type of package testing.
func runMethod(m *exec.Interpreter, testing *ssa.Package, typ string) *state.Function {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(testing.Type(typ).Type()), false, testing.Pkg, "Run")
	return m.Link(m.Program.Declared(obj.(*types.Func)))
}

// runtimeFunc returns a function in the model of package runtime that appears on the
// stacks of programs built by gc.
func runtimeFunc(m *exec.Interpreter, name string) *state.Function {
	return m.Link(m.RuntimePkg.Func(name))
}

// eachOther calls do for each goroutine but the current one, in order of creation.
func eachOther(m *exec.Interpreter, current *state.Goroutine, do func(g *state.Goroutine)) {
	for _, g := range m.Live {
		if g != current {
			do(g)
		}
	}
}

// allStacks returns the stacks of all goroutines as numbers.
func allStacks(m *exec.Interpreter, current *state.Goroutine) []byte {
	var b []byte
	add := func(pcs []uint64) {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(pcs)))
		for _, pc := range pcs {
			b = binary.LittleEndian.AppendUint64(b, pc)
		}
	}
	add(stackOf(m, current))
	if m.MainWaits() {
		add(mainStack(m))
	}
	eachOther(m, current, func(g *state.Goroutine) { add(stackOf(m, g)) })
	return b
}

// allStackTexts returns the stacks of all goroutines as text.
func allStackTexts(m *exec.Interpreter, current *state.Goroutine) []byte {
	b := appendGoroutine(nil, m, current, "running")
	if m.MainWaits() {
		b = append(b, "\ngoroutine 1 [chan receive]:\n"...)
		b = appendCalls(b, m, mainStack(m))
	}
	eachOther(m, current, func(g *state.Goroutine) {
		b = append(b, '\n')
		b = appendGoroutine(b, m, g, waitReason(m, g))
	})
	return b
}

// goroutineID returns the number of g that a program sees.
func goroutineID(m *exec.Interpreter, g *state.Goroutine) int {
	m.Trace.NamesMatter = true
	if m.MainWaits() {
		return int(g.Slot) + 2
	}
	return int(g.Slot) + 1
}

// appendGoroutine appends the stack of g, which is in the given state, as gc's runtime
// prints it.
func appendGoroutine(b []byte, m *exec.Interpreter, g *state.Goroutine, status string) []byte {
	b = fmt.Appendf(b, "goroutine %d [%s", goroutineID(m, g), status)
	if g.Bubble != nil {
		b = fmt.Appendf(b, ", synctest bubble %d", bubbleNumber(m, g))
	}
	b = append(b, "]:\n"...)
	pcs := stackOf(m, g)
	if status == "running" {
		pcs = pcs[1:] // the function of package runtime that shows the stack
	}
	b = appendCalls(b, m, pcs)
	switch {
	case g.Created != run.NoSite:
		creator, at := m.Funcs[g.Created.Func], g.Created.Instr+1
		parent := m.Goroutines[m.Slots[m.Names.Parent(g.ID)]]
		if creator.Name == "testing.runTests" || creator.Name == parallelEntry {
			creator, at = runMethod(m, creator.SSA.Pkg, "T"), 1
		}
		b = fmt.Appendf(b, "created by %s in goroutine %d\n", symbolOf(creator), goroutineID(m, parent))
		b = appendPosition(b, m, state.PCOf(creator, at))
	case g.Slot > 0:
		b = append(b, "created by time.goFunc\n"...) // for AfterFunc
	case !m.MainWaits():
	case m.Entry.Name == state.TestEntry:
		b = append(b, "created by testing.(*T).Run in goroutine 1\n"...)
		b = appendPosition(b, m, entered(runMethod(m, m.Entry.SSA.Pkg, "T")))
	default:
		b = append(b, "created by testing.runFuzzTests in goroutine 1\n"...)
		b = appendPosition(b, m, entered(m.Link(m.Entry.SSA.Pkg.Func("runFuzzTests"))))
	}
	return b
}

// bubbleNumber returns the number of the bubble of g among those that have goroutines.
func bubbleNumber(m *exec.Interpreter, g *state.Goroutine) int {
	var bubbles []*heap.Object
	for _, other := range m.Live {
		if other.Bubble != nil && !slices.Contains(bubbles, other.Bubble) {
			bubbles = append(bubbles, other.Bubble)
		}
	}
	return slices.Index(bubbles, g.Bubble) + 1
}

// maxCalls is the number of calls at each end of a long stack that are printed.
const maxCalls = 50

// appendCalls appends the calls of a stack that gc's runtime prints: of package runtime
// that is the exported functions and panics only.
func appendCalls(b []byte, m *exec.Interpreter, pcs []uint64) []byte {
	shown := slices.DeleteFunc(slices.Clone(pcs), func(pc uint64) bool {
		name, _, _ := positionOf(m, pc)
		local, inRuntime := strings.CutPrefix(name, "runtime.")
		return inRuntime && local != "gopanic" && !token.IsExported(local)
	})
	for i, pc := range shown {
		switch left := len(shown) - i; {
		case i == maxCalls && left > maxCalls:
			b = fmt.Appendf(b, "...%d frames elided...\n", left-maxCalls)
			continue
		case i > maxCalls && left > maxCalls:
			continue
		}
		name, _, _ := positionOf(m, pc)
		if name == "runtime.gopanic" {
			name = "panic"
		}
		arguments := "()"
		if fn, _ := m.AtPC(pc); fn != nil && (fn.SSA.Signature.Recv() != nil || fn.SSA.Signature.Params().Len() > 0) {
			arguments = "(...)"
		}
		b = append(append(b, name...), arguments...)
		b = append(b, '\n')
		b = appendPosition(b, m, pc)
	}
	return b
}

// appendPosition appends the line for the position of a call.
func appendPosition(b []byte, m *exec.Interpreter, pc uint64) []byte {
	_, file, line := positionOf(m, pc)
	fn, _ := m.AtPC(pc)
	return fmt.Appendf(b, "\t%s:%d +%#x\n", file, line, pc-state.PCOf(fn, 0))
}

// waitReasons are the states in which gc's runtime shows goroutines that wait in a
// primitive.
var waitReasons = map[string]string{
	"sync.mutexLock":     "sync.Mutex.Lock",
	"sync.rwLock":        "sync.RWMutex.Lock",
	"sync.rwRLock":       "sync.RWMutex.RLock",
	"runtime.semacquire": "semacquire",
	"net.lockWhen":       "IO wait",
	sched.GroupWaitName:  "sync.WaitGroup.Wait",
	sched.CondWaitName:   "sync.Cond.Wait",
	clock.SleepName:      "sleep",
	sched.IdleName:       "synctest.Run",
	sched.BubbleWaitName: "synctest.Wait",
}

// waitReason returns the state of a goroutine, other than the current one, as gc's runtime
// prints it. A goroutine whose operation is not possible counts as blocked there, although
// it may just as well not have arrived yet.
func waitReason(m *exec.Interpreter, g *state.Goroutine) string {
	waits := g.At == state.AtPrimitive && g.Prim.Prim.Sleeps && g.Phase > 0
	asleep := waits && g.Prim.Name == clock.SleepName
	if !asleep && (waits || m.CanStep(g)) { // a goroutine that polls the clock is not asleep natively
		return "runnable"
	}
	reason := "waiting"
	switch g.At {
	case state.AtPrimitive:
		if r, ok := waitReasons[g.Prim.Name]; ok {
			reason = r
		}
	case state.AtCommunication:
		reason = sched.CommunicationReason(g)
	}
	if g.Bubble != nil && sched.BlocksDurably(g) && !strings.HasPrefix(reason, "synctest.") {
		reason += " (durable)"
	}
	return reason
}
