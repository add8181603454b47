// Cover measures input-covering schedules on the programs with which Bergan evaluates them
// (Avoiding State-Space Explosion in Multithreaded Programs with Input-Covering Schedules and
// Symbolic Execution, 2014, section 3.8), written anew in Go from their public descriptions:
// blackscholes and swaptions of PARSEC, fft, lu and radix of SPLASH-2, and pfscan. It prints what
// it costs to keep them to their schedules natively, beside the paper's Table 3.5.
//
//	go run ./bench/cover            # the table
//	go run ./bench/cover -run fft   # some rows
//	go run ./bench/cover -orders 10000 -run lu -workers 2
//
// The programs are below testdata; build constraints choose the number of workers. Each is built as
// usual and with everyway build, and run -n times each way, in turn. The two ratios are those of
// the time that passes and of processor time: each is the median of what a run takes, divided by
// what the plain one beside it takes, for the shortest runs of two programs need not have had the
// same processors to themselves. Instructions are not counted, as the paper does, but the processor
// time of an epoch.
//
// With -orders, each program is run so often on processors that are busy, and the order of its
// operations, as it records it, is compared with the schedules of the set that it says it has
// followed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
)

func main() {
	var (
		names   = flag.String("run", "", "only the programs that match this `regexp`")
		times   = flag.Int("n", 9, "run each program `n` times each way")
		orders  = flag.Int("orders", 0, "compare the orders of operations in `n` runs of each program under load with its set, instead")
		workers = flag.Int("workers", 0, "only with so many workers: 2, 4 or 8; 0 means all")
		budget  = flag.Duration("budget", time.Minute, "time to find the schedules of a program")
	)
	flag.Parse()
	table.Main(func(ctx context.Context) error {
		re, err := regexp.Compile(*names)
		if err != nil {
			return err
		}
		work, err := os.MkdirTemp("", "bench-cover-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(work)
		m := &measurement{work: work, times: max(1, *times), budget: *budget, workers: *workers}
		if *orders > 0 {
			if err := m.orders(ctx, re, *orders); err != nil {
				return fmt.Errorf("comparing orders with schedules: %w", err)
			}
			return nil
		}
		if err := m.runtime(ctx, re); err != nil {
			return fmt.Errorf("measuring what schedules cost natively: %w", err)
		}
		return nil
	})
}
