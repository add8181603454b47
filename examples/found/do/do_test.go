// Package do has tests of github.com/samber/do/v2, a "dependency injection toolkit".
package do

import (
	"sync"
	"testing"

	"github.com/samber/do/v2"
)

type a struct{}

type b struct{}

// TestCircular: a dependency that is circular is an error, ErrCircularDependency. If two
// goroutines invoke the services, they wait for each other.
func TestCircular(t *testing.T) {
	i := do.New()
	do.Provide(i, func(i do.Injector) (*a, error) { _, err := do.Invoke[*b](i); return &a{}, err })
	do.Provide(i, func(i do.Injector) (*b, error) { _, err := do.Invoke[*a](i); return &b{}, err })
	var wg sync.WaitGroup
	wg.Go(func() { do.Invoke[*a](i) })
	wg.Go(func() { do.Invoke[*b](i) })
	wg.Wait()
}

// TestExplain: "ExplainInjector" describes the services while one of them is invoked, and reads without its lock what that
// writes with it.
func TestExplain(t *testing.T) {
	i := do.New()
	do.Provide(i, func(i do.Injector) (*a, error) { return &a{}, nil })
	var wg sync.WaitGroup
	wg.Go(func() { do.Invoke[*a](i) })
	wg.Go(func() { do.ExplainInjector(i) })
	wg.Wait()
}
