package vm_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm/testdata/mapchange"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// An enumerator goes through all values of all decisions about values, one
// combination a run.
type enumerator struct {
	chosen, bounds []int
	at             int
}

func (e *enumerator) Choose(p *run.SchedulingPoint) int {
	if p.Kind != run.Value {
		return 0
	}
	if e.at == len(e.chosen) {
		e.chosen = append(e.chosen, 0)
		e.bounds = append(e.bounds, p.N)
	}
	e.at++
	return e.chosen[e.at-1]
}

// next goes on to the next combination. It is false when there is none.
func (e *enumerator) next() bool {
	e.at = 0
	for i := len(e.chosen) - 1; i >= 0; i-- {
		if e.chosen[i]++; e.chosen[i] < e.bounds[i] {
			e.chosen, e.bounds = e.chosen[:i+1], e.bounds[:i+1]
			return true
		}
	}
	return false
}

// Small maps are iterated in every order, larger ones from every entry on.
func TestMapOrders(t *testing.T) {
	var out bytes.Buffer
	m := bootOwn(t, "testdata/maporder/order.go", &out, run.Limits{})
	seen := make(map[string]bool)
	e := &enumerator{}
	for more := true; more; more = e.next() {
		out.Reset()
		trace, err := m.Run(t.Context(), &run.Plan{}, e)
		if err != nil || trace.Outcome != run.Finished {
			t.Fatal(err, trace)
		}
		if seen[out.String()] {
			t.Errorf("the order %s came twice", &out)
		}
		seen[out.String()] = true
		if len(trace.GivenUp) != 1 {
			t.Errorf("given up: %v, not just the orders of the map of thirteen", trace.GivenUp)
		}
		// The decisions alone bring the order back.
		want := out.String()
		out.Reset()
		if _, err := m.Run(t.Context(), &run.Plan{Prefix: trace.Decisions}, run.NonPreemptive{}); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("replayed %s as %s", want, &out)
		}
	}
	if want := 6 * 2 * 13; len(seen) != want {
		t.Errorf("%d orders, not %d", len(seen), want)
	}
	for _, order := range []string{"abc de ABCDEFGHIJKLM\n", "cba ed MABCDEFGHIJKL\n", "bca de CDEFGHIJKLMAB\n"} {
		if !seen[order] {
			t.Errorf("the order %s did not come", order)
		}
	}
}

// A loop that changes the map over which it iterates visits the entries as the
// specification allows. A small map is iterated in every way that it allows, and nothing
// that gc does is missing.
func TestMapChanges(t *testing.T) {
	p, err := ownPrograms()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	m := vmtest.Boot(t, p.Code, vmtest.Function(p.Packages["testdata/maporder/change.go"].SSA, "main"), run.Settings{Concrete: true}, &out)
	bounded := 0
	for seed := range sample.Of(600, 400, 60) {
		grow := seed%2 == 1
		input := run.Input{"seed": uint64(seed), "grow": 0}
		if grow {
			input["grow"] = 1
		}
		size := mapchange.Size(uint64(seed))
		want := make(map[string]bool)
		if size < 4 {
			changes{seed: uint64(seed), sequences: want}.from(newEntries(size), "")
		}
		got := make(map[string]bool)
		e := &enumerator{}
		for more := true; more; more = e.next() {
			out.Reset()
			trace, err := m.Run(t.Context(), &run.Plan{Input: input}, e)
			if err != nil || trace.Outcome != run.Finished || len(trace.GivenUp) > 0 && size < 4 {
				t.Fatal(err, trace)
			}
			if size >= 4 && !allows(uint64(seed), newEntries(size), strings.Fields(out.String())) {
				t.Fatalf("seed %d: the machine visits %q", seed, &out)
			}
			if trace.Bounds.Has(run.MapAdditions) {
				bounded++
			}
			got[out.String()] = true
		}
		if size >= 4 {
			continue
		}
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: the machine visits %q, the specification allows %q", seed, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
		for range 20 {
			text, n := "", 0
			mapchange.Run(uint64(seed), grow, func(key int) {
				text += fmt.Sprint(key, " ")
				n++
			})
			if !got[text] && n <= 4 {
				t.Fatalf("seed %d: natively the loop visits %q, in the machine %q", seed, text, slices.Sorted(maps.Keys(got)))
			}
		}
	}
	if bounded == 0 {
		t.Error("no iteration visited more entries than the bound")
	}
}

// entries are the entries of a map in the middle of an iteration.
type entries map[int]struct{ visited, added bool }

// newEntries returns the entries of a map with n keys when an iteration begins.
func newEntries(n int) entries {
	m := make(entries)
	for i := range n {
		m[i] = struct{ visited, added bool }{}
	}
	return m
}

// visit changes the entries as the loop does when it visits k.
func (m entries) visit(seed uint64, k int) {
	e := m[k]
	e.visited = true
	m[k] = e
	change := mapchange.At(seed, k)
	for _, d := range change.Delete {
		delete(m, d)
	}
	if change.Clear {
		clear(m)
	}
	for _, i := range change.Insert {
		if _, ok := m[i]; !ok && i >= 0 {
			m[i] = struct{ visited, added bool }{added: true}
		}
	}
}

// allows reports whether the specification allows the loop of a seed to visit keys.
func allows(seed uint64, m entries, keys []string) bool {
	for _, key := range keys {
		k, err := strconv.Atoi(key)
		if e, ok := m[k]; err != nil || !ok || e.visited {
			return false
		}
		m.visit(seed, k)
	}
	for _, e := range m {
		if !e.visited && !e.added {
			return false
		}
	}
	return true
}

// changes enumerates the sequences of keys that the specification allows a loop of package
// mapchange to visit.
type changes struct {
	seed      uint64
	added     int // visited entries that were made during the iteration
	sequences map[string]bool
}

// from adds the sequences that begin with the keys in visited and go on from m.
func (c changes) from(m entries, visited string) {
	mayEnd := true
	for _, k := range slices.Sorted(maps.Keys(m)) {
		e := m[k]
		if e.visited {
			continue
		}
		next := c
		if e.added {
			if next.added++; next.added > 4 {
				continue
			}
		} else {
			mayEnd = false
		}
		after := maps.Clone(m)
		after.visit(c.seed, k)
		next.from(after, visited+fmt.Sprint(k, " "))
	}
	if mayEnd {
		c.sequences[visited] = true
	}
}
