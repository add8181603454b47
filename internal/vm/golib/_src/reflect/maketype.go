package reflect

import (
	"strconv"
	"unicode"
)

// PtrTo is the old name of [PointerTo].
func PtrTo(t Type) Type { return PointerTo(t) }

// PointerTo returns the type *t.
func PointerTo(t Type) Type { return pointerTo(t.(*rtype)) }

// SliceOf returns the type []t.
func SliceOf(t Type) Type { return sliceOf(t.common()) }

// ArrayOf returns the type [length]elem.
func ArrayOf(length int, elem Type) Type {
	if length < 0 {
		panic("reflect: negative length passed to ArrayOf")
	}
	t := elem.common()
	if size := t.Size(); size > 0 && uintptr(length) > ^uintptr(0)/size {
		panic("reflect.ArrayOf: array size would exceed virtual address space")
	}
	return arrayOf(length, t)
}

// ChanOf returns the channel type of the given direction and element type.
func ChanOf(dir ChanDir, t Type) Type {
	if t.Size() >= 1<<16 {
		panic("reflect.ChanOf: element size too large")
	}
	switch dir {
	case SendDir, RecvDir, BothDir:
		return chanOf(dir, t.common())
	}
	panic("reflect.ChanOf: invalid dir")
}

// MapOf returns the type map[key]elem.
func MapOf(key, elem Type) Type {
	k := key.common()
	if !k.Comparable() {
		panic("reflect.MapOf: invalid key type " + k.String())
	}
	return mapOf(k, elem.common())
}

// FuncOf returns the function type with the given parameters and results.
func FuncOf(in, out []Type, variadic bool) Type {
	if variadic && (len(in) == 0 || in[len(in)-1].Kind() != Slice) {
		panic("reflect.FuncOf: last arg of variadic func must be slice")
	}
	return funcOf(rtypes(in), rtypes(out), variadic)
}

func rtypes(types []Type) []*rtype {
	list := make([]*rtype, len(types))
	for i, t := range types {
		list[i] = t.(*rtype)
	}
	return list
}

// StructOf returns the struct type with the given fields. Their Offset and
// Index are ignored.
func StructOf(fields []StructField) Type {
	var (
		names    []string
		pkgPaths []string
		types    []*rtype
		tags     []string
		embedded []bool
		pkgPath  string
		seen     = map[string]bool{}
	)
	for i, f := range fields {
		if f.Name == "" {
			panic("reflect.StructOf: field " + strconv.Itoa(i) + " has no name")
		}
		if !isIdentifier(f.Name) {
			panic("reflect.StructOf: field " + strconv.Itoa(i) + " has invalid name")
		}
		if f.Type == nil {
			panic("reflect.StructOf: field " + strconv.Itoa(i) + " has no type")
		}
		if f.Anonymous && f.PkgPath != "" {
			panic("reflect.StructOf: field \"" + f.Name + "\" is anonymous but has PkgPath set")
		}
		if c := f.Name[0]; f.IsExported() && ('a' <= c && c <= 'z' || c == '_') {
			panic("reflect.StructOf: field \"" + f.Name + "\" is unexported but missing PkgPath")
		}
		if f.PkgPath != "" {
			if pkgPath == "" {
				pkgPath = f.PkgPath
			} else if pkgPath != f.PkgPath {
				panic("reflect.Struct: fields with different PkgPath " + pkgPath + " and " + f.PkgPath)
			}
		}
		t := f.Type.common()
		if f.Anonymous {
			checkEmbedded(t, i, len(fields))
		}
		if seen[f.Name] && f.Name != "_" {
			panic("reflect.StructOf: duplicate field " + f.Name)
		}
		seen[f.Name] = true
		names = append(names, f.Name)
		pkgPaths = append(pkgPaths, f.PkgPath)
		types = append(types, t)
		tags = append(tags, string(f.Tag))
		embedded = append(embedded, f.Anonymous)
	}
	checkSize(types)
	return structOf(names, pkgPaths, types, tags, embedded)
}

// checkEmbedded panics when GOROOT's package does not allow t as the type of an
// embedded field at the given index among n.
func checkEmbedded(t *rtype, index, n int) {
	k := t.Kind()
	if k == Pointer {
		if e := t.elem().Kind(); e == Pointer || e == Interface {
			panic("reflect.StructOf: illegal embedded field type " + t.String())
		}
	}
	if k == Interface {
		return
	}
	methods := typeNumMethod(t) + typeNumHidden(t)
	if index > 0 && methods > 0 {
		panic("reflect: embedded type with methods not implemented if type is not first field")
	}
	if n > 1 && methods > 0 && k == Pointer {
		panic("reflect: embedded type with methods not implemented if there is more than one field")
	}
	if n > 1 && k != Pointer && t.Name() != "" && direct(t) {
		panic("reflect: embedded type with methods not implemented for non-pointer type")
	}
}

// direct reports whether gc keeps values of type t in the data word of an
// interface: they consist of one pointer.
func direct(t *rtype) bool {
	switch t.Kind() {
	case Chan, Func, Map, Pointer, UnsafePointer:
		return true
	case Array:
		return typeLen(t) == 1 && direct(typeElem(t))
	case Struct:
		if typeNumField(t) != 1 {
			return false
		}
		field, _, _, _ := typeFieldAt(t, 0)
		return direct(field)
	}
	return false
}

// checkSize panics when a struct of fields of these types has more bytes than
// there are addresses.
func checkSize(fields []*rtype) {
	var size, alignment, lastZero uintptr = 0, 1, 0
	// grow makes the size to, which overflowed if it is less.
	grow := func(to uintptr) {
		if to < size {
			panic("reflect.StructOf: struct size would exceed virtual address space")
		}
		size = to
	}
	for _, t := range fields {
		a := uintptr(t.Align())
		alignment = max(alignment, a)
		grow((size + a - 1) &^ (a - 1))
		grow(size + t.Size())
		if t.Size() == 0 {
			lastZero = size
		}
	}
	if size > 0 && lastZero == size {
		grow(size + 1) // so that a pointer to the last field stays in the struct
	}
	grow((size + alignment - 1) &^ (alignment - 1))
}

func isIdentifier(s string) bool {
	for i, c := range s {
		letter := c == '_' || unicode.IsLetter(c)
		if !letter && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}
