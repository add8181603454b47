package addall

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/examples/found/history"
)

func TestAddAll(t *testing.T) {
	create := func() func(history.Call) history.Result {
		v := &Vector{size: rand.IntN(10)}
		return func(c history.Call) history.Result {
			if c.Name == "AddAll" {
				return history.Result{OK: v.AddAll(c.Value) == nil}
			}
			return history.Result{Value: v.Count()}
		}
	}
	history.Check(t, create, history.Any("AddAll", "Count"), history.Model(0, func(count int, c history.Call, r history.Result) (bool, int) {
		if c.Name == "AddAll" {
			return r.OK, count + c.Value
		}
		return r.Value == count, count
	}))
}
