package reflect

import "iter"

// A Method describes a method.
type Method struct {
	Name    string
	PkgPath string // of unexported methods
	Type    Type   // with the receiver as first parameter, but for methods of interfaces
	Func    Value  // with the receiver as first argument; invalid for methods of interfaces
	Index   int    // for Type.Method
}

// IsExported reports whether the method is exported.
func (m Method) IsExported() bool { return m.PkgPath == "" }

func (t *rtype) NumMethod() int { return typeNumMethod(t) }

func (t *rtype) Method(i int) (m Method) {
	iface := t.Kind() == Interface
	if i < 0 || i >= typeNumMethod(t) {
		if iface {
			return Method{}
		}
		panic("reflect: Method index out of range")
	}
	name, pkgPath, typ := typeMethod(t, i)
	m = Method{Name: name, PkgPath: pkgPath, Type: typ, Index: i}
	if iface {
		return m
	}
	in := []*rtype{t}
	for i := range typeNumIn(typ) {
		in = append(in, typeIn(typ, i))
	}
	var out []*rtype
	for i := range typeNumOut(typ) {
		out = append(out, typeOut(typ, i))
	}
	ft := funcOf(in, out, typeVariadic(typ))
	m.Type = ft
	m.Func = pointerValue(ft, methodFunc(t, i), flag(Func))
	return m
}

func (t *rtype) Methods() iter.Seq[Method] {
	return func(yield func(Method) bool) {
		for i := range t.NumMethod() {
			if !yield(t.Method(i)) {
				return
			}
		}
	}
}

func (t *rtype) MethodByName(name string) (Method, bool) {
	i := typeMethodNamed(t, name)
	if i < 0 {
		return Method{}, false
	}
	return t.Method(i), true
}
