package sym

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync"
)

// An Option changes what [Built] builds.
type Option func(*builder)

// Calls is how many methods are called, at most; 3 if it is not given.
func Calls(n int) Option { return func(b *builder) { b.calls = n } }

// From gives the constructors: functions that return the value, and at most an error beside it.
// They can be closures, if a constructor has parameters that cannot be inputs.
func From(constructors ...any) Option {
	return func(b *builder) { b.constructors = append(b.constructors, constructors...) }
}

// Without leaves out methods, by name.
func Without(methods ...string) Option {
	return func(b *builder) { b.without = append(b.without, methods...) }
}

// Built returns a value that calls of its own package lead to: of a constructor, and then of at
// most a number of exported methods. Which these are, and what they are given, are inputs.
//
//	func FuzzSorted(f *testing.F) {
//		...
//		l := sym.Built[*List]("l", sym.Calls(4))
//		if !sorted(l) {
//			t.Error("not sorted")
//		}
//
// A search finds the constructors in the package of the type, unless there is a [From]: its
// exported functions that return the type. Plain go test knows those of From, and of
// [RegisterConstructors]. Where T depends on the type parameters of a generic function, a search
// knows no others. A type without constructors has its zero value or, if it is a pointer, a pointer
// to one.
//
// Parameters are numbers, booleans, strings, and slices, arrays and structs of these that are not
// parts of themselves; interfaces without methods are numbers. Methods with others are not called,
// nor are constructors with others, or those that return an error for what they are given. A method
// that panics or blocks is not stopped from doing so: leave it out with [Without].
//
// Unlike a value of all possible shapes, one that is built needs no predicate that says what is valid, and shows what
// the package itself can do, up to the number of calls.
func Built[T any](name string, options ...Option) T {
	b := &builder{calls: 3}
	for _, o := range options {
		o(b)
	}
	var zero T
	t := reflect.TypeFor[T]()
	v := b.construct(name, t)
	if !v.IsValid() {
		return zero
	}
	methods := b.methods(t)
	for i := range b.calls {
		call := fmt.Sprintf("%s.call%d", name, i+1)
		n := Choice(call, len(methods)+1)
		if n == 0 {
			break
		}
		v.Method(methods[n-1]).Call(drawAll(call, v.Method(methods[n-1]).Type()))
	}
	return v.Interface().(T)
}

// A builder builds values.
type builder struct {
	calls        int
	constructors []any
	without      []string
}

// registered are the constructors of types that were registered.
var registered struct {
	sync.Mutex
	of map[reflect.Type][]any
}

// RegisterConstructors makes constructors known to [Built] where it is given none by [From]. Everyway calls it for what
// the tests that it searches build.
func RegisterConstructors(constructors ...any) {
	registered.Lock()
	defer registered.Unlock()
	if registered.of == nil {
		registered.of = map[reflect.Type][]any{}
	}
	for _, c := range constructors {
		t := reflect.TypeOf(c).Out(0)
		registered.of[t] = append(registered.of[t], c)
	}
}

// registeredFor returns the constructors of a type that were registered.
func registeredFor(t reflect.Type) []any {
	registered.Lock()
	defer registered.Unlock()
	return registered.of[t]
}

// construct makes a value of a type. It is not valid if the constructor returns an error, or an
// interface without a value.
func (b *builder) construct(name string, t reflect.Type) reflect.Value {
	list := b.constructors
	if list == nil {
		list = registeredFor(t)
	}
	var usable []reflect.Value
	for _, c := range list {
		f := reflect.ValueOf(c)
		if f.Kind() != reflect.Func || f.Type().NumOut() == 0 || !f.Type().Out(0).AssignableTo(t) {
			panic(fmt.Sprintf("sym: Built: %T is no constructor of %v", c, t))
		}
		if drawable(f.Type()) {
			usable = append(usable, f)
		}
	}
	if len(usable) == 0 {
		if t.Kind() == reflect.Pointer {
			return reflect.New(t.Elem())
		}
		return reflect.New(t).Elem()
	}
	n := 0
	if len(usable) > 1 {
		n = Choice(name+".new", len(usable))
	}
	results := usable[n].Call(drawAll(name+".new", usable[n].Type()))
	if len(results) > 1 && !results[1].IsZero() || t.Kind() == reflect.Interface && results[0].IsZero() {
		return reflect.Value{}
	}
	v := reflect.New(t).Elem()
	v.Set(results[0])
	return v
}

// methods returns the numbers of the methods that can be called.
func (b *builder) methods(t reflect.Type) []int {
	var list []int
	for i := range t.NumMethod() {
		m := t.Method(i)
		if slices.Contains(b.without, m.Name) {
			continue
		}
		if t.Kind() == reflect.Interface && drawable(m.Type) || t.Kind() != reflect.Interface && drawable(withoutReceiver(m.Type)) {
			list = append(list, i)
		}
	}
	return list
}

// withoutReceiver returns the type of a method of a value.
func withoutReceiver(t reflect.Type) reflect.Type {
	var in, out []reflect.Type
	for i := 1; i < t.NumIn(); i++ {
		in = append(in, t.In(i))
	}
	for i := range t.NumOut() {
		out = append(out, t.Out(i))
	}
	return reflect.FuncOf(in, out, t.IsVariadic())
}

// drawable reports whether the parameters of a function can be inputs.
func drawable(f reflect.Type) bool {
	for i := range f.NumIn() {
		if !isInput(f.In(i)) {
			return false
		}
	}
	return true
}

// isInput reports whether values of a type, which is part of others, can be inputs. Those of a type
// that is part of itself, through a slice, cannot: there is no end to them.
func isInput(t reflect.Type, of ...reflect.Type) bool {
	if slices.Contains(of, t) {
		return false
	}
	of = append(slices.Clip(of), t)
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return isInput(t.Elem(), of...)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && !isInput(f.Type, of...) {
				return false
			}
		}
		return true
	case reflect.Interface:
		return t.NumMethod() == 0
	}
	return kinds[t.Kind()] != 0 || t.Kind() == reflect.String
}

// kinds are those of scalars.
var kinds = map[reflect.Kind]kind{
	reflect.Bool: kindBool, reflect.Int: kindInt64, reflect.Int8: kindInt8, reflect.Int16: kindInt16, reflect.Int32: kindInt32,
	reflect.Int64: kindInt64, reflect.Uint: kindUint64, reflect.Uint8: kindUint8, reflect.Uint16: kindUint16, reflect.Uint32: kindUint32,
	reflect.Uint64: kindUint64, reflect.Uintptr: kindUint64, reflect.Float32: kindFloat32, reflect.Float64: kindFloat64,
}

// drawAll draws the arguments of a function. What is variadic is one argument.
func drawAll(name string, f reflect.Type) []reflect.Value {
	var args []reflect.Value
	for i := range f.NumIn() {
		v := reflect.New(f.In(i)).Elem()
		drawInto(name+".arg"+strconv.Itoa(i+1), v)
		if f.IsVariadic() && i == f.NumIn()-1 {
			for j := range v.Len() {
				args = append(args, v.Index(j))
			}
			break
		}
		args = append(args, v)
	}
	return args
}

// drawInto sets v to the input of that name.
func drawInto(name string, v reflect.Value) {
	if drawBasic(name, v) {
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		n := length("len(" + name + ")")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			drawInto(name+"["+strconv.Itoa(i)+"]", v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				drawInto(name+"."+f.Name, v.Field(i))
			}
		}
	case reflect.Interface:
		v.Set(reflect.ValueOf(Int(name)))
	}
}

// drawBasic is drawInto for numbers, booleans and strings. It returns false for others.
func drawBasic(name string, v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(Bool(name))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(signed(word(name, kinds[v.Kind()]), v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		shift := 64 - v.Type().Bits()
		v.SetUint(word(name, kinds[v.Kind()]) << shift >> shift)
	case reflect.Float32:
		v.SetFloat(float64(Float32(name)))
	case reflect.Float64:
		v.SetFloat(Float64(name))
	case reflect.String:
		v.SetString(String(name))
	default:
		return false
	}
	return true
}

// signed returns the number that the low bits of a word are.
func signed(w uint64, bits int) int64 {
	shift := 64 - bits
	return int64(w<<shift) >> shift
}
