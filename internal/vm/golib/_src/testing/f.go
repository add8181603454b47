package testing

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
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
		f.status.Or(done)
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
// arguments that are inputs of the run.
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

	f.status.Or(fuzzing)
	t := &T{
		common:  common{name: f.name, parent: &f.common, level: 1},
		names:   newNames(),
		signal:  make(chan bool, 1),
		barrier: make(chan bool),
	}
	go tRunner(t, func(t *T) {
		args := []reflect.Value{reflect.ValueOf(t)}
		for i := 1; i < typ.NumIn(); i++ {
			args = append(args, draw(paramName(ff, i), typ.In(i)))
		}
		fn.Call(args)
	})
	if !<-t.signal {
		runtime.Goexit()
	}
	f.status.And(^uint32(fuzzing))
}
