// Package loops has a loop over a map in each function. The prefix of the function's name says
// when its order can be noticed.
package loops

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

type entry struct {
	n, m int
	name string
	seen bool
	next *entry
}

type counts struct {
	total int
	deep  struct{ n int }
	by    map[string]int
	last  string
}

var global int

// Sums.

func neverSum(m map[string]int) int {
	s := 0
	for _, v := range m {
		s += v
	}
	return s
}

func neverSeveral(m map[string]uint8) (a uint8, b, c, d, e int) {
	for k, v := range m {
		a -= v
		b |= len(k)
		c ^= int(v)
		if len(k) > 3 {
			d++
		}
		e *= int(v) + 1
	}
	return
}

func mattersMixed(m map[string]int) int {
	s := 0
	for _, v := range m {
		s += v
		s *= 2
	}
	return s
}

func mattersFloat(m map[string]float64) float64 {
	s := 0.0
	for _, v := range m {
		s += v
	}
	return s
}

func mattersString(m map[string]bool) string {
	s := ""
	for k := range m {
		s += k
	}
	return s
}

func mattersSubtrahend(m map[string]int) int {
	s := 0
	for _, v := range m {
		s = v - s
	}
	return s
}

func mattersDoubled(m map[string]int) int {
	s := 1
	for _, v := range m {
		s += s + v
	}
	return s
}

func mattersBoth(m map[string]int) (int, int) {
	s, t := 0, 0
	for _, v := range m {
		s += v
		t += s
	}
	return s, t
}

func mattersCondition(m map[string]int) int {
	s := 0
	for _, v := range m {
		if s < 10 {
			s += v
		}
	}
	return s
}

func neverNested(m map[string][]int) int {
	s := 0
	for _, list := range m {
		for _, x := range list {
			if x > 0 {
				s += x
			}
		}
	}
	return s
}

func neverMaps(m map[string]map[string]int) int {
	s := 0
	for _, inner := range m {
		for _, v := range inner {
			s += v
		}
	}
	return s
}

func mattersInner(m map[string]map[string]int) (last []string) {
	for _, inner := range m {
		for k := range inner {
			last = append(last, k)
		}
	}
	return last
}

func neverCaptured(m map[string]int) func() int {
	s := 0
	get := func() int { return s }
	for _, v := range m {
		s += v
	}
	return get
}

func mattersCaptured(m map[string]int) int {
	s := 0
	add := func(n int) { s = 2*s + n }
	for _, v := range m {
		add(v)
	}
	return s
}

func neverField(m map[string]*entry, c *counts) {
	for _, e := range m {
		c.total += e.n
		c.deep.n += e.m
		global++
	}
}

func mattersFieldRead(m map[string]*entry, e *entry) {
	for _, x := range m {
		e.n += x.n
	}
}

func mattersPointer(m map[string]*int, c *counts) {
	for _, p := range m {
		c.total += *p
	}
}

func mattersStruct(m map[string]*counts, c *counts) (all []int) {
	n := 0
	for _, p := range m {
		c.total += 1
		x := *p
		n += x.total
	}
	return []int{n}
}

func neverResult(m map[string]int, mu *sync.Mutex) (n int) {
	mu.Lock()
	defer mu.Unlock()
	for _, v := range m {
		n += v
	}
	return n
}

// Minima and maxima.

func neverMax(m map[string]int) int {
	best := -1
	for _, v := range m {
		if v > best {
			best = v
		}
	}
	return best
}

func neverMinField(m map[string]*entry) int {
	best := 1000
	for _, e := range m {
		if best > e.n {
			best = e.n
		}
	}
	return best
}

func neverLongest(m map[string]int) (n int) {
	for k := range m {
		if len(k) > n {
			n = len(k)
		}
	}
	return n
}

func neverBuiltin(m map[string]int) (lo int, hi string) {
	for k, v := range m {
		lo = min(lo, v)
		hi = max(k, hi)
	}
	return lo, hi
}

func mattersArgmax(m map[string]int) string {
	best, at := -1, ""
	for k, v := range m {
		if v > best {
			best, at = v, k
		}
	}
	return at
}

func mattersOther(m map[string]int) int {
	best := -1
	for k, v := range m {
		if v > best {
			best = len(k)
		}
	}
	return best
}

func mattersMinMax(m map[string]int) int {
	x := 0
	for _, v := range m {
		if v > x {
			x = v
		}
		if v < x {
			x = v
		}
	}
	return x
}

func mattersFloatMax(m map[string]float64) float64 {
	best := 0.0
	for _, v := range m {
		if v > best {
			best = v
		}
	}
	return best
}

func mattersCounted(m map[string]int) (best, n int) {
	for _, v := range m {
		if v > best {
			best = v
			n++
		}
	}
	return
}

// Assignments.

func neverFound(m map[string]int) bool {
	found := false
	for _, v := range m {
		if v > 10 {
			found = true
		}
	}
	return found
}

func neverMark(m map[string]*entry) {
	for _, e := range m {
		e.seen = true
	}
}

func mattersLast(m map[string]int) (last string) {
	for k := range m {
		last = k
	}
	return last
}

func mattersTwo(m map[string]int) (n int) {
	for _, v := range m {
		if v > 10 {
			n = 1
		} else if v > 5 {
			n = 2
		}
	}
	return n
}

func mattersLink(m map[string]*entry) *entry {
	var list *entry
	for _, e := range m {
		e.next = list
		list = e
	}
	return list
}

func mattersLastField(m map[string]int, c *counts) {
	for k := range m {
		c.last = k
	}
}

// Maps.

func neverCopy(m map[string]int) map[string]int {
	c := make(map[string]int, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

func neverMerge(m, to map[string]*entry) {
	for k, v := range m {
		if v == nil {
			continue
		}
		if old, ok := to[k]; !ok || old.n < v.n {
			to[k] = &entry{n: v.n, name: k}
		}
	}
}

func neverSet(m map[string]int) map[int]struct{} {
	set := map[int]struct{}{}
	for _, v := range m {
		set[v] = struct{}{}
	}
	return set
}

func neverUnion(m map[string][]string) map[string]bool {
	set := map[string]bool{}
	for _, list := range m {
		for _, x := range list {
			set[x] = true
		}
	}
	return set
}

func neverCount(m map[string]int) map[int]int {
	n := make(map[int]int)
	for _, v := range m {
		n[v]++
	}
	return n
}

func mattersCountBy(m map[string]int, c *counts) {
	for k := range m {
		c.by[k[:1]] += 2
	}
}

func neverCountBy(m map[string]bool, c *counts) {
	for k := range m {
		c.by[k[:1]] += 2
	}
}

func neverCountByEntry(m map[string]counts) {
	for k := range m {
		m[k].by["x"] |= len(k)
	}
}

func mattersCountTwice(m map[string]int) map[int]int {
	n := make(map[int]int)
	for _, v := range m {
		n[v]++
		n[v+1] *= 2
	}
	return n
}

func neverDelete(m map[string]int, other map[string]int) {
	for k, v := range m {
		if v == 0 {
			delete(m, k)
		}
		delete(other, k)
	}
}

func neverChange(m map[string]int) {
	for k, v := range m {
		m[k] = v * 2
	}
}

func neverAny(m map[string]int) map[any]int {
	c := map[any]int{}
	for k, v := range m {
		c[k] = v
	}
	return c
}

func neverAsserted(m map[any]int) map[string]int {
	c := map[string]int{}
	for k, v := range m {
		c[k.(string)] = v
	}
	return c
}

type label string

// The keys "a" and label("a") are different.
func mattersAsserted(m map[any]int) map[string]int {
	c := map[string]int{}
	for k, v := range m {
		if v > 1 {
			c[string(k.(label))] = v
		} else {
			c[k.(string)] = v
		}
	}
	return c
}

type taggedKey = struct {
	n int `a:""`
}

type plainKey = struct{ n int }

// A map may be converted to one whose keys have no tags: taggedKey{1} and plainKey{1} are different keys, and have one entry.
func mattersKeyTags(m map[any]int) map[taggedKey]int {
	c := map[taggedKey]int{}
	without := map[plainKey]int(c)
	for k, v := range m {
		if v > 1 {
			without[k.(plainKey)] = v
		} else {
			c[k.(taggedKey)] = v
		}
	}
	return c
}

func mattersKeyTagsRead(m map[any]int) (n int) {
	c := map[taggedKey]int{}
	without := map[plainKey]int(c)
	for k, v := range m {
		if v > 1 {
			n += without[k.(plainKey)]
		} else {
			c[k.(taggedKey)] = v
		}
	}
	return n
}

func mattersKeyTagsDeleted(m map[any]int, c map[taggedKey]int) {
	without := map[plainKey]int(c)
	for k, v := range m {
		if v > 1 {
			delete(without, k.(plainKey))
		} else {
			c[k.(taggedKey)] = v
		}
	}
}

func neverKeyTags(m map[any]int) (map[taggedKey]int, map[plainKey]string) {
	c, without := map[taggedKey]int{}, map[plainKey]string{}
	for k, v := range m {
		if v > 1 {
			without[k.(plainKey)] = "b"
		} else {
			c[k.(taggedKey)] = v
		}
	}
	return c, without
}

// All keys that are no strings are the empty one.
func mattersIsString(m map[any]int) map[string]int {
	c := map[string]int{}
	for k, v := range m {
		s, _ := k.(string)
		c[s] = v
	}
	return c
}

func neverGroups(m map[string][]int) map[string]map[int]string {
	c := map[string]map[int]string{}
	for k, list := range m {
		inner := map[int]string{}
		for _, x := range list {
			inner[x] = k
		}
		c[k] = inner
	}
	return c
}

func neverClone(m map[string][]int) map[string][]int {
	c := map[string][]int{}
	for k, list := range m {
		var positive []int
		for _, x := range list {
			if x > 0 {
				positive = append(positive, x)
			}
		}
		c[k] = append([]int(nil), positive...)
	}
	return c
}

func mattersInvert(m map[string]int) map[int]string {
	c := map[int]string{}
	for k, v := range m {
		c[v] = k
	}
	return c
}

func mattersInsert(m map[string]int) {
	for k := range m {
		m[k+"x"] = 1
	}
}

func mattersAlias(m, other map[string]bool) {
	for k := range m {
		other[k+"x"] = true
	}
}

func mattersDeleteOther(m map[string]string) {
	for _, v := range m {
		delete(m, v)
	}
}

func mattersAgain(m map[string]int) {
	for k, v := range m {
		delete(m, k)
		m[k] = v
	}
}

func mattersNaN(m map[float64]int, other map[float64]int) {
	for k, v := range m {
		other[k] = v
	}
}

func mattersZero(m map[string]float64) map[float64]bool {
	set := map[float64]bool{}
	for _, v := range m {
		set[v] = true
	}
	return set
}

func mattersAppendEntry(m map[string]int) map[int][]string {
	c := map[int][]string{}
	for k, v := range m {
		c[v] = append(c[v], k)
	}
	return c
}

func mattersLen(m map[string]int) map[string]int {
	c := map[string]int{}
	for k := range m {
		c[k] = len(c)
	}
	return c
}

func mattersLookup(m map[string]string) map[string]string {
	c := map[string]string{}
	for k, v := range m {
		c[k] = c[v]
	}
	return c
}

func mattersSameType(m map[string]int, other map[string]int) int {
	s := 0
	for k, v := range m {
		other[k] = v
		s += other["a"]
	}
	return s
}

func mattersCallee(m map[string]string, other map[string]string) {
	for k, v := range m {
		other[k] = find(other, v)
	}
}

func find(m map[string]string, k string) string { return m[k] }

// Lists.

func neverKeys(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func neverMadeKeys(m map[int]bool) []int {
	keys := make([]int, 0, len(m))
	for k, v := range m {
		if v {
			keys = append(keys, k, k+1)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	slices.Sort(keys)
	return keys
}

func neverSortedBy(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	return keys
}

func neverFilled(m map[string]int) []string {
	list := make(sort.StringSlice, len(m))
	i := 0
	for k := range m {
		list[i] = string(k)
		i++
	}
	list.Sort()
	return list
}

func neverSortSort(m map[string]int) []string {
	keys := []string{}
	for k := range m {
		keys = append(keys, strings.TrimPrefix(k, "a"))
	}
	sort.Sort(sort.StringSlice(keys))
	return keys
}

func neverSortFunc(m map[string]int) []int {
	var list []int
	for _, v := range m {
		list = append(list, v)
	}
	slices.SortFunc(list, cmp.Compare[int])
	return list
}

func resultKeys(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

func resultSome(m map[string]*entry, all bool) []*entry {
	if !all {
		return nil
	}
	var list []*entry
	n := 0
	for _, e := range m {
		n += e.n
		list = append(list, e)
	}
	if n > 10 {
		return []*entry{}
	}
	return list
}

func mattersTwoResults(m map[string]int) ([]string, string) {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	return keys, "a"
}

func mattersElement(m map[string]int) string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	return keys[0]
}

func mattersAppended(m map[string]int, keys []string) []string {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

func mattersUntilFull(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
		if len(keys) > 3 {
			break
		}
	}
	return keys
}

func mattersSeen(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	fmt.Println(keys)
	sort.Strings(keys)
	return keys
}

func mattersFirst(m map[string]int) (string, []string) {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	first := keys[0]
	sort.Strings(keys)
	return first, keys
}

func mattersSometimes(m map[string]int, sorted bool) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	if sorted {
		sort.Strings(keys)
	}
	return keys
}

func mattersLess(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return len(keys[i]) < len(keys[j]) })
	return keys
}

func mattersFloats(m map[float64]int) []float64 {
	var keys []float64
	for k := range m {
		keys = append(keys, k)
	}
	sort.Float64s(keys)
	return keys
}

func mattersShared(m map[string]int, keys []string) {
	keys = keys[:0]
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
}

func mattersStale(m map[string]int) []string {
	keys := []string{"b", "a"}
	use := func() int { return len(keys) }
	before := keys
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(before)
	use()
	return keys
}

func mattersSkipped(m map[string]int) []string {
	list := make([]string, len(m)+1)
	i := 0
	for k, v := range m {
		if v > 0 {
			list[i] = k
		}
		i++
		if v > 1 {
			i++
		}
	}
	sort.Strings(list)
	return list
}

func mattersPart(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys[1:])
	return keys
}

// Leaving early.

func sharedAll(m map[string]int) bool {
	for _, v := range m {
		if v < 0 {
			return false
		}
	}
	return true
}

func sharedBreak(m, other map[string]int) string {
	found := "no"
	for k, v := range m {
		if other[k] != v {
			found = "yes"
			break
		}
	}
	return found
}

func sharedTwice(m map[string]int, other map[string]int) bool {
	for k, v := range m {
		w, ok := other[k]
		if !ok {
			return false
		}
		if v != w {
			return false
		}
	}
	return true
}

func mattersWhich(m map[string]int) string {
	for k, v := range m {
		if v < 0 {
			return k
		}
	}
	return ""
}

func mattersOnce(m map[string]int) (first string) {
	for k := range m {
		first = k
		break
	}
	return first
}

func mattersEmpty(m map[string]int) bool {
	for range m {
		return false
	}
	return true
}

func mattersTwoWays(m map[string]int) int {
	for _, v := range m {
		if v < 0 {
			return 1
		}
		if v > 10 {
			return 2
		}
	}
	return 0
}

func mattersUntil(m map[string]int) int {
	n := 0
	for _, v := range m {
		if v < 0 {
			break
		}
		n++
	}
	return n
}

func mattersEffect(m, other map[string]int) bool {
	for k, v := range m {
		if v < 0 {
			return false
		}
		other[k] = v
	}
	return true
}

func mattersPanics(m map[string]*entry) bool {
	for _, e := range m {
		if e.n < 0 {
			return false
		}
	}
	return true
}

func mattersUncomparable(m map[string]any) bool {
	for _, e := range m {
		if e == any(1) {
			return false
		}
	}
	return true
}

// Calls.

func neverPure(m map[string]int) int {
	n := 0
	for k, v := range m {
		if strings.HasPrefix(k, "a") {
			n += square(v)
		}
	}
	return n
}

func square(n int) int { return n * n }

func neverMethod(m map[string]*entry) int {
	n := 0
	for _, e := range m {
		n += e.weight()
	}
	return n
}

func (e *entry) weight() int { return 2*e.n + len(e.name) }

func neverFails(t *testing.T, m, want map[string]int) {
	for k, v := range m {
		if want[k] != v {
			t.Errorf("%s: %d, want %v", k, v, []int{want[k]})
		}
		if v == 0 {
			t.Fatal("none")
		}
		if v > 10 {
			t.FailNow()
		}
	}
}

func mattersText(t *testing.T, m map[string]error) {
	for k, err := range m {
		if err != nil {
			t.Error(k, err)
		}
	}
}

func mattersStringer(t *testing.T, m map[string]time.Duration) {
	for k, d := range m {
		if d > 0 {
			t.Error(k, d)
		}
	}
}

func mattersLog(t *testing.T, m map[string]int) {
	for k := range m {
		t.Log(k)
	}
}

func mattersInterface(t testing.TB, m map[string]int) {
	for range m {
		t.Fail()
	}
}

func mattersPrint(m map[string]int) {
	for k := range m {
		fmt.Println(k)
	}
}

func mattersCallback(m map[string]int, f func(string)) {
	for k := range m {
		f(k)
	}
}

func mattersImpure(m map[string]int) int {
	n := 0
	for range m {
		n += impure()
	}
	return n
}

func impure() int {
	global *= 3
	return global
}

func mattersReads(m map[string]int, c *counts) {
	for range m {
		c.total += c.twice()
	}
}

func (c *counts) twice() int { return 2 * c.total }

func mattersClock(m map[string]int) (t time.Time) {
	for range m {
		t = time.Now()
	}
	return t
}

func mattersGo(m map[string]int) {
	for k := range m {
		go fmt.Println(k)
	}
}

func mattersSend(m map[string]int, c chan string) {
	for k := range m {
		c <- k
	}
}

func mattersReceive(m map[string]int, c chan int) int {
	n := 0
	for range m {
		n += <-c
	}
	return n
}

func sharedClose(m map[string]chan int) {
	for _, c := range m {
		close(c)
	}
}

func sharedCloseOwn(m map[chan int]bool, done map[chan int]int) {
	for c := range m {
		close(c)
		done[c] = 1
	}
}

func mattersCloseFirst(m map[string]chan int) {
	for _, c := range m {
		close(c)
		break
	}
}

func mattersCloseReceive(m map[string]chan int) int {
	n := 0
	for _, c := range m {
		close(c)
		n += <-c
	}
	return n
}

func mattersCloseLength(m map[string]chan int) int {
	n := 0
	for _, c := range m {
		close(c)
		n += len(c)
	}
	return n
}

func mattersDefer(m map[string]int) {
	for k := range m {
		defer fmt.Println(k)
	}
}

func resultClosures(m map[string]int) (fs []func()) {
	for k := range m {
		fs = append(fs, func() { fmt.Println(k) })
	}
	return fs
}

func neverClosures(m map[string]int) map[string]func() string {
	fs := map[string]func() string{}
	for k := range m {
		fs[k] = func() string { return strconv.Quote(k) }
	}
	return fs
}

func mattersLeak(m map[string]int) map[string]func() int {
	fs := map[string]func() int{}
	var keys []string
	for k := range m {
		keys = append(keys, k)
		fs[k] = func() int { return len(keys) }
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	return fs
}

func mattersDoubleRead(m map[string]int) (s, t int) {
	inc := func() { s++ }
	inc()
	for _, v := range m {
		s += v
		t += s
	}
	return s, t
}

// Values that are computed in the same way, but not at the same time.

func mattersBefore(m map[string]int, c *counts) (n int) {
	a := c.total
	c.total++
	b := c.total
	for _, v := range m {
		if v == 1 {
			n = a
		} else if v == 2 {
			n = b
		}
	}
	return n
}

func mattersBeforeEntry(m map[string]int, c *counts) map[int]int {
	a := c.total
	c.total++
	b := c.total
	set := map[int]int{}
	for _, v := range m {
		if v > 0 {
			set[1] = a
		} else {
			set[1] = b
		}
	}
	return set
}

func mattersBeforeReturn(m map[string]int, c *counts) int {
	a := c.total
	c.total++
	b := c.total
	for _, v := range m {
		if v == 1 {
			return a
		}
		if v == 2 {
			return b
		}
	}
	return 0
}

func mattersChangedCopy(m map[string]entry) int {
	best := 0
	for _, v := range m {
		e := &v
		n := e.n
		e.n = v.m
		if n > best {
			best = e.n
		}
	}
	return best
}

func mattersGrown(m map[string]int) int {
	best := 0
	for k, v := range m {
		made := map[string]int{}
		n := len(made)
		made[k] = v
		if n >= best {
			best = len(made)
		}
	}
	return best
}

type holder struct{ c *counts }

func mattersMoved(m map[string]int, a, b *counts) {
	for _, v := range m {
		h := &holder{a}
		n := h.c.total + v
		h.c = b
		h.c.total = n
	}
}

func neverSameHolder(m map[string]int, a *counts) {
	for _, v := range m {
		h := &holder{a}
		h.c.total += v
	}
}

func mattersSetLater(m map[string]int, c *counts) map[string]func() string {
	fs := map[string]func() string{}
	for k, v := range m {
		var name string
		c.by[name] = v
		name = k
		fs[k] = func() string { return name }
	}
	return fs
}

func mattersSetSometimes(m map[string]int, c *counts) map[string]func() string {
	fs := map[string]func() string{}
	for k, v := range m {
		var name string
		if v > 1 {
			name = k
		}
		c.by[name] = v
		fs[k] = func() string { return name }
	}
	return fs
}

type tagged struct {
	n int `json:"n"`
}

type untagged struct{ n int }

func mattersTags(m map[string]*untagged, c *tagged) {
	for _, e := range m {
		c.n += e.n
	}
}

// Lists that show in which order they grew.

func mattersOldArray(m map[string]int) []string {
	keys := make([]string, 0, 2)
	before := keys
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	return before[:2]
}

func mattersCapacity(m map[string][]int) int {
	var all []int
	for _, list := range m {
		all = append(all, list...)
	}
	sort.Ints(all)
	return cap(all)
}

func mattersUnevenly(m map[string]int) int {
	var all []int
	for _, v := range m {
		if v > 0 {
			all = append(all, v)
		} else {
			all = append(all, v, v, v, v)
		}
	}
	sort.Ints(all)
	return cap(all)
}

func neverEvenly(m map[string]int) int {
	var all []int
	for k, v := range m {
		if v > 0 {
			all = append(all, v, 1)
		} else {
			all = append(all, v, len(k))
		}
	}
	sort.Ints(all)
	return cap(all)
}

// Other goroutines, and loops without end.

func mattersQueued(m map[string]int, c chan int) int {
	n := 0
	for _, v := range m {
		n += v * len(c)
	}
	return n
}

func mattersQueuedCall(m map[string]int, c chan int) int {
	n := 0
	for _, v := range m {
		n += v * queued(c)
	}
	return n
}

func queued(c chan int) int { return len(c) }

func mattersEndless(m map[string]int) bool {
	for _, v := range m {
		if v == 1 {
			return false
		}
		for n := v; n != 0; n -= 2 {
		}
	}
	return true
}

func sharedRunes(m map[string]int) bool {
	for k := range m {
		for _, r := range k {
			if r > 'z' {
				return false
			}
		}
	}
	return true
}

func mattersInLoop(m map[string]int) string {
	for {
		for k, v := range m {
			if v == 1 {
				return k
			}
			break
		}
	}
}
