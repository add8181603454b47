package naming

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Names name what a run is about. They are valid until the machine's next run.
type Names struct {
	m       *exec.Interpreter
	home    *types.Package // whose names are not qualified
	objects map[run.ObjectID]*object
	order   []*object // those of the run, as they were allocated, then those that initialisers have made
	inits   bool      // the latter are there
	globals map[*heap.Object]*ssa.Global
	texts   map[int32]string // constant strings by their object's count
}

// An object is one of a run, with what it is called.
type object struct {
	*heap.Object
	site  run.SiteID
	name  string // of the object itself; empty if it has none
	typed bool   // the name is that of a type
	held  bool   // the name is that of a variable that refers to the object
	named bool   // the fields above are set
	owner *owner // nil if it is not known
}

// An owner is a cell that refers to an object.
type owner struct {
	object *object
	offset int
}

// New returns the names of what a run is about: the objects that several goroutines use, in the order of
// their first use, and others, which are not numbered if they have the same names. Names of packages other than
// home are qualified.
func New(m *exec.Interpreter, home *types.Package, shared, others []run.ObjectID) *Names {
	n := &Names{m: m, home: home, objects: make(map[run.ObjectID]*object)}
	for _, a := range m.Allocated {
		n.add(a.Object, a.Site)
	}
	n.globals = make(map[*heap.Object]*ssa.Global, len(m.Globals))
	for v, o := range m.Globals {
		n.globals[o] = v
	}
	for _, o := range m.Variables {
		n.add(o, run.NoSite)
	}
	n.find(shared)
	n.find(others)
	n.name(shared, true)
	n.name(others, false)
	return n
}

// add makes o known.
func (n *Names) add(o *heap.Object, site run.SiteID) {
	if n.objects[o.ID] == nil {
		a := &object{Object: o, site: site}
		n.objects[o.ID] = a
		n.order = append(n.order, a)
	}
}

// name names objects that have no names yet, so that different ones have different names if distinct is set.
func (n *Names) name(about []run.ObjectID, distinct bool) {
	var list []*object
	seen := make(map[*object]bool)
	for _, id := range about {
		if o := n.objects[id]; o != nil && !o.named && !seen[o] {
			seen[o] = true
			list = append(list, o)
		}
	}
	n.findOwners(list)
	for _, o := range list {
		o.name, o.typed, o.held = n.base(o)
	}
	if distinct {
		n.distinguish(list)
	}
	for _, o := range list {
		o.named = true
	}
}

// distinguish gives objects that have the same name different ones.
func (n *Names) distinguish(list []*object) {
	// Those that are called by their type alike are called by a variable each, if they all have one.
	for _, alike := range same(list) {
		if !alike[0].typed {
			continue
		}
		var others []string
		for _, o := range alike {
			if name := n.variable(o); name != "" && !slices.Contains(others, name) {
				others = append(others, name)
			}
		}
		if len(others) == len(alike) {
			for i, o := range alike {
				o.name, o.typed, o.held = others[i], false, true
			}
		}
	}
	for _, alike := range same(list) {
		for i, o := range alike {
			o.name = fmt.Sprintf("%s#%d", o.name, i+1)
		}
	}
}

// same returns the sets of objects that have the same name, in order.
func same(list []*object) [][]*object {
	byName := make(map[string][]*object)
	var names []string
	for _, o := range list {
		if o.name == "" {
			continue
		}
		name := o.name
		if o.held {
			name += "*" // the variable may be there, too
		}
		if byName[name] == nil {
			names = append(names, name)
		}
		byName[name] = append(byName[name], o)
	}
	var sets [][]*object
	for _, name := range names {
		if len(byName[name]) > 1 {
			sets = append(sets, byName[name])
		}
	}
	return sets
}

// base returns what an object is called if no other one is called so. The name is that of its type
// if typed is set, and that of a variable or field that refers to it if held is.
func (n *Names) base(o *object) (name string, typed, held bool) {
	if v := n.globals[o.Object]; v != nil {
		return n.qualified(v.Pkg.Pkg, v.Name()), false, false
	}
	switch o.Kind {
	case heap.Variable:
		if name := n.declared(o); name != "" {
			return name, false, false
		}
		if name := n.typeName(o.Type.Go); name != "" && !n.isStandard(o.Type.Go) {
			return name, true, false
		}
	case heap.Array, heap.MapObject, heap.ChanObject:
	default:
		return "", false, false
	}
	if name := n.variable(o); name != "" {
		return name, false, true // it says more than sync.Mutex
	}
	if o.Kind == heap.Variable {
		if name := n.typeName(o.Type.Go); name != "" {
			return name, true, false
		}
	}
	return n.kindName(o), true, false
}

// variable returns the name of a variable or field that holds o or a pointer to it.
func (n *Names) variable(o *object) string {
	if (o.Kind != heap.Variable || n.isStandard(o.Type.Go)) && o.owner != nil && o.owner.object.Kind != heap.Array {
		if name := n.ofOwner(o.owner); name != "" {
			return name
		}
	}
	return cmp.Or(n.assigned(o), n.ofOwner(o.owner))
}

// ofOwner names an owner.
func (n *Names) ofOwner(w *owner) string {
	if w == nil {
		return ""
	}
	o := w.object
	name := o.name
	if !o.named {
		if v := n.globals[o.Object]; v != nil {
			name = n.qualified(v.Pkg.Pkg, v.Name())
		} else if o.Kind == heap.Variable {
			name = cmp.Or(n.declared(o), n.typeName(o.Type.Go))
		}
	}
	if name == "" {
		return ""
	}
	return name + n.path(o.Object, w.offset)
}

// kindName says what kind of object o is, and where it was made.
func (n *Names) kindName(o *object) string {
	what := "variable"
	switch o.Kind {
	case heap.Array:
		what = "array"
	case heap.MapObject:
		what = "map"
	case heap.ChanObject:
		what = "channel"
	}
	if _, pos := n.m.Site(o.site); pos.IsValid() && !n.m.Standard(o.site) {
		return fmt.Sprintf("the %s of %s", what, shortPosition(n.m.Program.SSA.Fset.Position(pos)))
	}
	return "a " + what
}

// typeName returns the name of a type, empty if it has none.
func (n *Names) typeName(t types.Type) string {
	t = types.Unalias(t)
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil {
		obj := named.Obj()
		if n.isStandard(t) {
			return obj.Pkg().Name() + "." + obj.Name()
		}
		return obj.Name()
	}
	return ""
}

// isStandard reports whether t is a named type of the standard library.
func (n *Names) isStandard(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && n.m.Program.Standard(named.Obj().Pkg())
}

// qualified returns the name of what a package declares.
func (n *Names) qualified(pkg *types.Package, name string) string {
	if pkg == n.home {
		return name
	}
	return pkg.Name() + "." + name
}

// Cell names a part of an object, empty if it has no name.
func (n *Names) Cell(id run.ObjectID, off int32) string {
	o := n.objects[id]
	if o == nil || o.name == "" {
		return ""
	}
	return o.name + n.path(o.Object, int(off))
}

// path returns what leads from an object to the variable of which a cell is a part.
func (n *Names) path(o *heap.Object, off int) string {
	switch o.Kind {
	case heap.Variable:
		path, _, _ := n.part(o.Type, off)
		return path
	case heap.Array:
		if o.Type.Words == 0 {
			return ""
		}
		path, _, _ := n.part(o.Type, off%o.Type.Words)
		return fmt.Sprintf("[%d]", off/o.Type.Words) + path
	}
	return ""
}

// part returns what leads from a variable of type t to the innermost one of which word off is a part
// and that has a name, the type of that one, and which of its words that is. The parts of a type of
// the standard library have none that the program knows.
func (n *Names) part(t *code.Type, off int) (path string, leaf *code.Type, at int) {
	for {
		if n.isStandard(t.Go) {
			return path, t, off
		}
		switch t.Shape {
		case code.ShapeStruct:
			i := len(t.Fields) - 1
			for i > 0 && (t.Fields[i].Offset > off || t.Fields[i].Type.Words == 0) {
				i--
			}
			if i < 0 || off < t.Fields[i].Offset || off >= t.Fields[i].Offset+t.Fields[i].Type.Words {
				return path, t, off
			}
			path += "." + t.Fields[i].Name
			t, off = t.Fields[i].Type, off-t.Fields[i].Offset
		case code.ShapeArray:
			if t.Elem.Words == 0 {
				return path, t, off
			}
			path += fmt.Sprintf("[%d]", off/t.Elem.Words)
			t, off = t.Elem, off%t.Elem.Words
		default:
			return path, t, off
		}
	}
}

// Called returns the name of the function of the standard library that led to an event, empty if the
// code at its place did it itself.
func (n *Names) Called(e *run.Event) string {
	if e.Called < 0 || int(e.Called) >= len(n.m.Funcs) || n.m.Standard(e.Caller) {
		return ""
	}
	return n.m.Funcs[e.Called].Name
}

// function returns a function of the program by its number, nil if there is none.
func (n *Names) function(i int32) *state.Function {
	if i < 0 || int(i) >= len(n.m.Funcs) {
		return nil
	}
	return n.m.Funcs[i]
}
