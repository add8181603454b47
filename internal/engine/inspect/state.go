package inspect

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// A Goroutine is a goroutine of the run, as it is at the point at which the session stands.
type Goroutine struct {
	ID      int32 // number in run.Names
	Name    string
	Func    string   // the function that it runs
	Created Location // the go statement that started it; none for the main goroutine
	Status  Status
	Wait    *Wait // what it waits for, nil if it can take a step or has ended
	// Current is set if the point is of this goroutine.
	Current bool
}

// A Status says what a goroutine can do.
type Status string

// The statuses.
const (
	Running  Status = "running"  // it is between two of its operations
	Runnable Status = "runnable" // it can take a step
	Waiting  Status = "waiting"  // its operation is not possible
	Sleeping Status = "sleeping" // it waits for a time
	Ended    Status = "ended"
)

// A Location is a place in the source.
type Location struct {
	Func string // as runtime.FuncForPC names it
	File string // absolute path; "" if the place is not known
	Line int
	Col  int
	// Pos is the position as run files have it: file:line:column, the file relative to the module's
	// root, or with $GOROOT.
	Pos string
	// Standard is set in the standard library.
	Standard bool
}

// A Frame is an active call.
type Frame struct {
	Location
	Goroutine int32
	Index     int // of the calls of the goroutine, from 0, the innermost
	depth     int // from 0, the outermost
}

// A Variable is a variable of the source.
type Variable struct {
	Name  string
	Kind  VariableKind
	Value Value
	// Shadowed is set if another variable of the same name hides it.
	Shadowed bool
}

// A VariableKind is a kind of variables.
type VariableKind string

// The kinds of variables.
const (
	Parameter VariableKind = "parameter"
	Result    VariableKind = "result"
	Captured  VariableKind = "captured"
	Local     VariableKind = "local"
	Package   VariableKind = "package"
)

// location returns the place of a position in a function.
func (s *Session) location(fn *state.Function, pos token.Pos) Location {
	l := Location{Func: fn.Name, Standard: fn.Standard}
	if pos.IsValid() {
		at := s.program.Fset.Position(pos)
		l.File, l.Line, l.Col, l.Pos = at.Filename, at.Line, at.Column, s.worker.Position(pos)
	}
	return l
}

// Location returns the place of a point. It has no file if the point is of a timer, or the end.
func (s *Session) Location(p Point) Location {
	if p.Func < 0 || int(p.Func) >= len(s.machine.Funcs) || s.machine.Funcs[p.Func] == nil {
		return Location{}
	}
	return s.location(s.machine.Funcs[p.Func], p.Pos)
}

// Goroutines returns the goroutines that have been started, in the order of their names.
func (s *Session) Goroutines() []Goroutine {
	var list []Goroutine
	for _, g := range s.machine.Goroutines {
		list = append(list, s.describe(g))
	}
	slices.SortFunc(list, func(a, b Goroutine) int { return s.machine.Names.Compare(a.ID, b.ID) })
	return list
}

// Goroutine returns a goroutine that has been started.
func (s *Session) Goroutine(id int32) (Goroutine, bool) {
	g := s.goroutine(id)
	if g == nil {
		return Goroutine{}, false
	}
	return s.describe(g), true
}

func (s *Session) describe(g *state.Goroutine) Goroutine {
	d := Goroutine{ID: g.ID, Name: s.machine.Names.String(g.ID), Current: s.points[s.at].Goroutine == g.ID}
	if len(g.Frames) > 0 {
		d.Func = g.Frames[0].Func.Name
	}
	if g.Created != run.NoSite && g.ID != 0 && g.Created.Func >= 0 {
		_, pos := s.machine.Site(g.Created)
		d.Created = s.location(s.machine.Funcs[g.Created.Func], pos)
	}
	switch {
	case g.Status == state.Ended:
		d.Status = Ended
	case g.Status == state.Running:
		d.Status = Running
	case g.Sleeps():
		d.Status = Sleeping
		d.Wait = s.waitOf(g)
	case s.machine.CanStep(g):
		d.Status = Runnable
	default:
		d.Status = Waiting
		d.Wait = s.waitOf(g)
	}
	return d
}

// Lookup returns the number of the goroutine with a name, such as 0.1.
func (s *Session) Lookup(name string) (int32, error) { return s.worker.Lookup(name) }

// Name returns the name of a goroutine, or that of the timers.
func (s *Session) Name(g int32) string { return s.worker.Goroutine(g) }

// Frames returns the calls of a goroutine, the innermost first. Calls that only pass others on, such as
// those of promoted methods, are left out.
func (s *Session) Frames(id int32) []Frame {
	g := s.goroutine(id)
	if g == nil || g.Status == state.Ended {
		return nil
	}
	var list []Frame
	for i := len(g.Frames) - 1; i >= 0; i-- {
		f := &g.Frames[i]
		if f.Func.Wrapper {
			continue
		}
		list = append(list, Frame{Location: s.location(f.Func, s.positionOf(g, i)), Goroutine: id, Index: len(list), depth: i})
	}
	return list
}

// positionOf returns where frame i of g is.
func (s *Session) positionOf(g *state.Goroutine, i int) token.Pos {
	f := &g.Frames[i]
	if _, _, at, ok := s.follower.Frame(g, i); ok && at.IsValid() && i == len(g.Frames)-1 {
		return at
	}
	if f.PC >= 0 && int(f.PC) < len(f.Func.Pos) {
		return f.Func.Pos[f.PC]
	}
	return token.NoPos
}

// sourceFrame returns the index of the innermost call of g outside the standard library, or of the innermost
// of all, -1 if there is none.
func (s *Session) sourceFrame(g *state.Goroutine) int {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		if !g.Frames[i].Func.Standard && !g.Frames[i].Func.Wrapper {
			return i
		}
	}
	return len(g.Frames) - 1
}

// SourceFrame returns the innermost of frames outside the standard library, or 0.
func SourceFrame(frames []Frame) int {
	return max(0, slices.IndexFunc(frames, func(f Frame) bool { return !f.Standard }))
}

// Variables returns the variables of a call that are in scope where it is: its parameters and results first, then
// the others as the source declares them.
func (s *Session) Variables(f Frame) []Variable {
	g := s.goroutine(f.Goroutine)
	if g == nil || f.depth >= len(g.Frames) {
		return nil
	}
	vars, values, _, ok := s.follower.Frame(g, f.depth)
	if !ok {
		return nil
	}
	fr := &g.Frames[f.depth]
	pos := s.positionOf(g, f.depth)
	if p := fr.Func.Pos[fr.PC]; s.program.Fset.Position(p).Line == s.program.Fset.Position(pos).Line {
		pos = max(pos, p) // the statement itself may begin before its scope
	}
	signature := fr.Func.SSA.Signature
	var list []Variable
	var positions []token.Pos
	for i := range vars {
		v := &vars[i]
		out := Variable{Name: v.Name(), Kind: Local}
		switch {
		case v.Captured >= 0:
			out.Kind = Captured
		case v.Param >= 0:
			out.Kind = Parameter
		case isResult(signature, v.Var):
			out.Kind = Result
		}
		if (out.Kind == Captured || out.Kind == Local) && !inScope(v.Var, pos) {
			continue
		}
		if out.Kind == Local && !values[i].Known && s.program.Fset.Position(v.Pos()).Line == s.program.Fset.Position(pos).Line {
			continue // it is just being declared
		}
		switch value := &values[i]; {
		case !value.Known:
			out.Value = Value{Type: v.Type, s: s, missing: "not available"}
		case value.Address.P != nil:
			out.Value = s.load(v.Type, value.Address)
		default:
			out.Value = Value{Type: v.Type, s: s, words: value.Words, fn: value.Func}
			if len(value.Words) != v.Type.Words {
				out.Value.missing = "not available"
			}
		}
		list, positions = append(list, out), append(positions, v.Pos())
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(rank(list[i].Kind), rank(list[j].Kind)), cmp.Compare(positions[i], positions[j]))
	})
	sorted := make([]Variable, 0, len(list))
	for _, i := range order {
		v := list[i]
		for j := range list {
			if list[j].Name == v.Name && positions[j] > positions[i] {
				v.Shadowed = true
			}
		}
		sorted = append(sorted, v)
	}
	return sorted
}

func rank(k VariableKind) int {
	return slices.Index([]VariableKind{Parameter, Result, Captured, Local}, k)
}

// inScope reports whether a variable can be named at a position, or could if none of the same name hid it.
func inScope(v *types.Var, pos token.Pos) bool {
	scope := v.Parent()
	if scope == nil {
		return true
	}
	_, found := scope.LookupParent(v.Name(), pos)
	return found == v && scope.Contains(pos)
}

// isResult reports whether v is a result of a function with the given signature.
func isResult(sig *types.Signature, v *types.Var) bool {
	for r := range sig.Results().Variables() {
		if r.Pos() == v.Pos() && r.Name() == v.Name() {
			return true
		}
	}
	return false
}

// Package returns the variables of the package of a call, by name. Those to which no code refers that has run
// are not available.
func (s *Session) Package(f Frame) []Variable {
	pkg := s.packageOf(f)
	if pkg == nil {
		return nil
	}
	return s.variablesOf(pkg)
}

func (s *Session) variablesOf(pkg *ssa.Package) []Variable {
	var list []Variable
	for name, member := range pkg.Members {
		v, ok := member.(*ssa.Global)
		if !ok || strings.Contains(name, "$") || name == "_" {
			continue
		}
		list = append(list, Variable{Name: name, Kind: Package, Value: s.global(v)})
	}
	slices.SortFunc(list, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// global returns the value of a package variable.
func (s *Session) global(v *ssa.Global) Value {
	t := s.machine.Program.Type(v.Type().Underlying().(*types.Pointer).Elem())
	o := s.machine.VariableOf(v)
	if o == nil {
		return Value{Type: t, s: s, missing: "not used so far"}
	}
	return s.load(t, heap.Word{P: o})
}

// globalName returns the name of a package variable.
func (s *Session) globalName(o *heap.Object) string {
	if s.globals == nil {
		s.globals = make(map[*heap.Object]string)
	}
	name, ok := s.globals[o]
	if !ok {
		for v, at := range s.machine.Globals {
			if at != s.machine.ZeroSized {
				s.globals[at] = v.Pkg.Pkg.Name() + "." + v.Name()
			}
		}
		name = s.globals[o]
	}
	return name
}

// Output returns what the run has printed.
func (s *Session) Output() string { return string(s.machine.Printed) }

// Now returns how much virtual time has passed since the start of the run.
func (s *Session) Now() time.Duration { return time.Duration(s.machine.Now + s.machine.Stalled) }

// Event returns an event of the run.
func (s *Session) Event(i int) schedule.RunEvent { return s.steps[i] }

// NumEvents returns the number of events of the run.
func (s *Session) NumEvents() int { return len(s.events) }

// Finding returns what is wrong with the run, nil if nothing is. If the session shows the recorded run, that is
// the finding that was recorded, if the run still shows it.
func (s *Session) Finding() *schedule.Finding {
	if s.finding < 0 {
		return nil
	}
	return s.worker.RecordFinding(&s.found[s.finding])
}

// Same reports whether the run shows the finding that was recorded: if the program has changed since, one of the
// same kind and with the same message, wherever that is now.
func (s *Session) Same() bool {
	want := s.recorded.Finding
	if want == nil || s.finding < 0 {
		return want == nil && len(s.found) == 0
	}
	if s.worker.SameFinding(&s.found[s.finding], s.recorded) {
		return true
	}
	got := s.Finding()
	return s.Changed() && got.Kind == want.Kind && got.Message == want.Message
}

// Changed reports whether the program is not the one with which the run was recorded.
func (s *Session) Changed() bool { return s.recorded.Build != s.worker.Build() }

// FindingAt returns the point at which the finding shows: the last one before what it consists of, the end of the
// run if that is what is wrong, or if there is no finding.
func (s *Session) FindingAt() int {
	end := len(s.points) - 1
	if s.finding < 0 {
		return end
	}
	f := &s.found[s.finding]
	switch {
	case check.Of(f.Kind).Stuck:
		return end // it is the state in which the run has ended
	case f.Kind == check.Race:
		if i := s.raceEvent(f); i >= 0 {
			return s.lastBefore(i, end)
		}
	}
	pos := lineOf(s.worker.RecordFinding(f).Pos)
	for i := end - 1; i >= 0; i-- {
		if p := s.points[i]; p.Kind == Line && p.Goroutine == f.Goroutine && lineOf(s.Location(p).Pos) == pos {
			return i
		}
	}
	return end
}

// raceEvent returns the event of the later access of a race, which the finding is about, -1 if it is not known.
func (s *Session) raceEvent(f *check.Finding) int {
	if len(f.Others) == 0 {
		return -1
	}
	at := func(e *run.Event, f *check.Finding) bool {
		return e.Goroutine == f.Goroutine && (e.Site == f.Site || e.Caller == f.Site)
	}
	earlier := false
	for i := range s.events {
		if e := &s.events[i]; at(e, &f.Others[0]) {
			earlier = true
		} else if earlier && at(e, f) {
			return i
		}
	}
	return -1
}

// lastBefore returns the last point of its goroutine at which an event has not happened yet.
func (s *Session) lastBefore(event, end int) int {
	g := s.events[event].Goroutine
	for i := end - 1; i >= 0; i-- {
		if p := s.points[i]; p.Goroutine == g && int(p.Events) <= event {
			return i
		}
	}
	return end
}

// lineOf returns a position without its column.
func lineOf(pos string) string {
	if i := strings.LastIndexByte(pos, ':'); i >= 0 {
		return pos[:i]
	}
	return pos
}

// Functions returns the names of the functions outside the standard library in which the run has points.
func (s *Session) Functions() []string {
	seen := make(map[int32]bool)
	var list []string
	for i := range s.points {
		if fn := s.points[i].Func; fn >= 0 && !seen[fn] {
			seen[fn] = true
			list = append(list, s.machine.Funcs[fn].Name)
		}
	}
	slices.Sort(list)
	return list
}

// SourceLines returns, for each file of the program outside the standard library, or with [Options].Library for each at
// all, the lines at which statements begin.
func (s *Session) SourceLines() map[string]map[int]bool {
	out := make(map[string]map[int]bool)
	for _, pkg := range s.program.All {
		if pkg.Standard && !s.options.Library {
			continue
		}
		for _, file := range pkg.Files {
			name := s.program.Fset.Position(file.Pos()).Filename
			if out[name] == nil {
				out[name] = make(map[int]bool)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BlockStmt, *ast.LabeledStmt, *ast.BranchStmt, *ast.EmptyStmt, *ast.CaseClause, *ast.CommClause:
				case *ast.DeclStmt:
					if d, ok := n.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
						out[name][s.program.Fset.Position(n.Pos()).Line] = true
					}
				case ast.Stmt:
					out[name][s.program.Fset.Position(n.Pos()).Line] = true
				case *ast.FuncDecl:
					if n.Body != nil {
						out[name][s.program.Fset.Position(n.Body.Rbrace).Line] = true
					}
				case *ast.FuncLit:
					out[name][s.program.Fset.Position(n.Body.Rbrace).Line] = true
				}
				return true
			})
		}
	}
	return out
}

// Target names what was run.
func (s *Session) Target() string { return s.target.Package.Path + "." + s.target.Name }

// NumGoroutines returns how many goroutines the run has.
func (s *Session) NumGoroutines() int {
	seen := map[int32]bool{0: true}
	for i := range s.events {
		if g := s.events[i].Goroutine; g >= 0 {
			seen[g] = true
		}
	}
	return len(seen)
}
