// Shapes looks for races in concurrent containers: in the shape that a test constructs, and in
// every shape that they can have.
//
//	go run ./bench/shapes                   # the races of Table 4.4
//	go run ./bench/shapes -run unrolled     # races whose name, such as unrolled.Insert/13, matches
//	go run ./bench/shapes -native           # also whether a race shows natively
//	go run ./bench/shapes -table shapes     # how many paths there are, Table 3.3
//	go run ./bench/shapes -table modules    # tests of containers that others wrote
//
// The tables with numbers are those of the thesis on the exploration of shapes. The containers are
// in internal. They have no races; files of seeds say how to put one in, as many for each operation
// as Table 4.4 has. An operation is searched beside each other one with the locks as they should
// be, where nothing may be found, and with each seed, until the two lines of the seed are found to
// race: in a container of three keys, and then in any that its method Valid accepts. Beside that is
// what AFL++, Cloud9 and SSRD, the thesis's own tool, find, and how many paths they cover: ours are
// those of goroutines that run alone (strategy racing), with what comes before them, and pairs of
// such paths in the same shape. Times are of the processors.
//
// The exit code is 1 if there is a finding in a container without a seed, if the race of a seed is not found, or if one
// that is said to be hidden in three keys is found there.
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
	which := flag.String("table", "races", "which `table`: races, shapes (numbers of paths, Table 3.3) or modules (containers that others wrote)")
	match := flag.String("run", "", "only races that match the `regexp`, such as unrolled.Insert/13, operations, or tests of modules")
	flag.StringVar(&b.runs, "runs", "20000", "`number` of runs of a search at most")
	flag.DurationVar(&b.budget, "budget", time.Minute, "`time` of a search")
	flag.StringVar(&b.workers, "workers", "1", "`number` of runs made at the same time")
	flag.StringVar(&b.objects, "objects", "6", "greatest `number` of objects of each type")
	flag.BoolVar(&b.verbose, "v", false, "print what is found in each search")
	flag.BoolVar(&b.natively, "native", false, "look for the races with the race detector, too")
	flag.Parse()
	table.Main(func(ctx context.Context) error { return b.run(ctx, *which, *match) })
}

// run prints a table, and what is not as it should be.
func (b *bench) run(ctx context.Context, which, match string) error {
	operations, err := regexp.Compile(match)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
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
	switch which {
	case "races":
		err = b.races(ctx, operations)
	case "shapes":
		err = b.combinations(ctx, operations)
	case "modules":
		err = b.modules(ctx, match)
	default:
		err = fmt.Errorf("-table: there is no %q", which)
	}
	for _, note := range b.notes {
		fmt.Println(note)
	}
	if err == nil && len(b.notes) > 0 {
		err = errors.New("not all is as it should be")
	}
	return err
}
