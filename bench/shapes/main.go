// Shapes looks for races in concurrent containers of a shape that a test constructs.
//
//	go run ./bench/shapes                   # all containers
//	go run ./bench/shapes -run unrolled     # operations whose name, such as unrolled.Insert, matches
//	go run ./bench/shapes -native           # also whether a race shows natively
//
// The containers are in internal. They have no races; files of seeds say how to put one in, as many for each operation as
// Table 4.4 of the thesis on shape-aware symbolic execution has. An operation is searched beside each other
// one with the lock as it should be, where nothing may be found, and with each seed, until the two lines of the seed are
// found to race, in a container of three keys. The columns of the thesis have what AFL++, Cloud9 and its own SSRD find, and how many
// paths these cover.
//
// The exit code is 1 if there is a finding in a container without a seed, or if the race of a seed is not found although it is not said to be
// hidden in three keys, or found although it is.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/table"
)

func main() {
	b := &bench{}
	match := flag.String("run", "", "only operations that match the `regexp`, such as unrolled.Insert")
	flag.DurationVar(&b.budget, "budget", 10*time.Second, "`time` to search for a race, or through a container without one")
	flag.StringVar(&b.workers, "workers", "1", "`number` of runs made at the same time")
	flag.BoolVar(&b.natively, "native", false, "look for the races with the race detector, too")
	flag.Parse()
	table.Main(func(ctx context.Context) error {
		re, err := regexp.Compile(*match)
		if err != nil {
			return fmt.Errorf("-run: %w", err)
		}
		return b.run(ctx, re)
	})
}

func (b *bench) run(ctx context.Context, match *regexp.Regexp) (err error) {
	if b.root, err = os.Getwd(); err != nil {
		return err
	}
	if b.work, err = os.MkdirTemp("", "bench-shapes-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	if b.everyway, err = command.Build(ctx, b.work); err != nil {
		return err
	}
	t := table.New(os.Stdout, "operation", "seeds", "hidden", "three keys", "native", "AFL++", "Cloud9", "SSRD", "without seeds", "runs", "branches", "time", "AFL++", "Cloud9", "SSRD")
	for _, row := range table44 {
		if !match.MatchString(row.container + "." + row.op) {
			continue
		}
		r, err := b.measure(ctx, &row)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", row.container, row.op, err)
		}
		t.Row(r.cells(&row)...)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, note := range b.notes {
		fmt.Println(note)
	}
	if len(b.notes) > 0 {
		return errors.New("not all is as it should be")
	}
	return nil
}
