package circuitbreaker

import (
	"testing"

	circuit "github.com/rubyist/circuitbreaker"

	"github.com/everyway-go/everyway/examples/found/history"
)

func TestThreshold(t *testing.T) {
	const threshold = 3
	create := func() func(history.Call) history.Result {
		breaker := circuit.NewThresholdBreaker(threshold)
		return func(c history.Call) history.Result {
			if c.Name == "Fail" {
				breaker.Fail()
			}
			return history.Result{OK: breaker.Tripped()}
		}
	}
	history.Check(t, create, history.Any("Fail", "Tripped"), history.Model(0, func(failures int, c history.Call, r history.Result) (bool, int) {
		if c.Name == "Fail" {
			return true, failures + 1
		}
		return r.OK == (failures >= threshold), failures
	}))
}
