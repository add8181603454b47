package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
)

// modules searches the tests of containers of other modules, which are a module of their own.
func (b *bench) modules(ctx context.Context, match string) error {
	out, err := os.MkdirTemp(b.work, "out-")
	if err != nil {
		return err
	}
	targets, trouble, err := b.everyway.Test(ctx, filepath.Join(b.root, "bench", "shapes", "modules"), time.Hour,
		"-count=1", "-o", out, "-budget", b.budget.String(), "-workers", b.workers, "-maxobjects", b.objects, "-run", match, ".")
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return errors.New("nothing was searched: " + trouble)
	}
	t := table.New(os.Stdout, "test", "verdict", "runs", "branches", "time", "why open")
	for _, target := range targets {
		t.Row(target.Name, target.Totals.Verdict, target.Totals.Runs, fmt.Sprintf("%d/%d", target.Totals.Covered, target.Totals.Branches),
			table.Short(time.Duration(target.Seconds*float64(time.Second))), strings.Join(target.Totals.Open, "; "))
		for _, f := range target.Findings {
			b.notes = append(b.notes, target.Name+": "+f.Kind+": "+f.Message)
		}
	}
	return t.Flush()
}
