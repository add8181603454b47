package dapserver

import (
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-dap"

	"github.com/everyway-go/everyway/internal/debugger/console"
	"github.com/everyway-go/everyway/internal/engine/inspect"
)

// A ref is something that has variables.
type ref struct {
	frame  inspect.Frame
	global bool // the variables of the package; otherwise those of the call, if there is no value
	value  *inspect.Value
	expr   string // of the value, "" if it has none
}

// look handles a request that only looks. It reports whether r is one.
func (s *Server) look(r dap.RequestMessage) bool {
	session := s.d.Session
	switch r := r.(type) {
	case *dap.ThreadsRequest:
		body := dap.ThreadsResponseBody{Threads: []dap.Thread{}}
		for _, g := range session.Goroutines() {
			if g.Status == inspect.Ended {
				continue
			}
			name := g.Name + " " + g.Func[strings.LastIndexByte(g.Func, '/')+1:]
			if g.Wait != nil {
				name += " [" + g.Wait.String() + "]"
			}
			body.Threads = append(body.Threads, dap.Thread{Id: int(g.ID) + 1, Name: name})
		}
		s.send(&dap.ThreadsResponse{Response: response(r), Body: body})
	case *dap.StackTraceRequest:
		s.send(&dap.StackTraceResponse{Response: response(r), Body: s.stackTrace(&r.Arguments)})
	case *dap.ScopesRequest:
		f, err := s.frame(r.Arguments.FrameId)
		if err != nil {
			s.fail(r, err)
			break
		}
		s.send(&dap.ScopesResponse{Response: response(r), Body: dap.ScopesResponseBody{Scopes: []dap.Scope{
			{Name: "Locals", PresentationHint: "locals", VariablesReference: s.ref(ref{frame: f})},
			{Name: "Package", VariablesReference: s.ref(ref{frame: f, global: true}), Expensive: true},
		}}})
	case *dap.VariablesRequest:
		vars, err := s.variables(&r.Arguments)
		if err != nil {
			s.fail(r, err)
			break
		}
		s.send(&dap.VariablesResponse{Response: response(r), Body: dap.VariablesResponseBody{Variables: vars}})
	case *dap.EvaluateRequest:
		s.evaluate(r)
	case *dap.SourceRequest:
		n := r.Arguments.SourceReference
		if r.Arguments.Source != nil && r.Arguments.Source.SourceReference > 0 {
			n = r.Arguments.Source.SourceReference
		}
		if n < 1 || n > len(s.sources) {
			s.fail(r, errors.New("no such source"))
			break
		}
		s.send(&dap.SourceResponse{Response: response(r), Body: dap.SourceResponseBody{Content: s.text(s.sources[n-1]), MimeType: "text/x-go"}})
	case *dap.ExceptionInfoRequest:
		f := session.Finding()
		if f == nil {
			s.fail(r, errors.New("nothing is wrong with the run"))
			break
		}
		stack := ""
		for _, frame := range f.Stack {
			stack += frame.Func + "\n\t" + frame.Pos + "\n"
		}
		s.send(&dap.ExceptionInfoResponse{Response: response(r), Body: dap.ExceptionInfoResponseBody{
			ExceptionId: f.Kind, Description: f.Message, BreakMode: "always",
			Details: &dap.ExceptionDetails{Message: f.Message, TypeName: f.Kind, StackTrace: stack},
		}})
	default:
		return false
	}
	return true
}

// stackTrace returns calls of a goroutine.
func (s *Server) stackTrace(args *dap.StackTraceArguments) dap.StackTraceResponseBody {
	frames := s.d.Session.Frames(int32(args.ThreadId - 1))
	body := dap.StackTraceResponseBody{StackFrames: []dap.StackFrame{}, TotalFrames: len(frames)}
	from := min(max(args.StartFrame, 0), len(frames))
	to := len(frames)
	if args.Levels > 0 {
		to = min(to, from+args.Levels)
	}
	for _, f := range frames[from:to] {
		s.frames = append(s.frames, f)
		out := dap.StackFrame{
			Id: len(s.frames), Name: f.Func[strings.LastIndexByte(f.Func, '/')+1:], Line: f.Line,
			Column: f.Col, Source: s.source(f.File),
		}
		if f.Standard {
			out.PresentationHint = "subtle"
		}
		body.StackFrames = append(body.StackFrames, out)
	}
	return body
}

// source describes a file. If it is not on disk, as a model of the standard library, the client can ask for its text.
func (s *Server) source(file string) *dap.Source {
	if file == "" {
		return nil
	}
	src := &dap.Source{Name: filepath.Base(file), Path: file}
	if _, err := os.Stat(file); err == nil {
		return src
	}
	for i, known := range s.sources {
		if known == file {
			src.SourceReference = i + 1
		}
	}
	if src.SourceReference == 0 {
		s.sources = append(s.sources, file)
		src.SourceReference = len(s.sources)
	}
	src.Origin = "everyway's model of the standard library"
	return src
}

// text returns the text of a file of the program.
func (s *Server) text(file string) string {
	var b strings.Builder
	for n := 1; ; n++ {
		line, ok := s.d.Session.Line(file, n)
		if !ok {
			return b.String()
		}
		b.WriteString(line + "\n")
	}
}

// frame returns the call with an id.
func (s *Server) frame(id int) (inspect.Frame, error) {
	if id < 1 || id > len(s.frames) {
		return inspect.Frame{}, fmt.Errorf("no call %d: the run has moved on", id)
	}
	return s.frames[id-1], nil
}

// ref returns a reference.
func (s *Server) ref(r ref) int {
	s.refs = append(s.refs, r)
	return len(s.refs)
}

// variables returns what a reference refers to.
func (s *Server) variables(args *dap.VariablesArguments) ([]dap.Variable, error) {
	n := args.VariablesReference
	if n < 1 || n > len(s.refs) {
		return nil, fmt.Errorf("no variables %d: the run has moved on", n)
	}
	r := s.refs[n-1]
	list := []dap.Variable{}
	if r.value == nil {
		vars := s.d.Session.Variables(r.frame)
		if r.global {
			vars = s.d.Session.Package(r.frame)
		}
		for _, v := range vars {
			name, expr := v.Name, v.Name
			if v.Shadowed {
				name, expr = "("+name+")", ""
			}
			out := s.variable(r.frame, name, expr, v.Value)
			out.PresentationHint = &dap.VariablePresentationHint{Kind: "data"}
			list = append(list, out)
		}
		return list, nil
	}
	for _, p := range r.value.Parts() {
		name, expr := strings.TrimPrefix(p.Name, "."), ""
		if r.expr != "" {
			switch {
			case p.Name == "":
				expr = "*" + r.expr
			case strings.HasPrefix(p.Name, ".") || strings.HasPrefix(p.Name, "["):
				expr = r.expr + p.Name
				if strings.HasPrefix(r.expr, "*") {
					expr = "(" + r.expr + ")" + p.Name
				}
			}
		}
		if name == "" {
			name = "*"
		}
		list = append(list, s.variable(r.frame, name, expr, p.Value))
	}
	from := min(max(args.Start, 0), len(list))
	to := len(list)
	if args.Count > 0 {
		to = min(to, from+args.Count)
	}
	return list[from:to], nil
}

// variable returns a variable, or a part of one.
func (s *Server) variable(f inspect.Frame, name, expr string, v inspect.Value) dap.Variable {
	out := dap.Variable{Name: name, Value: v.String(), Type: v.Type.String(), EvaluateName: expr}
	if len(v.Parts()) > 0 {
		out.VariablesReference = s.ref(ref{frame: f, value: &v, expr: expr})
	}
	return out
}

// evaluate evaluates an expression. In the debug console, it may be a command, too.
func (s *Server) evaluate(r *dap.EvaluateRequest) {
	text := strings.TrimSpace(r.Arguments.Expression)
	f, err := s.frame(r.Arguments.FrameId)
	if r.Arguments.FrameId == 0 {
		current, ok := s.d.Current()
		f, err = current, nil
		if !ok {
			err = errors.New("the goroutine is in no call")
		}
	}
	word, _, _ := strings.Cut(text, " ")
	if r.Arguments.Context == "repl" && console.Has(word) && (!token.IsIdentifier(text) || err != nil || !s.isVariable(f, text)) {
		s.command(r, text)
		return
	}
	if err != nil {
		s.fail(r, err)
		return
	}
	v, err := s.d.Session.Eval(f, text)
	if err == nil && v.Missing() != "" {
		err = fmt.Errorf("%s: %s", text, v.Missing())
	}
	if err != nil {
		s.fail(r, err)
		return
	}
	out := s.variable(f, text, text, v)
	s.send(&dap.EvaluateResponse{Response: response(r), Body: dap.EvaluateResponseBody{
		Result: out.Value, Type: out.Type, VariablesReference: out.VariablesReference,
	}})
}

// isVariable reports whether a name is one of a variable.
func (s *Server) isVariable(f inspect.Frame, name string) bool {
	_, err := s.d.Session.Eval(f, name)
	return err == nil
}

// command carries out a command of the console.
func (s *Server) command(r *dap.EvaluateRequest, text string) {
	var out strings.Builder
	at := s.d.Session.At()
	departed := s.d.Session.Departed()
	err := console.Do(s.d, text, &out)
	result := out.String()
	if err != nil {
		result += err.Error() + "\n"
	}
	s.send(&dap.EvaluateResponse{Response: response(r), Body: dap.EvaluateResponseBody{Result: strings.TrimSuffix(result, "\n")}})
	if s.d.Session.At() != at || s.d.Session.Departed() != departed {
		s.frames, s.refs = nil, nil
		s.send(&dap.StoppedEvent{Event: event("stopped"), Body: dap.StoppedEventBody{
			Reason: "goto", ThreadId: int(s.d.Goroutine) + 1, AllThreadsStopped: true,
		}})
	}
}
