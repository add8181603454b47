package reflect

import (
	"iter"
	"strconv"
)

// A StructField describes a field of a struct type.
type StructField struct {
	Name      string
	PkgPath   string    // of unexported fields
	Type      Type      // of the field
	Tag       StructTag // of the field
	Offset    uintptr   // within the struct, in bytes
	Index     []int     // for Type.FieldByIndex
	Anonymous bool      // is an embedded field
}

// IsExported reports whether the field is exported.
func (f StructField) IsExported() bool { return f.PkgPath == "" }

// A StructTag is the tag of a field: by convention, pairs of the form
// key:"value", where the value is a Go string literal, separated by spaces.
type StructTag string

// Get returns the value of key, "" when there is none.
func (tag StructTag) Get(key string) string {
	v, _ := tag.Lookup(key)
	return v
}

// Lookup returns the value of key and whether there is one.
func (tag StructTag) Lookup(key string) (value string, ok bool) {
	for tag != "" {
		i := 0
		for i < len(tag) && tag[i] == ' ' {
			i++
		}
		tag = tag[i:]
		if tag == "" {
			break
		}

		// The key ends at the colon; a space, a quote or a control character
		// in it ends the search.
		i = 0
		for i < len(tag) && tag[i] > ' ' && tag[i] != ':' && tag[i] != '"' && tag[i] != 0x7f {
			i++
		}
		if i == 0 || i+1 >= len(tag) || tag[i] != ':' || tag[i+1] != '"' {
			break
		}
		name := string(tag[:i])
		tag = tag[i+1:]

		i = 1
		for i < len(tag) && tag[i] != '"' {
			if tag[i] == '\\' {
				i++
			}
			i++
		}
		if i >= len(tag) {
			break
		}
		quoted := string(tag[:i+1])
		tag = tag[i+1:]

		if key == name {
			value, err := strconv.Unquote(quoted)
			if err != nil {
				break
			}
			return value, true
		}
	}
	return "", false
}

func (t *rtype) NumField() int {
	if t.Kind() != Struct {
		panic("reflect: NumField of non-struct type " + t.String())
	}
	return typeNumField(t)
}

func (t *rtype) Field(i int) StructField {
	if t.Kind() != Struct {
		panic("reflect: Field of non-struct type " + t.String())
	}
	if i < 0 || i >= typeNumField(t) {
		panic("reflect: Field index out of bounds")
	}
	name, pkgPath, typ, tag, offset, embedded := typeField(t, i)
	return StructField{
		Name:      name,
		PkgPath:   pkgPath,
		Type:      typ,
		Tag:       StructTag(tag),
		Offset:    offset,
		Index:     []int{i},
		Anonymous: embedded,
	}
}

func (t *rtype) Fields() iter.Seq[StructField] {
	if t.Kind() != Struct {
		panic("reflect: Fields of non-struct type " + t.String())
	}
	return func(yield func(StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

func (t *rtype) FieldByIndex(index []int) (f StructField) {
	if t.Kind() != Struct {
		panic("reflect: FieldByIndex of non-struct type " + t.String())
	}
	f.Type = t
	for i, x := range index {
		if i > 0 {
			if ft := f.Type; ft.Kind() == Pointer && ft.Elem().Kind() == Struct {
				f.Type = ft.Elem()
			}
		}
		f = f.Type.Field(x)
	}
	return f
}

func (t *rtype) FieldByName(name string) (StructField, bool) {
	if t.Kind() != Struct {
		panic("reflect: FieldByName of non-struct type " + t.String())
	}
	embeds := false
	if name != "" {
		for i := range typeNumField(t) {
			f := t.Field(i)
			if f.Name == name {
				return f, true
			}
			embeds = embeds || f.Anonymous
		}
	}
	if !embeds {
		return StructField{}, false
	}
	return t.FieldByNameFunc(func(s string) bool { return s == name })
}

// A level is the structs to look through at one depth of embedding: each once,
// in the order in which they are met, with the index sequence that leads to it
// and how often it is embedded at this depth.
type level struct {
	types   []*rtype
	indexes [][]int
	count   map[*rtype]int
}

func (l *level) add(t *rtype, index []int, times int) {
	if l.count[t] > 0 {
		l.count[t] = 2 // more than once is all that matters
		return
	}
	l.types = append(l.types, t)
	l.indexes = append(l.indexes, index)
	l.count[t] = times
}

// FieldByNameFunc looks at one depth of embedding after another and stops at
// the first with a match; two matches at that depth annihilate each other.
func (t *rtype) FieldByNameFunc(match func(string) bool) (result StructField, ok bool) {
	if t.Kind() != Struct {
		panic("reflect: FieldByNameFunc of non-struct type " + t.String())
	}
	next := level{count: map[*rtype]int{}}
	next.add(t, nil, 1)
	visited := map[*rtype]bool{}
	for len(next.types) > 0 && !ok {
		current := next
		next = level{count: map[*rtype]int{}}
		for n, t := range current.types {
			if visited[t] {
				continue // what it has was seen, and hides it, at a lesser depth
			}
			visited[t] = true
			for i := range typeNumField(t) {
				f := t.Field(i)
				index := append(append([]int(nil), current.indexes[n]...), i)
				if match(f.Name) {
					if current.count[t] > 1 || ok {
						return StructField{}, false
					}
					result, ok = f, true
					result.Index = index
					continue
				}
				if ok || !f.Anonymous {
					continue
				}
				ft := f.Type.common()
				if ft.Kind() == Pointer {
					ft = ft.elem()
				}
				if ft.Kind() == Struct {
					next.add(ft, index, current.count[t])
				}
			}
		}
	}
	return result, ok
}
