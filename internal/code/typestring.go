package code

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// TypeString returns t as reflect.Type.String gives it, and with it %T of package
// fmt and the messages of the run-time system: names are qualified by the name of
// their package, those in type arguments by its path.
func TypeString(t types.Type) string {
	var w typeWriter
	w.typ(t)
	return w.String()
}

// TypeName returns what reflect.Type.Name gives: the name without its
// package, type arguments included, and "" for a type without a name.
func TypeName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return strings.TrimPrefix(basicName(t), "unsafe.")
	case *types.Named:
		s := TypeString(t)
		name, args, generic := strings.Cut(s, "[")
		name = name[strings.LastIndexByte(name, '.')+1:]
		if generic {
			name += "[" + args
		}
		return name
	}
	return ""
}

// TypePkgPath returns what reflect.Type.PkgPath gives: the path of the package
// that defines t, "" when none does.
func TypePkgPath(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return "unsafe"
		}
	case *types.Named:
		return PkgPath(t.Obj().Pkg())
	}
	return ""
}

// PkgPath returns the path of a package as a running program knows it: that of
// a command is "main". It is "" for nil, the package of predeclared names.
func PkgPath(pkg *types.Package) string {
	switch {
	case pkg == nil:
		return ""
	case pkg.Name() == "main":
		return "main"
	}
	return pkg.Path()
}

// InterfaceMethods returns the methods of an interface type in the order that
// reflect gives them: the exported ones, then the others, each by name and package.
func InterfaceMethods(t *types.Interface) []*types.Func {
	list := make([]*types.Func, t.NumMethods())
	for i := range list {
		list[i] = t.Method(i)
	}
	slices.SortFunc(list, func(a, b *types.Func) int {
		if a.Exported() != b.Exported() {
			if a.Exported() {
				return -1
			}
			return 1
		}
		if c := strings.Compare(a.Name(), b.Name()); c != 0 || a.Exported() {
			return c
		}
		return cmp.Compare(PkgPath(a.Pkg()), PkgPath(b.Pkg()))
	})
	return list
}

// A typeWriter writes types. In type arguments, where linked is set, names must
// be unique in the program.
type typeWriter struct {
	strings.Builder
	linked bool
}

func (w *typeWriter) typ(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		w.WriteString(basicName(t))
	case *types.Named:
		w.named(t)
	case *types.Pointer:
		w.WriteByte('*')
		w.typ(t.Elem())
	case *types.Slice:
		w.WriteString("[]")
		w.typ(t.Elem())
	case *types.Array:
		w.WriteString("[" + strconv.FormatInt(t.Len(), 10) + "]")
		w.typ(t.Elem())
	case *types.Map:
		w.WriteString("map[")
		w.typ(t.Key())
		w.WriteByte(']')
		w.typ(t.Elem())
	case *types.Chan:
		w.channel(t)
	case *types.Signature:
		w.WriteString("func")
		w.signature(t)
	case *types.Struct:
		w.structure(t)
	case *types.Interface:
		w.iface(t)
	case *types.TypeParam:
		w.WriteString(t.Obj().Name())
	case *types.Tuple:
		w.tuple(t, false)
	default:
		w.WriteString(t.String())
	}
}

// basicName returns the name of a predeclared type; byte and rune are aliases.
func basicName(t *types.Basic) string {
	switch t.Kind() {
	case types.Uint8:
		return "uint8"
	case types.Int32:
		return "int32"
	case types.UnsafePointer:
		return "unsafe.Pointer"
	}
	return t.Name()
}

// qualify writes the package of a name, and a dot.
func (w *typeWriter) qualify(pkg *types.Package) {
	switch {
	case pkg == nil:
		return
	case w.linked:
		w.WriteString(PkgPath(pkg))
	default:
		w.WriteString(pkg.Name())
	}
	w.WriteByte('.')
}

func (w *typeWriter) named(t *types.Named) {
	obj := t.Obj()
	w.qualify(obj.Pkg())
	w.WriteString(obj.Name())
	if w.linked && obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() {
		w.WriteString("·1") // declared in a function
	}
	if t.TypeArgs().Len() == 0 {
		return
	}
	linked := w.linked
	w.linked = true
	for i := range t.TypeArgs().Len() {
		w.WriteByte("[,"[min(i, 1)])
		w.typ(t.TypeArgs().At(i))
	}
	w.WriteByte(']')
	w.linked = linked
}

func (w *typeWriter) channel(t *types.Chan) {
	switch t.Dir() {
	case types.SendOnly:
		w.WriteString("chan<- ")
	case types.RecvOnly:
		w.WriteString("<-chan ")
	default:
		w.WriteString("chan ")
		if e, ok := types.Unalias(t.Elem()).(*types.Chan); ok && e.Dir() == types.RecvOnly {
			w.WriteByte('(')
			w.typ(e)
			w.WriteByte(')')
			return
		}
	}
	w.typ(t.Elem())
}

func (w *typeWriter) signature(t *types.Signature) {
	w.tuple(t.Params(), t.Variadic())
	switch r := t.Results(); r.Len() {
	case 0:
	case 1:
		w.WriteByte(' ')
		w.typ(r.At(0).Type())
	default:
		w.WriteByte(' ')
		w.tuple(r, false)
	}
}

func (w *typeWriter) tuple(t *types.Tuple, variadic bool) {
	w.WriteByte('(')
	for i := range t.Len() {
		if i > 0 {
			w.WriteString(", ")
		}
		p := t.At(i).Type()
		if s, ok := types.Unalias(p).(*types.Slice); ok && variadic && i == t.Len()-1 {
			w.WriteString("...")
			p = s.Elem()
		}
		w.typ(p)
	}
	w.WriteByte(')')
}

func (w *typeWriter) structure(t *types.Struct) {
	if t.NumFields() == 0 {
		w.WriteString("struct {}")
		return
	}
	w.WriteString("struct { ")
	for i := range t.NumFields() {
		if i > 0 {
			w.WriteString("; ")
		}
		f := t.Field(i)
		if !f.Embedded() {
			if w.linked && !f.Exported() {
				w.qualify(f.Pkg())
			}
			w.WriteString(f.Name() + " ")
		}
		w.typ(f.Type())
		if tag := t.Tag(i); tag != "" {
			w.WriteString(" " + strconv.Quote(tag))
		}
	}
	w.WriteString(" }")
}

func (w *typeWriter) iface(t *types.Interface) {
	if t.NumMethods() == 0 {
		w.WriteString("interface {}")
		return
	}
	w.WriteString("interface { ")
	for i, m := range InterfaceMethods(t) {
		if i > 0 {
			w.WriteString("; ")
		}
		if !m.Exported() {
			w.qualify(m.Pkg())
		}
		w.WriteString(m.Name())
		w.signature(m.Signature())
	}
	w.WriteString(" }")
}
