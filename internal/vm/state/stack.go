package state

import (
	"go/token"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/meter"
)

// CallerOf returns the innermost site outside the standard library on the stack of g, or
// the innermost of all if there is none.
func (m *State) CallerOf(g *Goroutine) run.SiteID {
	at, _ := m.callOf(g)
	return at
}

// callOf is CallerOf, with the number of the function of the standard library that was called
// there, -1 if there is none.
func (m *State) callOf(g *Goroutine) (at run.SiteID, called int32) {
	called = -1
	for i := len(g.Frames) - 1; i >= 0; i-- {
		f := &g.Frames[i]
		if !f.Func.Standard {
			return run.SiteID{Func: f.Func.ID, Instr: f.PC}, called
		}
		called = f.Func.ID
	}
	return m.SiteOfTop(g), called
}

// OwnSite returns the innermost site in the main module on the stack of g, or else that of
// CallerOf.
func (m *State) OwnSite(g *Goroutine) run.SiteID {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		if f := &g.Frames[i]; f.Func.Own {
			return run.SiteID{Func: f.Func.ID, Instr: f.PC}
		}
	}
	return m.CallerOf(g)
}

// StackOf returns the call stack of the first n frames of g, innermost first.
func (m *State) StackOf(g *Goroutine, n int) []run.Frame {
	stack := make([]run.Frame, 0, n)
	for i := n - 1; i >= 0; i-- {
		f := &g.Frames[i]
		stack = append(stack, run.Frame{Func: f.Func.Name, Site: run.SiteID{Func: f.Func.ID, Instr: f.PC}})
	}
	return stack
}

// StackTrace returns where g is, or where it was when it had n frames.
func (m *State) StackTrace(g *Goroutine, n int) run.StackTrace {
	stack := m.StackOf(g, n)
	return run.StackTrace{Goroutine: g.ID, Site: m.UserSite(stack), Frames: stack, Events: len(m.Trace.Events)}
}

// UserSite returns the innermost site of a stack outside the standard library, or the
// innermost of all if there is none.
func (m *State) UserSite(stack []run.Frame) run.SiteID {
	for _, f := range stack {
		if !m.Funcs[f.Site.Func].Standard {
			return f.Site
		}
	}
	if len(stack) > 0 {
		return stack[0].Site
	}
	return run.SiteID{Func: -1}
}

// StackNumber returns the number that the meter gives to the call stack of g, or to a timer if g is nil.
func (m *State) StackNumber(g *Goroutine) meter.Stack {
	if g == nil {
		return meter.Timer
	}
	for i := len(g.Frames) - 1; i >= 0; i-- {
		f := &g.Frames[i]
		if !m.Meter.Push(run.SiteID{Func: f.Func.ID, Instr: f.PC}) {
			break
		}
	}
	return m.Meter.Number()
}

// Sampled is called when the fuel is spent, with the goroutine that spends it. It returns true if limits and
// context need not be checked yet.
func (m *State) Sampled(g *Goroutine) bool {
	return m.Tank.Sampled(func() meter.Stack { return m.StackNumber(g) })
}

// MarkTestHelper marks fn as a function to which a test does not attribute messages.
func (m *State) MarkTestHelper(fn *Function) {
	if i, marked := slices.BinarySearch(m.helpers, fn.ID); !marked {
		m.helpers = slices.Insert(slices.Clone(m.helpers), i, fn.ID)
	}
}

// IsTestHelper reports whether fn has been marked as a test helper in this run.
func (m *State) IsTestHelper(fn *Function) bool {
	_, marked := slices.BinarySearch(m.helpers, fn.ID)
	return marked
}

// TestHelpers returns the numbers of the functions that have been marked as test helpers, in
// order.
func (m *State) TestHelpers() []int32 { return m.helpers }

// maxEnds is the number of calls that Whereabouts lists at each end of a long stack: the
// innermost show what was done, the outermost where the code under test asked for it.
const maxEnds = 12

// Whereabouts returns the call stack of g as text for a message.
func (m *State) Whereabouts(g *Goroutine) string {
	if g == nil || len(g.Frames) == 0 {
		return ""
	}
	var b strings.Builder
	for i, f := range m.StackOf(g, len(g.Frames)) {
		switch left := len(g.Frames) - i; {
		case i == maxEnds && left > maxEnds:
			b.WriteString("\n\t…")
			continue
		case i > maxEnds && left > maxEnds:
			continue
		}
		b.WriteString("\n\t")
		b.WriteString(f.Func)
		if _, pos := m.Site(f.Site); pos.IsValid() {
			b.WriteString(" at ")
			b.WriteString(m.Program.SSA.Fset.Position(pos).String())
		}
	}
	return b.String()
}

// WriteOutput passes on what the program prints.
func (m *State) WriteOutput(text []byte) {
	m.output += int64(len(text))
	m.Used += outputBytes * int64(len(text))
	if m.Output != nil && len(text) > 0 {
		m.Printed = append(m.Printed, text...)
		// An error of the writer does not affect the run.
		_, _ = m.Output.Write(text)
	}
}

// Site returns the function that contains a site, as runtime.FuncForPC names it, and the
// position of the site in the source. Both are zero for run.NoSite.
func (m *State) Site(id run.SiteID) (fn string, pos token.Pos) {
	f := m.function(id)
	if f == nil {
		return "", token.NoPos
	}
	if id.Instr < 0 || int(id.Instr) >= len(f.Pos) {
		return f.Name, token.NoPos
	}
	return f.Name, f.Pos[id.Instr]
}

// Standard reports whether a site is in the standard library or in a model of it.
func (m *State) Standard(id run.SiteID) bool {
	f := m.function(id)
	return f == nil || f.Standard
}

// SiteOf returns the site of an instruction of the function with the given name, whether
// or not the function is linked already.
func (m *State) SiteOf(fn string, instr int32) run.SiteID {
	for i, f := range m.Funcs {
		if f != nil && f.Name == fn && !f.Unboxes {
			return run.SiteID{Func: int32(i), Instr: instr}
		}
	}
	id, ok := m.Reserved[fn]
	if !ok {
		id = int32(len(m.Funcs))
		m.Funcs = append(m.Funcs, nil)
		if m.Reserved == nil {
			m.Reserved = make(map[string]int32)
		}
		m.Reserved[fn] = id
	}
	return run.SiteID{Func: id, Instr: instr}
}

// function returns the linked function of a site, nil if there is none.
func (m *State) function(id run.SiteID) *Function {
	if id.Func < 0 || int(id.Func) >= len(m.Funcs) {
		return nil
	}
	return m.Funcs[id.Func]
}

// SiteOfTop returns the site at which g is.
func (m *State) SiteOfTop(g *Goroutine) run.SiteID {
	f := g.Top()
	return run.SiteID{Func: f.Func.ID, Instr: f.PC}
}
