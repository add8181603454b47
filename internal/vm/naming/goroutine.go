package naming

import (
	"fmt"
	"go/token"
	"path/filepath"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
)

// A Goroutine is what is known of a goroutine.
type Goroutine struct {
	Func    string     // the function that it was started with, as package runtime names it; empty for the main goroutine
	Literal bool       // that is a function literal
	Created run.SiteID // the go statement that started it, or the call of the standard library that did; run.NoSite if there is none
}

// Goroutine returns what is known of a goroutine of the run. One whose function is a literal, and that
// a library has started that was given what to do, is said to be created where the main module has
// called the library.
func (n *Names) Goroutine(id int32) Goroutine {
	m := n.m
	if id <= 0 || int(id) >= len(m.Slots) {
		return Goroutine{Created: run.NoSite}
	}
	g := m.Goroutines[m.Slots[id]]
	fn := n.function(g.Func)
	if g.ID != id || fn == nil {
		return Goroutine{Created: run.NoSite}
	}
	out := Goroutine{Func: fn.Name, Created: g.Created}
	if fn.SSA != nil {
		out.Func, out.Literal = code.SymbolName(fn.SSA), fn.SSA.Parent() != nil
	}
	if g.Created == run.NoSite {
		return out // a timer has started it, or the garbage collector
	}
	if m.Standard(g.Created) || out.Literal && !fn.Own && n.runsOwn(id) {
		out.Created = g.Asked
	}
	return out
}

// runsOwn reports whether a goroutine has done something in the main module.
func (n *Names) runsOwn(id int32) bool {
	for i := range n.m.Trace.Events {
		e := &n.m.Trace.Events[i]
		if e.Goroutine != id {
			continue
		}
		if fn := n.function(e.Caller.Func); fn != nil && fn.Own {
			return true
		}
	}
	return false
}

// shortPosition returns the base name of a file and a line.
func shortPosition(at token.Position) string {
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}
