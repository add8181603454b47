package main

import (
	"context"
	"fmt"
	"os"

	"github.com/everyway-go/everyway/bench/internal/table"
)

// depths prints what a run costs in searches of which the runs differ in their last
// steps only, by the number of steps before: when they go back to where they part, and
// when each is made from the start.
func (b *bench) depths(ctx context.Context) error {
	t := table.New(os.Stdout, "steps that all runs begin with", "µs a run, going back", "from the start", "ratio")
	for _, c := range []struct {
		program, note string
		depths        []int
		runs          int // from the start they are fewer
	}{
		{"deep", "", []int{10, 30, 100, 300, 1000}, 5000},
		{"large", ", and a heap of 16 MB", []int{10, 30, 100, 300, 1000}, 5000},
	} {
		for _, n := range c.depths {
			back, err := b.search(ctx, c.program, n, c.runs, false)
			if err != nil {
				return err
			}
			fresh := c.runs / 10
			if c.note != "" {
				fresh = 10
			}
			again, err := b.search(ctx, c.program, n, fresh, true)
			if err != nil {
				return err
			}
			t.Row(fmt.Sprint(n, c.note), fmt.Sprintf("%.2f", back/1e3), fmt.Sprintf("%.2f", again/1e3), fmt.Sprintf("%.1f", again/back))
		}
	}
	return t.Flush()
}
