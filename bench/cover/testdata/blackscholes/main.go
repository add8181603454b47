// Blackscholes is the program of that name of PARSEC: it reads options from a file, goroutines price parts of them, and
// the prices go to another file.
//
//	blackscholes options prices
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/everyway-go/everyway/bench/contexts/testdata/blackscholes"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: blackscholes options prices")
		os.Exit(2)
	}
	options, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "blackscholes:", err)
		os.Exit(1)
	}
	p := &blackscholes.Portfolio{Options: options, Workers: workers}
	p.PriceAll()
	if err := write(os.Args[2], p.Prices); err != nil {
		fmt.Fprintln(os.Stderr, "blackscholes:", err)
		os.Exit(1)
	}
}

// read reads options, one a line: spot, strike, rate, volatility and time in fixed point, and P or C.
func read(name string) ([]blackscholes.Option, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var options []blackscholes.Option
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var o blackscholes.Option
		var kind string
		if _, err := fmt.Sscan(lines.Text(), &o.Spot, &o.Strike, &o.Rate, &o.Volatility, &o.Time, &kind); err != nil {
			return nil, fmt.Errorf("%s, option %d: %w", name, len(options)+1, err)
		}
		o.Put = kind == "P"
		options = append(options, o)
	}
	return options, lines.Err()
}

// write writes the prices, one a line.
func write(name string, prices []int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, p := range prices {
		fmt.Fprintln(w, p)
	}
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
