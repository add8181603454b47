package workiva

import (
	"math/rand/v2"
	"testing"

	"github.com/Workiva/go-datastructures/queue"

	"github.com/everyway-go/everyway/examples/found/history"
)

// TestRingBufferLen: two goroutines put and get in turn, so that none waits for ever, and a third asks for the length.
func TestRingBufferLen(t *testing.T) {
	create := func() func(history.Call) history.Result {
		rb := queue.NewRingBuffer(4)
		return func(c history.Call) history.Result {
			switch c.Name {
			case "Put":
				rb.Put(c.Value)
			case "Get":
				rb.Get()
			case "Len":
				return history.Result{Value: int(rb.Len())}
			}
			return history.Result{}
		}
	}
	draw := func(_ *rand.Rand, goroutine, call int) history.Call {
		switch {
		case goroutine == 2:
			return history.Call{Name: "Len"}
		case call%2 == 0:
			return history.Call{Name: "Put", Value: call}
		}
		return history.Call{Name: "Get"}
	}
	history.Check(t, create, draw, history.Model(0, func(n int, c history.Call, r history.Result) (bool, int) {
		switch c.Name {
		case "Put":
			return n < 4, n + 1
		case "Get":
			return n > 0, n - 1
		}
		return r.Value == n, n
	}))
}
