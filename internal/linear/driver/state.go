package driver

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// states returns constructors with the calls after them that lead to all states to which at most a number of calls lead, each with as few calls as
// possible, but not more than most of them; more says that there are others. A state to which several sequences lead is there once if once says
// so, and if all that belongs to it can be seen: in values of types of the packages, among others.
func (l *linearTest[O]) states(calls, most int, once bool, packages []string) (starts [][]int, more bool) {
	reader := linearReaderOf(append(slices.Clip(packages), reflect.TypeFor[O]().PkgPath()))
	seen := map[string]bool{}
	// try says whether a start leads to a state that has not been there before, and whether there is room for it.
	try := func(start []int) (isNew, room bool) {
		o, made := l.makes[start[0]].make()
		if !made {
			return false, true
		}
		h := linearSequence(start[1:])
		l.run(o, h)
		if h.count() < len(start)-1 { // one blocks: it does not return to anybody who makes other calls
			return false, true
		}
		if text, known := reader.read(&o); known && once {
			if seen[text] {
				return false, true
			}
			seen[text] = true
		}
		return true, len(starts) < most
	}
	var last [][]int
	for round := range calls + 1 {
		var next [][]int
		if round == 0 {
			for make := range l.makes {
				next = append(next, []int{make})
			}
		}
		for _, start := range last {
			for c := range l.calls {
				next = append(next, append(slices.Clip(start), c))
			}
		}
		last = nil
		for _, start := range next {
			isNew, room := try(start)
			if !room {
				return starts, true
			}
			if isNew {
				starts, last = append(starts, start), append(last, start)
			}
		}
	}
	return starts, false
}

// linearStates is how the line of a program begins that says which states there are.
const linearStates = "everyway linear states:"

// printStates prints the states to which calls lead.
func (l *linearTest[O]) printStates(calls, most int, once bool, packages ...string) {
	starts, more := l.states(calls, most, once, packages)
	var b strings.Builder
	for _, start := range starts {
		b.WriteString(" " + strings.ReplaceAll(strings.Trim(fmt.Sprint(start), "[]"), " ", ","))
	}
	if more {
		b.WriteString(" ...")
	}
	fmt.Println(linearStates + b.String())
}

// A linearReader writes what can be reached from a value: texts of values are the same only if all that can be reached from one is as from the other, up to
// the names of what pointers lead to. Variables are known by the order in which they are met.
type linearReader struct {
	seen  map[string]bool // import paths of packages whose types have nothing that reflection does not show
	types map[reflect.Type]int
	code  map[unsafe.Pointer]int // of functions
	met   map[linearVariable]int
	at    map[unsafe.Pointer][]reflect.Type // types with which an address is met
	text  []byte
	known bool
	kept  []reflect.Value // copies, so that nothing else has their addresses
}

// A linearVariable is a variable, or a part of one.
type linearVariable struct {
	at  unsafe.Pointer
	typ reflect.Type
}

// linearSeen are packages of the standard library whose types can be looked into, unless they have an unsafe.Pointer.
var linearSeen = []string{"", "bytes", "container/heap", "container/list", "container/ring", "errors", "strings", "sync", "sync/atomic", "time"}

// linearReaderOf returns a reader that knows of types of these packages.
func linearReaderOf(packages []string) *linearReader {
	r := &linearReader{seen: map[string]bool{}, types: map[reflect.Type]int{}, code: map[unsafe.Pointer]int{}}
	for _, list := range [][]string{linearSeen, packages} {
		for _, path := range list {
			r.seen[path] = true
		}
	}
	return r
}

// read returns the text of the variable to which v, a pointer, leads. Known is false if there is something in it that reflection does not show. What is in
// channels is taken out of them.
func (r *linearReader) read(v any) (text string, known bool) {
	r.met, r.at, r.text, r.known = map[linearVariable]int{}, map[unsafe.Pointer][]reflect.Type{}, nil, true
	r.variable(reflect.ValueOf(v).Elem())
	return string(r.text), r.known
}

// number writes a number.
func (r *linearReader) number(n int) {
	r.text = append(strconv.AppendInt(r.text, int64(n), 10), ' ')
}

// meet notes that something is met at an address. It returns false if that has been so before, and writes what it was.
func (r *linearReader) meet(at unsafe.Pointer, t reflect.Type) bool {
	v := linearVariable{at, t}
	if n, ok := r.met[v]; ok {
		r.text = append(r.text, '^')
		r.number(n)
		return false
	}
	r.met[v] = len(r.met)
	for _, other := range r.at[at] { // a pointer that was converted leads to the same variable
		r.known = r.known && (linearBegins(other, t) || linearBegins(t, other))
	}
	r.at[at] = append(r.at[at], t)
	return true
}

// linearBegins reports whether a value of a type begins with one of another type.
func linearBegins(t, with reflect.Type) bool {
	for t != with {
		switch {
		case t.Kind() == reflect.Struct && t.NumField() > 0:
			first := 0
			for first < t.NumField()-1 && t.Field(first).Type.Size() == 0 {
				first++
			}
			t = t.Field(first).Type
		case t.Kind() == reflect.Array && t.Len() > 0:
			t = t.Elem()
		default:
			return false
		}
	}
	return true
}

// variable writes a variable, or that it has been written.
func (r *linearReader) variable(v reflect.Value) {
	t := v.Type()
	v = linearOpen(v)
	r.known = r.known && (r.seen[t.PkgPath()] || t.PkgPath() == "internal/sync" && t.Name() == "Mutex") && !(t.PkgPath() == "sync" && t.Name() == "Pool")
	if t.Size() > 0 && !r.meet(v.Addr().UnsafePointer(), t) {
		return
	}
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			r.variable(v.Index(i))
		}
	case reflect.Struct:
		if linearIsPointer(t) {
			r.copied(linearLoaded(v))
			return
		}
		for i := range v.NumField() {
			r.variable(v.Field(i))
		}
	default:
		r.value(v)
		r.text = append(r.text, ';')
	}
}

// copied writes a value that is in no variable.
func (r *linearReader) copied(v reflect.Value) {
	to := linearVariableOf(v)
	r.kept = append(r.kept, to)
	r.variable(to)
}

// value writes what is in a variable without parts.
func (r *linearReader) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		r.text = strconv.AppendBool(r.text, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		r.number(int(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		r.number(int(v.Uint()))
	case reflect.Float32, reflect.Float64:
		r.number(int(math.Float64bits(v.Float())))
	case reflect.Complex64, reflect.Complex128:
		r.number(int(math.Float64bits(real(v.Complex()))))
		r.number(int(math.Float64bits(imag(v.Complex()))))
	case reflect.String:
		r.text = strconv.AppendQuote(r.text, v.String())
	case reflect.Pointer:
		if !v.IsNil() {
			r.text = append(r.text, '&')
			r.variable(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			t := v.Elem().Type()
			if _, ok := r.types[t]; !ok {
				r.types[t] = len(r.types)
			}
			r.text = append(r.text, 'i')
			r.number(r.types[t])
			r.copied(v.Elem())
		}
	case reflect.Slice:
		r.slice(v)
	case reflect.Map:
		r.table(v)
	case reflect.Chan:
		r.channel(v)
	case reflect.Func:
		r.function(v)
	default:
		r.known = r.known && v.IsZero()
	}
}

// slice writes a slice with all of its array that it can reach.
func (r *linearReader) slice(v reflect.Value) {
	if v.IsNil() {
		return
	}
	r.text = append(r.text, '[')
	r.number(v.Len())
	r.number(v.Cap())
	whole := v.Slice3(0, v.Cap(), v.Cap())
	for i := range whole.Len() {
		r.variable(whole.Index(i))
	}
}

// table writes a map. The order of its entries is not known to a program either.
func (r *linearReader) table(v reflect.Value) {
	t := v.Type()
	if v.IsNil() || !r.meet(v.UnsafePointer(), reflect.MapOf(t.Key(), t.Elem())) {
		return
	}
	if !linearPlain(t.Key()) { // their order is not known
		r.known = r.known && v.Len() == 0
		return
	}
	type entry struct {
		key  string
		elem reflect.Value
	}
	var entries []entry
	text := r.text
	for it := v.MapRange(); it.Next(); {
		r.text = nil
		r.copied(it.Key())
		entries = append(entries, entry{string(r.text), it.Value()})
	}
	r.text = text
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	r.text = append(r.text, '{')
	r.number(len(entries))
	for _, e := range entries {
		r.text = append(r.text, e.key...)
		r.copied(e.elem)
	}
}

// linearPlain reports whether values of a type are the same if they are written in the same way.
func linearPlain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return linearPlain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !linearPlain(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return t.Kind() <= reflect.Uintptr || t.Kind() == reflect.String // of floating-point numbers, one can be many keys
}

// channel writes a channel, and takes out what is in its buffer.
func (r *linearReader) channel(v reflect.Value) {
	if v.IsNil() || !r.meet(v.UnsafePointer(), reflect.ChanOf(reflect.BothDir, v.Type().Elem())) {
		return
	}
	if v.Type().ChanDir()&reflect.RecvDir == 0 {
		r.known = false
		return
	}
	r.text = append(r.text, '<')
	r.number(v.Cap())
	r.number(v.Len())
	for {
		x, ok := v.TryRecv()
		if !ok {
			r.text = strconv.AppendBool(r.text, x.IsValid()) // it is closed
			return
		}
		r.copied(x)
	}
}

// function writes a function. One that has variables of its own is another one in each value, and one that has none is the same in all.
func (r *linearReader) function(v reflect.Value) {
	if v.IsNil() {
		return
	}
	code := *(*unsafe.Pointer)(v.Addr().UnsafePointer())
	if _, ok := r.code[code]; !ok {
		r.code[code] = len(r.code)
	}
	r.text = append(r.text, 'f')
	r.number(r.code[code])
}
