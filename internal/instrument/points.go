package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// The kinds of control points.
type pointKind int

const (
	before     pointKind = iota // before a statement
	after                       // behind a statement
	spawning                    // around a statement
	condition                   // before the condition of a loop, or of an else
	ranging                     // before each receive of a loop over a channel
	value                       // between the reads and the write of an assignment
	calling                     // before a call, when its function has been evaluated
	receiving                   // before a receive, when its channel has been evaluated
	sending                     // before a send, when its channel has been evaluated
	reading                     // before a field is read
	choosing                    // at the cases of a select
	calledBack                  // around the function that a timer calls
	exiting                     // before a deferred call
	accessing                   // around a call that the race detector reports
	hiding                      // around a statement of which the race detector need not see the accesses
)

// A pointKey is what there is one control point for.
type pointKey struct {
	kind pointKind
	node ast.Node
}

// A step is the n-th arrival of a goroutine at a point, and what it stands for: a segment, or
// the goroutine that is started.
type step struct{ goroutine, point, n, value int }

// A visit is an execution of a statement by a goroutine, as far as its events tell.
type visit struct {
	spot  spot
	n     int
	seen  map[string]bool
	at    map[Position]bool // where the events are
	first int               // segment
	// begin is the first event, and events is their number.
	begin  event
	events int
}

// repeats reports whether an event is one of another visit of the same statement.
func (v *visit) repeats(e *event, what string, called bool) bool {
	if e.op == schedule.Branch.String() || e.op == schedule.Assume.String() {
		return false // whether a pointer is nil and where it leads are several conditions of one place
	}
	if !called {
		return v.seen[what]
	}
	// The events of a function of the standard library are where it is called, and there may be
	// several of a kind. But what it begins with does not come again.
	if e.op != v.begin.op || e.pos != v.begin.pos {
		return false
	}
	switch e.op {
	case "lock", "unlock", "read lock", "read unlock", "send", "receive", "wait group add", "wait group wait", "close":
		return e.location == v.begin.location || v.events == 1
	}
	return e.location == v.begin.location
}

// A spot is the statement, or the part of one, in which an event is.
type spot struct {
	node ast.Node
	kind pointKind // before, condition or ranging
}

// steps are the tables of a control package.
type steps struct {
	names    []string
	segments []int
	points   map[pointKey]int
	begins   []step
	ends     []step
	spawns   []step
	// selects have the number of the case and 2 more, so that it is 1 for default.
	selects   []step
	callbacks []step
	randoms   []draw
	times     map[int]int64 // segments in which time passes
	clocked   bool
}

func (s *steps) name(goroutine string) int {
	if i := slices.Index(s.names, goroutine); i >= 0 {
		return i
	}
	s.names = append(s.names, goroutine)
	return len(s.names) - 1
}

func (s *steps) point(kind pointKind, node ast.Node) int {
	key := pointKey{kind, node}
	if i, ok := s.points[key]; ok {
		return i
	}
	s.points[key] = len(s.points)
	return len(s.points) - 1
}

// tables finds the control points that the events of the plan need.
func (p *Plan) tables(files map[string]*file) *steps {
	s := &steps{names: []string{"0"}, points: map[pointKey]int{}, times: map[int]int64{}, clocked: p.isClocked()}
	type function struct{ goroutine, name string }
	current := map[function]*visit{} // of a function that a goroutine is in
	counts := map[string]map[spot]int{}
	values := map[string]map[ast.Node]int{}
	var last *visit // of the event before that had a segment
	lastSegment, lastGoroutine := -1, ""
	begun := map[int]bool{}
	visits := map[step]int{}       // of selects
	calls := map[string][]string{} // functions in which a goroutine has been, the last one last
	for _, e := range p.events {
		if e.passes > 0 {
			for len(s.segments) <= e.segment {
				s.segments = append(s.segments, s.name(timer))
			}
			s.times[e.segment] = e.passes
			s.end(lastSegment, lastGoroutine, last)
			last, lastSegment, lastGoroutine = nil, e.segment, timer
			begun[e.segment] = true
			continue
		}
		f := files[e.pos.File]
		if f == nil {
			continue
		}
		plain := p.isPlain(e.pos)
		at, ok := f.spot(e.pos, e.op, plain)
		if !ok {
			continue
		}
		if e.op == "callback" {
			if call, ok := f.callback(e.pos); ok {
				// All callbacks of a timer stand for its creation, which is the first visit.
				s.callbacks = append(s.callbacks, step{s.name(e.goroutine), s.point(calledBack, call), 0, s.name(e.child)})
			}
			continue
		}
		if sel, ok := f.selection(e.pos); ok && !p.Coarse && !plain && isCommunication(e.op) {
			at := step{goroutine: s.name(e.goroutine), point: s.point(choosing, sel)}
			s.selects = append(s.selects, step{at.goroutine, at.point, visits[at], e.alt + 2})
			visits[at]++
		}
		inside := since(calls[e.goroutine], e.function)
		if len(inside) > 0 || len(calls[e.goroutine]) == 0 {
			calls[e.goroutine] = append(calls[e.goroutine], e.function)
		}
		key := function{e.goroutine, e.function}
		what := e.op + f.key(e.pos)
		v := current[key]
		if v == nil || v.spot != at || v.repeats(&e, what, f.isCall(e.pos)) {
			if counts[e.goroutine] == nil {
				counts[e.goroutine] = map[spot]int{}
				values[e.goroutine] = map[ast.Node]int{}
			}
			v = &visit{spot: at, n: counts[e.goroutine][at], seen: map[string]bool{}, at: map[Position]bool{}, first: -1, begin: e}
			counts[e.goroutine][at]++
			current[key] = v
		}
		v.seen[what] = true
		v.events++
		// What comes after something else at the same place, such as the end of a sleep after its
		// beginning, has no point of its own.
		again := v.at[e.pos]
		v.at[e.pos] = true
		g := s.name(e.goroutine)
		if e.op == "go" {
			n := 0
			id := s.point(spawning, at.node)
			for _, sp := range s.spawns {
				if sp.goroutine == g && sp.point == id {
					n++
				}
			}
			s.spawns = append(s.spawns, step{g, id, n, s.name(e.child)})
		}
		if e.segment < 0 {
			continue
		}
		for len(s.segments) <= e.segment {
			s.segments = append(s.segments, g)
		}
		if e.segment != lastSegment {
			s.end(lastSegment, lastGoroutine, last)
		}
		if !begun[e.segment] {
			// If there can be no point before the first event, there may be one before the next.
			begins := true
			switch {
			case v.first < 0 && callsAny(at.node, e.pos, f, e.function, inside):
				begins = false
			case v.first < 0:
				s.begins = append(s.begins, step{g, s.point(at.kind, at.node), v.n, e.segment})
			case plain:
				begins = false
			case isSplit(at.node) && e.op == "write":
				s.begins = append(s.begins, step{g, s.point(value, at.node), v.n, e.segment})
			case !p.Coarse && !again:
				var in spot
				if in, begins = f.inner(e.pos, e.op); begins {
					s.begins = append(s.begins, step{g, s.point(in.kind, in.node), v.n, e.segment})
				}
			default:
				begins = false
			}
			begun[e.segment] = begins
		}
		if v.first < 0 {
			v.first = e.segment
		}
		last, lastSegment, lastGoroutine = v, e.segment, e.goroutine
	}
	s.end(lastSegment, lastGoroutine, last)
	p.accesses(s, files)
	p.hide(s, files)
	p.random(s, files)
	return s
}

// since returns the functions in which a goroutine has been since it was in one, in all if it was not.
func since(list []string, function string) []string {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == function {
			return list[i+1:]
		}
	}
	return list
}

// callsAny reports whether a statement, or a condition, in a function may have called one of the
// functions before what happens at a position: then a point before the statement is one before what
// the function has done, which may belong to an earlier segment.
func callsAny(n ast.Node, p Position, f *file, in string, functions []string) bool {
	if len(functions) == 0 {
		return false
	}
	at, _ := f.around(p)
	found := false
	ast.Inspect(n, func(inner ast.Node) bool {
		switch inner := inner.(type) {
		case *ast.BlockStmt, *ast.CommClause:
			return inner == n
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if inner.Lparen == at {
				return true // what happens is in this call, or it is the call of a function that has no events
			}
			name := ""
			switch fun := ast.Unparen(inner.Fun).(type) {
			case *ast.Ident:
				name = fun.Name
			case *ast.SelectorExpr:
				name = fun.Sel.Name
			case *ast.FuncLit:
				name = "func"
			}
			_, local := inner.Fun.(*ast.Ident)
			local = local && types.Universe.Lookup(name) == nil // no conversion, and no builtin function
			for _, function := range functions {
				base := baseName(function)
				// A variable may be a function literal that is declared in the function.
				found = found || base == name || local && base == "func" && strings.HasPrefix(function, in+".")
			}
		}
		return true
	})
	return found
}

// baseName returns the name of a function without what it is declared in, func if it is a literal.
func baseName(function string) string {
	name, _, _ := strings.Cut(function[strings.LastIndexByte(function, '.')+1:], "[")
	if rest, ok := strings.CutPrefix(name, "func"); ok && strings.Trim(rest, "0123456789") == "" {
		return "func"
	}
	return name
}

// accesses has the calls of a data race be in functions that the race detector knows. What package
// sync and the atomic functions report has no line otherwise.
func (p *Plan) accesses(s *steps, files map[string]*file) {
	if !p.Race || p.Coarse {
		return
	}
	for one := range p.Run.Finding.All() {
		for _, frame := range one.Stack {
			pos, ok := p.Position(frame.Pos)
			if !ok {
				continue
			}
			if f := files[pos.File]; f != nil && !p.isPlain(pos) {
				if call, ok := f.callAt(pos); ok && callName(call, one.Stack[0].Func) != "" {
					f.results[call] = callName(call, one.Stack[0].Func)
					s.point(accessing, call)
				}
			}
			break
		}
	}
}

// callName returns the name of the function of the control package that calls what a call does, ""
// if there is none. The name of the innermost function of the finding tells methods of package sync,
// which have no results.
func callName(call *ast.CallExpr, innermost string) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || call.Ellipsis.IsValid() {
		return ""
	}
	name := sel.Sel.Name
	switch {
	case strings.HasPrefix(innermost, "sync.(") || strings.HasPrefix(name, "Store"):
		return fmt.Sprintf("Do%d", len(call.Args))
	}
	for _, atomic := range []string{"Load", "Add", "Swap", "CompareAndSwap", "And", "Or"} {
		if strings.HasPrefix(name, atomic) {
			return fmt.Sprintf("Call%d", len(call.Args))
		}
	}
	return ""
}

func isCommunication(op string) bool {
	switch op {
	case "send", "receive", "receive from closed", "select default":
		return true
	}
	return false
}

// selection returns the select statement that begins at a position.
func (f *file) selection(p Position) (*ast.SelectStmt, bool) {
	pos, path := f.around(p)
	for _, n := range path {
		if n, ok := n.(*ast.SelectStmt); ok && n.Select == pos {
			return n, true
		}
	}
	return nil, false
}

// callback returns the call of time.AfterFunc at a position.
func (f *file) callback(p Position) (*ast.CallExpr, bool) {
	pos, path := f.around(p)
	for _, n := range path {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Lparen != pos || len(call.Args) != 2 {
			continue
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "AfterFunc" {
			return call, true
		}
	}
	return nil, false
}

// end has the segment end behind the statement of its last event, if there can be a point.
func (s *steps) end(segment int, goroutine string, v *visit) {
	if v == nil || v.spot.kind != before {
		return
	}
	switch n := v.spot.node.(type) {
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && isNamed(call.Fun, "panic") {
			return // with which a function may have to end
		}
		s.ends = append(s.ends, step{s.name(goroutine), s.point(after, n), v.n, segment})
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.SendStmt:
		s.ends = append(s.ends, step{s.name(goroutine), s.point(after, v.spot.node), v.n, segment})
	}
}

func isNamed(x ast.Expr, names ...string) bool {
	id, ok := x.(*ast.Ident)
	return ok && slices.Contains(names, id.Name)
}

// isSplit reports whether there can be a point between the reads and the write of a statement.
func isSplit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		return isRepeatable(n.X)
	case *ast.AssignStmt:
		switch {
		case len(n.Lhs) != 1 || len(n.Rhs) != 1 || n.Tok == token.DEFINE:
			return false
		case n.Tok == token.ASSIGN:
			return !isConstant(n.Rhs[0])
		}
		return isRepeatable(n.Lhs[0])
	}
	return false
}

// isRepeatable reports whether an operand can be evaluated twice, which then has no effect.
func isRepeatable(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return isRepeatable(x.X)
	case *ast.StarExpr:
		return isRepeatable(x.X)
	case *ast.ParenExpr:
		return isRepeatable(x.X)
	case *ast.IndexExpr:
		return isRepeatable(x.X) && isRepeatable(x.Index)
	}
	return false
}

// isConstant reports whether an expression looks like a constant without a type, or nil, which get
// their type from where they are assigned to.
func isConstant(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return x.Name == "nil" || x.Name == "true" || x.Name == "false"
	case *ast.ParenExpr:
		return isConstant(x.X)
	case *ast.UnaryExpr:
		return isConstant(x.X)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return true // a boolean without a type
		case token.SHL, token.SHR:
			return isConstant(x.X)
		}
		return isConstant(x.X) && isConstant(x.Y)
	}
	return false
}

// inner returns where an event is within an expression, if there can be a point.
func (f *file) inner(p Position, op string) (spot, bool) {
	pos, path := f.around(p)
	for _, n := range path {
		switch n := n.(type) {
		case *ast.CallExpr:
			// Builtin functions are no values.
			if n.Lparen == pos && op != "read" && op != "write" && !isNamed(n.Fun, "close", "len", "cap", "panic") {
				return spot{n, calling}, true
			}
		case *ast.SendStmt:
			if n.Arrow == pos {
				return spot{n, sending}, true
			}
		case *ast.UnaryExpr:
			if n.OpPos == pos && n.Op == token.ARROW {
				return spot{n, receiving}, true
			}
		case *ast.SelectorExpr:
			if n.Sel.Pos() == pos && op == "read" {
				return spot{n, reading}, true
			}
		}
	}
	return spot{}, false
}

// around returns the nodes around a position, the file first.
func (f *file) around(p Position) (token.Pos, []ast.Node) {
	tf := f.fset.File(f.syntax.FileStart)
	if p.Line < 1 || p.Line > tf.LineCount() {
		return token.NoPos, nil
	}
	pos := tf.LineStart(p.Line) + token.Pos(p.Column-1)
	var path []ast.Node
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || pos >= max(n.End(), n.Pos()+1) {
			return false
		}
		path = append(path, n)
		return true
	})
	return pos, path
}

// isCall reports whether what happens at a position does so in the function that is called there.
func (f *file) isCall(p Position) bool {
	_, ok := f.callAt(p)
	return ok
}

// callAt returns the call at a position.
func (f *file) callAt(p Position) (*ast.CallExpr, bool) {
	pos, path := f.around(p)
	for _, n := range path {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == pos {
			return call, true
		}
	}
	return nil, false
}

// deferred returns the statement that deferred what happens at a position, at which a function ends.
func deferred(pos token.Pos, path []ast.Node, op string) *ast.DeferStmt {
	if op == "read" || op == "write" {
		return nil
	}
	var body *ast.BlockStmt
	ends := false
	for _, n := range path {
		switch n := n.(type) {
		case *ast.FuncDecl:
			body, ends = n.Body, n.Body != nil && n.Body.Rbrace == pos
		case *ast.FuncLit:
			body, ends = n.Body, n.Body.Rbrace == pos
		case *ast.ReturnStmt:
			ends = n.Return == pos
		}
	}
	if !ends {
		return nil
	}
	// Of several, it is the last with a call that is named like the operation, if there is one.
	var last, named *ast.DeferStmt
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			last = n
			name := ""
			switch fun := n.Call.Fun.(type) {
			case *ast.Ident:
				name = fun.Name
			case *ast.SelectorExpr:
				name = fun.Sel.Name
			}
			if slices.Contains(deferredNames[op], name) {
				named = n
			}
			return false
		}
		return true
	})
	if named != nil {
		return named
	}
	return last
}

// deferredNames are those of the functions that are usually deferred, by operation.
var deferredNames = map[string][]string{
	"unlock":            {"Unlock"},
	"read unlock":       {"RUnlock"},
	"wait group add":    {"Done", "Add"},
	"wait group wait":   {"Wait"},
	"close":             {"close"},
	"semaphore release": {"Release"},
	"timer set":         {"Stop"},
}

// spot returns where an event at a position is, in a plain way without points in expressions.
func (f *file) spot(p Position, op string, plain bool) (spot, bool) {
	pos, path := f.around(p)
	if d := deferred(pos, path, op); d != nil {
		return spot{d, exiting}, true
	}
	for i := len(path) - 1; i > 0; i-- {
		n := path[i]
		child := ast.Node(nil)
		if i+1 < len(path) {
			child = path[i+1]
		}
		switch n := n.(type) {
		case *ast.ForStmt:
			if !plain && child != nil && child == ast.Node(n.Cond) {
				return spot{n.Cond, condition}, true
			}
		case *ast.IfStmt:
			if outer, ok := path[i-1].(*ast.IfStmt); ok && !plain && outer.Else == ast.Stmt(n) && child == ast.Node(n.Cond) {
				return spot{n.Cond, condition}, true
			}
		}
		switch n.(type) {
		case *ast.CaseClause, *ast.CommClause:
			continue // are in the list of a block, where no statement can be
		}
		stmt, ok := n.(ast.Stmt)
		if !ok || !slices.Contains(list(path[i-1]), stmt) {
			continue
		}
		inner := stmt
		if l, ok := inner.(*ast.LabeledStmt); ok {
			inner = l.Stmt
			if child == ast.Node(inner) {
				child = nil
				if i+2 < len(path) {
					child = path[i+2]
				}
			}
		}
		if r, ok := inner.(*ast.RangeStmt); ok && !plain && (child == nil || child == ast.Node(r.X)) && f.receives[p] && f.canReceive(r) {
			return spot{r, ranging}, true
		}
		return spot{stmt, before}, true
	}
	return spot{}, false
}

// list returns the list of statements that n is.
func list(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// An edit inserts text into a file. Edits at the same offset are in the order of their ranks.
type edit struct {
	offset, rank int
	text         string
}

func sortEdits(list []edit) {
	slices.SortStableFunc(list, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.rank, b.rank))
	})
}
