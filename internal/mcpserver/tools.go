package mcpserver

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// in is what all tools take.
type in struct {
	Dir string `json:"dir,omitempty" jsonschema:"the directory to work in, in the module with the code; default: that of the server"`
}

// file is what the tools take that are about a finding.
type file struct {
	in
	RunFile string `json:"runFile" jsonschema:"the run file of the finding, as search returns it"`
}

// text is the answer of tools for people.
type text struct {
	Text string `json:"text"`
}

// hints describe a tool that changes nothing but files of everyway's own.
func hints(readOnly bool) *mcp.ToolAnnotations {
	no := false
	return &mcp.ToolAnnotations{ReadOnlyHint: readOnly, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no}
}

func (s *Server) addTools() {
	mcp.AddTool(s.server, &mcp.Tool{
		Name: "list_targets", Description: "List the tests, fuzz targets and examples of Go packages that can be searched.", Annotations: hints(true),
	}, s.list)
	mcp.AddTool(s.server, &mcp.Tool{
		Name: "search", Description: "Search Go tests for an input and an interleaving of their goroutines that break them. Returns a verdict for each target and a short description of each finding.", Annotations: hints(false),
	}, s.search)
	mcp.AddTool(s.server, &mcp.Tool{
		Name: "show_finding", Description: "Show what is wrong with a recorded run: in short, or whole, with the steps of each goroutine.", Annotations: hints(true),
	}, s.show)
	mcp.AddTool(s.server, &mcp.Tool{
		Name: "evaluate", Description: "Look into a recorded run at a step of its schedule: values of Go expressions, local variables, the stack, who waits for whom and who holds which lock.", Annotations: hints(true),
	}, s.evaluate)
	mcp.AddTool(s.server, &mcp.Tool{
		Name: "replay", Description: "Run a recorded run again with the present code, and say if it still fails.", Annotations: hints(true),
	}, s.replay)
	mcp.AddTool(s.server, &mcp.Tool{
		Name: "confirm", Description: "Show a finding in a binary of the ordinary Go toolchain, under the schedule of its run file.", Annotations: hints(true),
	}, s.confirm)
	mcp.AddTool(s.server, &mcp.Tool{
		Name: "write_test", Description: "Write a regression test for a finding, which plain go test runs. Returns the test, or writes it to a file.", Annotations: hints(false),
	}, s.writeTest)
	mcp.AddTool(s.server, &mcp.Tool{
		Name: "explain", Description: "Explain a kind of finding, such as \"data race\" or \"leak\": what it means, with an example, and how it is mended.", Annotations: hints(true),
	}, s.explain)
}

type listIn struct {
	in
	Packages []string `json:"packages,omitempty" jsonschema:"package patterns as for go test; default: that of the directory"`
}

type listOut struct {
	Targets []string `json:"targets" jsonschema:"names of the targets, as package.Target"`
}

func (s *Server) list(ctx context.Context, _ *mcp.CallToolRequest, a listIn) (*mcp.CallToolResult, *listOut, error) {
	out, err := s.run(ctx, Command{Dir: a.Dir, Args: append([]string{"test", "-list", "."}, patterns(a.Packages)...)})
	if err != nil {
		return nil, nil, err
	}
	if err := out.problem(); err != nil {
		return nil, nil, err
	}
	// The names of a package come before a line with the package.
	res := &listOut{Targets: []string{}}
	var names []string
	for line := range strings.Lines(out.Stdout) {
		if rest, ok := strings.CutPrefix(line, "ok  \t"); ok {
			pkg, _, _ := strings.Cut(rest, "\t")
			for _, name := range names {
				res.Targets = append(res.Targets, pkg+"."+name)
			}
			names = nil
			continue
		}
		names = append(names, strings.TrimSpace(line))
	}
	return nil, res, nil
}

// patterns returns package patterns as arguments.
func patterns(packages []string) []string {
	// A name that begins with a dash would be a flag.
	return slices.DeleteFunc(slices.Clone(packages), func(p string) bool { return strings.HasPrefix(p, "-") })
}

type showIn struct {
	file
	Whole bool `json:"whole,omitempty" jsonschema:"show the steps of each goroutine and call stacks, too"`
}

func (s *Server) show(ctx context.Context, _ *mcp.CallToolRequest, a showIn) (*mcp.CallToolResult, *text, error) {
	args := []string{"replay"}
	if a.Whole {
		args = append(args, "-v")
	}
	out, err := s.command(ctx, a.file, args...)
	if err != nil {
		return nil, nil, err
	}
	shown := out.Stdout
	if !a.Whole {
		shown = head(shown)
	}
	return nil, &text{shown}, nil
}

// ruled matches what is above the steps of a finding: the names of goroutines, underlined.
var ruled = regexp.MustCompile(`(?m)^.*\n    -{3,}`)

// head returns what the text of a finding says before its steps.
func head(text string) string {
	if at := ruled.FindStringIndex(text); at != nil {
		return strings.TrimRight(text[:at[0]], "\n") + "\n"
	}
	return text
}

// command runs a command about a run file.
func (s *Server) command(ctx context.Context, f file, args ...string) (*Output, error) {
	if strings.HasPrefix(f.RunFile, "-") {
		return nil, fmt.Errorf("%q is no run file", f.RunFile)
	}
	out, err := s.run(ctx, Command{Dir: f.Dir, Args: append(args, f.RunFile)})
	if err != nil {
		return nil, err
	}
	return out, out.problem()
}

type evaluateIn struct {
	file
	Step        int      `json:"step,omitempty" jsonschema:"the step of the schedule, from 1; default: where the finding shows"`
	Goroutine   string   `json:"goroutine,omitempty" jsonschema:"the goroutine, such as 0.1; default: that of the step"`
	Expressions []string `json:"expressions,omitempty" jsonschema:"Go expressions without calls, such as v.count or len(s.items); default: all local variables"`
}

func (s *Server) evaluate(ctx context.Context, _ *mcp.CallToolRequest, a evaluateIn) (*mcp.CallToolResult, *text, error) {
	script := []string{"finding"}
	if a.Step > 0 {
		script[0] = fmt.Sprintf("goto %d", a.Step)
	}
	if a.Goroutine != "" {
		script = append(script, "goroutine "+a.Goroutine)
	}
	script = append(script, "stack")
	for _, e := range a.Expressions {
		script = append(script, "print "+e)
	}
	if len(a.Expressions) == 0 {
		script = append(script, "locals")
	}
	script = append(script, "waits", "locks")
	for i, line := range script {
		script[i] = strings.Join(strings.Fields(line), " ") // it is one line
	}
	if strings.HasPrefix(a.RunFile, "-") {
		return nil, nil, fmt.Errorf("%q is no run file", a.RunFile)
	}
	out, err := s.run(ctx, Command{Dir: a.Dir, Args: []string{"debug", a.RunFile}, Stdin: strings.Join(script, "\n") + "\n"})
	if err != nil {
		return nil, nil, err
	}
	if err := out.problem(); err != nil {
		return nil, nil, err
	}
	return nil, &text{out.Stdout}, nil
}

type replayOut struct {
	Fails bool   `json:"fails" jsonschema:"whether the run fails, as it did or in another way"`
	Same  bool   `json:"same" jsonschema:"whether it ends as it did when it was recorded"`
	Text  string `json:"text"`
}

func (s *Server) replay(ctx context.Context, _ *mcp.CallToolRequest, a file) (*mcp.CallToolResult, *replayOut, error) {
	out, err := s.command(ctx, a, "replay")
	if err != nil {
		return nil, nil, err
	}
	return nil, &replayOut{
		Fails: out.Code == 1, Same: !strings.Contains(out.Stderr, "ended differently"), Text: head(out.Stdout) + out.Stderr,
	}, nil
}

type confirmOut struct {
	Confirmed bool   `json:"confirmed" jsonschema:"whether a native run fails as the finding says"`
	Text      string `json:"text" jsonschema:"which runs did, or why none did"`
}

func (s *Server) confirm(ctx context.Context, _ *mcp.CallToolRequest, a file) (*mcp.CallToolResult, *confirmOut, error) {
	out, err := s.command(ctx, a, "confirm")
	if err != nil {
		return nil, nil, err
	}
	return nil, &confirmOut{Confirmed: out.Code == 0, Text: out.Stdout}, nil
}

type writeTestIn struct {
	file
	To string `json:"to,omitempty" jsonschema:"the file to write; default: none, the test is only returned"`
}

func (s *Server) writeTest(ctx context.Context, _ *mcp.CallToolRequest, a writeTestIn) (*mcp.CallToolResult, *text, error) {
	to := a.To
	if to == "" {
		to = "-"
	}
	out, err := s.command(ctx, a.file, "repro", "-o", to)
	if err != nil {
		return nil, nil, err
	}
	return nil, &text{out.Stdout + out.Stderr}, nil
}

type explainIn struct {
	Kind string `json:"kind" jsonschema:"the kind of finding, such as data race, deadlock, leak or panic"`
}

func (s *Server) explain(ctx context.Context, _ *mcp.CallToolRequest, a explainIn) (*mcp.CallToolResult, *text, error) {
	out, err := s.run(ctx, Command{Args: []string{"explain", strings.TrimLeft(a.Kind, "-")}})
	if err != nil {
		return nil, nil, err
	}
	if err := out.problem(); err != nil {
		return nil, nil, err
	}
	return nil, &text{out.Stdout}, nil
}
