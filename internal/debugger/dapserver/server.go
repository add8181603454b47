package dapserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/google/go-dap"

	"github.com/everyway-go/everyway/internal/debugger"
	"github.com/everyway-go/everyway/internal/engine/inspect"
)

// Launch are the arguments of a launch request.
type Launch struct {
	// Run is the path of the run file. Program is another name for it.
	Run     string `json:"run"`
	Program string `json:"program"`
	// Dir is the directory that paths are relative to, in the module that the run was recorded in; by default that in
	// which the server was started. Cwd is another name for it.
	Dir string `json:"dir"`
	Cwd string `json:"cwd"`
	// StopOnEntry stops at the start of the run; otherwise it goes on to the first breakpoint or the finding.
	StopOnEntry bool `json:"stopOnEntry"`
	// Library stops in the standard library too.
	Library bool `json:"library"`
}

// A Server serves one client.
type Server struct {
	open func(context.Context, Launch) (*inspect.Session, error)
	in   *bufio.Reader
	out  io.Writer
	seq  int
	err  error // of writing

	// interrupted is set when the client wants what is going on to stop.
	interrupted atomic.Bool
	ended       bool

	launch    Launch
	d         *debugger.Debugger
	finding   bool // stop at the finding
	functions []int
	data      []int
	frames    []inspect.Frame // by id - 1, since the last stop
	refs      []ref           // by variables reference - 1, since the last stop
	sources   []string        // by source reference - 1
	printed   int             // number of bytes of output that the client has got
	stoppedBy debugger.Stop
}

// New returns a server that reads requests from in and writes to out. It opens run files with open.
func New(in io.Reader, out io.Writer, open func(context.Context, Launch) (*inspect.Session, error)) *Server {
	return &Server{open: open, in: bufio.NewReader(in), out: out, finding: true}
}

// Serve handles requests until the client disconnects, the input ends or the context is done.
func (s *Server) Serve(ctx context.Context) error {
	type message struct {
		dap.Message
		err error
	}
	messages := make(chan message)
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			m, err := dap.ReadProtocolMessage(s.in)
			switch m.(type) {
			case *dap.PauseRequest, *dap.DisconnectRequest, *dap.TerminateRequest:
				s.interrupted.Store(true)
			}
			select {
			case messages <- message{m, err}:
			case <-done:
				return
			}
			var field *dap.DecodeProtocolMessageFieldError
			if err != nil && !errors.As(err, &field) {
				return
			}
		}
	}()
	defer func() {
		if s.d != nil {
			s.d.Session.Close()
		}
	}()
	for !s.ended && s.err == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case m := <-messages:
			var field *dap.DecodeProtocolMessageFieldError
			switch {
			case errors.As(m.err, &field): // a request of a kind that is not known
				s.send(&dap.ErrorResponse{Response: dap.Response{
					ProtocolMessage: dap.ProtocolMessage{Type: "response"}, RequestSeq: field.Seq, Command: field.FieldValue, Message: "not supported",
				}})
				continue
			case errors.Is(m.err, io.EOF):
				return nil
			case m.err != nil:
				return fmt.Errorf("reading a request: %w", m.err)
			}
			if r, ok := m.Message.(dap.RequestMessage); ok {
				s.handle(ctx, r)
			}
		}
	}
	return s.err
}

// send sends a message.
func (s *Server) send(m dap.Message) {
	s.seq++
	switch m := m.(type) {
	case dap.ResponseMessage:
		m.GetResponse().Seq = s.seq
	case dap.EventMessage:
		m.GetEvent().Seq = s.seq
	}
	if err := dap.WriteProtocolMessage(s.out, m); err != nil && s.err == nil {
		s.err = fmt.Errorf("writing a message: %w", err)
	}
}

// response returns what the response to a request begins with.
func response(r dap.RequestMessage) dap.Response {
	q := r.GetRequest()
	return dap.Response{ProtocolMessage: dap.ProtocolMessage{Type: "response"}, RequestSeq: q.Seq, Success: true, Command: q.Command}
}

// event returns what an event begins with.
func event(name string) dap.Event {
	return dap.Event{ProtocolMessage: dap.ProtocolMessage{Type: "event"}, Event: name}
}

// fail answers a request with an error.
func (s *Server) fail(r dap.RequestMessage, err error) {
	e := &dap.ErrorResponse{Response: response(r)}
	e.Success, e.Message = false, err.Error()
	e.Body.Error = &dap.ErrorMessage{Id: 1, Format: err.Error(), ShowUser: true}
	s.send(e)
}

// handle handles a request.
func (s *Server) handle(ctx context.Context, r dap.RequestMessage) {
	switch r := r.(type) {
	case *dap.InitializeRequest:
		s.send(&dap.InitializeResponse{Response: response(r), Body: capabilities})
		return
	case *dap.LaunchRequest:
		if err := s.launched(ctx, r); err != nil {
			s.fail(r, err)
			return
		}
		s.send(&dap.LaunchResponse{Response: response(r)})
		s.send(&dap.InitializedEvent{Event: event("initialized")})
		return
	case *dap.DisconnectRequest:
		s.send(&dap.DisconnectResponse{Response: response(r)})
		s.ended = true
		return
	case *dap.TerminateRequest:
		s.send(&dap.TerminateResponse{Response: response(r)})
		s.send(&dap.TerminatedEvent{Event: event("terminated")})
		return
	}
	if s.d == nil {
		s.fail(r, errors.New("no run has been launched"))
		return
	}
	if !s.look(r) && !s.move(r) && !s.setBreakpoints(r) {
		s.fail(r, fmt.Errorf("%s is not supported", r.GetRequest().Command))
	}
}

var capabilities = dap.Capabilities{
	SupportsConfigurationDoneRequest:   true,
	SupportsFunctionBreakpoints:        true,
	SupportsConditionalBreakpoints:     true,
	SupportsEvaluateForHovers:          true,
	SupportsStepBack:                   true,
	SupportsSteppingGranularity:        true,
	SupportsExceptionInfoRequest:       true,
	SupportsDataBreakpoints:            true,
	SupportsBreakpointLocationsRequest: true,
	SupportsTerminateRequest:           true,
	SupportsDelayedStackTraceLoading:   true,
	ExceptionBreakpointFilters: []dap.ExceptionBreakpointsFilter{
		{Filter: "finding", Label: "Finding", Description: "Stop where what is wrong with the run shows", Default: true},
	},
}

// launched opens the run file.
func (s *Server) launched(ctx context.Context, r *dap.LaunchRequest) error {
	if s.d != nil {
		return errors.New("a run has been launched already")
	}
	if err := json.Unmarshal(r.Arguments, &s.launch); err != nil {
		return fmt.Errorf("the arguments of launch: %w", err)
	}
	if s.launch.Run == "" {
		s.launch.Run = s.launch.Program
	}
	if s.launch.Dir == "" {
		s.launch.Dir = s.launch.Cwd
	}
	if s.launch.Run == "" {
		return errors.New(`launch needs "run", the path of a run file`)
	}
	session, err := s.open(ctx, s.launch)
	if err != nil {
		return err
	}
	s.d = debugger.New(session, func() bool { return s.interrupted.Load() || ctx.Err() != nil })
	return nil
}
