package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/bench/contexts/testdata/blackscholes"
)

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "options"), filepath.Join(dir, "prices")
	var lines, want strings.Builder
	for i := range 11 {
		o := blackscholes.Option{Spot: 40960 - 500*i, Strike: 39000, Rate: 51, Volatility: 204, Time: 1024, Put: i%2 == 1}
		kind := "C"
		if o.Put {
			kind = "P"
		}
		fmt.Fprintln(&lines, o.Spot, o.Strike, o.Rate, o.Volatility, o.Time, kind)
		fmt.Fprintln(&want, blackscholes.Price(&o))
	}
	if err := os.WriteFile(from, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	options, err := read(from)
	if err != nil {
		t.Fatal(err)
	}
	p := &blackscholes.Portfolio{Options: options, Workers: workers}
	p.PriceAll()
	if err := write(to, p.Prices); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want.String() {
		t.Errorf("prices\n%swant\n%s", got, want.String())
	}
}
