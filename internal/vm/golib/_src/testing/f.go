package testing

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strconv"
)

// An F is the state of a fuzz test.
type F struct {
	common
	fuzzed bool    // Fuzz has been called
	seeds  [][]any // arguments of Add
}

// seedWord tells of a part of a seed: in the seed of that number, the input
// variable name has a value.
func seedWord(seed int, name string, value uint64)

// addSeed tells that in a seed, the variable called name is v.
func addSeed(seed int, name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			seedWord(seed, name, 1)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		seedWord(seed, name, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		seedWord(seed, name, v.Uint())
	case reflect.Float32:
		seedWord(seed, name, uint64(math.Float32bits(float32(v.Float()))))
	case reflect.Float64:
		seedWord(seed, name, math.Float64bits(v.Float()))
	case reflect.String, reflect.Slice:
		seedWord(seed, "len("+name+")", uint64(v.Len()))
		for i := range min(v.Len(), maxSeedLen) {
			addSeed(seed, indexed(name, i), v.Index(i))
		}
	}
}

// maxSeedLen is how many elements of a string or slice in a seed are told: no
// run draws longer ones.
const maxSeedLen = 256

// fRunner runs fn as the fuzz test's function.
func fRunner(f *F, fn func(*F)) {
	defer func() {
		if panicking() {
			return
		}
		if !f.has(finished) {
			panic(errNoReturn)
		}
		f.complete()
	}()
	defer f.cleanup()
	fn(f)
	f.status.Or(finished)
}

// Add adds args to the inputs to start with.
func (f *F) Add(args ...any) {
	for _, a := range args {
		if t := reflect.TypeOf(a); !fuzzable(t) {
			panic(fmt.Sprintf("testing: unsupported type to Add %v", t))
		}
	}
	f.seeds = append(f.seeds, args)
}

// fuzzable reports whether a fuzz callback can have parameters of type t.
func fuzzable(t reflect.Type) bool {
	if t == reflect.TypeFor[[]byte]() {
		return true
	}
	if t == nil || t.PkgPath() != "" {
		return false
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	}
	return false
}

// Fuzz calls the callback ff once, in a goroutine of its own, with a T and
// arguments that are inputs of the run. If the run goes through several seeds, it calls ff
// with each of them before.
func (f *F) Fuzz(ff any) {
	if f.fuzzed {
		panic("testing: F.Fuzz called more than once")
	}
	f.fuzzed = true
	if f.Failed() {
		return
	}
	fn := reflect.ValueOf(ff)
	if fn.Kind() != reflect.Func {
		panic("testing: F.Fuzz must receive a function")
	}
	typ := fn.Type()
	if typ.NumIn() < 2 || typ.In(0) != reflect.TypeFor[*T]() {
		panic("testing: fuzz target must receive at least two arguments, where the first argument is a *T")
	}
	if typ.NumOut() != 0 {
		panic("testing: fuzz target must not return a value")
	}
	for i := 1; i < typ.NumIn(); i++ {
		if !fuzzable(typ.In(i)) {
			panic(fmt.Sprintf("testing: unsupported type for fuzzing %v", typ.In(i)))
		}
	}

	for n, values := range f.seeds {
		if len(values) != typ.NumIn()-1 {
			f.Fatalf("wrong number of values in corpus entry: %d, want %d", len(values), typ.NumIn()-1)
		}
		for i, v := range values {
			if want := typ.In(i + 1); reflect.TypeOf(v) != want {
				f.Fatalf("mismatched types in corpus entry: %v, want %v", reflect.TypeOf(v), want)
			}
			addSeed(n, paramName(ff, i+1), reflect.ValueOf(v))
		}
	}
	for i, n := range f.given() {
		seedWord(len(f.seeds)+i, givenName(n), 1)
	}
	if err := checkCorpus(ff); err != "" {
		f.Fatal(err)
	}

	for i := 0; beginSeed(i); i++ {
		f.call(fn, ff)
	}
	f.call(fn, ff)
}

// beginSeed reports whether the run first goes through other seeds, of which there are more
// than i: that of number i is then what is drawn until the next call.
func beginSeed(i int) bool

// call calls the callback ff, whose value is fn, with arguments that are drawn.
func (f *F) call(fn reflect.Value, ff any) {
	typ := fn.Type()
	f.status.Or(fuzzing)
	t := &T{
		common:  common{name: f.name, parent: &f.common, level: 1},
		names:   newNames(),
		signal:  make(chan bool, 1),
		barrier: make(chan bool),
	}
	go tRunner(t, func(t *T) {
		args := f.chooseSeed(typ)
		if args == nil {
			for i := 1; i < typ.NumIn(); i++ {
				args = append(args, drawArgument(paramName(ff, i), typ.In(i)))
			}
		}
		fn.Call(append([]reflect.Value{reflect.ValueOf(t)}, args...))
	})
	if !<-t.signal {
		runtime.Goexit()
	}
	f.status.And(^uint32(fuzzing))
}

// given returns the numbers of those arguments of Add that no run draws: strings and slices
// that are too long, nil slices, and slices with a capacity of their own. They are inputs
// as they are.
func (f *F) given() []int {
	var list []int
	for n, values := range f.seeds {
		for _, v := range values {
			drawn := true
			switch v := v.(type) {
			case string:
				drawn = len(v) <= maxLen()
			case []byte:
				drawn = v != nil && len(v) <= maxLen() && cap(v) == cap(bytesOf(len(v)))
			}
			if !drawn {
				list = append(list, n)
				break
			}
		}
	}
	return list
}

// givenName returns the name of the input variable that says that the nth arguments of Add
// are the input.
func givenName(n int) string { return "seed " + strconv.Itoa(n+1) + " of f.Add" }

// chooseSeed returns the arguments of a seed that is the input as it is, for a callback of
// type typ, or nil if the run has another input.
func (f *F) chooseSeed(typ reflect.Type) []reflect.Value {
	for _, n := range f.given() {
		if drawChoice(givenName(n)) {
			var args []reflect.Value
			for _, v := range f.seeds[n] {
				args = append(args, reflect.ValueOf(v))
			}
			return args
		}
	}
	for n := 0; corpusName(n) != ""; n++ {
		long := false
		for i := 1; i < typ.NumIn(); i++ {
			long = long || len(corpusText(n, i-1)) > maxLen()
		}
		if long && drawChoice(corpusName(n)) {
			var args []reflect.Value
			for i := 1; i < typ.NumIn(); i++ {
				v := reflect.New(typ.In(i)).Elem()
				if text := corpusText(n, i-1); v.Kind() == reflect.String {
					v.SetString(text)
				} else if v.Kind() == reflect.Slice {
					v.SetBytes([]byte(text))
				} else {
					setWord(v, corpusWord(n, i-1))
				}
				args = append(args, v)
			}
			return args
		}
	}
	return nil
}
