package main

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
)

// branchesOf returns the conditional branches of the programs' own functions.
func branchesOf(m *vm.Machine) map[run.SiteID]bool {
	sites := make(map[run.SiteID]bool)
	for fn := range ssautil.AllFunctions(m.Program.SSA) {
		if fn.Pkg == nil || !strings.HasPrefix(fn.Pkg.Pkg.Path(), programs) || fn.Blocks == nil {
			continue
		}
		f := m.Program.Func(fn)
		for i := range f.Code {
			switch op := f.Code[i].Op; {
			case op >= code.JmpIf && op <= code.JmpNotNil:
				sites[m.SiteOf(f.Name, int32(i))] = true
			}
		}
	}
	return sites
}

// A depth is a scheduler that ends runs after a number of executed branches, be it that the input
// decides them or not. Goroutines run until they wait.
type depth struct {
	run.NonPreemptive

	most     int
	branches int
	steps    []byte // that were made, and what branches have decided
	decided  []byte // the same up to the last branch
	path     int    // number of conditions before the last branch; -1 if there was none
	cut      bool   // the run has come to one branch more
	text     string // what branches have decided: goroutine, line, and y or n

	line func(run.SiteID) int
}

// Choose implements run.Scheduler.
func (d *depth) Choose(p *run.SchedulingPoint) int {
	if p.Kind != run.Value {
		for i := range p.Enabled {
			if p.Enabled[i].Goroutine == p.Last {
				return i
			}
		}
	}
	return d.NonPreemptive.Choose(p)
}

// Stepping implements run.Watcher.
func (d *depth) Stepping(t *run.Transition, trace *run.Trace) bool {
	branch := t.IsStop() && t.State != run.NoJump
	if branch && d.branches == d.most {
		d.cut = true
		return false
	}
	for _, x := range []int64{int64(t.Goroutine), int64(t.Site.Func), int64(t.Site.Instr), int64(t.Partner)} {
		d.steps = binary.AppendVarint(d.steps, x)
	}
	if branch {
		d.branches++
		d.path = len(trace.Path)
		d.steps = append(d.steps, byte(t.State))
		if d.line != nil {
			d.text += fmt.Sprintf(" %d:%d%c", t.Goroutine, d.line(t.Site), "ny"[t.State&1])
		}
		d.decided = slices.Clone(d.steps)
	}
	return true
}
