package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

// throw starts a panic with the value m.thrown at the top frame of g.
func (m *Machine) throw(g *goroutine) {
	p := panicking{typ: m.thrown[0], data: m.thrown[1]}
	if n := len(g.panics); n > 0 {
		if last := &g.panics[n-1]; last.recovered && last.typ == p.typ && last.data == p.data {
			last.repanicked = true
		}
	}
	m.beginPanic(g, p)
}

// goexit starts the deferred calls of all frames of g, after which it ends.
func (m *Machine) goexit(g *goroutine) { m.beginPanic(g, panicking{goexit: true}) }

func (m *Machine) beginPanic(g *goroutine, p panicking) {
	p.origin = int32(len(g.frames) - 1)
	p.at, p.call = p.origin, -1
	g.panics = append(g.panics, p)
	m.unwind(g)
}

// unwind has the next deferred call made for the last panic of g. When none is
// left, the goroutine ends or the program crashes.
func (m *Machine) unwind(g *goroutine) {
	p := &g.panics[len(g.panics)-1]
	for ; p.at >= 0; p.at-- {
		f := &g.frames[p.at]
		if f.mode == textOfPanic {
			// The method that was to give the text of a panic's value panics itself:
			// the value is shown without it.
			g.panics = g.panics[:len(g.panics)-1]
			p = &g.panics[g.texts]
			p.text = m.printed(p.typ, p.data)
			m.textNext(g)
			return
		}
		if len(f.defers) > 0 {
			p.call = int32(len(g.frames))
			m.runDeferred(g, int(p.at), panicDeferred)
			return
		}
	}
	if p.goexit {
		g.frames = g.frames[:0]
		g.panics = g.panics[:0]
		m.endGoroutine(g)
		return
	}
	m.textNext(g)
}

// afterPanicDeferred goes on after a deferred call that a panic had made.
func (m *Machine) afterPanicDeferred(g *goroutine) {
	n := len(g.panics) - 1
	p := g.panics[n]
	if !p.recovered {
		m.unwind(g)
		return
	}
	// The panics that this one overtook end with it: those whose deferred call
	// lies above the frame that goes on.
	keep := n
	exit := false
	for keep > 0 && g.panics[keep-1].call > p.at {
		keep--
		exit = exit || g.panics[keep].goexit
	}
	g.panics = g.panics[:keep]
	g.frames = g.frames[:p.at+1]
	if exit {
		// A panic does not keep a goroutine from exiting.
		g.panics = append(g.panics, panicking{goexit: true, origin: p.at, at: p.at, call: -1})
		m.unwind(g)
		return
	}
	f := g.top()
	f.pc = int32(f.fn.Recover) - 1
	if !m.runDeferred(g, int(p.at), deferredCall) && !m.over {
		f.pc++
	}
}

// recover returns the value that the built-in function recover gives in the top
// frame of g: that of the last panic, if it had the deferred call made that this
// frame is.
func (m *Machine) recover(g *goroutine) (typ, data heap.Word) {
	n := len(g.panics)
	if n == 0 {
		return
	}
	p := &g.panics[n-1]
	if p.goexit || p.recovered {
		return
	}
	i := int32(len(g.frames) - 1)
	if g.frames[i].fn.Wrapper {
		i-- // recover was deferred itself: the frame that deferred it counts
	}
	for i > p.call && g.frames[i-1].fn.Wrapper {
		i--
	}
	if i != p.call {
		return
	}
	p.recovered = true
	return p.typ, p.data
}

// panicNow carries out a Panic instruction with an interface value.
func (m *Machine) panicNow(g *goroutine, typ, data heap.Word) bool {
	if typ.P == nil {
		return m.panicRuntime(g, "PanicNilError")
	}
	return m.panicValue(typ, data)
}

// textNext finds the texts of the values of g's panics, of which the last was
// not recovered: for errors and Stringers by a call of their method. Then the
// program crashes.
func (m *Machine) textNext(g *goroutine) {
	for i := range g.panics {
		p := &g.panics[i]
		if p.hasText || p.goexit {
			continue
		}
		p.hasText = true
		if fn := m.textMethod(p.typ.P.Desc); fn != nil {
			g.texts = int32(i)
			m.enter(g, fn, nil, []heap.Word{p.data}, nil, textOfPanic)
			return
		}
		p.text = m.printed(p.typ, p.data)
	}
	m.parkAtCrash(g)
}

// afterText takes the text that a method has given.
func (m *Machine) afterText(g *goroutine, base, length heap.Word) {
	g.panics[g.texts].text = indented(string(m.pinnedBytes(g, base, int(length.N))))
	m.textNext(g)
}

// textMethod returns the method that gives the text of a panic's value of type
// t: Error, or else String; nil when it has neither.
func (m *Machine) textMethod(t *code.Type) *function {
	for _, name := range [...]string{"Error", "String"} {
		for _, entry := range m.prog.Methods(t) {
			if entry.Name != name || entry.Pkg != "" || !isTextMethod(entry.Sel) {
				continue
			}
			return m.linkThunk(m.prog.MethodFunc(entry))
		}
	}
	return nil
}

// parkAtCrash makes the end of the program by the panics of g a visible
// operation: the others may go on for a while after g's last one.
func (m *Machine) parkAtCrash(g *goroutine) {
	g.pending = run.Transition{Op: schedule.Fail, Object: run.NoObject, Partner: -1, Enabled: true, Site: m.siteOfTop(g)}
	m.park(g, atCrash)
	m.fault = noFault
}

// Crash ends the run with the panics of g, as an unrecovered panic ends a program.
func (m *Machine) Crash(g *goroutine) {
	message := ""
	for i := range g.panics {
		p := &g.panics[i]
		if i > 0 && g.panics[i-1].repanicked {
			continue
		}
		if i > 0 && !g.panics[i-1].goexit {
			message += "\t"
		}
		if p.goexit {
			continue
		}
		message += "panic: " + p.text
		switch {
		case p.recovered && p.repanicked:
			message += " [recovered, repanicked]"
		case p.recovered:
			message += " [recovered]"
		}
		message += "\n"
	}
	if n := len(message); n > 0 {
		message = message[:n-1]
	}
	m.record(g, run.Event{Op: schedule.Fail, Object: run.NoObject})
	origin := int(g.panics[len(g.panics)-1].origin)
	m.trace.Panic = &run.Failure{StackTrace: m.stackTrace(g, origin+1), Message: message}
	m.stop(run.Failed, "")
}
