// Package blackscholes is after PARSEC's program of that name: goroutines price parts of a portfolio of options,
// with the formula of Black and Scholes in fixed point. They are forked and joined, and synchronise in no other way. The
// portfolio is in variables of the package, as it is in the original.
package blackscholes

import "sync"

// One is 1 in fixed point.
const One = 1 << 8

// rounds is how often the portfolio is priced.
const rounds = 2

// most is how many options there are, at most.
const most = 4

// The portfolio, and what its options are worth. All is in fixed point.
var (
	spot, strike [most]int32
	drift        [most]int32 // (rate + volatility²/2) · time
	spread       [most]int32 // volatility · √time
	put          [most]bool
	prices       [most]int32
	n            int8 // of options
	workers      int8
)

// normal returns about the distribution function of the normal distribution, with the branches of the original.
func normal(x int32) int32 {
	negative := false
	if x < 0 {
		x = -x
		negative = true
	}
	p := int32(One) - One/2>>(uint32(x)/One)
	if negative {
		p = One - p
	}
	return p
}

// price returns what an option is worth.
func price(spot, strike, drift, spread int32, put bool) int32 {
	d1 := spot - strike + drift
	d2 := d1 - spread
	n1, n2 := normal(d1), normal(d2)
	if put {
		return strike*(One-n2)/One - spot*(One-n1)/One
	}
	return spot*n1/One - strike*n2/One
}

// work prices the part of the worker with number id.
func work(id int8) {
	size := n / workers
	begin := id * size
	end := begin + size
	for range rounds {
		for i := begin; i < end; i++ {
			worth := price(spot[i], strike[i], drift[i], spread[i], put[i]) // context: blackscholes, 4 goroutines
			prices[i] = worth
		}
	}
}

// priceAll prices all options.
func priceAll() {
	var wg sync.WaitGroup
	for id := range workers {
		wg.Go(func() { work(id) })
	}
	wg.Wait()
}
