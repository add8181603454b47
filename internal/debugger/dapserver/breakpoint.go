package dapserver

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/google/go-dap"

	"github.com/everyway-go/everyway/internal/debugger"
)

// setBreakpoints handles a request about breakpoints. It reports whether r is one.
func (s *Server) setBreakpoints(r dap.RequestMessage) bool {
	switch r := r.(type) {
	case *dap.SetBreakpointsRequest:
		file := r.Arguments.Source.Path
		if file == "" {
			file = r.Arguments.Source.Name
		}
		file = filepath.Clean(file)
		for _, b := range slices.Clone(s.d.Breakpoints()) {
			if b.File != "" && (b.File == file || b.File == resolved(file)) {
				s.d.Clear(b.Number)
			}
		}
		body := dap.SetBreakpointsResponseBody{Breakpoints: []dap.Breakpoint{}}
		for _, b := range r.Arguments.Breakpoints {
			body.Breakpoints = append(body.Breakpoints, s.lineBreakpoint(file, &b))
		}
		s.send(&dap.SetBreakpointsResponse{Response: response(r), Body: body})
	case *dap.SetFunctionBreakpointsRequest:
		s.clear(&s.functions)
		body := dap.SetFunctionBreakpointsResponseBody{Breakpoints: []dap.Breakpoint{}}
		for _, b := range r.Arguments.Breakpoints {
			made, err := s.d.BreakFunction(b.Name, b.Condition)
			if err == nil {
				s.functions = append(s.functions, made.Number)
			}
			body.Breakpoints = append(body.Breakpoints, describe(made, err))
		}
		s.send(&dap.SetFunctionBreakpointsResponse{Response: response(r), Body: body})
	case *dap.SetExceptionBreakpointsRequest:
		s.finding = slices.Contains(r.Arguments.Filters, "finding")
		s.send(&dap.SetExceptionBreakpointsResponse{Response: response(r)})
	case *dap.DataBreakpointInfoRequest:
		s.send(&dap.DataBreakpointInfoResponse{Response: response(r), Body: s.dataInfo(&r.Arguments)})
	case *dap.SetDataBreakpointsRequest:
		s.clear(&s.data)
		body := dap.SetDataBreakpointsResponseBody{Breakpoints: []dap.Breakpoint{}}
		for _, b := range r.Arguments.Breakpoints {
			var w debugger.Watched
			if err := json.Unmarshal([]byte(b.DataId), &w); err != nil {
				body.Breakpoints = append(body.Breakpoints, describe(nil, fmt.Errorf("the data of a breakpoint: %w", err)))
				continue
			}
			made := s.d.WatchIn(w)
			s.data = append(s.data, made.Number)
			body.Breakpoints = append(body.Breakpoints, describe(made, nil))
		}
		s.send(&dap.SetDataBreakpointsResponse{Response: response(r), Body: body})
	case *dap.BreakpointLocationsRequest:
		body := dap.BreakpointLocationsResponseBody{Breakpoints: []dap.BreakpointLocation{}}
		if args := r.Arguments; args != nil {
			if _, lines, err := s.d.SourceLines(resolved(filepath.Clean(args.Source.Path))); err == nil {
				for line := args.Line; line <= max(args.Line, args.EndLine); line++ {
					if lines[line] {
						body.Breakpoints = append(body.Breakpoints, dap.BreakpointLocation{Line: line})
					}
				}
			}
		}
		s.send(&dap.BreakpointLocationsResponse{Response: response(r), Body: body})
	default:
		return false
	}
	return true
}

// resolved returns a path without symbolic links, as the go command may have it.
func resolved(file string) string {
	if r, err := filepath.EvalSymlinks(file); err == nil {
		return r
	}
	return file
}

// clear removes the breakpoints of a list, and empties it.
func (s *Server) clear(numbers *[]int) {
	for _, n := range *numbers {
		s.d.Clear(n)
	}
	*numbers = nil
}

// lineBreakpoint makes a breakpoint on a line, or on the next line at which a statement begins.
func (s *Server) lineBreakpoint(file string, b *dap.SourceBreakpoint) dap.Breakpoint {
	name, lines, err := s.d.SourceLines(file)
	if err != nil {
		if name, lines, err = s.d.SourceLines(resolved(file)); err != nil {
			return describe(nil, err)
		}
	}
	line := b.Line
	if !lines[line] {
		before, after := debugger.Nearest(lines, line)
		if line = after; line == 0 {
			line = before
		}
	}
	made, err := s.d.BreakLine(name, line, b.Condition)
	return describe(made, err)
}

// describe describes a breakpoint that has been made, or says why not.
func describe(b *debugger.Breakpoint, err error) dap.Breakpoint {
	if err != nil {
		return dap.Breakpoint{Message: err.Error()}
	}
	out := dap.Breakpoint{Id: b.Number, Verified: true, Line: b.Line}
	if b.File != "" {
		out.Source = &dap.Source{Name: filepath.Base(b.File), Path: b.File}
	}
	if b.Reached == 0 {
		out.Message = "not reached in this run"
	}
	return out
}

// dataInfo says how a variable, or a part of one, can be watched.
func (s *Server) dataInfo(args *dap.DataBreakpointInfoArguments) dap.DataBreakpointInfoResponseBody {
	none := func(why string) dap.DataBreakpointInfoResponseBody {
		return dap.DataBreakpointInfoResponseBody{Description: why}
	}
	f, ok := s.d.Current()
	expr := args.Name
	switch n := args.VariablesReference; {
	case n > len(s.refs) || n < 0:
		return none("the run has moved on")
	case n > 0:
		r := s.refs[n-1]
		f, ok = r.frame, true
		if r.value != nil {
			if r.expr == "" {
				return none("it has no name")
			}
			expr = ""
			vars, err := s.variables(&dap.VariablesArguments{VariablesReference: n})
			if err != nil {
				return none(err.Error())
			}
			for _, v := range vars {
				if v.Name == args.Name {
					expr = v.EvaluateName
				}
			}
		}
	case args.FrameId > 0:
		var err error
		f, err = s.frame(args.FrameId)
		ok = err == nil
	}
	if !ok || expr == "" {
		return none("it has no name")
	}
	if _, err := s.d.Session.Eval(f, expr); err != nil {
		return none(err.Error())
	}
	id, _ := json.Marshal(s.d.Watched(f, expr)) // of strings and numbers
	return dap.DataBreakpointInfoResponseBody{DataId: string(id), Description: expr, AccessTypes: []dap.DataBreakpointAccessType{"write"}}
}
