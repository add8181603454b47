package vm_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// sharedObjects returns the objects that goroutines share and one of them
// writes, as a run of the function tells.
func (r *runner) sharedObjects(t *testing.T) map[run.ObjectID]bool {
	trace, _ := r.run(t, &run.Plan{Record: true}, run.NonPreemptive{})
	users := map[run.ObjectID]int{}
	wrote := map[run.ObjectID]bool{}
	for _, a := range trace.Accesses {
		users[a.Object]++
		wrote[a.Object] = wrote[a.Object] || a.Wrote
	}
	shared := map[run.ObjectID]bool{}
	for o, n := range users {
		if n > 1 && wrote[o] {
			shared[o] = true
		}
	}
	return shared
}

// printEvents writes the events of a run, one a line.
func printEvents(r *runner, trace *run.Trace) string {
	var b strings.Builder
	for i, e := range trace.Events {
		name := "timer"
		if e.Goroutine >= 0 {
			name = r.Names.String(e.Goroutine)
		}
		fmt.Fprintf(&b, "%2d %s#%d %v", i, name, e.Index, e.Op)
		if e.Object != run.NoObject {
			fmt.Fprintf(&b, " %d:%d+%d", e.Object.Goroutine, e.Object.Count, e.Offset)
			if e.Cells > 1 {
				fmt.Fprintf(&b, "(%d)", e.Cells)
			}
		}
		if e.Select {
			fmt.Fprintf(&b, " case %d", e.Alt)
		}
		if e.Other >= 0 {
			fmt.Fprintf(&b, " other %d", e.Other)
		}
		if e.ReadKind != 0 {
			fmt.Fprintf(&b, " read %#x", e.Read)
			if e.ReadSym != expr.None {
				fmt.Fprintf(&b, " as %s", r.Arena.String(e.ReadSym))
			}
		}
		if e.WroteKind != 0 {
			fmt.Fprintf(&b, " wrote %#x", e.Wrote)
			if e.WroteSym != expr.None {
				fmt.Fprintf(&b, " as %s", r.Arena.String(e.WroteSym))
			}
		}
		for _, w := range e.Rest {
			fmt.Fprintf(&b, " and %#x", w.Value)
			if w.Sym != expr.None {
				fmt.Fprintf(&b, " as %s", r.Arena.String(w.Sym))
			}
		}
		if e.Cond != expr.None {
			fmt.Fprintf(&b, " %s", r.Arena.String(e.Cond))
		}
		if fn, pos := r.Site(e.Caller); pos.IsValid() {
			fmt.Fprintf(&b, " in %s", fn[strings.LastIndexByte(fn, '.')+1:])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The events of a run, with the objects that are shared visible and every read
// of them a symbol.
func TestEvents(t *testing.T) {
	p := loadFuncs(t, "concurrent/events")
	for _, name := range p.names {
		t.Run(name, func(t *testing.T) {
			r := p.runner(t, name)
			r.AddInputs(p.pkg.Pkg.Path())
			plan := &run.Plan{
				Input:       run.Input{"x": 5},
				Visible:     run.Visible{Objects: r.sharedObjects(t)},
				ReadSymbols: true,
				Record:      true,
			}
			trace, out := r.run(t, plan, run.NonPreemptive{})
			if want := p.want[name][0]; out != want {
				t.Errorf("got %q, want %q", out, want)
			}
			got := printEvents(r, trace)
			golden := filepath.Join("testdata", "concurrent", "events", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			compareLines(t, got, string(want))
		})
	}
}
