package worker

import (
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/profile"
	"github.com/everyway-go/everyway/internal/run"
)

// describe says what was given up, and where. A function of the standard library in which that was
// is named below.
func (w *Worker) describe(g run.GivenUp) string {
	text := g.What
	if pos := w.position(g.Site); pos != "" {
		text = pos + ": " + text
	}
	if g.Called >= 0 {
		text += "\n\tin " + w.machine.Funcs[g.Called].Name
	}
	return text
}

// Explain says why a run did not come to its end: the innermost place outside
// the standard library, the reason and, a line each, the calls from that of the target
// on. The message of the machine has the call chain below the reason, a line
// "function at file:line:column" each, the innermost first.
func (w *Worker) Explain(message string) string {
	what, chain, _ := strings.Cut(message, "\n\t")
	if chain == "" {
		return what
	}
	at, end := "", 0
	frames := strings.Split(chain, "\n\t")
	for i, frame := range frames {
		fn, pos, ok := strings.Cut(frame, " at ")
		if !ok {
			continue
		}
		short := w.program.Shorten(w.target, pos)
		frames[i] = fn + " at " + short
		if !strings.HasPrefix(pos, w.program.Toolchain.GOROOT) {
			if end = i + 1; at == "" {
				at = short + ": "
			}
		}
	}
	if at == "" {
		return what
	}
	return at + what + "\n\t" + strings.Join(frames[:end], "\n\t")
}

// start returns where the target begins: where the first does, if it is several tests.
func (w *Worker) start() profile.Frame {
	fn := w.target.Func
	if fn == nil {
		fn = w.target.Tests[0].Func
	}
	at := w.program.Fset.Position(fn.Pos())
	return profile.Frame{Func: code.FuncName(fn), File: at.Filename, Line: at.Line}
}

// position returns the source position of a site as run files have it: the
// file relative to the module's root, or below $GOROOT.
func (w *Worker) position(id run.SiteID) string {
	_, pos := w.machine.Site(id)
	return w.program.Position(w.target, pos)
}
