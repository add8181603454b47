package mentors

import (
	"sync"
	"testing"

	"github.com/everyway-go/everyway/sym"
)

func TestPraise(t *testing.T) {
	a, b := sym.Any[*Person]("a"), sym.Any[*Person]("b")
	sym.Assume(t, a != nil && b != nil)
	points := sym.Range("points", 1, 20)
	var wg sync.WaitGroup
	for _, p := range []*Person{a, b} {
		wg.Go(func() { p.Praise(points) })
	}
	wg.Wait()
}
