// Static measures package static: how long each analysis of a test program takes, and how much
// memory is in use when it is done.
//
//	go run ./bench/static [-run regexp] [-cpuprofile file] [package ...]
//
// Without packages it is net/http. What all tests, fuzz tests, examples and benchmarks of the
// package reach is analysed together; -run chooses some. Loading comes first, and then the bodies
// of functions, which are checked and built when they are first reached: the row "bodies" has what
// that takes beside the call graph itself. The time of the processors, on all of which the
// collector works, does not depend on what else the computer does.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/lockset"
	"github.com/everyway-go/everyway/internal/static/loop"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

var profile = flag.String("cpuprofile", "", "write a profile of the processor time to this `file`")

var heapProfile = flag.String("memprofile", "", "write a profile of the memory in use at the end to this `file`")

var pattern = flag.String("run", "", "analyse what the targets reach whose names match this `regexp`")

func main() {
	flag.Parse()
	table.Main(measure)
}

func measure(ctx context.Context) error {
	matches, err := regexp.Compile(*pattern)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return fmt.Errorf("-cpuprofile: %w", err)
		}
		defer pprof.StopCPUProfile()
	}
	packages := flag.Args()
	if len(packages) == 0 {
		packages = []string{"net/http"}
	}
	for _, pkg := range packages {
		if err := one(ctx, pkg, matches); err != nil {
			return fmt.Errorf("%s: %w", pkg, err)
		}
	}
	return nil
}

// one prints the table of a package.
func one(ctx context.Context, pkg string, matches *regexp.Regexp) error {
	t := table.New(os.Stdout, pkg, "time", "CPU", "heap", "")
	var err error
	timed := func(name string, run func() string) {
		if err != nil {
			return
		}
		start, cpu := time.Now(), cputime.Now()
		result := run()
		if err == nil {
			took, cpu := time.Since(start), cputime.Now()-cpu
			t.Row(name, table.Short(took), table.Short(cpu), heap(), result)
		}
	}
	var p *program.Program
	timed("load", func() string {
		p, err = program.Load(ctx, ".", []string{pkg}, nil, true)
		return ""
	})
	if err != nil {
		return err
	}
	var targets []*load.Target
	all := p.Targets()
	for i := range all {
		if matches.MatchString(all[i].Name) {
			targets = append(targets, &all[i])
		}
	}
	if len(targets) == 0 {
		return fmt.Errorf("no targets match %s", matches)
	}
	cfg, err := p.Static(targets...)
	if err != nil {
		return err
	}
	var a *static.Analysis
	timed("bodies", func() string {
		a, err = static.New(ctx, cfg)
		return fmt.Sprintf("%d targets", len(targets))
	})
	timed("call graph", func() string {
		a, err = static.New(ctx, cfg)
		if err != nil {
			return ""
		}
		return size(a.Calls())
	})
	timed("control flow", func() string {
		nodes := 0
		for _, n := range a.Calls().Nodes {
			if g := a.Control(n.Body); g != nil {
				nodes += len(g.Nodes)
			}
		}
		return fmt.Sprintf("%d nodes", nodes)
	})
	timed("distances", func() string {
		m := a.Distances().To(first(a.Calls(), targets[0]))
		reach := 0
		for _, n := range a.Calls().Nodes {
			if m.Entry(n) < 1<<30 {
				reach++
			}
		}
		return fmt.Sprintf("%d functions lead to %s", reach, targets[0].Name)
	})
	var r *pointsto.Result
	timed("points-to", func() string {
		r, err = a.PointsTo(ctx)
		if err != nil {
			return ""
		}
		nodes, members := r.Size()
		return fmt.Sprintf("%d functions reached, %d objects, %d nodes with %d members", len(r.Reached()), len(r.Objects()), nodes, members)
	})
	timed("narrowed call graph", func() string { return size(r.Calls()) })
	timed("sharing and loops", func() string {
		var f *loop.Finder
		if f, err = a.Loops(ctx); err != nil {
			return ""
		}
		loops, synchronise := 0, 0
		for _, n := range a.Calls().Nodes {
			if g := a.Control(n.Body); g != nil {
				for _, l := range f.Of(g) {
					loops++
					if l.Synchronises {
						synchronise++
					}
				}
			}
		}
		return fmt.Sprintf("%d loops, %d of which may synchronise", loops, synchronise)
	})
	timed("locks held", func() string {
		var l *lockset.Result
		if l, err = a.Locks(ctx); err != nil {
			return ""
		}
		return fmt.Sprintf("%d acquisitions", len(l.Acquisitions()))
	})
	if err != nil {
		return err
	}
	if *heapProfile != "" {
		if err := writeHeap(*heapProfile); err != nil {
			return err
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, u := range a.Unsound() {
		fmt.Println("not sound:", u)
	}
	return nil
}

// size describes a call graph.
func size(g *callgraph.Graph) string {
	instrs, calls, callees := 0, 0, 0
	for _, n := range g.Nodes {
		if n.Body != nil {
			for _, b := range n.Body.Blocks {
				instrs += len(b.Instrs)
			}
		}
		calls += len(n.Sites)
		for _, s := range n.Sites {
			callees += len(s.Callees())
		}
	}
	return fmt.Sprintf("%d functions, %d instructions, %d calls, %d callees", len(g.Nodes), instrs, calls, callees)
}

// first returns the first instruction of a target.
func first(g *callgraph.Graph, t *load.Target) ssa.Instruction {
	return g.Of(t.Func).Body.Blocks[0].Instrs[0]
}

// writeHeap writes a profile of the memory in use.
func writeHeap(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("-memprofile: %w", err)
	}
	defer f.Close()
	runtime.GC()
	if err := pprof.WriteHeapProfile(f); err != nil {
		return fmt.Errorf("-memprofile: %w", err)
	}
	return nil
}

// heap returns the memory that is in use.
func heap() string {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return fmt.Sprintf("%d MiB", m.HeapAlloc>>20)
}
