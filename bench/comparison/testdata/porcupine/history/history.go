// Package history has goroutines call an object, and porcupine check whether what the calls returned is linearizable.
package history

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// A Call is one of an object, with its arguments.
type Call struct {
	Name       string
	Key, Value int
}

// A Result is what a call returned.
type Result struct {
	Value int
	OK    bool
}

const (
	rounds     = 100 // histories that a test makes
	goroutines = 3
	few, many  = 6, 60 // calls of each goroutine, in turn: in long histories more of them overlap
)

// Wrong begins the failure of a test whose model does not even fit calls that are made one after the other.
const Wrong = "the model is wrong"

// Check makes histories, each of a new object that create returns as the function that calls it. The draw function chooses
// a goroutine's next call. Before that it makes as many in which a lock is held during each call: they show that the model is right.
func Check(t *testing.T, create func() func(Call) Result, draw func(r *rand.Rand, goroutine, call int) Call, model porcupine.Model) {
	for round := range rounds {
		apply := create()
		var mu sync.Mutex
		h := record(round, draw, func(c Call) Result {
			mu.Lock()
			defer mu.Unlock()
			return apply(c)
		})
		if !porcupine.CheckOperations(model, h) {
			t.Fatalf("%s: history %d of %d calls", Wrong, round, len(h))
		}
	}
	for round := range rounds {
		if h := record(round, draw, create()); !porcupine.CheckOperations(model, h) {
			t.Fatalf("history %d of %d calls is not linearizable", round, len(h))
		}
	}
}

// record has goroutines make calls.
func record(round int, draw func(r *rand.Rand, goroutine, call int) Call, apply func(Call) Result) []porcupine.Operation {
	var wg sync.WaitGroup
	var histories [goroutines][]porcupine.Operation
	begin := time.Now()
	start := make(chan bool)
	for g := range goroutines {
		r := rand.New(rand.NewPCG(uint64(round), uint64(g)))
		wg.Go(func() {
			<-start
			for i := range []int{few, many}[round%2] {
				call := draw(r, g, i)
				called := time.Since(begin)
				result := apply(call)
				histories[g] = append(histories[g], porcupine.Operation{
					ClientId: g, Input: call, Call: int64(called), Output: result, Return: int64(time.Since(begin)),
				})
			}
		})
	}
	close(start)
	wg.Wait()
	return slices.Concat(histories[:]...)
}

// Model returns the model of an object with a comparable state: step says whether a call may return a result, and the state after it.
func Model[S comparable](init S, step func(state S, c Call, r Result) (bool, S)) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return init },
		Step: func(state, input, output any) (bool, any) { return step(state.(S), input.(Call), output.(Result)) },
	}
}

// A Slot is the state of a key of a map.
type Slot struct {
	Value   int
	Present bool
}

// Map returns the model of a map, each of whose keys is an object of its own.
func Map() porcupine.Model {
	m := Model(Slot{}, func(s Slot, c Call, r Result) (bool, Slot) {
		held := Result{s.Value, s.Present}
		set := Slot{c.Value, true}
		switch c.Name {
		case "Get":
			return r == held, s
		case "Set":
			return true, set
		case "Del":
			return true, Slot{}
		case "Delete": // and says whether there was something to delete
			return r.OK == s.Present, Slot{}
		case "GetAndDel":
			return r == held, Slot{}
		case "GetOrSet": // and says whether there was a value
			if s.Present {
				return r == held, s
			}
			return r == Result{c.Value, false}, set
		}
		panic("no model of " + c.Name)
	})
	m.Partition = func(history []porcupine.Operation) [][]porcupine.Operation {
		byKey := map[int][]porcupine.Operation{}
		for _, o := range history {
			key := o.Input.(Call).Key
			byKey[key] = append(byKey[key], o)
		}
		var parts [][]porcupine.Operation
		for _, p := range byKey {
			parts = append(parts, p)
		}
		return parts
	}
	return m
}

// Any draws one of some calls, with a key of two and a new value.
func Any(names ...string) func(r *rand.Rand, goroutine, call int) Call {
	return func(r *rand.Rand, goroutine, call int) Call {
		return Call{names[r.IntN(len(names))], 1 + r.IntN(2), 1 + goroutine*many + call}
	}
}
