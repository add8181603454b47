package driver

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// A linearTest is what is called on values of one type. An O is a value of the type with the
// arguments that calls on it have.
type linearTest[O any] struct {
	of    string // the type
	makes []linearMake[O]
	calls []linearCall[O]
	// pointers returns the pointers that an object and the arguments of calls on it are. Results that are
	// one of them are told apart from other pointers.
	pointers func(O) []unsafe.Pointer
	names    []string // of these
	// starts are the states from which histories begin, each the number of a constructor and those of calls after it. If there are none, what
	// constructors make is where they begin.
	starts [][]int
	// draw draws the value with which histories begin, of which a constructor then makes copies; nil if that is not so.
	draw  func(linearT)
	model *linearModel // nil if a history is compared with the calls made alone
}

// A linearMake is a call of a constructor.
type linearMake[O any] struct {
	name string
	make func() (o O, ok bool) // ok is false if the constructor returns an error or panics
}

// A linearCall is a call of a method with certain arguments.
type linearCall[O any] struct {
	name   string
	method string
	args   func(O) []any
	do     func(O, *linearResult)
}

// A linearT is a testing.T.
type linearT interface {
	Helper()
	Error(args ...any)
	Skip(args ...any)
}

// linearPatience is how long goroutines are waited for that get no further. A timer fires only when nothing
// else can happen, or when that has been kept waiting for this long.
const linearPatience = time.Hour

// linearEnds runs f in a goroutine, and reports whether f ends before nothing can happen any more.
func linearEnds(f func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
		return true
	case <-time.After(linearPatience):
		return false
	}
}

// run makes the calls of h on o, and reports whether they are a history: those that are made before there are several goroutines have all
// returned, and so have those that are to return before others are made.
//
// A call waits for those that are to return before it is made, and for no others, so that each order of calls in time is
// searched with as few orders of the steps as possible. That calls return before others are made is not observed: a history with
// fewer such pairs than were there by chance is explained by more sequences, and the one that has them all
// is another choice. Calls that do not wait for each other are ordered by nothing but what they do: a search of all orders sees their data races.
func (l *linearTest[O]) run(o O, h *linearHistory) bool {
	if h.alone > 0 {
		sequence := make([]int, h.alone)
		for i := range sequence {
			sequence[i] = i
		}
		if l.runAlone(o, h, sequence, func(int) bool { return true }) < h.alone {
			return false
		}
	}
	goroutines := len(h.first) - 1
	if goroutines == 0 {
		return true
	}
	returned := make([]atomic.Int32, goroutines)
	ended := h.ends()
	linearEnds(func() {
		var all sync.WaitGroup
		all.Add(goroutines)
		for g := range goroutines {
			go l.linearGoroutine(o, h, g, ended, &returned[g], &all)
		}
		all.Wait()
	})
	for g := range goroutines {
		for i := range int(returned[g].Load()) { // which orders what follows after the calls
			h.ops[h.first[g]+i].returned = true
		}
	}
	for _, op := range h.pending() {
		for i, before := range h.ops[op].before {
			if before && !h.ops[i].returned {
				return false
			}
		}
	}
	return true
}

// runAlone makes calls of h on o one after another, until one blocks or after returns false, which is called after each
// with its index in the sequence. It returns the number of calls that have returned.
func (l *linearTest[O]) runAlone(o O, h *linearHistory, sequence []int, after func(at int) bool) int {
	var returned atomic.Int32
	linearEnds(func() {
		for at, op := range sequence {
			c := &h.ops[op]
			c.result = linearResult{}
			l.calls[c.index].do(o, &c.result)
			more := after(at)
			returned.Store(int32(at + 1))
			if !more {
				return
			}
		}
	})
	n := int(returned.Load()) // a call that is blocked may change what is its own still
	for _, op := range sequence[:n] {
		h.ops[op].returned = true
	}
	return n
}

// linearGoroutine makes the calls of a goroutine of h. Package narrative knows its name: it tells what such goroutines do.
func (l *linearTest[O]) linearGoroutine(o O, h *linearHistory, g int, ended []chan struct{}, returned *atomic.Int32, all *sync.WaitGroup) {
	defer all.Done()
	for op := h.first[g]; op < h.first[g+1]; op++ {
		for _, i := range h.waits(op) {
			<-ended[i]
		}
		c := &h.ops[op]
		c.result = linearResult{}
		l.calls[c.index].do(o, &c.result)
		returned.Store(int32(op - h.first[g] + 1))
		if ended[op] != nil {
			close(ended[op])
		}
	}
}

// chosen returns the number below n that a choice is, negative if it is none.
func linearChosen(n int, choice uint8) int {
	for i := range n {
		if choice == uint8(i) {
			return i
		}
	}
	return -1
}

// start returns the constructor and the calls before all others that a number chooses, and draws the value of which the
// constructor makes copies. Ok is false if it chooses none.
func (l *linearTest[O]) start(t linearT, choice uint8) (make int, before []int, ok bool) {
	t.Helper()
	if l.starts != nil {
		if at := linearChosen(len(l.starts), choice); at >= 0 {
			return l.starts[at][0], l.starts[at][1:], true
		}
		return 0, nil, false
	}
	if make = linearChosen(len(l.makes), choice); make < 0 {
		return 0, nil, false
	}
	if l.draw != nil {
		l.draw(t)
	}
	return make, nil, true
}

// try makes a history of a size and reports it to t if no order of its calls explains it. The choice is that of a constructor, and then
// those of plan and of an order.
func (l *linearTest[O]) try(t linearT, size linearSize, choice ...uint8) {
	t.Helper()
	make, before, ok := l.start(t, choice[0])
	if !ok {
		return
	}
	h, same, choice := l.plan(size, before, choice[1:])
	if h == nil {
		return
	}
	var outcomes []linearOutcome
	order := 0
	if size.orders != nil {
		outcomes, order = l.orderUseful(make, h, size.orders, same, choice)
	} else {
		h.orderAny(same, choice)
	}
	o, ok := l.makes[make].make()
	if !ok || !l.run(o, h) {
		return
	}
	h.known, h.object = l.pointers(o), o
	if outcomes != nil && len(h.pending()) == 0 && size.orders.explained(h, outcomes, order) {
		return
	}
	if e, blocked := l.check(make, h); !e.found {
		linearFails(t, l.describe(make, h, blocked, e))
	}
}

// linearFails reports to t a history that nothing explains. Package check knows its name: that is a kind of finding.
func linearFails(t linearT, history string) {
	t.Helper()
	t.Error(history)
}

// check looks for what explains a history. If nothing does, blocked is the call for which there is nothing, negative
// if that is all calls that have returned.
func (l *linearTest[O]) check(make int, h *linearHistory) (e linearExplanation, blocked int) {
	if l.model != nil {
		return l.follow(h), -1
	}
	pending := h.pending()
	if len(pending) == 0 {
		return l.explain(make, h, -1), -1
	}
	for _, blocked = range pending {
		if e = l.explain(make, h, blocked); !e.found {
			return e, blocked
		}
	}
	return e, -1
}

// repeat makes calls twice, which the arguments choose: a constructor, and calls.
func (l *linearTest[O]) repeat(t linearT, n int, choice ...uint8) {
	t.Helper()
	make := linearChosen(len(l.makes), choice[0])
	h, _, _ := l.plan(linearSize{alone: n}, nil, choice[1:])
	if make < 0 || h == nil {
		return
	}
	if l.draw != nil {
		l.draw(t)
	}
	var calls []int
	for i := range h.ops {
		calls = append(calls, h.ops[i].index)
	}
	if different := l.twice(make, calls); different != "" {
		t.Error(different)
	}
}

// again makes the calls of a history twice, in an order that the arguments choose: each is the place of a call among
// those that are left.
func (l *linearTest[O]) again(t linearT, make int, calls []int, choice ...uint8) {
	t.Helper()
	var order []int
	left := append([]int(nil), calls...)
	for _, c := range choice {
		at := -1
		for i := range left {
			if c == uint8(i) {
				at = i
				break
			}
		}
		if at < 0 {
			return
		}
		order = append(order, left[at])
		left = append(left[:at:at], left[at+1:]...)
	}
	if l.draw != nil {
		l.draw(t)
	}
	if different := l.twice(make, order); different != "" {
		t.Error(different)
	}
}

// twice makes calls on each of two values that are made in the same way, and says what is different, if anything is.
func (l *linearTest[O]) twice(make int, calls []int) string {
	first, second := linearSequence(calls), linearSequence(calls)
	o, ok := l.makes[make].make()
	if !ok {
		return ""
	}
	first.known = l.pointers(o)
	l.run(o, first)
	other, ok := l.makes[make].make()
	if !ok {
		return l.describeRepeat(make, first, -1, "is made", "is not")
	}
	second.known = l.pointers(other)
	l.run(other, second)
	same := linearSame{}
	same.begin(first.known, second.known)
	for i := range first.ops {
		a, b := &first.ops[i], &second.ops[i]
		if a.returned != b.returned || a.returned && !same.results(&a.result, &b.result) {
			return l.describeRepeat(make, first, i, l.ending(first, i), l.ending(second, i))
		}
		if !a.returned {
			break
		}
	}
	return ""
}

// linearSequence returns the history of calls that are made alone.
func linearSequence(calls []int) *linearHistory {
	h := &linearHistory{ops: make([]linearOp, len(calls)), alone: len(calls), first: []int{len(calls)}}
	for i, c := range calls {
		h.ops[i] = linearOp{index: c, goroutine: -1, before: make([]bool, len(calls))}
	}
	return h
}

// ending says what a call gives, or that it blocks.
func (l *linearTest[O]) ending(h *linearHistory, op int) string {
	if !h.ops[op].returned {
		return " blocks"
	}
	return l.texts(h)[op]
}

// A linearExplanation says whether a sequence of calls explains a history.
type linearExplanation struct {
	found bool
	// The sequence that gives most of what the history has, and what it gives otherwise.
	longest []int
	instead string
}

// explain looks for a sequence of the calls that have returned, with one that is blocked at the end unless that is
// negative, such that they give the same results, or block, if each is made alone, and such that a call comes after those
// that had returned when it was made (Burckhardt, Dern, Musuvathi and Tan, Line-Up, PLDI 2010, sections 2.2 and 2.3).
func (l *linearTest[O]) explain(make int, h *linearHistory, blocked int) linearExplanation {
	n := h.count()
	var e linearExplanation
	for order := h.extend([]int{}, n, -1); order != nil; {
		sequence := order
		if blocked >= 0 {
			sequence = append(slices.Clip(order), blocked)
		}
		same, instead := l.compare(make, h, sequence, blocked)
		if same == len(sequence) {
			e.found = true
			return e
		}
		if same >= len(e.longest) {
			e.longest, e.instead = sequence[:same+1], instead
		}
		order = h.next(order, min(same, n-1), n)
	}
	return e
}

// count returns the number of calls that have returned.
func (h *linearHistory) count() int {
	n := 0
	for i := range h.ops {
		if h.ops[i].returned {
			n++
		}
	}
	return n
}

// extend completes a sequence to one of n calls; its last one is followed in the numbers of calls by the one after least. It returns
// nil if that is not possible.
func (h *linearHistory) extend(order []int, n, least int) []int {
	order = append([]int{}, order...)
	for len(order) < n {
		next := -1
		for i := least + 1; i < len(h.ops) && next < 0; i++ {
			if h.ops[i].returned && !slices.Contains(order, i) && h.ready(order, i) {
				next = i
			}
		}
		if next < 0 {
			return nil
		}
		order, least = append(order, next), -1
	}
	return order
}

// next returns the sequence after the given one that differs from it at an index or before that, nil if there is none.
func (h *linearHistory) next(order []int, at, n int) []int {
	for ; at >= 0; at-- {
		if found := h.extend(order[:at], n, order[at]); found != nil {
			return found
		}
	}
	return nil
}

// ready reports whether a call can come after those in order: all that had returned when it was made are there.
func (h *linearHistory) ready(order []int, op int) bool {
	for i, before := range h.ops[op].before {
		if before && !slices.Contains(order, i) {
			return false
		}
	}
	return true
}

// compare makes calls on a value, each alone, and returns how many of them, from the first, have the same results
// as in the history, or block if they are to be blocked, and what comes in the place of what is different.
func (l *linearTest[O]) compare(make int, h *linearHistory, sequence []int, blocked int) (same int, instead string) {
	o, ok := l.makes[make].make()
	if !ok {
		return 0, "the constructor fails"
	}
	alone := &linearHistory{known: l.pointers(o)}
	for i := range h.ops {
		alone.ops = append(alone.ops, linearOp{index: h.ops[i].index})
	}
	var results linearSame
	results.begin(h.known, alone.known)
	differs := false
	n := l.runAlone(o, alone, sequence, func(at int) bool {
		op := sequence[at]
		differs = op == blocked || !results.results(&h.ops[op].result, &alone.ops[op].result)
		return !differs
	})
	switch {
	case n < len(sequence) && (n == 0 || !differs): // it blocks
		if op := sequence[n]; op != blocked {
			return n, l.calls[h.ops[op].index].name + " blocks"
		}
		return len(sequence), ""
	case differs:
		op := sequence[n-1]
		instead = l.calls[h.ops[op].index].name + l.texts(alone)[op]
		if op == blocked {
			instead += " does not block"
		}
		return n - 1, instead
	}
	return n, ""
}
