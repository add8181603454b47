// This file has functions that loops over maps call. See TestCommutes and TestVisitOf.
package main

import (
	"fmt"
	"maps"
	"sync"
	"testing"
)

type entry struct{ n int }

func eachEntry(m map[string]int, f func(string, int) bool) {
	for k, v := range m {
		if !f(k, v) {
			return
		}
	}
}

// Functions with a loop that only calls a function that it was given. The number is the argument that is the key.

func visit0All(m map[string]int, f func(string, int) bool) {
	for k, v := range m {
		if !f(k, v) {
			return
		}
	}
}

func visit0Unless(m map[string]int, stop func(string) bool) bool {
	for k := range m {
		if !stop(k) {
			return false
		}
	}
	return true
}

func visit1Any(m map[string]int, f func(any, any)) {
	for k, v := range m {
		f(v, k)
	}
}

func visitNone(m map[string]int, f func(int) bool) {
	for _, v := range m {
		if !f(v) {
			break
		}
	}
}

func otherStops(m map[string]int, f func(string, int) bool) {
	for k, v := range m {
		if f(k, v) {
			return
		}
	}
}

func otherCounts(m map[string]int, f func(int, string)) {
	i := 0
	for k := range m {
		f(i, k)
		i++
	}
}

func otherTwo(m map[string]int, f, h func(string)) {
	for k := range m {
		f(k)
		h(k)
	}
}

func otherReads(m map[string]int, e *entry, f func(int)) {
	for range m {
		f(e.n)
	}
}

func otherChanges(m map[string]int, f func(string)) {
	for k := range m {
		f(k)
		f = func(string) {}
	}
}

func otherMethod(m map[string]int, f fmt.Stringer) {
	for range m {
		_ = f.String()
	}
}

func otherLeaves(m map[string]int, f func(string)) {
	for k, v := range m {
		if v > 1 {
			return
		}
		f(k)
	}
}

// Functions whose first literal, or loop over a function, is what is called. Its first argument is the key.

func commutesSum(m map[string]int) int {
	n := 0
	eachEntry(m, func(_ string, v int) bool { n += v; return true })
	return n
}

func commutesLoop(m map[string]int) int {
	n := 0
	for _, v := range maps.All(m) {
		if v < 0 {
			continue
		}
		n += v
	}
	return n
}

func commutesLoopKeys(m map[string]int) map[string]bool {
	set := map[string]bool{}
	for k := range maps.Keys(m) {
		set[k] = true
	}
	return set
}

func commutesSet(m map[string]int) map[string]string {
	set := map[string]string{}
	eachEntry(m, func(k string, v int) bool { set[k] = k; set[k] = k + k; return true })
	return set
}

func commutesConstant(m map[string]int) (found bool) {
	eachEntry(m, func(_ string, v int) bool {
		if v == 7 {
			found = true
		}
		return true
	})
	return found
}

func commutesFails(t *testing.T, m map[string]int) {
	eachEntry(m, func(k string, v int) bool {
		if v < 0 {
			t.Errorf("%s: %d", k, v)
		}
		return true
	})
}

func commutesPanic(m map[string]int) {
	eachEntry(m, func(_ string, v int) bool {
		if v < 0 {
			panic("negative")
		}
		return true
	})
}

func commutesOld(m map[string]int) {
	eachEntry(m, func(k string, _ int) bool { delete(m, k); return true })
}

func commutesNothing(m map[string]int, n int) {
	for k, v := range m {
		func(_ string, v int) { v += n }(k, v)
	}
}

func dependsLast(m map[string]int) (last string) {
	eachEntry(m, func(k string, _ int) bool { last = k; return true })
	return last
}

func dependsLoopLast(m map[string]int) (last string) {
	for k := range maps.Keys(m) {
		last = k
	}
	return last
}

func dependsLoopBreak(m map[string]int) (n int) {
	for _, v := range maps.All(m) {
		if v > 3 {
			break
		}
		n += v
	}
	return n
}

func dependsLoopReturn(m map[string]int) string {
	for k, v := range maps.All(m) {
		if v > 3 {
			return k
		}
	}
	return ""
}

func dependsList(m map[string]int) (list []string) {
	eachEntry(m, func(k string, _ int) bool { list = append(list, k); return true })
	return list
}

func dependsResult(m map[string]int) {
	eachEntry(m, func(_ string, v int) bool { return v > 0 })
}

func dependsCount(m map[string]int, order map[string]int) {
	n := 0
	eachEntry(m, func(k string, _ int) bool { n++; order[k] = n; return true })
}

func dependsFirst(m map[string]int) (first string) {
	set := false
	eachEntry(m, func(k string, _ int) bool {
		if !set {
			first, set = k, true
		}
		return true
	})
	return first
}

func dependsStates(m map[string]int) (n int) {
	state := 0
	eachEntry(m, func(_ string, v int) bool {
		if state == 1 {
			n++
		}
		state = 1
		if v > 1 {
			state = 0
		}
		return true
	})
	return n
}

func dependsBegun(m map[string]int, begun int) (n int) {
	eachEntry(m, func(_ string, v int) bool {
		if begun != 0 {
			n += v
		}
		begun = 0
		return true
	})
	return n
}

func commutesReady(m map[string]int) (n int) {
	busy := 0
	eachEntry(m, func(_ string, v int) bool {
		if busy != 0 {
			panic("busy")
		}
		busy = 1
		n += v
		busy = 0
		return true
	})
	return n
}

func dependsOther(m map[string]int, to map[int]string) {
	eachEntry(m, func(k string, v int) bool { to[v] = k; return true })
}

func dependsSame(m map[string]int) {
	eachEntry(m, func(k string, v int) bool { m["first"] = v; return true })
}

func dependsLock(m map[string]int, mu *sync.Mutex) (n int) {
	eachEntry(m, func(_ string, v int) bool { mu.Lock(); n += v; mu.Unlock(); return true })
	return n
}

func dependsDefer(m map[string]int) (n int) {
	eachEntry(m, func(_ string, v int) bool { defer func() { n = 2*n + v }(); return true })
	return n
}

func dependsCloses(m map[string]int, to map[string]chan bool) {
	eachEntry(m, func(k string, _ int) bool { close(to[k]); return true })
}

func dependsCalls(m map[string]int, f func(string)) {
	eachEntry(m, func(k string, _ int) bool { f(k); return true })
}

func dependsPointer(m map[string]int, p *string) {
	eachEntry(m, func(k string, _ int) bool { *p = k; return true })
}

func dependsBoth(m map[string]int) (n, sum int) {
	eachEntry(m, func(_ string, v int) bool { n += v; sum += n; return true })
	return n, sum
}

func eachAny(m map[any]any, f func(any, any) bool) {
	for k, v := range m {
		if !f(k, v) {
			return
		}
	}
}

func floatsOwn(m, to map[any]any) {
	eachAny(m, func(k, v any) bool { to[k] = v; return true })
}

func floatsSame(m map[any]any) {
	eachAny(m, func(k, v any) bool { m["first"] = v; return true })
}

func floatsAsserted(m map[any]any, to map[float64]any) {
	eachAny(m, func(k, v any) bool { to[k.(float64)] = v; return true })
}
