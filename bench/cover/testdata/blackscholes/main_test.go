package main

import (
	"testing"

	"github.com/everyway-go/everyway/bench/cover/testdata/kernel/blackscholes"
)

func TestPrices(t *testing.T) {
	for _, n := range []int{1, workers, 101} {
		p := &blackscholes.Portfolio{Options: portfolio(n), Workers: workers}
		p.PriceAll()
		for i := range p.Options {
			if want := blackscholes.Price(&p.Options[i]); p.Prices[i] != want {
				t.Errorf("option %d of %d has the price %d, want %d", i, n, p.Prices[i], want)
			}
		}
	}
}
