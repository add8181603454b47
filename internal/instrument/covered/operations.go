package covered

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/schedule"
)

// A primitive is a method of package sync: the function of package everyway/cover in its place, and the operations it is made of.
type primitive struct {
	function string
	ops      []schedule.Op
}

// primitives are the methods of package sync, by the type and the name.
var primitives = map[string]primitive{
	"Mutex.Lock":       {"Lock", []schedule.Op{schedule.Lock}},
	"Mutex.Unlock":     {"Unlock", []schedule.Op{schedule.Unlock}},
	"Mutex.TryLock":    {"TryLock", []schedule.Op{schedule.Lock, schedule.TryFail}},
	"RWMutex.Lock":     {"LockRW", []schedule.Op{schedule.Lock, schedule.LockIntent}},
	"RWMutex.Unlock":   {"UnlockRW", []schedule.Op{schedule.Unlock}},
	"RWMutex.TryLock":  {"TryLockRW", []schedule.Op{schedule.Lock, schedule.TryFail}},
	"RWMutex.RLock":    {"RLock", []schedule.Op{schedule.RLock}},
	"RWMutex.RUnlock":  {"RUnlock", []schedule.Op{schedule.RUnlock}},
	"RWMutex.TryRLock": {"TryRLock", []schedule.Op{schedule.RLock, schedule.TryFail}},
	"Locker.Lock":      {"LockLocker", []schedule.Op{schedule.Lock, schedule.LockIntent, schedule.RLock}},
	"Locker.Unlock":    {"UnlockLocker", []schedule.Op{schedule.Unlock, schedule.RUnlock}},
	"WaitGroup.Add":    {"Add", []schedule.Op{schedule.WaitGroupAdd}},
	"WaitGroup.Done":   {"Done", []schedule.Op{schedule.WaitGroupAdd}},
	"WaitGroup.Wait":   {"WaitGroupWait", []schedule.Op{schedule.WaitGroupWait}},
	"WaitGroup.Go":     {"Go", []schedule.Op{schedule.WaitGroupAdd, schedule.Spawn}},
	"Once.Do":          {"Do", []schedule.Op{schedule.AtomicRead, schedule.AtomicWrite, schedule.Lock, schedule.Unlock, schedule.Once, schedule.OnceSeen}},
	"Cond.Wait":        {"Wait", []schedule.Op{schedule.CondWait, schedule.CondWake}},
	"Cond.Signal":      {"Signal", []schedule.Op{schedule.CondSignal}},
	"Cond.Broadcast":   {"Broadcast", []schedule.Op{schedule.CondSignal}},
}

var atomics = []schedule.Op{schedule.AtomicRead, schedule.AtomicWrite, schedule.AtomicUpdate}

// call rewrites a call of a function that synchronises.
func (f *file) call(n *ast.CallExpr, begun int) {
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
		if b, ok := f.pkg.Info.Uses[id].(*types.Builtin); ok {
			f.builtin(n, b.Name(), begun)
			return
		}
	}
	fn, _ := typeutil.Callee(f.pkg.Info, n).(*types.Func)
	if fn == nil || fn.Pkg() == nil {
		return
	}
	switch fn.Pkg().Path() {
	case "sync":
		f.primitive(n, fn, begun)
	case "sync/atomic":
		f.atomic(n, fn, begun)
	case "runtime":
		if stmt, ok := f.parent(1).(*ast.ExprStmt); ok && fn.Name() == "Goexit" {
			f.before[stmt] = append(f.before[stmt], "everywaycover.Exiting()")
		}
	}
}

// builtin rewrites a call of a function of the language.
func (f *file) builtin(n *ast.CallExpr, name string, begun int) {
	if len(n.Args) != 1 || !f.isChannel(n.Args[0]) || name == "cap" {
		return
	}
	switch arg := f.within(n.Args[0], begun); name {
	case "close":
		id := f.site("close", n.Lparen, []schedule.Op{schedule.Close}, f.returns()...)
		f.replace(begun, n.Pos(), n.End(), fmt.Sprintf("everywaycover.Close(%d, %s%s)", id, gap, arg))
	case "len":
		id := f.site(name, n.Lparen, []schedule.Op{schedule.LenChan})
		of := "Length"
		if c, ok := f.typ(n.Args[0]).(*types.Chan); ok && c.Dir() == types.SendOnly {
			of = "LengthToSend"
		}
		f.replace(begun, n.Pos(), n.End(), fmt.Sprintf("everywaycover.%s(%d, %s%s)", of, id, gap, arg))
	}
}

// returns returns where the call that is left happens if it is deferred: where its function returns.
func (f *file) returns() []token.Pos {
	if _, ok := f.parent(1).(*ast.DeferStmt); !ok {
		return nil
	}
	body := f.function()
	if body == nil {
		return nil
	}
	list := []token.Pos{body.Rbrace}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			list = append(list, n.Return)
		}
		return true
	})
	return list
}

// function returns the body of the function that the node is in that is left.
func (f *file) function() *ast.BlockStmt {
	for i := range f.stack {
		switch n := f.parent(i + 1).(type) {
		case *ast.FuncLit:
			return n.Body
		case *ast.FuncDecl:
			return n.Body
		}
	}
	return nil
}

// primitive rewrites a call of a method of package sync.
func (f *file) primitive(n *ast.CallExpr, fn *types.Func, begun int) {
	recv := fn.Signature().Recv()
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if recv == nil || !ok || n.Ellipsis.IsValid() {
		return
	}
	typ := recv.Type()
	if p, ok := typ.(*types.Pointer); ok {
		typ = p.Elem()
	}
	named, ok := typ.(*types.Named)
	if !ok {
		return
	}
	p, ok := primitives[named.Obj().Name()+"."+fn.Name()]
	if !ok {
		return
	}
	receiver, ok := f.receiver(sel, begun, named.Obj().Name() != "Locker")
	if !ok {
		return
	}
	id := f.site(strings.ToLower(named.Obj().Name())+" "+strings.ToLower(fn.Name()), n.Lparen, p.ops, f.returns()...)
	text := fmt.Sprintf("everywaycover.%s(%d, %s%s", p.function, id, gap, receiver)
	for _, arg := range n.Args {
		text += ", " + f.within(arg, begun)
	}
	f.replace(begun, n.Pos(), n.End(), text+")")
}

// receiver returns the receiver of a method, a pointer if that is wanted, with the embedded fields on the way. It reports false if it
// cannot be named.
func (f *file) receiver(sel *ast.SelectorExpr, begun int, pointer bool) (string, bool) {
	selection := f.pkg.Info.Selections[sel]
	if selection == nil || selection.Kind() != types.MethodVal {
		return "", false
	}
	text, typ := f.within(sel.X, begun), selection.Recv()
	path := selection.Index()
	for _, i := range path[:len(path)-1] {
		if p, ok := typ.Underlying().(*types.Pointer); ok {
			typ = p.Elem()
		}
		s, ok := typ.Underlying().(*types.Struct)
		if !ok {
			return "", false
		}
		field := s.Field(i)
		if !field.Exported() && field.Pkg() != f.pkg.Types {
			return "", false
		}
		text, typ = text+"."+field.Name(), field.Type()
	}
	if _, ok := typ.Underlying().(*types.Pointer); !ok && pointer {
		text = "&" + text
	}
	return text, true
}

// atomic rewrites a call of a function or method of package sync/atomic.
func (f *file) atomic(n *ast.CallExpr, fn *types.Func, begun int) {
	sig := fn.Signature()
	if sig.Variadic() || sig.Params().Len() != len(n.Args) {
		return
	}
	if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && sig.Recv() != nil {
		if s := f.pkg.Info.Selections[sel]; s == nil || s.Kind() != types.MethodVal {
			return
		}
	}
	form := "Call"
	if sig.Results().Len() == 0 {
		form = "Do"
	}
	id := f.site("atomic "+strings.ToLower(fn.Name()), n.Lparen, atomics, f.returns()...)
	text := fmt.Sprintf("everywaycover.%s%d(%d, %s%s", form, len(n.Args), id, gap, f.within(n.Fun, begun))
	for i, arg := range n.Args {
		x := f.within(arg, begun)
		if types.IsInterface(sig.Params().At(i).Type()) {
			x = "any(" + x + ")" // of atomic.Value: type inference does not convert it
		}
		text += ", " + x
	}
	f.replace(begun, n.Pos(), n.End(), text+")")
}

// send rewrites a send, unless it is that of a select.
func (f *file) send(n *ast.SendStmt, begun int) {
	if !isInList(f.parent(1)) || isComm(f.parent(1), n) || hasCall(n.Chan) && hasCall(n.Value) {
		return
	}
	id := f.site("send", n.Arrow, []schedule.Op{schedule.Send})
	before, value := "", f.within(n.Value, begun)
	if hasCall(n.Value) && !f.isConstant(n.Value) {
		// The value is computed first.
		before, value = fmt.Sprintf("everywayvalue%d := %s; ", id, value), fmt.Sprintf("everywayvalue%d", id)
	}
	f.replace(begun, n.Pos(), n.End(),
		fmt.Sprintf("{ %s%severywaycover.SendTo(%d, %s) <- %s; everywaycover.Sent() }", gap, before, id, f.within(n.Chan, begun), value))
}

// isComm reports whether a statement is that of a case of a select.
func isComm(parent ast.Node, n ast.Stmt) bool {
	c, ok := parent.(*ast.CommClause)
	return ok && c.Comm == n
}

// hasCall reports whether something may synchronise when it is evaluated.
func hasCall(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

func (f *file) isConstant(x ast.Expr) bool {
	tv := f.pkg.Info.Types[x]
	return tv.Value != nil && tv.Value.Kind() != constant.Unknown || tv.IsNil()
}

// receive rewrites a receive, unless it is that of a select.
func (f *file) receive(n *ast.UnaryExpr, begun int) {
	i := 1
	for ; ; i++ {
		if _, ok := f.parent(i).(*ast.ParenExpr); !ok {
			break
		}
	}
	function := "Receive"
	switch p := f.parent(i).(type) {
	case *ast.AssignStmt:
		if isComm(f.parent(i+1), p) {
			return
		}
		if len(p.Lhs) == 2 && len(p.Rhs) == 1 {
			function = "Receive2"
		}
	case *ast.ValueSpec:
		if len(p.Names) == 2 && len(p.Values) == 1 {
			function = "Receive2"
		}
	case *ast.ExprStmt:
		if isComm(f.parent(i+1), p) {
			return
		}
	}
	id := f.site("receive", n.OpPos, []schedule.Op{schedule.Recv, schedule.RecvClosed})
	f.replace(begun, n.Pos(), n.End(), fmt.Sprintf("everywaycover.%s(%d, %s%s)", function, id, gap, f.within(n.X, begun)))
}

// selects has the cases of a select ask for their channels.
func (f *file) selects(n *ast.SelectStmt) error {
	var also []token.Pos
	var channels, evaluated []ast.Expr
	var sends []bool
	var def *ast.CommClause
	for _, stmt := range n.Body.List {
		switch clause := stmt.(*ast.CommClause); comm := clause.Comm.(type) {
		case nil:
			def = clause
		case *ast.SendStmt:
			also, channels, sends = append(also, comm.Arrow), append(channels, comm.Chan), append(sends, true)
			evaluated = append(evaluated, comm.Chan, comm.Value)
		case *ast.ExprStmt:
			x := ast.Unparen(comm.X).(*ast.UnaryExpr)
			also, channels, sends = append(also, x.OpPos), append(channels, x.X), append(sends, false)
			evaluated = append(evaluated, x.X)
		case *ast.AssignStmt:
			x := ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr)
			also, channels, sends = append(also, x.OpPos), append(channels, x.X), append(sends, false)
			evaluated = append(evaluated, x.X)
		}
	}
	if len(channels) == 0 && def == nil {
		if isInList(f.parent(1)) {
			f.before[n] = append(f.before[n], fmt.Sprintf("everywaycover.Never(%d)", f.site("select", n.Select, nil)))
		}
		return nil
	}
	id := f.site("select", n.Select, []schedule.Op{schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.SelectDefault}, also...)
	if len(channels) == 0 {
		f.insert(def.Colon+1, fmt.Sprintf(" everywaycover.Default(%d); ", id))
		return nil
	}
	if err := f.evaluate(n, id, evaluated); err != nil {
		return err
	}
	index := 0
	for _, stmt := range n.Body.List {
		clause := stmt.(*ast.CommClause)
		f.insert(clause.Colon+1, " everywaycover.Chosen(); ")
		if clause == def {
			continue
		}
		function := "ReceiveCase"
		if sends[index] {
			function = "SendCase"
		}
		c := channels[index]
		// The case is named by its place among all of the select.
		at := slices.Index(n.Body.List, stmt)
		if def != nil && slices.Index(n.Body.List, ast.Stmt(def)) < at {
			at--
		}
		f.replace(0, c.Pos(), c.End(), fmt.Sprintf("everywaycover.%s(%d, %d, %t, %s%s)", function, id, at, index == 0, gap, f.within(c, 0)))
		index++
	}
	return nil
}

// evaluate has what may synchronise of the channels and values of a select, in the order in which it evaluates them, evaluated before the first channel is asked for.
func (f *file) evaluate(n *ast.SelectStmt, id int, list []ast.Expr) error {
	calls := func(x ast.Expr) bool { return hasCall(x) && !f.isConstant(x) }
	if !slices.ContainsFunc(list[1:], calls) {
		return nil
	}
	var before []string
	for i, x := range list {
		if !calls(x) {
			continue
		}
		text, name := f.within(x, 0), fmt.Sprintf("everywayvalue%dof%d", i, id)
		if !isInList(f.parent(1)) || strings.Contains(text, "\n") {
			return refuse("%s: a case of a select has a call, or receives, in what is evaluated before a case is chosen: assign that to a variable", f.program.Position(x.Pos()))
		}
		before = append(before, name+" := "+text)
		f.replace(0, x.Pos(), x.End(), name)
	}
	f.before[n] = append(f.before[n], "{ "+strings.Join(before, "; "))
	f.insert(n.End(), " }")
	return nil
}

// loop puts the marker into a loop, if it has one, where its body begins.
func (f *file) loop(at token.Pos, body *ast.BlockStmt) error {
	list, err := f.passes(cover.AtLoop, at, body.Lbrace+1)
	if len(list) > 0 {
		f.insert(body.Lbrace+1, " "+strings.Join(list, "; ")+"; ")
	}
	return err
}

// passes returns the expressions, all true, with which a goroutine comes to the marker of a loop, none if it has no marker of that kind. Variables are looked for
// in the scope of a position.
func (f *file) passes(kind cover.MarkerKind, at, scope token.Pos) ([]string, error) {
	id := f.marker(kind, at)
	if id < 0 {
		return nil, nil
	}
	sets, err := f.sets(at, scope)
	if err != nil {
		return nil, err
	}
	return append(sets, fmt.Sprintf("everywaycover.Marker(%d)", id)), nil
}

// condition puts the marker into a loop without statements in its body, if it has one, before the condition.
func (f *file) condition(n *ast.ForStmt, begun int) error {
	list, err := f.passes(cover.AtHead, n.For, n.Body.Lbrace+1)
	if len(list) > 0 {
		is := "" // it may be of a type of the program's, which has no operator with another one
		if b, ok := types.Unalias(f.pkg.Info.TypeOf(n.Cond)).(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
			is = "everywaycover.Is"
		}
		f.replace(begun, n.Cond.Pos(), n.Cond.End(),
			fmt.Sprintf("%s && %s(%s%s)", strings.Join(list, " && "), is, gap, f.within(n.Cond, begun)))
	}
	return err
}

// ranges has a loop that ranges over a channel receive by itself.
func (f *file) ranges(n *ast.RangeStmt, begun int) error {
	if !f.isChannel(n.X) {
		return nil
	}
	head, err := f.passes(cover.AtHead, n.For, n.Body.Lbrace+1)
	if err == nil && len(head) == 0 && f.marker(cover.AtLoop, n.For) < 0 {
		err = f.variables(n, n.For)
	}
	if err != nil {
		return err
	}
	before := ""
	if len(head) == 0 && f.marker(cover.AtLoop, n.For) >= 0 {
		// The goroutine can wait before the marker, which has the same position.
		if head, err = f.setsKnown(n.For); err != nil {
			return err
		}
	}
	if len(head) > 0 {
		before = strings.Join(head, "; ") + "; "
	}
	k := f.site("receive", n.For, []schedule.Op{schedule.Recv, schedule.RecvClosed})
	key, assigned := "_", ""
	channel := fmt.Sprintf("everywaychannel%d := %s", k, f.within(n.X, begun))
	old := f.isBefore(22) // the variable of the loop is one for all iterations
	switch {
	case n.Key == nil:
	case n.Tok == token.ASSIGN || old && !isBlank(n.Key): // only what has been received is assigned, and not when the channel is closed
		key = fmt.Sprintf("everywayvalue%d", k)
		assigned = fmt.Sprintf("%s = %s; ", f.within(n.Key, begun), key)
		if n.Tok == token.DEFINE {
			channel = fmt.Sprintf("everywaychannel%d, %s := everywaycover.Ranged(%s)", k, f.within(n.Key, begun), f.within(n.X, begun))
		}
	default:
		key = f.within(n.Key, begun)
	}
	// The body is a block of its own, which may declare the variable again.
	f.replace(begun, n.For, n.Body.Lbrace+1, fmt.Sprintf("for %s; ; { %s%s%s, everywayok%d := everywaycover.Receive2(%d, everywaychannel%d); if !everywayok%d { break }; %s{",
		channel, gap, before, key, k, k, k, k, assigned))
	f.insert(n.Body.Rbrace, "}")
	return nil
}

func isBlank(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "_"
}

// starts rewrites a go statement: what it starts says where it begins and ends.
func (f *file) starts(n *ast.GoStmt, begun int) {
	call := n.Call
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if _, ok := f.pkg.Info.Uses[id].(*types.Builtin); ok {
			return
		}
	}
	k := f.site("go", n.Go, []schedule.Op{schedule.Spawn})
	bound, names := "", 0
	bind := func(x ast.Expr, count int) string {
		var list []string
		for range count {
			list = append(list, fmt.Sprintf("everywayarg%d_%d", k, names))
			names++
		}
		name := strings.Join(list, ", ")
		bound += name + " := " + f.within(x, begun) + "; "
		return name
	}
	function := f.within(call.Fun, begun)
	if !f.isFunction(call.Fun) {
		function = bind(call.Fun, 1)
	}
	var args []string
	for _, arg := range call.Args {
		if t, ok := f.pkg.Info.TypeOf(arg).(*types.Tuple); ok {
			args = append(args, bind(arg, t.Len()))
			continue
		}
		if f.isConstant(arg) {
			args = append(args, f.within(arg, begun))
			continue
		}
		args = append(args, bind(arg, 1))
	}
	dots := ""
	if call.Ellipsis.IsValid() {
		dots = "..."
	}
	run := fmt.Sprintf("(%s)(%s%s)", function, strings.Join(args, ", "), dots)
	if whole := f.within(call, begun); strings.HasPrefix(whole, "everywaycover.") {
		// It is an operation itself.
		run, bound = whole, ""
	}
	f.replace(begun, n.Pos(), n.End(), fmt.Sprintf("{ %s%severywaychild%d := everywaycover.Spawn(%d); go func() { everywaychild%d.Start(); defer everywaychild%d.Exit(); %s; everywaychild%d.End() }() }",
		gap, bound, k, k, k, k, run, k))
}

// isFunction reports whether evaluating an expression only names a function.
func (f *file) isFunction(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.FuncLit:
		return true
	case *ast.Ident:
		_, ok := f.pkg.Info.Uses[x].(*types.Func)
		return ok
	case *ast.SelectorExpr:
		_, ok := f.pkg.Info.Uses[x.Sel].(*types.Func)
		return ok && f.pkg.Info.Selections[x] == nil
	case *ast.IndexExpr:
		return f.isFunction(x.X)
	case *ast.IndexListExpr:
		return f.isFunction(x.X)
	}
	return false
}
