package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/everyway-go/everyway/internal/report"
)

type searchIn struct {
	in
	Packages []string `json:"packages,omitempty" jsonschema:"package patterns as for go test; default: that of the directory"`
	Run      string   `json:"run,omitempty" jsonschema:"search only tests, fuzz targets and examples that match this regular expression, as go test -run"`
	Func     string   `json:"func,omitempty" jsonschema:"search this function or method over its parameters instead of tests: F, T.M or (*T).M"`
	Globals  string   `json:"globals,omitempty" jsonschema:"package variables, separated by commas, that are inputs of the function too"`
	Budget   string   `json:"budget,omitempty" jsonschema:"time for each target, such as 30s"`
	Total    string   `json:"total,omitempty" jsonschema:"time for all targets together, such as 5m"`
	All      bool     `json:"all,omitempty" jsonschema:"look for all findings of a target, not only the first"`
	Anew     bool     `json:"anew,omitempty" jsonschema:"search again what has been searched with the same code"`
}

type searchOut struct {
	Targets  []target  `json:"targets"`
	Findings []finding `json:"findings"`
	NotBuilt string    `json:"notBuilt,omitempty" jsonschema:"packages that do not build, and why"`
}

// A target is what became of a target.
type target struct {
	Package string   `json:"package"`
	Target  string   `json:"target"`
	Verdict string   `json:"verdict" jsonschema:"fails, holds, open or skipped"`
	Runs    int      `json:"runs"`
	Open    []string `json:"open,omitempty" jsonschema:"why it is open"`
	Bounds  []string `json:"bounds,omitempty" jsonschema:"within which it holds"`
}

// A finding is what is wrong, in short.
type finding struct {
	Package string   `json:"package"`
	Target  string   `json:"target"`
	Kind    string   `json:"kind"`
	Message string   `json:"message"`
	Pos     string   `json:"pos" jsonschema:"file:line:column, relative to the root of the module"`
	Others  []string `json:"others,omitempty" jsonschema:"the other access of a race, the other goroutines of a deadlock"`
	Input   []string `json:"input,omitempty" jsonschema:"the input that it needs, as Go assignments"`
	SameAs  string   `json:"sameAs,omitempty" jsonschema:"the target with the same finding"`
	RunFile string   `json:"runFile,omitempty" jsonschema:"for the other tools"`
}

// arguments returns those of everyway test.
func (a *searchIn) arguments() []string {
	args := []string{"test", "-json"}
	for _, f := range []struct{ name, value string }{
		{"run", a.Run}, {"func", a.Func}, {"globals", a.Globals}, {"budget", a.Budget}, {"total", a.Total},
	} {
		if f.value != "" {
			args = append(args, "-"+f.name+"="+f.value)
		}
	}
	if a.All {
		args = append(args, "-all")
	}
	if a.Anew {
		args = append(args, "-count=1")
	}
	return append(args, patterns(a.Packages)...)
}

func (s *Server) search(ctx context.Context, req *mcp.CallToolRequest, a searchIn) (*mcp.CallToolResult, *searchOut, error) {
	res := &searchOut{Targets: []target{}, Findings: []finding{}}
	progress := 0.0
	out, err := s.run(ctx, Command{Dir: a.Dir, Args: a.arguments(), Line: func(line []byte) {
		var l report.Line
		if json.Unmarshal(line, &l) != nil {
			return // cut off, or not ours
		}
		if said := res.add(&l); said != "" {
			progress++
			s.notify(ctx, req, progress, said)
		}
	}})
	if err != nil {
		return nil, nil, err
	}
	if err := out.problem(); err != nil {
		if len(res.Targets) == 0 {
			return nil, nil, err
		}
		res.NotBuilt += strings.TrimSpace(out.Stderr)
	}
	return nil, res, nil
}

// add takes a line of the output into account, and returns what of it is worth saying at once.
func (r *searchOut) add(l *report.Line) string {
	name := l.Package + "." + l.Test
	switch l.Event {
	case report.EventFound:
		return fmt.Sprintf("%s: %s: %s", name, l.Pos, l.Message)
	case report.EventFinding:
		r.Findings = append(r.Findings, finding{
			Package: l.Package, Target: l.Test, Kind: l.Kind, Message: l.Message, Pos: l.Pos, SameAs: l.SameAs, RunFile: l.RunFile,
		})
	case report.EventOther:
		if f := r.last(l); f != nil {
			f.Others = append(f.Others, l.Pos+": "+l.Message)
		}
	case report.EventInput:
		if f := r.last(l); f != nil {
			f.Input = append(f.Input, l.Name+" = "+l.Value)
		}
	}
	if l.Action == "build-output" {
		r.NotBuilt += l.Output
	}
	if l.Totals == nil || l.Verdict == "" {
		return ""
	}
	r.Targets = append(r.Targets, target{l.Package, l.Test, string(l.Verdict), l.Runs, l.Open, l.Bounds})
	return fmt.Sprintf("%s: %s", name, l.Verdict)
}

// last returns the last finding of the target of a line.
func (r *searchOut) last(l *report.Line) *finding {
	for i := len(r.Findings) - 1; i >= 0; i-- {
		if f := &r.Findings[i]; f.Package == l.Package && f.Target == l.Test {
			return f
		}
	}
	return nil
}

// notify tells the caller how far a call is, if that was asked for.
func (s *Server) notify(ctx context.Context, req *mcp.CallToolRequest, progress float64, said string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return
	}
	// That nobody listens is no reason to end the search.
	_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: progress, Message: said})
}
