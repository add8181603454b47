package exec

import (
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/maptable"
	"github.com/everyway-go/everyway/internal/vm/printing"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/value"
	"github.com/everyway-go/everyway/schedule"
)

// throw starts a panic with the value m.Thrown in the top frame of g.
func (m *Interpreter) throw(g *state.Goroutine) {
	p := state.Panicking{Type: m.Thrown[0], Data: m.Thrown[1]}
	if n := len(g.Panics); n > 0 {
		if last := &g.Panics[n-1]; last.Recovered && last.Type == p.Type && last.Data == p.Data {
			last.Repanicked = true
		}
	}
	m.beginPanic(g, p)
}

// goexit starts the deferred calls of all frames of g, after which g ends.
func (m *Interpreter) goexit(g *state.Goroutine) {
	if commuting(g) {
		m.GiveUp(g, "orders of map iteration, where a loop ends with its goroutine")
	}
	m.beginPanic(g, state.Panicking{Goexit: true})
}

// commuting reports whether g is in a loop over a map whose order does not matter otherwise.
// During a panic, that is known of the frames below the deferred call that the panic has run.
func commuting(g *state.Goroutine) bool {
	frames := g.Frames
	if n := len(g.Panics); n > 0 {
		p := &g.Panics[n-1]
		if p.Commuting {
			return true
		}
		frames = frames[max(p.Call, 0):]
	}
	return slices.ContainsFunc(frames, func(f state.Frame) bool {
		return slices.ContainsFunc(f.Func.Commuting, func(l code.MapLoop) bool {
			if !l.Contains(f.PC) {
				return false
			}
			// Where the loop is left the register may have another value.
			it := g.Stack[f.Base+l.Iter].P
			return it == nil || it.Kind != heap.IteratorObject || maptable.HasOneOrder(it)
		})
	})
}

func (m *Interpreter) beginPanic(g *state.Goroutine, p state.Panicking) {
	if g.Top().Func.Middle != nil { // no goroutine is where this prepares one to be: what would be deferred there is not called
		m.Trace.Skipped = true
		m.Stop(run.Finished, "")
		return
	}
	p.Origin = int32(len(g.Frames) - 1)
	p.At, p.Call = p.Origin, -1
	p.Commuting = commuting(g)
	g.Panics = append(g.Panics, p)
	m.unwind(g)
}

// unwind runs the next deferred call for the last panic of g. If there is none left, the goroutine
// ends or the program crashes.
func (m *Interpreter) unwind(g *state.Goroutine) {
	p := &g.Panics[len(g.Panics)-1]
	for ; p.At >= 0; p.At-- {
		f := &g.Frames[p.At]
		if f.Mode == state.TextOfPanic {
			// The method that should return the text of a panic's value has panicked itself: the
			// value is printed without it.
			g.Panics = g.Panics[:len(g.Panics)-1]
			p = &g.Panics[g.Texts]
			p.Text = printing.Panic(p.Type, p.Data, m.Address)
			m.nextPanicText(g)
			return
		}
		if len(f.Defers) > 0 {
			p.Call = int32(len(g.Frames))
			m.RunDeferred(g, int(p.At), state.PanicDeferred)
			return
		}
	}
	if p.Goexit {
		g.Frames = g.Frames[:0]
		g.Panics = g.Panics[:0]
		m.EndGoroutine(g)
		return
	}
	m.nextPanicText(g)
}

// afterPanicDeferred continues after a deferred call that was run by a panic has returned.
func (m *Interpreter) afterPanicDeferred(g *state.Goroutine) {
	n := len(g.Panics) - 1
	p := g.Panics[n]
	if !p.Recovered {
		m.unwind(g)
		return
	}
	// The panics that this one superseded end with it: those whose deferred call is above the frame that continues.
	keep := n
	exit, commuting := false, false
	for keep > 0 && g.Panics[keep-1].Call > p.At {
		keep--
		if last := &g.Panics[keep]; last.Goexit {
			exit, commuting = true, last.Commuting
		}
	}
	g.Panics = g.Panics[:keep]
	g.Frames = g.Frames[:p.At+1]
	if exit {
		// A panic in a deferred call does not stop a Goexit.
		g.Panics = append(g.Panics, state.Panicking{Goexit: true, Origin: p.At, At: p.At, Call: -1, Commuting: commuting})
		m.unwind(g)
		return
	}
	f := g.Top()
	f.PC = int32(f.Func.Recover) - 1
	if !m.RunDeferred(g, int(p.At), state.DeferredCall) && !m.Over {
		f.PC++
	}
}

// recover returns the value that the built-in function recover returns in the top frame
// of g: that of the last panic, if this frame is the deferred call that the panic has
// run.
func (m *Interpreter) recover(g *state.Goroutine) (typ, data heap.Word) {
	n := len(g.Panics)
	if n == 0 {
		return
	}
	p := &g.Panics[n-1]
	if p.Goexit || p.Recovered {
		return
	}
	i := int32(len(g.Frames) - 1)
	if g.Frames[i].Func.Wrapper {
		i-- // recover itself was deferred, so the frame that deferred it counts
	}
	for i > p.Call && g.Frames[i-1].Func.Wrapper {
		i--
	}
	if i != p.Call {
		return
	}
	p.Recovered = true
	if p.Commuting {
		m.GiveUp(g, "orders of map iteration, where a panic ends the loop and is recovered")
	}
	return p.Type, p.Data
}

// panicNow carries out a Panic instruction with an interface value.
func (m *Interpreter) panicNow(g *state.Goroutine, typ, data heap.Word) bool {
	if typ.P == nil && m.Godebug["panicnil"] != "1" {
		return m.PanicRuntime(g, "PanicNilError")
	}
	return m.PanicValue(typ, data)
}

// nextPanicText finds the texts of the values of g's panics, the last of which was not
// recovered. For errors and Stringers it calls their method. When it has all texts, the
// program crashes.
func (m *Interpreter) nextPanicText(g *state.Goroutine) {
	for i := int(g.Texts); i < len(g.Panics); i++ { // those before have theirs
		p := &g.Panics[i]
		if p.HasText || p.Goexit {
			continue
		}
		p.HasText = true
		if p.Type.P == nil { // with GODEBUG=panicnil=1
			p.Text = "nil"
			continue
		}
		if fn := m.textMethod(p.Type.P.Desc); fn != nil {
			g.Texts = int32(i)
			m.Enter(g, fn, nil, []heap.Word{p.Data}, nil, state.TextOfPanic)
			return
		}
		p.Text = printing.Panic(p.Type, p.Data, m.Address)
	}
	m.parkAtCrash(g)
}

// notePanicText takes the text that a method has returned.
func (m *Interpreter) notePanicText(g *state.Goroutine, base, length heap.Word) {
	g.Panics[g.Texts].Text = printing.Indented(string(m.ConcreteBytes(g, base, int(length.N))))
	m.nextPanicText(g)
}

// textMethod returns the method that returns the text of a panic's value of type t: Error
// or else String. It returns nil if the type has neither.
func (m *Interpreter) textMethod(t *code.Type) *state.Function {
	for _, name := range [...]string{"Error", "String"} {
		for _, entry := range m.Program.Methods(t) {
			if entry.Name != name || entry.Pkg != "" || !value.IsTextMethod(entry.Sel) {
				continue
			}
			return m.linkThunk(m.Program.MethodFunc(entry))
		}
	}
	return nil
}

// parkAtCrash makes the end of the program by the panics of g a visible operation, since
// other goroutines may continue for a while before the program ends.
func (m *Interpreter) parkAtCrash(g *state.Goroutine) {
	g.Pending = run.Transition{Op: schedule.Fail, Object: run.NoObject, Partner: -1, Enabled: true, Site: m.SiteOfTop(g)}
	m.Park(g, state.AtCrash)
	m.Fault = state.NoFault
}

// Crash ends the run with the panics of g, as an unrecovered panic ends a program.
func (m *Interpreter) Crash(g *state.Goroutine) {
	var message strings.Builder
	for i := range g.Panics {
		p := &g.Panics[i]
		if i > 0 && g.Panics[i-1].Repanicked {
			continue
		}
		if i > 0 && !g.Panics[i-1].Goexit {
			message.WriteString("\t")
		}
		if p.Goexit {
			continue
		}
		message.WriteString("panic: " + p.Text)
		switch {
		case p.Recovered && p.Repanicked:
			message.WriteString(" [recovered, repanicked]")
		case p.Recovered:
			message.WriteString(" [recovered]")
		}
		message.WriteString("\n")
	}
	m.Record(g, run.Event{Op: schedule.Fail, Object: run.NoObject})
	origin := int(g.Panics[len(g.Panics)-1].Origin)
	m.Trace.Panic = &run.Failure{StackTrace: m.StackTrace(g, origin+1), Message: strings.TrimSuffix(message.String(), "\n")}
	m.Stop(run.Failed, "")
}
