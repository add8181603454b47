package blackscholes

import "testing"

func TestPortfolio(t *testing.T) {
	p := &Portfolio{Workers: 4}
	for i := range 8 {
		p.Options = append(p.Options, Option{
			Spot: 40 * One, Strike: (38 + i) * One, Rate: One / 20, Volatility: One / 5, Time: One, Put: i%2 == 1,
		})
	}
	p.PriceAll()
	for i, o := range p.Options {
		if p.Prices[i] != Price(&o) {
			t.Errorf("option %d has the price %d, want %d", i, p.Prices[i], Price(&o))
		}
	}
}
