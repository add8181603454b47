package bluetooth

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/examples/found/history"
)

// TestDevice: one goroutine stops the device after some of its requests, the others make requests.
func TestDevice(t *testing.T) {
	create := func() func(history.Call) history.Result {
		d := New(rand.IntN(20))
		return func(c history.Call) history.Result {
			if c.Name == "Stop" {
				d.Stop()
				return history.Result{}
			}
			switch d.Request(c.Key == 1) {
			case nil:
				return history.Result{OK: true}
			case ErrStopped:
				return history.Result{Value: 1}
			}
			return history.Result{}
		}
	}
	draw := func(r *rand.Rand, goroutine, call int) history.Call {
		if goroutine == 0 && call == 3 {
			return history.Call{Name: "Stop"}
		}
		return history.Call{Name: "Request", Key: r.IntN(2)}
	}
	history.Check(t, create, draw, history.Model(false, func(stopped bool, c history.Call, r history.Result) (bool, bool) {
		if c.Name == "Stop" {
			return true, true
		}
		return r.Value == 0 && r.OK == !stopped, stopped
	}))
}
