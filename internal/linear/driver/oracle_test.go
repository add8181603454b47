package driver

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/anishathalye/porcupine"
)

// An object has a cell with a number, or a queue of them: what is called on either is deterministic.
type object struct {
	cell  int
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
		Init: func() any { return "0 []" },
		Step: func(state, input, output any) (bool, any) {
			var o object
			text := state.(string)
			cell, queue, _ := strings.Cut(text, " ")
			fmt.Sscan(cell, &o.cell)
			for n := range strings.FieldsSeq(strings.Trim(queue, "[]")) {
				o.queue = append(o.queue, int(n[0]-'0'))
			}
			got := k.step(&o, input.(string))
			return fmt.Sprint(anys(got)) == fmt.Sprint(output), fmt.Sprint(o.cell, o.queue)
		},
	}
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
				on = &object{cell: r.IntN(3), queue: []int{1, 2}[r.IntN(3):]} // a mistake
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

// TestPorcupine compares with porcupine: a history is explained by calls that are made alone if and only if porcupine says that it
// is linearizable, and so it is by its model, followed by the driver.
func TestPorcupine(t *testing.T) {
	const histories = 4000
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(k.name))))
			l := k.subject()
			model := k.model()
			followed := k.subject()
			followed.model = &linearModel{
				init: model.Init, step: model.Step,
				encode: func(method string, args, results []any) (input, output any) {
					if results == nil {
						results = []any{}
					}
					return method, results
				},
			}
			count := map[bool]int{}
			for range histories {
				h, ops := k.generate(r, l)
				want := porcupine.CheckOperations(model, ops)
				count[want]++
				if e, _ := l.check(0, h); e.found != want {
					t.Fatalf("explained: %t, by porcupine: %t\n%s", e.found, want, l.bars(h, l.texts(h)))
				}
				if e, _ := followed.check(0, h); e.found != want {
					t.Fatalf("allowed by the model: %t, by porcupine: %t\n%s", e.found, want, l.bars(h, l.texts(h)))
				}
			}
			if count[true] < histories/10 || count[false] < histories/10 {
				t.Errorf("%d histories are linearizable and %d are not: too few of one of them", count[true], count[false])
			}
		})
	}
}
