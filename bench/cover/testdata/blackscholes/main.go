// Blackscholes is the program of that name of PARSEC: goroutines price parts of a portfolio of options, which are made as
// PARSEC's generator makes them, from a few that are repeated.
//
//	blackscholes n=100000
package main

import (
	"fmt"

	_ "github.com/everyway-go/everyway/bench/cover/testdata/arguments"
	"github.com/everyway-go/everyway/bench/cover/testdata/kernel/blackscholes"
	"github.com/everyway-go/everyway/sym"
)

func main() {
	p := &blackscholes.Portfolio{Options: portfolio(sym.Range("n", 1, 1<<22)), Workers: workers}
	p.PriceAll()
	sum := 0
	for i, price := range p.Prices {
		sum = (sum*31 + price*(i+1)) % 1000003
	}
	fmt.Printf("checksum %d\n", sum)
}

// portfolio returns options that differ in their strikes, times and kinds.
func portfolio(n int) []blackscholes.Option {
	const one = blackscholes.One
	options := make([]blackscholes.Option, n)
	for i := range options {
		options[i] = blackscholes.Option{
			Spot: 42 * one, Strike: (36 + i%13) * one, Rate: one / 10, Volatility: one / 5, Time: one / (1 + i%4), Put: i%2 == 1,
		}
	}
	return options
}
