package blackscholes

import "testing"

func TestPortfolio(t *testing.T) {
	p := &portfolio{workers: 4}
	for i := range 8 {
		p.options = append(p.options, option{
			spot: 40 * one, strike: (38 + i) * one, rate: one / 20, volatility: one / 5, time: one, put: i%2 == 1,
		})
	}
	p.priceAll()
	for i, o := range p.options {
		if p.prices[i] != price(&o) {
			t.Errorf("option %d has the price %d, want %d", i, p.prices[i], price(&o))
		}
	}
}
