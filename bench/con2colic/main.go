// Con2colic runs the programs of the con2colic paper (Farzan, Holzer, Razavi,
// Veith, FSE 2013), written anew in Go, with that strategy alone, and prints what
// they took beside the paper's Tables 1 and 2. The paper's machine was a dual-core
// at 3.2 GHz, its time-out two hours.
//
//	go run ./bench/con2colic            # Table 1
//	go run ./bench/con2colic -run sor   # some of its rows
//	go run ./bench/con2colic -table 2   # what the optimisations do for pfscan
//
// The flags -unsatcore, -duplicates and -priority turn one optimisation off for
// the rows of Table 1. The programs are below testdata, a main package each; they
// draw their inputs by package sym, and a panic is the paper's assertion violation.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/strategy/con2colic"
)

// programs begins the import paths of the programs.
const programs = "github.com/everyway-go/everyway/bench/con2colic/testdata/"

func main() {
	var (
		table      = flag.Int("table", 1, "table of the paper to run: 1 or 2")
		run        = flag.String("run", "", "only the rows of Table 1 that match this `regexp`")
		budget     = flag.Duration("budget", 10*time.Minute, "for one search")
		unsatCore  = flag.Bool("unsatcore", true, "extend candidates only where an unsatisfiable core says it may help")
		duplicates = flag.Bool("duplicates", true, "drop candidates that have been seen")
		priority   = flag.Bool("priority", true, "first what may cover something new")
	)
	flag.Parse()
	options := con2colic.Default(maxDegree)
	options.UnsatCore, options.Duplicates, options.Priority = *unsatCore, *duplicates, *priority
	if err := tables(context.Background(), *table, *run, *budget, options); err != nil {
		fmt.Fprintln(os.Stderr, "con2colic:", err)
		os.Exit(1)
	}
}

// maxDegree is the paper's k_max.
const maxDegree = 100

func tables(ctx context.Context, table int, run string, budget time.Duration, o con2colic.Options) error {
	rows, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	switch table {
	case 1:
		return table1(ctx, rows, budget, o)
	case 2:
		return table2(ctx, budget)
	}
	return fmt.Errorf("the paper has no table %d", table)
}

// one loads a program and searches it within the budget.
func one(ctx context.Context, name string, budget time.Duration, o con2colic.Options) (*figure, error) {
	p, err := program.Load(ctx, ".", []string{programs + name}, nil, true)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	f, err := search(ctx, p, p.Packages[0], o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}
