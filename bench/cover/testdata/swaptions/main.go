// Swaptions is the program of that name of PARSEC: goroutines price parts of a portfolio of swaptions by simulating the
// development of interest rates many times. They are forked and joined, and synchronise in no other way.
//
//	swaptions number=64 simulations=10000
package main

import (
	"fmt"
	"math"
	"sync"

	_ "github.com/everyway-go/everyway/bench/cover/testdata/arguments"
	"github.com/everyway-go/everyway/sym"
)

// steps is the number of time steps of a simulation.
const steps = 11

// A swaption is the right to exchange a fixed for a floating rate of interest.
type swaption struct {
	strike   float64 // rate
	years    float64
	yield    [steps]float64 // forward rates
	factor   [steps]float64 // volatilities
	seed     uint64
	mean     float64 // price
	deviance float64 // its standard error
}

func main() {
	number, simulations := sym.Range("number", workers, 1024), sym.Range("simulations", 1, 1<<20)
	list := portfolio(number)
	priceAll(list, simulations)
	for i, s := range list {
		fmt.Printf("swaption %d: price %.10f, error %.10f\n", i, s.mean, s.deviance)
	}
}

// portfolio returns swaptions that differ in their strikes.
func portfolio(n int) []swaption {
	list := make([]swaption, n)
	for i := range list {
		s := &list[i]
		s.strike = float64(i) / float64(n)
		s.years = 5 + float64(i%60)*0.25
		s.seed = uint64(i)*2862933555777941757 + 3037000493
		for j := range steps {
			s.yield[j] = 0.1 + float64(j)*0.005
			s.factor[j] = 0.01 * (1 - float64(j)*0.005)
		}
	}
	return list
}

// priceAll prices all swaptions.
func priceAll(list []swaption, simulations int) {
	var wg sync.WaitGroup
	for id := range workers {
		begin, end := id*len(list)/workers, (id+1)*len(list)/workers
		wg.Go(func() {
			for i := begin; i < end; i++ {
				list[i].price(simulations)
			}
		})
	}
	wg.Wait()
}

// price simulates what the swaption is worth.
func (s *swaption) price(simulations int) {
	random := s.seed
	sum, squares := 0.0, 0.0
	step := s.years / steps
	for range simulations {
		rate, discount := s.yield[0], 1.0
		for j := range steps {
			rate += (s.yield[j]-rate)*step*0.1 + s.factor[j]*normal(&random)*math.Sqrt(step)
			discount *= math.Exp(-rate * step)
		}
		worth := max(0, rate-s.strike) * discount
		sum += worth
		squares += worth * worth
	}
	n := float64(simulations)
	s.mean = sum / n
	s.deviance = math.Sqrt(max(0, squares/n-s.mean*s.mean) / n)
}

// normal returns about a normally distributed number: the sum of twelve that are distributed evenly.
func normal(random *uint64) float64 {
	sum := -6.0
	for range 12 {
		*random = *random*6364136223846793005 + 1442695040888963407
		sum += float64(*random>>11) / (1 << 53)
	}
	return sum
}
