// Package mapset has tests of github.com/deckarep/golang-set: "Operations on the resulting
// set are thread-safe."
package mapset

import (
	"sync"
	"testing"

	mapset "github.com/deckarep/golang-set/v2"
)

// TestEqualSelf: a set that is compared with itself takes its read lock twice. A writer
// that comes in between waits for the first, and the second waits for the writer.
func TestEqualSelf(t *testing.T) {
	s := mapset.NewSet(1)
	var wg sync.WaitGroup
	wg.Go(func() { s.Equal(s) })
	wg.Go(func() { s.Add(2) })
	wg.Wait()
}

// TestTwoSets: the same with two sets, whose locks are taken in opposite orders.
func TestTwoSets(t *testing.T) {
	a, b := mapset.NewSet(1), mapset.NewSet(1)
	var wg sync.WaitGroup
	wg.Go(func() { a.Union(b) })
	wg.Go(func() { b.Union(a) })
	wg.Go(func() { a.Add(2) })
	wg.Go(func() { b.Add(2) })
	wg.Wait()
}
