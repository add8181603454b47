package main

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/run"
)

// exchanges is how often the goroutines of a program hand control over and back.
const exchanges = 20000

// switches prints what it costs that one goroutine goes on after another: in one long
// run, in which nothing else is possible, beside the same program natively.
func (b *bench) switches(ctx context.Context) error {
	t := table.New(os.Stdout, "a switch between two goroutines", "ns", "natively", "native over ours")
	for _, c := range []struct {
		name     string
		native   func(n int)
		switches int // for each exchange
	}{{"unbuffered", unbuffered, 1}, {"mutexes", mutexes, 2}} {
		m, err := b.suite.Machine(ctx, c.name, exchanges)
		if err != nil {
			return err
		}
		m.FromStart = true // all runs are the same
		ours, err := least(func() error {
			t, err := m.Run(ctx, &run.Plan{}, run.NonPreemptive{})
			if err != nil {
				return err
			}
			if t.Outcome != run.Finished {
				return fmt.Errorf("a run of %s ended with %v: %s", c.name, t.Outcome, t.Message)
			}
			return nil
		})
		if err != nil {
			return err
		}
		natively, err := least(func() error { c.native(exchanges); return nil })
		if err != nil {
			return err
		}
		n := exchanges * c.switches
		t.Row("by "+c.name, fmt.Sprintf("%.0f", each(ours, n)), fmt.Sprintf("%.0f", each(natively, n)),
			fmt.Sprintf("%.2f", natively.Seconds()/ours.Seconds()))
	}
	return t.Flush()
}

// unbuffered and mutexes are the programs of testdata.

func unbuffered(n int) {
	c := make(chan int)
	go func() {
		for i := range n {
			c <- i
		}
	}()
	for range n {
		<-c
	}
}

func mutexes(n int) {
	var a, b sync.Mutex
	b.Lock()
	go func() {
		for range n {
			b.Lock()
			a.Unlock()
		}
	}()
	for range n {
		a.Lock()
		b.Unlock()
	}
}
