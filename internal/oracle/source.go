package oracle

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/oracle/maploop"
)

// A Line says what stands on a line of a source.
type Line struct {
	Program int // index in the programs given to Source
	Stmt    int // Stmt.ID
}

// Source returns a Go test file of package name with a target for each
// program: FuzzP<i>, or TestP<i> when it has no inputs. lines tells which lines
// belong to which statement.
//
// A target first prints a line with its number, unless its input is outside
// the domain. Then each result with Show set makes a line "number, body,
// statement, value", printed when it is known: the lines of one goroutine, in
// their order, are its history. Function show makes a slice of that length,
// so that a value which depends on an input is a path of its own.
//
// A program of which an initialiser does a part needs a package of its own: see
// [SourceOfOne].
func Source(name string, programs []*Program) (text []byte, lines map[int]Line) {
	return source(name, programs, 0)
}

// SourceOfOne is like Source, for a program that has number i among others.
func SourceOfOne(name string, p *Program, i int) (text []byte, lines map[int]Line) {
	return source(name, []*Program{p}, i)
}

// source writes programs that have the numbers from first on.
func source(name string, programs []*Program, first int) (text []byte, lines map[int]Line) {
	w := &writer{lines: map[int]Line{}, line: 1, at: -1}
	w.p("package %s", name)
	w.p("")
	w.p("import (")
	for _, s := range []string{"context", "runtime", "sort", "sync", "sync/atomic", "testing", "time", "weak"} {
		w.p("%q", s)
	}
	bubbles := slices.ContainsFunc(programs, func(p *Program) bool { return p.Bubble })
	if bubbles {
		w.p("%q", "testing/synctest")
	}
	w.p(")")
	w.p("")
	w.p("func show(program, body, stmt, value int) {")
	w.p("println(program, body, stmt, len(make([]bool, value+%[1]d))-%[1]d)", showBound)
	w.p("}")
	w.p("")
	w.p("var (")
	w.p("_ sync.Mutex")
	w.p("_ = reason")
	w.p("_ atomic.Int64")
	w.p("_ = runtime.GC")
	w.p("_ = sort.Ints")
	w.p("_ weak.Pointer[node]")
	if bubbles {
		w.p("_ = synctest.Wait")
	}
	w.p(")")
	w.p("")
	w.p("type node struct {")
	w.p("next *node")
	w.p("v *int")
	w.p("}")
	w.p("")
	w.p("type cell struct {")
	w.p("v int")
	w.p("next *cell")
	w.p("}")
	w.p("")
	w.p("const unit = time.Millisecond")
	w.cancellation()
	for i, p := range programs {
		w.program(first+i, p)
	}
	text, err := format.Source(w.Bytes()) // keeps the lines
	if err != nil {
		panic(fmt.Sprintf("oracle: the source of a program does not parse: %v", err))
	}
	return text, w.lines
}

// Describe names a program and shows it as Go.
func Describe(p *Program) string {
	text, _ := Source("p", []*Program{p})
	return fmt.Sprintf("the %v program of seed %d:\n%s", p.Mode, p.Seed, text)
}

// showBound bounds the values that function show takes: their magnitude is less.
const showBound = 64

type writer struct {
	bytes.Buffer
	line  int // of what is written next
	lines map[int]Line
	index int // of the program
	at    int // Stmt.ID of the statement being written, -1 outside
}

// p writes a line.
func (w *writer) p(format string, args ...any) {
	fmt.Fprintf(w, format+"\n", args...)
	if w.at >= 0 {
		w.lines[w.line] = Line{w.index, w.at}
	}
	w.line++
}

func (w *writer) program(i int, p *Program) {
	w.index = i
	w.p("")
	if p.Init > 0 {
		w.initialiser(p)
	}
	if len(p.Nodes) > 0 {
		for x := range p.Plains {
			w.p("var %s int", w.plain(p, x))
		}
		for k := range p.Nodes {
			w.p("var h%d_%d atomic.Pointer[node]", i, k)
		}
		w.p("")
	}
	w.p("// Program %d: seed %d, %s.", i, p.Seed, p.Mode)
	if len(p.Inputs) == 0 {
		w.p("func TestP%d(t *testing.T) {", i)
	} else {
		var params []string
		for _, in := range p.Inputs {
			params = append(params, in.Name+"_ "+in.Type)
		}
		w.p("func FuzzP%d(f *testing.F) {", i)
		w.p("f.Fuzz(func(t *testing.T, %s) {", strings.Join(params, ", "))
		for _, in := range p.Inputs {
			cond := fmt.Sprintf("%s_ > %d", in.Name, in.Size-1)
			if !strings.HasPrefix(in.Type, "u") {
				cond = fmt.Sprintf("%s_ < 0 || %s", in.Name, cond)
			}
			w.p("if %s {", cond)
			w.p("return")
			w.p("}")
		}
		for _, in := range p.Inputs {
			w.p("%s := int(%s_)", in.Name, in.Name)
			w.p("_ = %s", in.Name)
		}
	}
	if p.Init > 0 {
		w.stmts(p, 0, p.Bodies[0][p.Init:])
		w.p("}")
		return
	}
	w.p("println(%d)", i)
	if p.Bubble {
		w.p("synctest.Test(t, func(t *testing.T) {")
	}
	switch {
	case len(p.Nodes) > 0, p.Pointers:
	case p.Elements:
		w.p("var x [%d]int", p.Plains)
		w.p("_ = &x")
	case p.Fields:
		w.fields(p)
	default:
		w.declare("x", p.Plains, "int", "&")
	}
	if p.Tabled {
		w.p("var table sync.Map")
		for i := range p.Atoms {
			w.p("table.Store(%d, 0)", i)
		}
	} else if p.Pointers {
		w.declare("a", p.Atoms, "atomic.Pointer[cell]", "&")
	} else {
		w.declare("a", p.Atoms, "atomic.Int64", "&")
	}
	w.declare("m", p.Locks, "sync.Mutex", "&")
	w.declare("w", p.RWs, "sync.RWMutex", "&")
	w.declare("g", p.Groups, "sync.WaitGroup", "&")
	for i := range p.Conds {
		w.p("q%d := sync.NewCond(&m%d)", i, p.lockOf(i))
		w.p("_ = q%d", i)
	}
	element := "int"
	if p.Pointers {
		element = "*cell"
	}
	for c, capacity := range p.Chans {
		if p.ofContext(c) || p.Requests && c >= p.Request() {
			break
		}
		if capacity == NilChan {
			w.p("var c%d chan int", c)
		} else {
			w.p("c%d := make(chan %s, %d)", c, element, capacity)
		}
		w.p("_ = c%d", c)
	}
	for i := range p.Timers {
		if p.Ticks(i) {
			w.p("t%d := time.NewTicker(time.Hour)", i)
		} else {
			w.p("t%d := time.NewTimer(time.Hour)", i)
		}
		w.p("t%d.Stop()", i)
	}
	for k := range p.Alarms {
		f := len(p.Bodies) - 2*p.Alarms + 2*k
		w.p("var f%d *time.Timer", f)
		w.p("_ = f%d", f)
	}
	if p.Requests {
		w.p("q := make(chan chan int, %d)", p.Chans[p.Request()])
		w.p("_ = q")
	}
	w.contexts(p)
	w.onces(p)
	if p.Timed() {
		w.declare("start", 1, "time.Time", "")
	}
	if len(p.Nodes) > 0 {
		w.nodes(p)
	}
	if p.Copies > 0 {
		w.p("start := func() {")
		w.p("go func() {")
		w.body(p, 1)
		w.p("}()")
		w.p("}")
	}
	w.body(p, 0)
	if p.Bubble {
		w.p("})")
	}
	if len(p.Inputs) > 0 {
		w.p("})")
	}
	w.p("}")
}

// plain returns the name of a plain variable. Beside nodes it is a package variable, which can
// always be reached: else finalizers may be the only ones to reach it, which orders them.
func (w *writer) plain(p *Program, x int) string {
	if len(p.Nodes) > 0 {
		return fmt.Sprintf("x%d_%d", w.index, x)
	}
	if p.Fields {
		return fmt.Sprint("x.f", x)
	}
	if p.Elements {
		return fmt.Sprintf("x[%d]", x)
	}
	return fmt.Sprint("x", x)
}

// fields writes a struct with the plain variables.
func (w *writer) fields(p *Program) {
	w.p("var x struct {")
	for i := range p.Plains {
		w.p("f%d int", i)
	}
	w.p("}")
	w.p("_ = &x")
}

// onces declares what is done once.
func (w *writer) onces(p *Program) {
	for k := range p.Kept {
		if p.Kept[k].Value {
			w.p("o%d := sync.OnceValue(func() int {", k)
		} else {
			w.p("o%d := sync.OnceFunc(func() {", k)
		}
		w.declare("r", Locals, "int", "")
		w.stmts(p, NoBody, p.Kept[k].Func)
		if p.Kept[k].Value {
			w.p("return r0")
		}
		w.p("})")
		w.p("_ = o%d", k)
	}
	for k := len(p.Kept); k < p.Onces; k++ {
		w.p("var o%d sync.Once", k)
		w.p("_ = &o%d", k)
	}
}

// nodes writes how the nodes are made, with their finalizers and cleanups.
func (w *writer) nodes(p *Program) {
	w.declare("p", len(p.Nodes), "weak.Pointer[node]", "&")
	for x := range p.Plains {
		w.p("%s = 0", w.plain(p, x))
	}
	for k := range p.Nodes {
		w.p("h%d_%d.Store(&node{v: new(int)})", w.index, k)
		w.p("p%d = weak.Make(h%d_%d.Load())", k, w.index, k)
	}
	for k := range p.Nodes {
		if next := p.Nodes[k].Next; next >= 0 {
			w.p("h%d_%d.Load().next = h%d_%d.Load()", w.index, k, w.index, next)
		}
	}
	for k := range p.Nodes {
		holder, body := fmt.Sprintf("h%d_%d", w.index, k), p.Nodes[k].Body
		switch p.Nodes[k].Kind {
		case Finalized:
			w.p("runtime.SetFinalizer(%s.Load(), func(q%d *node) {", holder, k)
			w.body(p, body)
			w.p("})")
		case Cleaned:
			w.p("f%d := runtime.AddCleanup(%s.Load(), func(q%d *node) {", k, holder, k)
			w.body(p, body)
			w.p("}, &node{v: %s.Load().v})", holder)
			w.p("_ = f%d", k)
		}
	}
}

// initialiser writes the variables of a package whose initialiser begins a program, and that
// initialiser.
func (w *writer) initialiser(p *Program) {
	for _, kind := range []struct {
		name string
		n    int
		typ  string
	}{
		{"x", p.Plains, "int"}, {"a", p.Atoms, "atomic.Int64"}, {"m", p.Locks, "sync.Mutex"},
		{"w", p.RWs, "sync.RWMutex"}, {"g", p.Groups, "sync.WaitGroup"}, {"r", Locals, "int"}, {"start", 1, "time.Time"},
	} {
		for i := range kind.n {
			w.p("var %s%d %s", kind.name, i, kind.typ)
		}
	}
	for c, capacity := range p.Chans {
		if capacity == NilChan {
			w.p("var c%d chan int", c)
		} else {
			w.p("var c%d = make(chan int, %d)", c, capacity)
		}
	}
	for i := range p.Timers {
		w.p("var t%d = time.NewTimer(time.Hour)", i)
	}
	w.p("")
	w.p("func init() {")
	w.p("println(%d)", w.index)
	for i := range p.Timers {
		w.p("t%d.Stop()", i)
	}
	w.stmts(p, 0, p.Bodies[0][:p.Init])
	w.p("}")
	w.p("")
}

// declare writes n variables, and a use of each for the compiler.
func (w *writer) declare(name string, n int, typ, use string) {
	if n == 0 {
		return
	}
	var names, uses, blanks []string
	for i := range n {
		names = append(names, fmt.Sprint(name, i))
		uses = append(uses, fmt.Sprint(use, name, i))
		blanks = append(blanks, "_")
	}
	w.p("var %s %s", strings.Join(names, ", "), typ)
	w.p("%s = %s", strings.Join(blanks, ", "), strings.Join(uses, ", "))
}

func (w *writer) body(p *Program, b int) {
	w.declare("r", Locals, "int", "")
	if p.Requests {
		w.own(p, b)
	}
	if p.Pointers {
		w.p("var ref, mine *cell")
		w.p("_, _ = ref, mine")
	}
	w.stmts(p, b, p.Bodies[b])
}

func (w *writer) stmts(p *Program, b int, list []Stmt) {
	at := w.at
	for i := range list {
		w.at = list[i].ID
		w.stmt(p, b, &list[i])
	}
	w.at = at
}

func (w *writer) stmt(p *Program, b int, s *Stmt) {
	x, y := text(p, s.X), text(p, s.Y)
	if s.Implied {
		return
	}
	if p.Tabled && w.entry(p, b, s) || w.context(p, b, s) || p.Pointers && w.pointer(p, b, s) {
		return
	}
	switch s.Op {
	case StopCall:
		w.flag(s.Dst, fmt.Sprintf("f%d.Stop()", s.Obj))
	case ResetCall:
		w.flag(s.Dst, fmt.Sprintf("f%d.Reset(%s * unit)", s.Obj, x))
	case GetAt:
		w.p("r%d = x[(%s)&%d]", s.Dst, x, p.Plains-1)
	case SetAt:
		w.p("x[(%s)&%d] = %s", x, p.Plains-1, y)
	case Len:
		w.p("r%d = len(c%d)", s.Dst, s.Obj)
	case Yield:
		w.p("runtime.Gosched()")
	case Exit:
		w.p("runtime.Goexit()")
	case Exchange:
		w.p("r%d = int(a%d.Swap(int64(%s)))", s.Dst, s.Obj, x)
	case And:
		w.p("r%d = int(a%d.And(int64(%s)))", s.Dst, s.Obj, x)
	case Or:
		w.p("r%d = int(a%d.Or(int64(%s)))", s.Dst, s.Obj, x)
	case TryRLock:
		w.flag(s.Dst, fmt.Sprintf("w%d.TryRLock()", s.Obj))
	case TryWLock:
		w.flag(s.Dst, fmt.Sprintf("w%d.TryLock()", s.Obj))
	case While:
		w.p("for %s %s %s {", x, s.Rel, y)
		w.stmts(p, b, s.Then)
		w.p("}")
	case Try:
		w.p("func() {")
		w.p("defer func() {")
		w.p("if recover() != nil {")
		w.p("r%d = 1", s.Dst)
		w.p("}")
		w.p("}()")
		w.p("r%d = 0", s.Dst)
		w.stmts(p, b, s.Then)
		w.p("}()")
	case Ensure:
		w.p("func() {")
		w.p("defer func() {")
		w.stmts(p, b, s.Else)
		w.p("}()")
		w.stmts(p, b, s.Then)
		w.p("}()")
	case Get:
		w.p("r%d = %s", s.Dst, w.plain(p, s.Obj))
	case Set:
		w.p("%s = %s", w.plain(p, s.Obj), x)
	case Load:
		w.p("r%d = int(a%d.Load())", s.Dst, s.Obj)
	case Store:
		w.p("a%d.Store(int64(%s))", s.Obj, x)
	case Add:
		if s.Unread {
			w.p("a%d.Add(int64(%s))", s.Obj, x)
			break
		}
		w.p("r%d = int(a%d.Add(int64(%s)))", s.Dst, s.Obj, x)
	case Swap:
		w.flag(s.Dst, fmt.Sprintf("a%d.CompareAndSwap(int64(%s), int64(%s))", s.Obj, x, y))
	case Lock:
		w.p("m%d.Lock()", s.Obj)
	case Unlock:
		w.p("m%d.Unlock()", s.Obj)
	case TryLock:
		w.flag(s.Dst, fmt.Sprintf("m%d.TryLock()", s.Obj))
	case RLock:
		w.p("w%d.RLock()", s.Obj)
	case RUnlock:
		w.p("w%d.RUnlock()", s.Obj)
	case WLock:
		w.p("w%d.Lock()", s.Obj)
	case WUnlock:
		w.p("w%d.Unlock()", s.Obj)
	case Send:
		w.p("%s <- %s", channel(p, s.Obj), x)
	case Recv:
		w.p("if v, ok := <-%s; ok {", channel(p, s.Obj))
		w.received(s.Dst)
	case Close:
		w.p("close(%s)", channel(p, s.Obj))
	case Select:
		w.p("select {")
		for i := range s.Case {
			switch c := &s.Case[i]; {
			case c.Send:
				w.p("case %s <- %s:", channel(p, c.Chan), text(p, c.X))
			case c.Timer:
				w.p("case <-t%d.C:", c.Chan)
				w.p("r%d = 1", c.Dst)
			case p.ofContext(c.Chan):
				w.p("case <-%s:", done(p, c.Chan))
				w.p("r%d = %d", c.Dst, Closed)
			default:
				w.p("case v, ok := <-%s:", channel(p, c.Chan))
				w.p("if ok {")
				w.received(c.Dst)
			}
			w.p("r%d = %d", s.Dst, i)
		}
		if s.Default {
			w.p("default:")
			w.p("r%d = %d", s.Dst, len(s.Case))
		}
		w.p("}")
	case GroupAdd:
		w.p("g%d.Add(%s)", s.Obj, x)
	case GroupDone:
		w.p("g%d.Done()", s.Obj)
	case GroupWait:
		w.p("g%d.Wait()", s.Obj)
	case If:
		w.p("if %s %s %s {", x, s.Rel, y)
		w.stmts(p, b, s.Then)
		if len(s.Else) > 0 {
			w.p("} else {")
			w.stmts(p, b, s.Else)
		}
		w.p("}")
	case Spawn:
		if s.Obj <= p.Copies {
			w.p("start()")
			break
		}
		if s.Y.Const > 0 {
			w.p("g%d.Go(func() {", s.Y.Const-1)
			w.body(p, s.Obj)
			w.p("})")
			break
		}
		w.p("go func() {")
		w.body(p, s.Obj)
		w.p("}()")
	case RunSub:
		w.p("t.Run(\"%d\", func(t *testing.T) {", s.Obj)
		w.body(p, s.Obj)
		w.p("})")
	case Parallel:
		w.p("t.Parallel()")
	case CleanUp:
		w.p("t.Cleanup(func() {")
		w.stmts(p, b, s.Then)
		w.p("})")
	case Sleep:
		w.p("time.Sleep(%s * unit)", x)
	case After:
		assign := ""
		if s.Obj >= len(p.Bodies)-2*p.Alarms {
			assign = fmt.Sprintf("f%d = ", s.Obj)
		}
		w.p("%stime.AfterFunc(%s*unit, func() {", assign, x)
		w.body(p, s.Obj)
		w.p("})")
	case Reset:
		if p.Ticks(s.Obj) {
			w.p("t%d.Reset(%s * unit)", s.Obj, x)
			break
		}
		w.flag(s.Dst, fmt.Sprintf("t%d.Reset(%s * unit)", s.Obj, x))
	case Stop:
		if p.Ticks(s.Obj) {
			w.p("t%d.Stop()", s.Obj)
			break
		}
		w.flag(s.Dst, fmt.Sprintf("t%d.Stop()", s.Obj))
	case Fired:
		w.p("<-t%d.C", s.Obj)
		w.p("r%d = 1", s.Dst)
	case Now:
		w.p("start0 = time.Now()")
	case Since:
		// Half a tick more leaves out the nanoseconds by which sleeps and readings are apart.
		least := "0"
		if s.X.Const > 0 {
			least = fmt.Sprintf("%s*unit+unit/%d", x, 2*Unit)
		}
		w.flag(s.Dst, "time.Since(start0) > "+least)
	case Range:
		lines := maploop.Source(s.Dst, s.X.Const, s.Y.Const&1 != 0, s.Y.Const > 1)
		if s.Loop > 0 {
			lines = maploop.Bodies[s.Loop-1].Lines(s.Dst, s.X.Const)
		}
		for _, line := range lines {
			w.p("%s", line)
		}
	case Drop:
		w.p("h%d_%d.Store(nil)", w.index, s.Obj)
	case Revive:
		w.p("h%d_%d.Store(q%d)", w.index, s.Obj, s.Obj)
	case Hold, Upgrade:
		w.hold(p, b, s)
		return
	case Peek:
		w.flag(s.Dst, fmt.Sprintf("p%d.Value() != nil", s.Obj))
	case NodeGet:
		w.p("r%d = *q%d.v", s.Dst, s.Obj)
	case NodeSet:
		w.p("*q%d.v = %s", s.Obj, x)
	case Cancel:
		if p.Nodes[s.Obj].Kind == Cleaned {
			w.p("f%d.Stop()", s.Obj)
		} else {
			w.p("runtime.SetFinalizer(q%d, nil)", s.Obj)
		}
	case Collect:
		w.p("runtime.GC()")
	case Settle:
		w.p("synctest.Wait()")
	case CallOnce:
		if p.Kept[s.Obj].Value {
			w.p("r%d = o%d()", s.Dst, s.Obj)
		} else {
			w.p("o%d()", s.Obj)
		}
	case Once:
		w.p("o%d.Do(func() {", s.Obj)
		w.stmts(p, b, s.Then)
		w.p("})")
	case CondWait:
		w.p("q%d.Wait()", s.Obj)
	case Signal:
		w.p("q%d.Signal()", s.Obj)
	case Broadcast:
		w.p("q%d.Broadcast()", s.Obj)
	case Panic:
		w.p("panic(%q)", failure(s))
	case Log:
		w.p("t.Log(%d)", s.ID)
	case Error:
		w.p("t.Error(%q)", failure(s))
	}
	if s.Show {
		w.p("show(%d, %d, %d, r%d)", w.index, b, s.ID, s.Dst)
	}
}

// entry writes a statement about an atomic variable that is an entry of a sync.Map. It returns false for others.
func (w *writer) entry(p *Program, b int, s *Stmt) bool {
	x, y := text(p, s.X), text(p, s.Y)
	value := func(from string) {
		w.p("if v, ok := %s; ok {", from)
		w.p("r%d = v.(int)", s.Dst)
		w.p("} else {")
		w.p("r%d = %d", s.Dst, Absent)
		w.p("}")
	}
	switch s.Op {
	case Load:
		value(fmt.Sprintf("table.Load(%d)", s.Obj))
	case Store:
		w.p("table.Store(%d, %s)", s.Obj, x)
	case LoadOrStore:
		value(fmt.Sprintf("table.LoadOrStore(%d, %s)", s.Obj, x))
	case LoadAndDelete:
		if s.Unread {
			w.p("table.Delete(%d)", s.Obj)
			break
		}
		value(fmt.Sprintf("table.LoadAndDelete(%d)", s.Obj))
	case CompareAndDelete:
		w.flag(s.Dst, fmt.Sprintf("table.CompareAndDelete(%d, %s)", s.Obj, x))
	case Clear:
		w.p("table.Clear()")
	case Exchange:
		value(fmt.Sprintf("table.Swap(%d, %s)", s.Obj, x))
	case Swap:
		w.flag(s.Dst, fmt.Sprintf("table.CompareAndSwap(%d, %s, %s)", s.Obj, x, y))
	default:
		return false
	}
	if s.Show {
		w.p("show(%d, %d, %d, r%d)", w.index, b, s.ID, s.Dst)
	}
	return true
}

// hold writes a Hold or an Upgrade.
func (w *writer) hold(p *Program, b int, s *Stmt) {
	from := fmt.Sprintf("h%d_%d.Load()", w.index, s.Obj)
	if s.Op == Upgrade {
		from = fmt.Sprintf("p%d.Value()", s.Obj)
	}
	branch := func(result int, list []Stmt) {
		w.p("r%d = %d", s.Dst, result)
		if s.Show {
			w.p("show(%d, %d, %d, %d)", w.index, b, s.ID, result)
		}
		w.stmts(p, b, list)
	}
	w.p("if q%d := %s; q%[1]d != nil {", s.Obj, from)
	branch(1, s.Then)
	w.p("runtime.KeepAlive(q%d)", s.Obj)
	w.p("} else {")
	branch(0, s.Else)
	w.p("}")
}

// flag writes a local variable as 1 when cond holds, else 0.
func (w *writer) flag(dst int, cond string) {
	w.p("if %s {", cond)
	w.p("r%d = 1", dst)
	w.p("} else {")
	w.p("r%d = 0", dst)
	w.p("}")
}

// received ends an if on ok.
func (w *writer) received(dst int) {
	if dst == Ref {
		w.p("ref = v")
		w.p("} else {")
		w.p("ref = nil")
		w.p("}")
		return
	}
	w.p("r%d = v", dst)
	w.p("} else {")
	w.p("r%d = %d", dst, Closed)
	w.p("}")
}

func text(p *Program, e Expr) string {
	var s string
	switch e.Kind {
	case Const:
		return fmt.Sprint(e.Const)
	case Nil:
		return "nil"
	case Local:
		switch s = fmt.Sprintf("r%d", e.Index); e.Index {
		case Ref:
			s = "ref"
		case Mine:
			s = "mine"
		}
	case Arg:
		s = p.Inputs[e.Index].Name
	case Own:
		return "own"
	}
	if e.Const != 0 {
		s += fmt.Sprintf("%+d", e.Const)
	}
	return s
}

// channel returns how a channel is written.
func channel(p *Program, ch int) string {
	switch {
	case ch == OwnChan:
		return "own"
	case ch == RefChan:
		return "ref"
	case p.Requests && ch == p.Request():
		return "q"
	}
	return fmt.Sprint("c", ch)
}

// own writes the channels of a body.
func (w *writer) own(p *Program, b int) {
	w.p("own := make(chan int, %d)", p.Chans[p.ownChan(b)])
	w.p("var ref chan int")
	w.p("_, _ = own, ref")
}
