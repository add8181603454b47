// Package haxmap has tests of github.com/alphadose/haxmap, "a lightning fast concurrent
// hashmap".
package haxmap

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/alphadose/haxmap"
)

// TestGetOrSet: "GetOrSet returns the existing value for the key if present. Otherwise, it
// stores and returns the given value." It looks and stores in two steps.
func TestGetOrSet(t *testing.T) {
	m := haxmap.New[int, int]()
	var wg sync.WaitGroup
	var a, b bool
	wg.Go(func() { _, a = m.GetOrSet(1, 1) })
	wg.Go(func() { _, b = m.GetOrSet(1, 2) })
	wg.Wait()
	if a == b {
		t.Error("both goroutines stored their value")
	}
}

// TestGetOrCompute: "the value constructor is called only once".
func TestGetOrCompute(t *testing.T) {
	m := haxmap.New[int, int]()
	var calls atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			m.GetOrCompute(1, func() int {
				calls.Add(1)
				return 1
			})
		})
	}
	wg.Wait()
	if n := calls.Load(); n != 1 {
		t.Errorf("the constructor was called %d times", n)
	}
}

// TestSet: a key that is set while its neighbour is deleted is not found afterwards.
func TestSet(t *testing.T) {
	m := haxmap.New[int, int]()
	m.SetHasher(func(k int) uintptr { return uintptr(k) })
	m.Set(1, 1)
	var wg sync.WaitGroup
	wg.Go(func() { m.Set(2, 2) })
	wg.Go(func() { m.Del(1) })
	wg.Wait()
	if _, ok := m.Get(2); !ok {
		t.Errorf("the key was set and is not found, in a map of %d", m.Len())
	}
}

// TestGetAndDel: "GetAndDel deletes the key from the map, returning the previous value if
// any." Two calls both return the value of one key.
func TestGetAndDel(t *testing.T) {
	m := haxmap.New[int, int]()
	m.Set(1, 1)
	var wg sync.WaitGroup
	var a, b bool
	wg.Go(func() { _, a = m.GetAndDel(1) })
	wg.Go(func() { _, b = m.GetAndDel(1) })
	wg.Wait()
	if a == b {
		t.Error("both goroutines took the one value")
	}
}
