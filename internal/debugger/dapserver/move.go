package dapserver

import (
	"github.com/google/go-dap"

	"github.com/everyway-go/everyway/internal/debugger"
	"github.com/everyway-go/everyway/internal/engine/inspect"
)

// move handles a request that moves to another point of the run. It reports whether r is one.
func (s *Server) move(r dap.RequestMessage) bool {
	step := func(thread int, granularity dap.SteppingGranularity, mode debugger.Mode, dir debugger.Direction) func() (debugger.Stop, error) {
		return func() (debugger.Stop, error) {
			if thread > 0 && int32(thread-1) != s.d.Goroutine {
				s.d.Select(int32(thread - 1))
			}
			if granularity == "instruction" {
				mode = debugger.Point
			}
			return s.d.Step(mode, dir)
		}
	}
	const f, b = debugger.Forwards, debugger.Backwards
	switch r := r.(type) {
	case *dap.ConfigurationDoneRequest:
		s.send(&dap.ConfigurationDoneResponse{Response: response(r)})
		s.run(func() (debugger.Stop, error) {
			if err := s.d.GotoStart(); err != nil || s.launch.StopOnEntry {
				return debugger.Stop{Reason: "entry"}, err
			}
			return s.goOn(f)
		})
	case *dap.ContinueRequest:
		s.send(&dap.ContinueResponse{Response: response(r), Body: dap.ContinueResponseBody{AllThreadsContinued: true}})
		s.run(func() (debugger.Stop, error) { return s.goOn(f) })
	case *dap.ReverseContinueRequest:
		s.send(&dap.ReverseContinueResponse{Response: response(r)})
		s.run(func() (debugger.Stop, error) { return s.goOn(b) })
	case *dap.NextRequest:
		s.send(&dap.NextResponse{Response: response(r)})
		s.run(step(r.Arguments.ThreadId, r.Arguments.Granularity, debugger.Over, f))
	case *dap.StepInRequest:
		s.send(&dap.StepInResponse{Response: response(r)})
		s.run(step(r.Arguments.ThreadId, r.Arguments.Granularity, debugger.Into, f))
	case *dap.StepOutRequest:
		s.send(&dap.StepOutResponse{Response: response(r)})
		s.run(step(r.Arguments.ThreadId, "", debugger.Out, f))
	case *dap.StepBackRequest:
		s.send(&dap.StepBackResponse{Response: response(r)})
		s.run(step(r.Arguments.ThreadId, r.Arguments.Granularity, debugger.Over, b))
	case *dap.PauseRequest:
		// Whatever was going on has stopped.
		s.send(&dap.PauseResponse{Response: response(r)})
		s.run(func() (debugger.Stop, error) { return debugger.Stop{Reason: "pause"}, nil })
	default:
		return false
	}
	return true
}

// goOn is Continue that stops at the finding, too.
func (s *Server) goOn(dir debugger.Direction) (debugger.Stop, error) {
	d, at := s.d, s.d.Session.At()
	finding := d.Session.FindingAt()
	if dir == debugger.Forwards && at == d.Session.Len()-1 {
		return debugger.Stop{Reason: "terminated"}, nil
	}
	stop, err := d.Continue(dir)
	if err != nil || !s.finding || d.Session.Finding() == nil || dir == debugger.Backwards || at >= finding || d.Session.At() < finding {
		return stop, err
	}
	return d.GotoFinding()
}

// run moves, and says where that has led.
func (s *Server) run(do func() (debugger.Stop, error)) {
	s.interrupted.Store(false)
	stop, err := do()
	s.frames, s.refs, s.stoppedBy = nil, nil, stop
	if err != nil {
		s.console(err.Error() + "\n")
		stop = debugger.Stop{Reason: "pause", Text: err.Error()}
	}
	if text := s.d.Session.Output(); len(text) > s.printed {
		s.send(&dap.OutputEvent{Event: event("output"), Body: dap.OutputEventBody{Category: "stdout", Output: text[s.printed:]}})
		s.printed = len(text)
	}
	if stop.Reason == "terminated" {
		s.send(&dap.TerminatedEvent{Event: event("terminated")})
		return
	}
	reason, ok := map[string]string{
		"step": "step", "breakpoint": "breakpoint", "watch": "data breakpoint", "entry": "entry", "pause": "pause", "interrupted": "pause",
		"finding": "exception", "start": "entry",
	}[stop.Reason]
	if !ok {
		reason = "pause"
	}
	e := &dap.StoppedEvent{Event: event("stopped"), Body: dap.StoppedEventBody{
		Reason: reason, Text: stop.Text, ThreadId: int(s.d.Goroutine) + 1, AllThreadsStopped: true, HitBreakpointIds: stop.Breakpoints,
	}}
	switch {
	case stop.Reason == "watch":
		e.Body.Description = stop.Text
	case stop.Reason == "end", stop.Reason == "start":
		e.Body.Description = stop.Text
	}
	if p := s.d.Session.Point(s.d.Session.At()); p.Kind == inspect.Step && e.Body.Description == "" {
		e.Body.Description = "about to " + p.Op.String()
	}
	s.send(e)
}

// console prints in the debug console of the client.
func (s *Server) console(text string) {
	s.send(&dap.OutputEvent{Event: event("output"), Body: dap.OutputEventBody{Category: "console", Output: text}})
}
