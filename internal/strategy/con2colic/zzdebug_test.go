//go:build con2debug

package con2colic

import (
	"flag"
	"fmt"
	"runtime"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/internal/toy"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

var debugSeed = flag.Uint64("debugseed", 0, "")
var debugFunc = flag.String("debugfunc", "", "")
var debugN = flag.Int("n", 1000, "")
var debugFrom = flag.Int("from", 0, "")

func (f *forest) debug(n nodeID) string {
	e := f.at(n)
	s := fmt.Sprintf("%d[g%d.%d %v", n, e.goroutine, e.index, e.op)
	if e.loc != 0 {
		s += fmt.Sprintf(" %d.%d+%d", e.object.Goroutine, e.object.Count, e.offset)
	}
	if e.cond != 0 {
		s += " " + f.arena.String(e.cond)
	}
	return s + fmt.Sprintf(" @%d]", e.site.Instr)
}

func debugLoop(t *testing.T, c *Strategy, names *vm.Names, run func(*strategy.Job) (*vm.Trace, *expr.Arena)) {
	for runs := 0; runs < 300; runs++ {
		var job *strategy.Job
		if c.discovered < discoveries {
			job, _ = c.Next()
		} else {
			if c.forest == nil {
				c.begin()
			}
			for job == nil {
				s := c.pop()
				if s == nil {
					break
				}
				job = c.realize(s)
				if job == nil {
					txt := ""
					for _, e := range s.edges {
						txt += fmt.Sprintf("  [%s <- %s]", c.forest.debug(e.read), c.forest.debug(e.write))
					}
					tips := ""
					for _, e := range s.tips {
						tips += " " + c.forest.debug(e)
					}
					why := ""
					for _, l := range c.forest.locs {
						for _, w := range l.waiting {
							if w.s == s {
								why += " " + c.forest.debug(w.node)
							}
						}
					}
					t.Logf("unrealizable sink %s tips %s edges %s; causes %s", c.forest.debug(s.sink), tips, txt, why)
				}
			}
			c.job = job
		}
		if job == nil {
			break
		}
		s := c.scenario
		trace, arena := run(job)
		if s != nil {
			t.Logf("run %d sink %s input %v degree %d ending %d outcome %v %v", runs, c.forest.debug(s.sink), job.Plan.Input, s.degree, c.follower.ending, trace.Outcome, trace.Findings)
			for _, e := range s.edges {
				t.Logf("   %s <- %s", c.forest.debug(e.read), c.forest.debug(e.write))
			}
			for i, e := range trace.Events {
				name := "timer"
				if e.Goroutine >= 0 {
					name = names.String(e.Goroutine)
				}
				t.Logf("      %d: %s.%d %v %v+%d/%d r%d w%d o%d alt%d %s", i, name, e.Index, e.Op, e.Object, e.Offset, e.Cells, e.Read, e.Wrote, e.Other, e.Alt, arena.String(e.Cond))
			}
			for _, p := range trace.Pending {
				t.Logf("     pending %v", p)
			}
		}
		c.Learn(job, trace, arena)
		if s != nil {
			t.Logf("    cut %d ending %d", c.follower.cut, c.follower.ending)
		}
	}
}

func TestDebugMachine(t *testing.T) {
	overlay, err := golib.Overlay(runtime.GOROOT())
	if err != nil {
		t.Fatal(err)
	}
	r, err := load.Load(t.Context(), load.Config{Patterns: []string{"./testdata/machine"}, Overlay: overlay})
	if err != nil {
		t.Fatal(err)
	}
	pkg := r.Packages[0].SSA
	pkg.Build()
	m := vm.New(code.NewProgram(r.Prog, r.Sizes, nil, nil), expr.NewArena(), vm.NewNames(), vm.Limits{Instructions: 1 << 24, Depth: 1000})
	if trace, err := m.Boot(t.Context(), vm.Entry{Inits: []*ssa.Package{pkg}, Func: pkg.Func(*debugFunc)}); err != nil {
		t.Fatalf("%v: %s", err, trace.Message)
	}
	debugLoop(t, New(Default(2)), m.Names, func(j *strategy.Job) (*vm.Trace, *expr.Arena) {
		trace, err := m.Run(t.Context(), j.Plan, j.Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		return trace, m.Arena
	})
}

func TestDebug(t *testing.T) {
	p := toy.Generate(*debugSeed)
	t.Log(p)
	want, _ := toy.Enumerate(p, 30000)
	c := New(Default(3))
	c.shared = p.PlainObjects()
	m := toy.NewMachine(p)
	debugLoop(t, c, m.Names, func(j *strategy.Job) (*vm.Trace, *expr.Arena) { return m.Run(j.Plan, j.Scheduler), m.Arena })
	t.Log(want)
}

func TestMany(t *testing.T) {
	for seed := *debugFrom; seed < *debugFrom+*debugN; seed++ {
		p := toy.Generate(uint64(seed))
		want, ok := toy.Enumerate(p, 30000)
		if !ok {
			continue
		}
		const k = 3
		got, c := search(t, p, Default(k), 5000)
		for i, w := range want {
			if w > k {
				w = toy.Unreachable
			}
			if got[i] != w {
				t.Errorf("seed %d: branch %d side %d: covered at degree %d, want %d; open: %v", seed, i/2, i%2, got[i], w, c.Status().Open)
				break
			}
		}
	}
}
