// Package hystrix has tests of github.com/afex/hystrix-go.
package hystrix

import (
	"sync"
	"testing"
	"time"

	"github.com/afex/hystrix-go/hystrix"
)

// TestConfigure: "ConfigureCommand applies settings for a circuit." The first use of a
// circuit that is not configured overwrites them with the defaults.
func TestConfigure(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() { hystrix.GetCircuit("a") })
	wg.Go(func() { hystrix.ConfigureCommand("a", hystrix.CommandConfig{Timeout: 7}) })
	wg.Wait()
	if d := hystrix.GetCircuitSettings()["a"].Timeout; d != 7*time.Millisecond {
		t.Errorf("the time-out is %v, not the 7ms that were configured", d)
	}
}

// TestFlush: "Flush purges all circuit and metric information from memory." Two goroutines
// for each circuit remain. It needs no interleaving.
func TestFlush(t *testing.T) {
	hystrix.GetCircuit("a")
	hystrix.Flush()
}
