// Package blackscholes is after PARSEC's program of that name: goroutines price parts of a portfolio of options,
// with the formula of Black and Scholes in fixed point. They are forked and joined, and synchronise in no other way.
package blackscholes

import "sync"

// one is 1 in fixed point.
const one = 1 << 10

// rounds is how often the portfolio is priced.
const rounds = 2

// An option is the right to buy, or to sell, at a price and a time.
type option struct {
	spot, strike int
	rate         int
	volatility   int
	time         int
	put          bool
}

// A portfolio is options, and what they are worth.
type portfolio struct {
	options []option
	prices  []int
	workers int
}

// normal returns about the distribution function of the normal distribution.
func normal(x int) int {
	negative := false
	if x < 0 {
		x = -x
		negative = true
	}
	if x > 4*one {
		x = 4 * one
	}
	p := one - (4*one-x)*(4*one-x)/(32*one)
	if negative {
		p = one - p
	}
	return p
}

// price returns what an option is worth.
func price(o *option) int {
	d1 := o.spot - o.strike + (o.rate+o.volatility*o.volatility/(2*one))*o.time/one
	d2 := d1 - o.volatility*o.time/one
	later := o.strike * (one - o.rate*o.time/one) / one
	if o.put {
		return later*(one-normal(d2))/one - o.spot*(one-normal(d1))/one
	}
	return o.spot*normal(d1)/one - later*normal(d2)/one
}

// work prices the part of the worker with number id.
func (p *portfolio) work(id int) {
	start := id * len(p.options) / p.workers
	end := (id + 1) * len(p.options) / p.workers
	for range rounds {
		for i := start; i < end; i++ {
			worth := price(&p.options[i]) // context: blackscholes, 4 goroutines
			p.prices[i] = worth
		}
	}
}

// priceAll prices all options.
func (p *portfolio) priceAll() {
	p.prices = make([]int, len(p.options))
	var wg sync.WaitGroup
	for id := range p.workers {
		wg.Go(func() { p.work(id) })
	}
	wg.Wait()
}
