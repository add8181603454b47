package initial

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// fields know what is stored in the fields of structs, by all of the program. What the maker of a
// variable does before anybody else can know of the variable holds for all others.
type fields struct {
	stacks      [][]ssa.Instruction // of the context that is asked about
	pointers    *pointsto.Result
	definitions *reaching.Program
	nameOf      func(strct types.Type) string // empty for structs that are not told apart
	of          map[string]*field
	order       []*field
	copies      map[types.Type]bool // what is stored as a whole
	copied      map[string]bool     // by the name of a struct, whether variables of it are
	types       []types.Type        // of what is stored through a pointer to that alone
	// objects has, by the type of a struct, those that are or have variables of it.
	objects map[string][]*pointsto.Object
}

// A field is one of a struct, to which fields lead, and what is stored there.
type field struct {
	fragment.Field
	strct  string // the name of the struct
	stores []*ssa.Store
	taken  bool // its address is used for more than loads and stores
	// written says whether something else than the stores may write it, if that has been asked: see
	// fields.isWrittenElsewhere.
	written answer
	// set says whether all that is stored is not nil, as far as that has been asked, and relies
	// whether that is so if other fields are not nil.
	asked, set, relies bool
	// loads are those of the field, and presumed says what is presumed of it, if that has been
	// asked: see fields.presumed.
	loads    []*ssa.UnOp
	presumed answer
}

// An answer to a question that is asked once.
type answer uint8

const (
	unasked answer = iota
	no
	yes
)

func answerOf(is bool) answer {
	if is {
		return yes
	}
	return no
}

// fieldsIn returns the fields of a program. Of the standard library, only conditions are told apart.
func fieldsIn(a *static.Analysis, pointers *pointsto.Result, definitions *reaching.Program) *fields {
	f := &fields{
		pointers: pointers, definitions: definitions, of: make(map[string]*field), copies: make(map[types.Type]bool),
		copied: make(map[string]bool), objects: make(map[string][]*pointsto.Object),
	}
	names := make(map[types.Type]string)
	f.nameOf = func(strct types.Type) string {
		name, ok := names[strct]
		if !ok {
			if named, is := types.Unalias(strct).(*types.Named); !is || named.Obj().Pkg() == nil || !a.Code().Standard(named.Obj().Pkg()) || isCond(strct) {
				name = types.TypeString(strct, nil)
			}
			names[strct] = name
		}
		return name
	}
	for _, n := range a.Calls().Nodes {
		if n.Body == nil {
			continue
		}
		anyOf(n.Body, func(instr ssa.Instruction) bool {
			switch instr := instr.(type) {
			case *ssa.Store:
				f.store(instr)
			case *ssa.FieldAddr:
				f.use(instr)
			}
			return false
		})
	}
	return f
}

// store notes what an instruction stores.
func (f *fields) store(store *ssa.Store) {
	switch t := store.Val.Type(); t.Underlying().(type) {
	case *types.Struct, *types.Array:
		f.copies[t] = true
	}
	base, path := fieldsOf(store.Addr)
	if len(path) > 0 {
		if at := f.at(base, path); at != nil {
			at.stores = append(at.stores, store)
		}
		return
	}
	switch store.Addr.(type) {
	case *ssa.Alloc, *ssa.Global:
	default:
		if t := store.Val.Type(); !slices.Contains(f.types, t) {
			f.types = append(f.types, t)
		}
	}
}

// use notes what is done with the address of a field.
func (f *fields) use(addr *ssa.FieldAddr) {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp:
			if at := f.at(fieldsOf(addr)); at != nil {
				at.loads = append(at.loads, ref)
			}
			continue
		case *ssa.FieldAddr, *ssa.DebugRef:
			continue
		case *ssa.Store:
			if ref.Val != ssa.Value(addr) {
				continue
			}
		}
		base, path := fieldsOf(addr)
		if at := f.at(base, path); at != nil {
			at.taken = true
		}
	}
}

// at returns the field that a path leads to from a pointer, nil if it is not told apart.
func (f *fields) at(base ssa.Value, path []int) *field {
	p, ok := base.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	strct := p.Elem()
	name := f.nameOf(strct)
	if name == "" {
		return nil
	}
	key := fmt.Sprint(name, path)
	at := f.of[key]
	if at == nil {
		at = &field{Field: fragment.Field{Struct: strct, Fields: path}, strct: name}
		f.of[key] = at
		f.order = append(f.order, at)
	}
	return at
}

// madeWith reports whether all variables that have the struct of a field are made where the field is set at once.
func (f *fields) madeWith(at *field) bool {
	return f.areMade(at, func(alloc *ssa.Alloc) bool {
		return slices.ContainsFunc(at.stores, func(s *ssa.Store) bool { return f.atOnce(s, alloc) })
	})
}

// areMade reports whether something is true of all instructions that make variables of the struct
// of a field. It is not if variables of other types have such a struct.
func (f *fields) areMade(at *field, is func(alloc *ssa.Alloc) bool) bool {
	objects, known := f.objects[at.strct]
	if !known {
		objects = f.objectsOf(at.Struct)
		f.objects[at.strct] = objects
	}
	for _, o := range objects {
		alloc, ok := o.Instr.(*ssa.Alloc)
		if !ok || o.Exposed || !types.Identical(o.Type, at.Struct) || !is(alloc) {
			return false
		}
	}
	return len(objects) > 0
}

// objectsOf returns the objects that are or have variables of a struct. There are none if such
// variables are also stored as a whole.
func (f *fields) objectsOf(strct types.Type) (list []*pointsto.Object) {
	is := func(t types.Type) bool { return types.Identical(t, strct) }
	if f.isCopied(strct) {
		return nil
	}
	for _, o := range f.pointers.Objects() {
		t := o.Type
		switch {
		case t == nil || o.Kind == pointsto.Func:
			continue
		case o.Kind == pointsto.Array || o.Kind == pointsto.Map || o.Kind == pointsto.Chan:
			t = elementOf(t)
		}
		if code.HasPart(t, is) {
			list = append(list, o)
		}
	}
	return list
}

// ofAnyContext calls ask, in which f says only what is so wherever goroutines are.
func (f *fields) ofAnyContext(ask func()) {
	stacks := f.stacks
	defer func() { f.stacks = stacks }()
	f.stacks = nil
	ask()
}

// atOnce reports whether a store is to a part of a variable, and is made before anybody else can
// know of it, and before goroutines of the context are where they are in the function.
func (f *fields) atOnce(store *ssa.Store, alloc *ssa.Alloc) bool {
	if base, _ := fieldsOf(store.Addr); base != ssa.Value(alloc) {
		return false
	}
	for _, stack := range f.stacks {
		for _, at := range stack {
			if at.Parent() == store.Parent() && !ssaform.Dominates(store, at) {
				return false
			}
		}
	}
	for _, by := range reaching.Leaking(alloc) {
		if !withinItself(by, alloc) && !ssaform.Dominates(store, by) {
			return false
		}
	}
	return true
}

// notNil returns the fields that are not nil. What is stored in one may have been loaded from another one.
func (f *fields) notNil(v values) (list []fragment.Field) {
	set := make(map[*field]bool)
	var rest []*field
	for _, at := range f.order {
		if !at.asked {
			f.ask(at, v)
		}
		switch {
		case at.set && f.madeWith(at) && !f.isWrittenElsewhere(at):
			set[at] = true
		case at.relies && f.madeWith(at) && !f.isWrittenElsewhere(at):
			rest = append(rest, at)
		}
	}
	for n := -1; n != len(set); {
		n = len(set)
		for _, at := range rest {
			if !set[at] && f.holdsOf(at, v, func(of *field) bool { return set[of] }) {
				set[at] = true
			}
		}
	}
	for _, at := range f.order {
		if set[at] {
			list = append(list, at.Field)
		}
	}
	return list
}

// ask finds out of a field whether all that is stored in it is not nil, or whether that relies on
// what other fields are.
func (f *fields) ask(at *field, v values) {
	at.asked = true
	if at.taken || len(at.stores) == 0 || !isNillable(typeOf(at)) || slices.ContainsFunc(f.types, func(t types.Type) bool { return isNillable(t) && types.AssignableTo(t, typeOf(at)) }) {
		return
	}
	at.set = f.holdsOf(at, v, func(*field) bool { return false })
	at.relies = !at.set && f.holdsOf(at, v, func(*field) bool { return true })
}

// holdsOf reports whether all that is stored in a field is not nil if some fields are not.
func (f *fields) holdsOf(at *field, v values, set func(*field) bool) bool {
	is := f.isNotNil(set)
	return !slices.ContainsFunc(at.stores, func(s *ssa.Store) bool { return !v.all(s.Val, is) })
}

// isNotNil is isNotNil, also for what is loaded from fields that are not nil.
func (f *fields) isNotNil(set func(*field) bool) func(ssa.Value) (is, known bool) {
	return func(x ssa.Value) (is, known bool) {
		if at := f.loaded(x); at != nil && set(at) {
			return true, true
		}
		return isNotNil(x)
	}
}

// loaded returns the field from which a value has been loaded, nil if it is none, or if it is one
// of a variable that the function has made, which may have been set later.
func (f *fields) loaded(x ssa.Value) *field {
	load, ok := x.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	base, path := fieldsOf(load.X)
	if _, made := base.(*ssa.Alloc); made || len(path) == 0 {
		return nil
	}
	p, ok := base.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	name := f.nameOf(p.Elem())
	if name == "" {
		return nil
	}
	return f.of[fmt.Sprint(name, path)]
}

// isConstant reports whether a value has been loaded from a field that nothing changes once anybody
// else than the maker of a variable can know of the variable, so that it is still there.
func (f *fields) isConstant(load *ssa.UnOp) bool {
	at := f.loaded(load)
	if at == nil || at.taken {
		return false
	}
	makers := make(map[ssa.Value]bool)
	if !f.areMade(at, func(alloc *ssa.Alloc) bool { makers[alloc] = true; return true }) {
		return false
	}
	return !slices.ContainsFunc(at.stores, func(s *ssa.Store) bool {
		base, _ := fieldsOf(s.Addr)
		return !makers[base] || !f.atOnce(s, base.(*ssa.Alloc))
	}) && !f.othersWrite(at, load.X)
}

// isWrittenElsewhere reports whether something else than the stores of a field may write what these
// write.
func (f *fields) isWrittenElsewhere(at *field) bool {
	if at.written == unasked {
		at.written = answerOf(slices.ContainsFunc(at.stores, func(s *ssa.Store) bool { return f.othersWrite(at, s.Addr) }))
	}
	return at.written == yes
}

// othersWrite reports whether something else than the stores of a field may write what is at an
// address of it: code that has a pointer to a struct in the struct, as a method of an embedded one
// has, or to a struct of another name with the same fields, or that stores such a struct as a whole.
func (f *fields) othersWrite(at *field, addr ssa.Value) bool {
	return f.definitions.Written(addr, func(w ssa.Instruction) bool {
		store, ok := w.(*ssa.Store)
		return !ok || !slices.Contains(at.stores, store)
	})
}

// isCopied reports whether variables that have a struct are also stored as a whole.
func (f *fields) isCopied(strct types.Type) bool {
	name := f.nameOf(strct)
	is, known := f.copied[name]
	if !known {
		for t := range f.copies {
			is = is || code.HasPart(t, func(t types.Type) bool { return types.Identical(t, strct) })
		}
		f.copied[name] = is
	}
	return is
}

// among returns a function that reports whether a field is one of a list that notNil has returned.
func (f *fields) among(list []fragment.Field) func(*field) bool {
	set := make(map[*field]bool)
	for _, in := range list {
		set[f.of[fmt.Sprint(f.nameOf(in.Struct), in.Fields)]] = true
	}
	return func(at *field) bool { return set[at] }
}

// typeOf returns the type of a field.
func typeOf(at *field) types.Type {
	t := at.Struct
	for _, i := range at.Fields {
		t = t.Underlying().(*types.Struct).Field(i).Type()
	}
	return t
}

// withinItself reports whether an instruction makes a pointer to a part of a variable that is only
// used as a lock of a condition in it.
func withinItself(instr ssa.Instruction, alloc *ssa.Alloc) bool {
	made, ok := instr.(*ssa.MakeInterface)
	return ok && !slices.ContainsFunc(*made.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.Store:
			return reaching.Root(ref.Addr) != ssa.Value(alloc)
		case *ssa.Call:
			fn := ref.Call.StaticCallee()
			return fn == nil || fn.String() != "sync.NewCond"
		case *ssa.DebugRef:
			return false
		}
		return true
	})
}

// elementOf returns the type of the elements of an array, a map or a channel; t itself for others.
func elementOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	case *types.Chan:
		return u.Elem()
	}
	return t
}

// fieldsOf returns the fields that an address is of, and the pointer from which they lead there.
func fieldsOf(addr ssa.Value) (base ssa.Value, fields []int) {
	for {
		f, ok := addr.(*ssa.FieldAddr)
		if !ok {
			return addr, fields
		}
		fields = append([]int{f.Field}, fields...)
		addr = f.X
	}
}
