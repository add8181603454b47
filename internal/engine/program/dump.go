package program

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/dump"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/initial"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/schedule"
)

// maxAlike is the number of goroutines with the same stack that take part in a context: two can do
// to each other what many can to one.
const maxAlike = 2

// DumpContext returns the target that begins with the goroutines of a dump, at most limit of them:
// where their innermost frames are that belong to the program's own packages, with the frames that
// have called these, up to the first one of another package. The error is what is wrong with the
// dump, such as that it is not one of the program as it is.
func (p *Program) DumpContext(ctx context.Context, d *dump.Dump, limit int) (*load.Target, error) {
	m, err := p.middle(ctx)
	if err != nil {
		return nil, err
	}
	t := &crowd{alike: make(map[string]int)}
	for i := range d.Goroutines {
		g := &d.Goroutines[i]
		text, err := m.finder.dumped(g)
		switch uncalled := (*uncalledError)(nil); {
		case errors.As(err, &uncalled):
			t.uncalled = append(t.uncalled, g.ID)
		case err != nil:
			return nil, fmt.Errorf("goroutine %d of the dump: %w", g.ID, err)
		case text != "":
			t.add(g, text, limit)
		}
	}
	if len(t.stacks) == 0 {
		return nil, fmt.Errorf("no goroutine of the dump is in code of the module that the tests of package %s call",
			m.within[0].Package.Path)
	}
	target, err := m.target(ctx, t.stacks, initial.Options{Presume: true}, false)
	if err != nil {
		return nil, err
	}
	target.Name = shortName(t.stacks)
	target.Context.Assumes = append(target.Context.Assumes, t.left()...)
	target.Context.Shows = m.finder.shown(target, d, t.of)
	if target.Context.Shows != nil {
		target.Context.Locks = target.Context.Shows.Kind == "deadlock" && slices.ContainsFunc(t.of, (*dump.Goroutine).WaitsForLock)
	}
	target.Context.Dumped = true
	return target, nil
}

// A crowd has the goroutines of a dump that take part.
type crowd struct {
	stacks   []string
	of       []*dump.Goroutine // by stack
	alike    map[string]int    // how many have a stack
	over     []int             // numbers of goroutines beyond the limit
	uncalled []int             // of those in code that no target calls
}

// add adds a goroutine with a stack.
func (t *crowd) add(g *dump.Goroutine, text string, limit int) {
	t.alike[text]++
	switch {
	case t.alike[text] > maxAlike:
	case len(t.stacks) == limit:
		t.over = append(t.over, g.ID)
	default:
		t.stacks = append(t.stacks, text)
		t.of = append(t.of, g)
	}
}

// left says which goroutines take no part.
func (t *crowd) left() []string {
	var lines []string
	for i, text := range t.stacks {
		if n := t.alike[text]; n > maxAlike && slices.Index(t.stacks, text) == i {
			inner, _, _ := strings.Cut(text, ",")
			lines = append(lines, fmt.Sprintf("of the %d goroutines of the dump at %s, only %d take part", n, inner, maxAlike))
		}
	}
	if len(t.over) > 0 {
		lines = append(lines, fmt.Sprintf("no more goroutines of the dump take part than -goroutines allows, without %s", numbers(t.over)))
	}
	if len(t.uncalled) > 0 {
		lines = append(lines, fmt.Sprintf("goroutines of the dump in code that no test calls take no part: %s", numbers(t.uncalled)))
	}
	return lines
}

// numbers lists numbers of goroutines.
func numbers(list []int) string {
	const most = 5
	var texts []string
	for _, n := range list[:min(len(list), most)] {
		texts = append(texts, fmt.Sprint(n))
	}
	if more := len(list) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, ", ")
}

// shown returns the finding that a dump is of, with positions as run files have them: the panic of
// its first goroutine, or that goroutines wait for each other: those for locks or, if none does,
// all that wait. It is nil if the dump shows neither.
func (x *Finder) shown(t *load.Target, d *dump.Dump, of []*dump.Goroutine) *schedule.Finding {
	var parts []schedule.Finding
	add := func(kind, message string, is func(*dump.Goroutine) bool) {
		for i, g := range of {
			stack := t.Context.Stacks[i]
			if fragment.Waits(stack) {
				stack = stack[1:]
			}
			pos := x.inDependency(t, g)
			if pos == "" {
				pos = x.program.Position(t, stack[0].Pos())
			}
			if is(g) && !slices.ContainsFunc(parts, func(f schedule.Finding) bool { return f.Pos == pos }) {
				parts = append(parts, schedule.Finding{Kind: kind, Message: message, Pos: pos})
			}
		}
	}
	if d.Panicked {
		add("panic", "the panic of the dump", func(g *dump.Goroutine) bool { return g.ID == d.Goroutines[0].ID })
	}
	for _, is := range []func(*dump.Goroutine) bool{(*dump.Goroutine).WaitsForLock, (*dump.Goroutine).Waits} {
		if len(parts) == 0 { // the panic may be that of a test that took too long
			add("deadlock", "goroutines wait as in the dump", is)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	f := parts[0]
	f.Others = parts[1:]
	return &f
}

// inDependency returns the position of the innermost frame of a goroutine outside of the standard
// library, with any column, if that is in a package that the program's own packages have called:
// findings are there. It is empty if there is none.
func (x *Finder) inDependency(t *load.Target, g *dump.Goroutine) string {
	for i := range g.Frames {
		f := &g.Frames[i]
		if isWrapper(f.Func) {
			continue
		}
		if x.ownFile(f) != "" {
			return ""
		}
		file := x.file(f, func(pkg *load.Package, _ string) bool { return !pkg.Standard })
		if file == "" {
			continue
		}
		list, err := x.places.Find(file, f.Line)
		if err != nil {
			return ""
		}
		for _, c := range list {
			for _, instr := range c.Instrs {
				if x.line(instr.Pos()) == f.Line {
					return x.program.Position(t, instr.Pos())
				}
			}
		}
		return ""
	}
	return ""
}

// An uncalledError says that a goroutine is in code that no target calls.
type uncalledError struct{ place string }

func (e *uncalledError) Error() string { return "no test calls what leads to " + e.place }

// dumped returns the stack of a goroutine of a dump, as [Program.Context] takes it; empty if it has
// no frames in the program's own packages.
func (x *Finder) dumped(g *dump.Goroutine) (string, error) {
	var frames []dumpFrame
	inner := "" // the frame that the innermost of frames has called
	for i := range g.Frames {
		f := &g.Frames[i]
		if isWrapper(f.Func) {
			continue
		}
		file := x.ownFile(f)
		if file == "" && len(frames) > 0 {
			break
		}
		if file == "" {
			inner = f.Package + "." + f.Func
			continue
		}
		frame, err := x.dumpFrame(f, file)
		if uncalled := (*uncalledError)(nil); errors.As(err, &uncalled) && len(frames) > 0 {
			break // the callers are not known then
		}
		if err != nil {
			return "", err
		}
		frames = append(frames, *frame)
	}
	if len(frames) == 0 {
		return "", nil
	}
	return x.dumpedStack(frames, g, inner)
}

// A dumpFrame is a frame of a dump, and the code that is at its line in functions that may be the frame's.
type dumpFrame struct {
	*dump.Frame
	file string // of the program
	code []place.Code
}

// name is the place of a frame, for people.
func (x *Finder) name(f *dumpFrame) string {
	return fmt.Sprintf("%s:%d", x.names(f.file), f.Line)
}

// wrapper matches functions that the compiler makes for go and defer statements, which have no source.
var wrapper = regexp.MustCompile(`\.(gowrap|deferwrap)\d+$`)

func isWrapper(fn string) bool { return wrapper.MatchString(fn) }

// ownFile returns the file of the program that a frame is in, if its package is one of the
// program's own; else empty. Files are where they were when the program was built: it is known by
// its package or, of a command, by the end of its path.
func (x *Finder) ownFile(f *dump.Frame) string {
	return x.file(f, func(_ *load.Package, file string) bool { return x.program.IsOwn(file) })
}

// file returns the file that a frame is in, of those of which something holds.
func (x *Finder) file(f *dump.Frame, is func(pkg *load.Package, file string) bool) string {
	base := path.Base(filepath.ToSlash(f.File))
	best, length := "", 0
	for _, pkg := range x.program.All {
		if f.Package != pkg.Path && (f.Package != "main" || pkg.Types.Name() != "main") {
			continue
		}
		for _, syntax := range pkg.Files {
			file := x.program.Fset.Position(syntax.Package).Filename
			if filepath.Base(file) != base || !is(pkg, file) {
				continue
			}
			if n := commonEnd(file, f.File); n > length {
				best, length = file, n
			}
		}
	}
	return best
}

// commonEnd returns how many elements two paths have in common at their ends.
func commonEnd(a, b string) int {
	x, y := strings.Split(filepath.ToSlash(a), "/"), strings.Split(filepath.ToSlash(b), "/")
	n := 0
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

// dumpFrame finds the code of a frame. An error other than an [uncalledError] says that the dump is
// not one of the program.
func (x *Finder) dumpFrame(f *dump.Frame, file string) (*dumpFrame, error) {
	frame := &dumpFrame{Frame: f, file: file}
	syntax := x.program.Syntax(file)
	declared, depth := declaredName(f.Func)
	decl := x.declaration(syntax, f.Line)
	if decl != "" && depth == 0 && decl != declared {
		return nil, fmt.Errorf("%s is in %s, and not in %s as the dump has it: it is that of another version of the program", x.name(frame), decl, declared)
	}
	from, to := f.Line, f.Line
	list, err := x.places.Find(file, f.Line)
	if err != nil { // a statement of several lines has its code at the others, too
		from, to = x.extent(syntax, f.Line)
		for line := from; line <= to; line++ {
			if more, err := x.places.Find(file, line); err == nil {
				list = append(list, more...)
			}
		}
	}
	if len(list) == 0 {
		if none := (*place.NoCodeError)(nil); from > 0 || errors.As(err, &none) && none.Function != "" {
			return nil, &uncalledError{x.name(frame)}
		}
		return nil, fmt.Errorf("%s has no code: the dump is that of another version of the program", x.name(frame))
	}
	for _, c := range list {
		if nesting(c.Node.Body) == depth {
			frame.code = append(frame.code, c)
		}
	}
	if len(frame.code) == 0 {
		frame.code = list
	}
	return frame, nil
}

var (
	typeArgs = regexp.MustCompile(`\[[^\]]*\]`)
	closure  = regexp.MustCompile(`^(func\d+|\d+)$`)
	body     = regexp.MustCompile(`-range\d+`)
)

// declaredName returns the name of the function that is declared, as load.FunctionName has it, of
// one that the runtime names, and how deep in it this is: F.func1.2 is two functions deep in F.
func declaredName(name string) (declared string, depth int) {
	name = typeArgs.ReplaceAllString(name, "")
	depth = len(body.FindAllString(name, -1))
	name = body.ReplaceAllString(name, "")
	parts := strings.Split(strings.NewReplacer("(*", "", ")", "").Replace(name), ".")
	for len(parts) > 1 && closure.MatchString(parts[len(parts)-1]) {
		if parts[0] == "init" && len(parts) == 2 && !strings.HasPrefix(parts[1], "func") {
			return "init", depth // init.0 is a function
		}
		parts = parts[:len(parts)-1]
		depth++
	}
	return strings.Join(parts, "."), depth
}

// nesting returns how deep in another function a function is.
func nesting(fn *ssa.Function) int {
	n := 0
	for fn.Parent() != nil {
		fn = fn.Parent()
		n++
	}
	return n
}

// declaration returns the name of the function that is declared around a line, empty if there is none.
func (x *Finder) declaration(f *ast.File, line int) string {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && x.line(fn.Pos()) <= line && line <= x.line(fn.End()) {
			return load.FunctionName(fn)
		}
	}
	return ""
}

func (x *Finder) line(pos token.Pos) int { return x.program.Fset.Position(pos).Line }

// extent returns the lines of the innermost statement of one line or more that a line is in,
// without those of blocks in it; 0 if there is none.
func (x *Finder) extent(f *ast.File, line int) (from, to int) {
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		if !ok {
			return true
		}
		if _, ok := s.(*ast.BlockStmt); ok {
			return true
		}
		if first, last := x.line(s.Pos()), x.line(s.End()); first <= line && line <= last {
			from, to = first, last
		}
		return true
	})
	return from, to
}

// dumpedStack finds the instructions of frames, innermost first, of a goroutine whose innermost
// frame has called inner, if that is not empty, and names them. Callers are left out from where it
// is not clear which calls they are.
func (x *Finder) dumpedStack(frames []dumpFrame, g *dump.Goroutine, inner string) (string, error) {
	var ways [][]ssa.Instruction
	if g.Waits() && !slices.ContainsFunc(frames[0].code, func(c place.Code) bool { return slices.ContainsFunc(c.Instrs, mayWait) }) {
		return "", fmt.Errorf("nothing waits at %s: the dump is that of another version of the program", x.name(&frames[0]))
	}
	for _, c := range frames[0].code {
		if at := x.waiting(c, g, inner); at != nil {
			ways = append(ways, []ssa.Instruction{at})
		}
	}
	for i := 1; i < len(frames); i++ {
		next, called := x.callers(ways, &frames[i])
		if len(next) == 0 && !called {
			return "", fmt.Errorf("%s makes no call of %s: the dump is that of another version of the program",
				x.name(&frames[i]), declaredOf(&frames[i-1]))
		}
		if len(next) == 0 {
			break
		}
		ways = next
	}
	if i := common(ways); i > 0 {
		text := x.stackText(ways[0][:i])
		if strings.HasPrefix(g.State, "sync.Cond.Wait") && isCondWait(ways[0][0]) {
			text = Waiting + text
		}
		return text, nil
	}
	if len(ways) == 0 {
		return "", &uncalledError{x.name(&frames[0])}
	}
	return "", fmt.Errorf("%s is in %d functions, of which the dump does not say which one: name the places with -at",
		x.name(&frames[0]), len(ways))
}

func declaredOf(f *dumpFrame) string {
	name, _ := declaredName(f.Func)
	return name
}

// isCondWait reports whether an instruction is a call of (*sync.Cond).Wait.
func isCondWait(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	return ok && call.Call.StaticCallee() != nil && call.Call.StaticCallee().String() == "(*sync.Cond).Wait"
}

// callers extends stacks by the calls that a frame may be. If there are none, called says whether
// it may make the call nevertheless: as a deferred one.
func (x *Finder) callers(ways [][]ssa.Instruction, f *dumpFrame) (next [][]ssa.Instruction, called bool) {
	for _, way := range ways {
		callee := way[len(way)-1].Parent()
		for _, c := range f.code {
			for _, site := range c.Node.Sites {
				if site.Instr == nil || !leadsTo(site, callee) {
					continue
				}
				call, ok := site.Instr.(*ssa.Call)
				switch {
				case !ok:
					called = true
				case slices.Contains(c.Instrs, ssa.Instruction(call)):
					next = append(next, append(slices.Clone(way), call))
				}
			}
		}
	}
	return next, called
}

// common returns how many instructions stacks have in common, from the innermost on.
func common(ways [][]ssa.Instruction) int {
	for i := 0; len(ways) > 0; i++ {
		for _, way := range ways {
			if i == len(way) || way[i] != ways[0][i] {
				return i
			}
		}
	}
	return 0
}

// waiting returns where a goroutine of a dump is, of the code on a line: at the call of inner, at
// the operation that it waits for, or where the line begins.
func (x *Finder) waiting(c place.Code, g *dump.Goroutine, inner string) ssa.Instruction {
	var call, operation ssa.Instruction
	for _, instr := range c.Instrs {
		if site, ok := instr.(*ssa.Call); ok && call == nil && inner != "" && x.callsNamed(c.Node, site, inner) {
			call = instr
		}
		if operation == nil && waits(instr, g.State) {
			operation = instr
		}
	}
	switch {
	case call != nil:
		return call
	case operation != nil:
		return operation
	}
	return x.first(c, token.NoPos, token.NoPos)
}

// callsNamed reports whether a call may be one of the function that the runtime calls name.
func (x *Finder) callsNamed(in *callgraph.Node, call *ssa.Call, name string) bool {
	is := func(fn *types.Func) bool {
		if fn == nil || fn.Pkg() == nil {
			return false
		}
		local, ok := strings.CutPrefix(name, fn.Pkg().Path()+".")
		declared, _ := declaredName(local)
		return ok && declared == methodName(fn)
	}
	if call.Call.IsInvoke() {
		for _, c := range in.SiteOf(call).Callees() {
			if c.Body != nil {
				if fn, ok := c.Body.Object().(*types.Func); ok && is(fn) {
					return true
				}
			}
		}
		return false
	}
	callee := call.Call.StaticCallee()
	if callee == nil {
		return false
	}
	fn, _ := callee.Object().(*types.Func)
	return is(fn)
}

// methodName returns the name of a function as load.FunctionName has it: F or T.M.
func methodName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Name() + "." + fn.Name()
	}
	return fn.Name()
}

// mayWait reports whether a goroutine may wait at an instruction: in what it calls, or at a channel.
func mayWait(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case *ssa.Send, *ssa.Select, *ssa.RunDefers, *ssa.Return:
		return true
	case *ssa.Call:
		_, builtin := instr.Call.Value.(*ssa.Builtin)
		return !builtin
	}
	return false
}

// waits reports whether a goroutine may be in a state of a dump because of an instruction.
func waits(instr ssa.Instruction, state string) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW && strings.HasPrefix(state, "chan receive")
	case *ssa.Send:
		return strings.HasPrefix(state, "chan send")
	case *ssa.Select:
		return strings.HasPrefix(state, "select")
	}
	return false
}

// stackText names the instructions of a stack.
func (x *Finder) stackText(stack []ssa.Instruction) string {
	var texts []string
	if fragment.Waits(stack) {
		return Waiting + x.stackText(stack[1:])
	}
	for _, instr := range stack {
		at := x.program.Fset.Position(instr.Pos())
		text := fmt.Sprintf("%s:%d:%d", x.names(at.Filename), at.Line, at.Column)
		if args := instance(x.calls.Of(instr.Parent())); args != "" {
			text += "[" + args + "]"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ",")
}
