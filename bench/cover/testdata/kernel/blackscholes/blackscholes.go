// Package blackscholes is after PARSEC's program of that name: goroutines price parts of a portfolio of options,
// with the formula of Black and Scholes in fixed point. They are forked and joined, and synchronise in no other way.
package blackscholes

import "sync"

// One is 1 in fixed point.
const One = 1 << 10

// rounds is how often the portfolio is priced.
const rounds = 2

// An Option is the right to buy, or to sell, at a price and a time.
type Option struct {
	Spot, Strike int
	Rate         int
	Volatility   int
	Time         int
	Put          bool
}

// A Portfolio is options, and what they are worth.
type Portfolio struct {
	Options []Option
	Prices  []int
	Workers int
}

// normal returns about the distribution function of the normal distribution.
func normal(x int) int {
	negative := false
	if x < 0 {
		x = -x
		negative = true
	}
	if x > 4*One {
		x = 4 * One
	}
	p := One - (4*One-x)*(4*One-x)/(32*One)
	if negative {
		p = One - p
	}
	return p
}

// Price returns what an option is worth.
func Price(o *Option) int {
	d1 := o.Spot - o.Strike + (o.Rate+o.Volatility*o.Volatility/(2*One))*o.Time/One
	d2 := d1 - o.Volatility*o.Time/One
	later := o.Strike * (One - o.Rate*o.Time/One) / One
	if o.Put {
		return later*(One-normal(d2))/One - o.Spot*(One-normal(d1))/One
	}
	return o.Spot*normal(d1)/One - later*normal(d2)/One
}

// work prices the part of the worker with number id.
func (p *Portfolio) work(id int) {
	start := id * len(p.Options) / p.Workers
	end := (id + 1) * len(p.Options) / p.Workers
	for range rounds {
		for i := start; i < end; i++ {
			worth := Price(&p.Options[i]) // context: blackscholes, 4 goroutines
			p.Prices[i] = worth
		}
	}
}

// PriceAll prices all options.
func (p *Portfolio) PriceAll() {
	p.Prices = make([]int, len(p.Options))
	var wg sync.WaitGroup
	for id := range p.Workers {
		wg.Go(func() { p.work(id) })
	}
	wg.Wait()
}
