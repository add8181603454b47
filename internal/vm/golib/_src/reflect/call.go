package reflect

import "unsafe"

// Call calls the function v. If it is variadic, the last arguments are put in
// the slice.
func (v Value) Call(in []Value) []Value {
	v.mustBe(Func)
	v.mustBeExported()
	return v.call("Call", in)
}

// CallSlice calls the variadic function v with the last argument as the slice.
func (v Value) CallSlice(in []Value) []Value {
	v.mustBe(Func)
	v.mustBeExported()
	return v.call("CallSlice", in)
}

func (v Value) call(op string, in []Value) []Value {
	var (
		t      *rtype
		fn     unsafe.Pointer
		rcvr   Value
		method int
	)
	if v.flag&flagMethod != 0 {
		rcvr, method, t = methodReceiver(op, v)
	} else {
		t = v.typ_
		fn = v.pointer()
		if fn == nil {
			panic("reflect.Value.Call: call of nil function")
		}
	}
	in = arguments(op, t, in)

	ft := frameOf(t)
	frame := newOf(ft)
	for i, x := range in {
		x.mustBeExported()
		pt, at, _, _ := typeFieldAt(ft, i)
		x = x.assignTo("reflect.Value.Call", pt)
		move(pt, pt.Kind(), offset(frame, at), x.ptr)
	}
	if v.flag&flagMethod != 0 {
		methodCallerOf(rcvr.typ_, method)(rcvr.ptr, frame)
	} else {
		callerOf(t)(fn, frame)
	}
	return frameValues(ft, frame, len(in), typeNumOut(t))
}

// arguments checks the arguments of a call of function type t and puts those
// of a variadic parameter in a slice.
func arguments(op string, t *rtype, in []Value) []Value {
	n := typeNumIn(t)
	variadic := typeVariadic(t)
	slice := op == "CallSlice"
	if slice {
		if !variadic {
			panic("reflect: CallSlice of non-variadic function")
		}
		if len(in) < n {
			panic("reflect: CallSlice with too few input arguments")
		}
		if len(in) > n {
			panic("reflect: CallSlice with too many input arguments")
		}
	} else {
		if variadic {
			n--
		}
		if len(in) < n {
			panic("reflect: Call with too few input arguments")
		}
		if !variadic && len(in) > n {
			panic("reflect: Call with too many input arguments")
		}
	}
	for _, x := range in {
		if x.Kind() == Invalid {
			panic("reflect: " + op + " using zero Value argument")
		}
	}
	for i := range n {
		if xt, pt := in[i].abiType(), typeIn(t, i); !typeAssignable(xt, pt) {
			panic("reflect: " + op + " using " + xt.String() + " as type " + pt.String())
		}
	}
	if slice || !variadic {
		return in
	}
	st := typeIn(t, n)
	elem := typeElem(st)
	m := len(in) - n
	rest := MakeSlice(st, m, m)
	for i := range m {
		x := in[n+i]
		if xt := x.abiType(); !typeAssignable(xt, elem) {
			panic("reflect: cannot use " + xt.String() + " as type " + elem.String() + " in " + op)
		}
		rest.Index(i).Set(x)
	}
	return append(append(make([]Value, 0, n+1), in[:n]...), rest)
}

// frameValues returns n fields of a frame of type ft, from the first on. Each has memory of
// its own, so that it does not keep alive what the others point to.
func frameValues(ft *rtype, frame unsafe.Pointer, first, n int) []Value {
	if n == 0 {
		return nil
	}
	list := make([]Value, n)
	for i := range list {
		t, at, _, _ := typeFieldAt(ft, first+i)
		p := newOf(t)
		move(t, t.Kind(), p, offset(frame, at))
		list[i] = Value{t, p, flag(t.Kind())}
	}
	return list
}

// NumMethod returns the number of methods of v.
func (v Value) NumMethod() int {
	if v.typ_ == nil {
		panic(&ValueError{"reflect.Value.NumMethod", Invalid})
	}
	if v.flag&flagMethod != 0 {
		return 0
	}
	return typeNumMethod(v.typ_)
}

// Method returns the ith method of v as a func value with v as its receiver.
func (v Value) Method(i int) Value {
	if v.typ_ == nil {
		panic(&ValueError{"reflect.Value.Method", Invalid})
	}
	if v.flag&flagMethod != 0 || i < 0 || i >= typeNumMethod(v.typ_) {
		panic("reflect: Method index out of range")
	}
	if v.kind() == Interface && v.IsNil() {
		panic("reflect: Method on nil interface value")
	}
	return Value{v.typ_, v.ptr, v.flag.ro() | flag(Func) | flagMethod | flag(i)<<flagMethodShift}
}

// MethodByName returns the method with the name, see [Value.Method], the zero
// Value when there is none.
func (v Value) MethodByName(name string) Value {
	if v.typ_ == nil {
		panic(&ValueError{"reflect.Value.MethodByName", Invalid})
	}
	if v.flag&flagMethod != 0 {
		return Value{}
	}
	i := typeMethodNamed(v.typ_, name)
	if i < 0 {
		return Value{}
	}
	return v.Method(i)
}

// methodIndex returns which method of its receiver's type the method value v is.
func (v Value) methodIndex() int { return int(v.flag >> flagMethodShift) }

// methodReceiver returns the receiver of the method value v, which is not an
// interface, the index of the method in the receiver's type, and the method's type.
func methodReceiver(op string, v Value) (rcvr Value, method int, t *rtype) {
	method = v.methodIndex()
	name, pkgPath, t := typeMethod(v.typ_, method)
	if pkgPath != "" {
		panic("reflect: " + op + " of unexported method")
	}
	if v.typ_.Kind() != Interface {
		return Value{v.typ_, v.ptr, v.flag&flagRO | flag(v.typ_.Kind())}, method, t
	}
	rcvr = ValueOf(*(*any)(v.ptr))
	if !rcvr.IsValid() {
		panic("reflect: " + op + " of method on nil interface value")
	}
	return rcvr, typeMethodNamed(rcvr.typ_, name), t
}

// makeMethodValue returns the method value v as an ordinary func value.
func makeMethodValue(op string, v Value) Value {
	rcvr, method, t := methodReceiver(op, v)
	return pointerValue(t, methodBound(rcvr.typ_, method, rcvr.ptr), v.flag&flagRO|flag(Func))
}

// methodValueCallCodePtr returns the entry of method values: one for all, as in gc's
// programs.
func methodValueCallCodePtr() uintptr {
	f := methodValueCall
	return funcEntry(*(*unsafe.Pointer)(unsafe.Pointer(&f)))
}

// methodValueCall stands for the code of method values.
func methodValueCall() {}

// A makeFuncImpl is what a function made by [MakeFunc] does.
type makeFuncImpl struct {
	typ *rtype
	fn  func([]Value) []Value
}

// MakeFunc returns a function of type typ that calls fn.
func MakeFunc(typ Type, fn func(args []Value) (results []Value)) Value {
	if typ.Kind() != Func {
		panic("reflect: call of MakeFunc with non-Func type")
	}
	t := typ.common()
	impl := &makeFuncImpl{t, fn}
	return pointerValue(t, makeFunc(t, unsafe.Pointer(impl)), flag(Func))
}

// callReflect is what a function made by MakeFunc calls, with its arguments in
// frame; it leaves the results there.
func callReflect(impl *makeFuncImpl, frame unsafe.Pointer) {
	ft := frameOf(impl.typ)
	nin, nout := typeNumIn(impl.typ), typeNumOut(impl.typ)
	in := frameValues(ft, frame, 0, nin)
	if in == nil {
		in = []Value{}
	}
	out := impl.fn(in)
	if len(out) != nout {
		panic("reflect: wrong return count from function created by MakeFunc")
	}
	for i, v := range out {
		if v.typ_ == nil {
			panic("reflect: function created by MakeFunc using closure returned zero Value")
		}
		if v.flag&flagRO != 0 {
			panic("reflect: function created by MakeFunc using closure returned value obtained from unexported field")
		}
		t, at, _, _ := typeFieldAt(ft, nin+i)
		v = v.assignTo("reflect.MakeFunc", t)
		move(t, t.Kind(), offset(frame, at), v.ptr)
	}
}
