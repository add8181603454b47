package reflect

import "errors"

// NumField returns the number of fields of the struct v.
func (v Value) NumField() int {
	v.mustBe(Struct)
	return typeNumField(v.typ_)
}

// Field returns the ith field of the struct v.
func (v Value) Field(i int) Value {
	if v.kind() != Struct {
		panic(&ValueError{"reflect.Value.Field", v.kind()})
	}
	if i < 0 || i >= typeNumField(v.typ_) {
		panic("reflect: Field index out of range")
	}
	t, at, exported, embedded := typeFieldAt(v.typ_, i)
	f := v.flag&(flagStickyRO|flagAddr) | flag(t.Kind())
	if !exported {
		if embedded {
			f |= flagEmbedRO
		} else {
			f |= flagStickyRO
		}
	}
	return Value{t, offset(v.ptr, at), f}
}

// FieldByIndex returns the nested field of the index sequence. It panics if
// that leads through a nil pointer.
func (v Value) FieldByIndex(index []int) Value {
	f, err := v.fieldByIndex(index)
	if err != nil {
		panic("reflect: indirection through nil pointer to embedded struct")
	}
	return f
}

// FieldByIndexErr returns the nested field of the index sequence, and an error
// if that leads through a nil pointer.
func (v Value) FieldByIndexErr(index []int) (Value, error) {
	return v.fieldByIndex(index)
}

func (v Value) fieldByIndex(index []int) (Value, error) {
	if len(index) == 1 {
		return v.Field(index[0]), nil
	}
	v.mustBe(Struct)
	for i, x := range index {
		if i > 0 && v.kind() == Pointer && typeElem(v.typ_).Kind() == Struct {
			if v.IsNil() {
				return Value{}, errors.New("reflect: indirection through nil pointer to embedded struct field " + typeName(typeElem(v.typ_)))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v, nil
}

// FieldByName returns the field with the name, the zero Value when there is none.
func (v Value) FieldByName(name string) Value {
	v.mustBe(Struct)
	if f, ok := v.typ_.FieldByName(name); ok {
		return v.FieldByIndex(f.Index)
	}
	return Value{}
}

// FieldByNameFunc returns the field whose name matches, the zero Value when
// there is none.
func (v Value) FieldByNameFunc(match func(string) bool) Value {
	if f, ok := v.typ_.FieldByNameFunc(match); ok {
		return v.FieldByIndex(f.Index)
	}
	return Value{}
}
