package driver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/anishathalye/porcupine"
)

// An object has cells with numbers, or a queue of them: what is called on either is deterministic.
type object struct {
	cell  int
	other int
	queue []int
}

// A kind of objects: calls, and what each gives if it is made in a state.
type kind struct {
	name  string
	calls []string
	step  func(o *object, call string) []int
}

var kinds = []kind{
	{"register", []string{"set 1", "set 2", "get", "swap 1", "swap 2"}, func(o *object, call string) []int {
		var n int
		switch op, _, _ := strings.Cut(call, " "); op {
		case "set":
			fmt.Sscanf(call, "set %d", &o.cell)
		case "get":
			return []int{o.cell}
		case "swap":
			fmt.Sscanf(call, "swap %d", &n)
			n, o.cell = o.cell, n
			return []int{n}
		}
		return nil
	}},
	{"queue", []string{"push 1", "push 2", "pop", "len"}, func(o *object, call string) []int {
		switch call {
		case "pop":
			if len(o.queue) == 0 {
				return []int{0, 0}
			}
			n := o.queue[0]
			o.queue = o.queue[1:]
			return []int{n, 1}
		case "len":
			return []int{len(o.queue)}
		}
		var n int
		fmt.Sscanf(call, "push %d", &n)
		o.queue = append(o.queue, n)
		return nil
	}},
	{"registers", []string{"a set 1", "a get", "b set 1", "b set 2", "b get"}, func(o *object, call string) []int {
		cell := &o.cell
		if call[0] == 'b' {
			cell = &o.other
		}
		if call[2:] == "get" {
			return []int{*cell}
		}
		fmt.Sscanf(call[2:], "set %d", cell)
		return nil
	}},
}

// subject returns a test of objects of the kind.
func (k kind) subject() *linearTest[*object] {
	l := &linearTest[*object]{
		of:       k.name,
		makes:    []linearMake[*object]{{"new", func() (*object, bool) { return &object{}, true }}},
		pointers: func(*object) []unsafe.Pointer { return nil },
	}
	for _, c := range k.calls {
		l.calls = append(l.calls, linearCall[*object]{
			name: c, method: c, args: func(*object) []any { return nil },
			do: func(o *object, r *linearResult) { r.add(anys(k.step(o, c))...) },
		})
	}
	return l
}

// model returns what porcupine needs to know of the kind. Its states are texts.
func (k kind) model() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "0 0 []" },
		Step: func(state, input, output any) (bool, any) {
			var o object
			cells, queue, _ := strings.Cut(state.(string), " [")
			fmt.Sscan(cells, &o.cell, &o.other)
			for n := range strings.FieldsSeq(strings.Trim(queue, "]")) {
				o.queue = append(o.queue, int(n[0]-'0'))
			}
			got := k.step(&o, input.(string))
			return fmt.Sprint(anys(got)) == fmt.Sprint(output), fmt.Sprint(o.cell, o.other, o.queue)
		},
	}
}

// divided returns the model of a kind whose calls begin with the name of a register. The history is divided by these names, and the
// states are those of a single register, whatever it is called.
func (k kind) divided() porcupine.Model {
	m := k.model()
	whole := m.Step
	m.Step = func(state, input, output any) (bool, any) { return whole(state, "a"+input.(string)[1:], output) }
	m.Partition = func(history []porcupine.Operation) [][]porcupine.Operation {
		parts := make([][]porcupine.Operation, 2)
		for _, op := range history {
			of := op.Input.(string)[0] - 'a'
			parts[of] = append(parts[of], op)
		}
		return parts
	}
	m.PartitionEvent = func(history []porcupine.Event) [][]porcupine.Event {
		parts := make([][]porcupine.Event, 2)
		of := map[int]byte{} // only calls have an input
		for _, e := range history {
			if e.Kind == porcupine.CallEvent {
				of[e.Id] = e.Value.(string)[0] - 'a'
			}
			parts[of[e.Id]] = append(parts[of[e.Id]], e)
		}
		return parts
	}
	return m
}

func anys(list []int) []any {
	out := []any{}
	for _, n := range list {
		out = append(out, n)
	}
	return out
}

// generate returns a history of random calls: they take effect at some point between call and return and, in some
// histories, one gives what another state would give.
func (k kind) generate(r *rand.Rand, l *linearTest[*object]) (*linearHistory, []porcupine.Operation) {
	type event struct {
		op   int
		what byte // call, effect, return
	}
	goroutines := 2 + r.IntN(2)
	each := 1 + r.IntN(3)
	h := &linearHistory{}
	pending := make([][]event, goroutines)
	for g := range goroutines {
		h.first = append(h.first, len(h.ops))
		for range each {
			op := len(h.ops)
			h.ops = append(h.ops, linearOp{index: r.IntN(len(k.calls)), goroutine: g, returned: true})
			pending[g] = append(pending[g], event{op, 'c'}, event{op, 'e'}, event{op, 'r'})
		}
	}
	h.first = append(h.first, len(h.ops))
	n := len(h.ops)
	ops := make([]porcupine.Operation, n)
	returned := make([]bool, n)
	o := &object{}
	for now := int64(0); ; {
		var ready []int
		for g := range pending {
			if len(pending[g]) > 0 {
				ready = append(ready, g)
			}
		}
		if len(ready) == 0 {
			break
		}
		now++
		g := ready[r.IntN(len(ready))]
		e := pending[g][0]
		pending[g] = pending[g][1:]
		call := k.calls[h.ops[e.op].index]
		switch e.what {
		case 'c':
			ops[e.op] = porcupine.Operation{ClientId: g, Input: call, Call: now}
			h.ops[e.op].before = append([]bool(nil), returned...)
		case 'e':
			on := o
			if r.IntN(6) == 0 {
				on = &object{cell: r.IntN(3), other: r.IntN(3), queue: []int{1, 2}[r.IntN(3):]} // a mistake
			}
			out := anys(k.step(on, call))
			h.ops[e.op].result.add(out...)
			ops[e.op].Output = out
		case 'r':
			ops[e.op].Return = now
			returned[e.op] = true
		}
	}
	h.object = o
	return h, ops
}

// follows returns a test of objects of the kind that is compared with a model.
func (k kind) follows(m porcupine.Model) *linearTest[*object] {
	l := k.subject()
	l.model = &linearModel{
		init: m.Init, step: m.Step, partition: m.Partition, partitionEvent: m.PartitionEvent,
		encode: func(method string, args, results []any) (input, output any) {
			if results == nil {
				results = []any{}
			}
			return method, results
		},
	}
	return l
}

// TestPorcupine compares with porcupine: a history is explained by calls that are made alone if and only if porcupine says that it
// is linearizable, and so it is by its models, followed by the driver.
func TestPorcupine(t *testing.T) {
	const histories = 4000
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(k.name))))
			l := k.subject()
			model := k.model()
			followed := map[string]*linearTest[*object]{"whole": k.follows(model)}
			if k.name == "registers" {
				operations, events := k.divided(), k.divided()
				operations.PartitionEvent, events.Partition = nil, nil
				followed["divided"], followed["divided by events"] = k.follows(operations), k.follows(events)
			}
			count := map[bool]int{}
			for range histories {
				h, ops := k.generate(r, l)
				want := porcupine.CheckOperations(model, ops)
				count[want]++
				if e, _ := l.check(0, h); e.found != want {
					t.Fatalf("explained: %t, by porcupine: %t\n%s", e.found, want, l.bars(h, l.texts(h)))
				}
				for name, followed := range followed {
					if e, _ := followed.check(0, h); e.found != want {
						t.Fatalf("allowed by the model (%s): %t, by porcupine: %t\n%s", name, e.found, want, l.bars(h, l.texts(h)))
					}
				}
			}
			if count[true] < histories/10 || count[false] < histories/10 {
				t.Errorf("%d histories are linearizable and %d are not: too few of one of them", count[true], count[false])
			}
		})
	}
}

// TestTimes checks that calls and returns are in an order that gives the history again.
func TestTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	k := kinds[0]
	for range 1000 {
		h, _ := k.generate(r, k.subject())
		var calls []int
		for i := range h.ops {
			calls = append(calls, i)
		}
		made, returned := h.times(calls)
		if all := slices.Sorted(slices.Values(append(slices.Clone(made), returned...))); len(slices.Compact(all)) != 2*len(calls) || all[0] != 0 || all[len(all)-1] != 2*len(calls)-1 {
			t.Fatalf("the times are %v and %v", made, returned)
		}
		for a := range calls {
			for b := range calls {
				if before := returned[a] < made[b]; before != h.ops[b].before[a] || made[a] > returned[a] {
					t.Fatalf("call %d is made at %d and has returned at %d, call %d is made at %d; it comes before: %t", a, made[a], returned[a], b, made[b], h.ops[b].before[a])
				}
			}
		}
	}
}
