package sync

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
)

// TestMap compares a map with one of the standard library, for operations at random.
func TestMap(t *testing.T) {
	type aMap interface {
		Load(key any) (any, bool)
		Store(key, value any)
		Clear()
		LoadOrStore(key, value any) (any, bool)
		LoadAndDelete(key any) (any, bool)
		Delete(key any)
		Swap(key, value any) (any, bool)
		CompareAndSwap(key, old, new any) bool
		CompareAndDelete(key, old any) bool
		Range(f func(key, value any) bool)
	}
	do := func(m aMap, seed uint64) (list []string) {
		r := rand.New(rand.NewPCG(seed, 3))
		keys, values := []any{1, "a", 2.5, nil, []int{1}}, []any{nil, 1, "b"}
		for range 200 {
			key, v, w := keys[r.IntN(len(keys))], values[r.IntN(len(values))], values[r.IntN(len(values))]
			op := r.IntN(10)
			func() {
				defer func() { list = append(list, fmt.Sprint(op, key, v, w, " panics: ", recover() != nil)) }()
				switch op {
				case 0:
					list = append(list, fmt.Sprint(m.Load(key)))
				case 1:
					m.Store(key, v)
				case 2:
					m.Clear()
				case 3:
					list = append(list, fmt.Sprint(m.LoadOrStore(key, v)))
				case 4:
					list = append(list, fmt.Sprint(m.LoadAndDelete(key)))
				case 5:
					m.Delete(key)
				case 6:
					list = append(list, fmt.Sprint(m.Swap(key, v)))
				case 7:
					list = append(list, fmt.Sprint(m.CompareAndSwap(key, v, w)))
				case 8:
					list = append(list, fmt.Sprint(m.CompareAndDelete(key, v)))
				case 9:
					var has []string
					most := r.IntN(5)
					m.Range(func(key, value any) bool {
						if has = append(has, fmt.Sprint(key, value)); most > 3 {
							m.Store(key, v)
						}
						return len(has) <= most
					})
					if slices.Sort(has); len(has) <= most {
						list = append(list, has...)
					}
					list = append(list, fmt.Sprint(len(has)))
				}
			}()
		}
		return list
	}
	for seed := range uint64(30) {
		if got, want := do(new(Map), seed), do(new(sync.Map), seed); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %q, want %q", seed, got, want)
		}
	}
}

// TestMethods fails if a type of the standard library has something that the one in its place has not.
func TestMethods(t *testing.T) {
	for _, c := range [][2]any{{new(Map), new(sync.Map)}, {new(Pool), new(sync.Pool)}} {
		got, want := reflect.TypeOf(c[0]), reflect.TypeOf(c[1])
		if got.String() != want.String() || got.NumMethod() != want.NumMethod() {
			t.Errorf("%s has %d methods, and %s has %d", got, got.NumMethod(), want, want.NumMethod())
		}
		for m := range want.NumMethod() {
			if w := want.Method(m); got.Method(m).Name != w.Name || got.Method(m).Type.NumIn() != w.Type.NumIn() {
				t.Errorf("%s: %v, want %v", got, got.Method(m), w)
			}
		}
		for f := range want.Elem().NumField() {
			if w := want.Elem().Field(f); w.IsExported() {
				if f, ok := got.Elem().FieldByName(w.Name); !ok || f.Type != w.Type {
					t.Errorf("%s has no field %s %s", got, w.Name, w.Type)
				}
			}
		}
	}
}
