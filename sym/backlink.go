package sym

import (
	"fmt"
	"reflect"
)

// BackLink says of all structures that are drawn or opened afterwards that pointers lead back:
// where the field link of a T leads to an object, the field back of that object leads to the T.
// Only such structures are inputs then, and none is built for which that does not hold, also where
// the code only compares links, as in a.next == b.next. The T may be a field or an element of an
// array in something larger, as the root of a ring of hooks. BackLink says nothing of a T that is
// an element of a slice, or is drawn as a value, since no pointer of the input leads there.
//
//	sym.BackLink[Node]("next", "prev")
//	sym.BackLink[Node]("prev", "next")
//	l := sym.Any[*Node]("l")
//
// The field link may also be an array or a slice of pointers, such as the children of a node, whose
// parent is back. BackLink is a hint: a predicate for [Assume] that checks the same gives the same
// structures, after more runs. In plain go test it does nothing, since the input that is replayed
// has these pointers; with a seed, a predicate is needed. BackLink panics if T, or what link leads
// to, has no such fields.
func BackLink[T any](link, back string) {
	t := reflect.TypeFor[T]()
	to := linked(t, link)
	if from := linked(to, back); from != t {
		panic(fmt.Sprintf("sym: BackLink[%v](%q, %q): the field %s of a %v leads to a %v", t, link, back, back, to, from))
	}
	if f, _ := to.FieldByName(back); f.Type.Kind() != reflect.Pointer {
		panic(fmt.Sprintf("sym: BackLink[%v](%q, %q): the field %s of a %v is no pointer", t, link, back, back, to))
	}
	backLink((*T)(nil), link, back)
}

// linked returns the type to which a field of a struct of type t leads, through an array or a slice or not.
func linked(t reflect.Type, field string) reflect.Type {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("sym: BackLink of a %v, which is no struct", t))
	}
	f, ok := t.FieldByName(field)
	if !ok || len(f.Index) > 1 {
		panic(fmt.Sprintf("sym: BackLink of a %v, which has no field %s of its own", t, field))
	}
	of := f.Type
	if of.Kind() == reflect.Array || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Pointer || of.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("sym: BackLink of the field %s of a %v, which is a %v and no pointer to a struct", field, t, f.Type))
	}
	return of.Elem()
}
