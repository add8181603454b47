package reflect

import (
	"strconv"
	"unsafe"
)

// assignTo returns v as a value of type dst; context is for the panic when it
// is not assignable. What it returns may share the storage of v.
func (v Value) assignTo(context string, dst *rtype) Value {
	if v.flag&flagMethod != 0 {
		v = makeMethodValue(context, v)
	}
	if v.typ_ == dst {
		return v
	}
	if !v.IsValid() {
		panic(context + ": value of type nil is not assignable to type " + dst.String())
	}
	if !typeAssignable(v.typ_, dst) {
		panic(context + ": value of type " + v.typ_.String() + " is not assignable to type " + dst.String())
	}
	if dst.Kind() == Interface {
		x := valueInterface(v, false)
		return Value{dst, unsafe.Pointer(&x), v.flag.ro() | flag(Interface)}
	}
	return Value{dst, v.ptr, v.flag&flagAddr | v.flag.ro() | flag(dst.Kind())}
}

// CanConvert reports whether Convert(t) does not panic.
func (v Value) CanConvert(t Type) bool {
	vt := v.Type()
	if !vt.ConvertibleTo(t) {
		return false
	}
	switch {
	case vt.Kind() == Slice && t.Kind() == Array:
		return t.Len() <= v.Len()
	case vt.Kind() == Slice && t.Kind() == Pointer && t.Elem().Kind() == Array:
		return t.Elem().Len() <= v.Len()
	}
	return true
}

// Convert returns v converted to type t.
func (v Value) Convert(t Type) Value {
	if v.flag&flagMethod != 0 {
		v = makeMethodValue("Convert", v)
	}
	op := convertOp(t.common(), v.typ_)
	if op == nil {
		panic("reflect.Value.Convert: value of type " + v.typ_.String() + " cannot be converted to type " + t.String())
	}
	return op(v, t.common())
}

// convertOp returns the function that converts values of type src to type dst,
// nil when they cannot be converted.
func convertOp(dst, src *rtype) func(Value, *rtype) Value {
	sk, dk := src.Kind(), dst.Kind()
	switch sk {
	case Int, Int8, Int16, Int32, Int64:
		switch {
		case Int <= dk && dk <= Uintptr:
			return convertInt
		case dk == Float32 || dk == Float64:
			return convertIntFloat
		case dk == String:
			return convertIntString
		}
	case Uint, Uint8, Uint16, Uint32, Uint64, Uintptr:
		switch {
		case Int <= dk && dk <= Uintptr:
			return convertUint
		case dk == Float32 || dk == Float64:
			return convertUintFloat
		case dk == String:
			return convertUintString
		}
	case Float32, Float64:
		switch {
		case Int <= dk && dk <= Int64:
			return convertFloatInt
		case Uint <= dk && dk <= Uintptr:
			return convertFloatUint
		case dk == Float32 || dk == Float64:
			return convertFloat
		}
	case Complex64, Complex128:
		if dk == Complex64 || dk == Complex128 {
			return convertComplex
		}
	case String:
		if dk == Slice && typePkgPath(typeElem(dst)) == "" {
			switch typeElem(dst).Kind() {
			case Uint8:
				return convertStringBytes
			case Int32:
				return convertStringRunes
			}
		}
	case Slice:
		if dk == String && typePkgPath(typeElem(src)) == "" {
			switch typeElem(src).Kind() {
			case Uint8:
				return convertBytesString
			case Int32:
				return convertRunesString
			}
		}
		if dk == Pointer && typeElem(dst).Kind() == Array && typeElem(src) == typeElem(typeElem(dst)) {
			return convertSliceArrayPointer
		}
		if dk == Array && typeElem(src) == typeElem(dst) {
			return convertSliceArray
		}
	case Chan:
		if dk == Chan && typeAssignable(src, dst) {
			return convertDirect
		}
	}

	// Identical underlying types, or unnamed pointers to such.
	if sk != Interface && typeSameUnderlying(dst, src) {
		return convertDirect
	}
	if sk == Pointer && dk == Pointer && typeName(dst) == "" && typeName(src) == "" &&
		typeSameUnderlying(typeElem(dst), typeElem(src)) {
		return convertDirect
	}
	if dk == Interface && typeImplements(src, dst) {
		return convertInterface
	}
	return nil
}

// newValue returns a zero value of type t and the flag of v as to its origin,
// to be filled through ptr.
func (v Value) newValue(t *rtype) Value {
	return Value{t, newOf(t), v.flag.ro() | flag(t.Kind())}
}

func (v Value) newInt(t *rtype, x uint64) Value {
	c := v.newValue(t)
	storeInt(c.kind(), c.ptr, x)
	return c
}

func (v Value) newFloat(t *rtype, x float64) Value {
	c := v.newValue(t)
	if c.kind() == Float32 {
		*(*float32)(c.ptr) = float32(x)
	} else {
		*(*float64)(c.ptr) = x
	}
	return c
}

func (v Value) newString(t *rtype, x string) Value {
	return Value{t, unsafe.Pointer(&x), v.flag.ro() | flag(String)}
}

func convertInt(v Value, t *rtype) Value       { return v.newInt(t, uint64(v.Int())) }
func convertUint(v Value, t *rtype) Value      { return v.newInt(t, v.Uint()) }
func convertFloatInt(v Value, t *rtype) Value  { return v.newInt(t, uint64(int64(v.Float()))) }
func convertFloatUint(v Value, t *rtype) Value { return v.newInt(t, uint64(v.Float())) }
func convertIntFloat(v Value, t *rtype) Value  { return v.newFloat(t, float64(v.Int())) }
func convertUintFloat(v Value, t *rtype) Value { return v.newFloat(t, float64(v.Uint())) }

func convertFloat(v Value, t *rtype) Value {
	if v.kind() == t.Kind() {
		return convertDirect(v, t) // keeps a signalling NaN
	}
	return v.newFloat(t, v.Float())
}

func convertComplex(v Value, t *rtype) Value {
	c := v.newValue(t)
	if c.kind() == Complex64 {
		*(*complex64)(c.ptr) = complex64(v.Complex())
	} else {
		*(*complex128)(c.ptr) = v.Complex()
	}
	return c
}

func convertIntString(v Value, t *rtype) Value {
	s := "\uFFFD"
	if x := v.Int(); int64(rune(x)) == x {
		s = string(rune(x))
	}
	return v.newString(t, s)
}

func convertUintString(v Value, t *rtype) Value {
	s := "\uFFFD"
	if x := v.Uint(); uint64(rune(x)) == x {
		s = string(rune(x))
	}
	return v.newString(t, s)
}

func convertBytesString(v Value, t *rtype) Value {
	return v.newString(t, string(*(*[]byte)(v.ptr)))
}

func convertRunesString(v Value, t *rtype) Value {
	return v.newString(t, string(*(*[]rune)(v.ptr)))
}

func convertStringBytes(v Value, t *rtype) Value {
	b := []byte(*(*string)(v.ptr))
	return Value{t, unsafe.Pointer(&b), v.flag.ro() | flag(Slice)}
}

func convertStringRunes(v Value, t *rtype) Value {
	r := []rune(*(*string)(v.ptr))
	return Value{t, unsafe.Pointer(&r), v.flag.ro() | flag(Slice)}
}

func convertSliceArrayPointer(v Value, t *rtype) Value {
	n := typeLen(typeElem(t))
	if n > v.Len() {
		panic("reflect: cannot convert slice with length " + strconv.Itoa(v.Len()) + " to pointer to array with length " + strconv.Itoa(n))
	}
	return pointerValue(t, (*sliceHeader)(v.ptr).data, v.flag&^(flagAddr|flagKindMask)|flag(Pointer))
}

func convertSliceArray(v Value, t *rtype) Value {
	n := typeLen(t)
	if n > v.Len() {
		panic("reflect: cannot convert slice with length " + strconv.Itoa(v.Len()) + " to array with length " + strconv.Itoa(n))
	}
	c := v.newValue(t)
	if n > 0 {
		copierOf(t)(c.ptr, (*sliceHeader)(v.ptr).data)
	}
	return c
}

// convertDirect converts between types of one representation.
func convertDirect(v Value, t *rtype) Value {
	p := v.ptr
	if v.flag&flagAddr != 0 {
		p = copied(t, p)
	}
	return Value{t, p, v.flag.ro() | v.flag&^flagAddr}
}

func convertInterface(v Value, t *rtype) Value {
	x := valueInterface(v, false)
	return Value{t, unsafe.Pointer(&x), v.flag.ro() | flag(Interface)}
}
