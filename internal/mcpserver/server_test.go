package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect starts a server whose commands are run by a Runner, and returns a client's session.
func connect(t *testing.T, run Runner, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	here, there := mcp.NewInMemoryTransports()
	done := make(chan error, 1)
	go func() { done <- New("test", run).Serve(ctx, there) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, opts).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		cancel()
		<-done
	})
	return session
}

// Each call of a tool is a command, and its output the answer.
func TestTools(t *testing.T) {
	const searched = `{"Action":"run","Package":"m","Test":"TestA"}
{"Action":"output","Package":"m","Test":"TestA","Event":"progress","Verdict":"","Runs":3}
{"Action":"output","Package":"m","Test":"TestA","Event":"found","Kind":"data race","Message":"write","Goroutine":"0.1","Pos":"a.go:1:2"}
{"Action":"output","Package":"m","Test":"TestA","Event":"finding","Kind":"data race","Message":"write","Goroutine":"0.1","Pos":"a.go:1:2","RunFile":"/m/a.run"}
{"Action":"output","Package":"m","Test":"TestA","Event":"other","Message":"read","Goroutine":"0.2","Pos":"a.go:3:4"}
{"Action":"output","Package":"m","Test":"TestA","Event":"input","Name":"n","Type":"int","Value":"7"}
{"Action":"output","Package":"m","Test":"TestA","Output":"--- FAIL: TestA\n"}
{"Action":"fail","Package":"m","Test":"TestA","Verdict":"fails","Runs":3,"Degree":-1}
{"Action":"fail","Package":"m","Elapsed":1}
`
	for _, test := range []struct {
		tool   string
		args   map[string]any
		want   []string // the command
		output Output
		answer string
	}{
		{
			"list_targets", map[string]any{"dir": "/m", "packages": []string{"./...", "-x"}}, []string{"/m:", "test", "-list", ".", "./..."},
			Output{Stdout: "TestA\nFuzzB\nok  \tm/p\t1.0s\nTestC\nok  \tm/q\t0.1s\n"},
			`{"targets":["m/p.TestA","m/p.FuzzB","m/q.TestC"]}`,
		},
		{"list_targets", nil, []string{":", "test", "-list", "."}, Output{}, `{"targets":[]}`},
		{"list_targets", nil, []string{":", "test", "-list", "."}, Output{Code: 2, Stderr: "everyway: no module\n"}, "everyway: no module"},
		{
			"search", map[string]any{"run": "TestA", "budget": "1s", "all": true, "packages": []string{"."}},
			[]string{":", "test", "-json", "-run=TestA", "-budget=1s", "-all", "."},
			Output{Code: 1, Stdout: searched},
			`{"targets":[{"package":"m","target":"TestA","verdict":"fails","runs":3}],"findings":[{"package":"m","target":"TestA","kind":"data race","message":"write","pos":"a.go:1:2","others":["a.go:3:4: read"],"input":["n = 7"],"runFile":"/m/a.run"}]}`,
		},
		{"search", map[string]any{"anew": true}, []string{":", "test", "-json", "-count=1"}, Output{Code: 2, Stderr: "everyway: no tests\n"}, "everyway: no tests"},
		{
			"show_finding", map[string]any{"runFile": "a.run"}, []string{":", "replay", "a.run"},
			Output{Code: 1, Stdout: "--- FAIL: TestA\n    replay it\n\n    goroutine 0\n    ----\n"}, `{"text":"--- FAIL: TestA\n    replay it\n"}`,
		},
		{
			"show_finding", map[string]any{"runFile": "a.run", "whole": true}, []string{":", "replay", "-v", "a.run"},
			Output{Code: 1, Stdout: "x\n\n    goroutine 0\n"}, `{"text":"x\n\n    goroutine 0\n"}`,
		},
		{"show_finding", map[string]any{"runFile": "-rm"}, nil, Output{}, `"-rm" is no run file`},
		{
			"evaluate", map[string]any{"runFile": "a.run", "step": 7, "goroutine": "0.1", "expressions": []string{"v.n", "a\nquit"}},
			[]string{":", "debug", "a.run", "goto 7\ngoroutine 0.1\nstack\nprint v.n\nprint a quit\nwaits\nlocks\n"},
			Output{Stdout: "1\n"}, `{"text":"1\n"}`,
		},
		{
			"evaluate", map[string]any{"runFile": "a.run"}, []string{":", "debug", "a.run", "finding\nstack\nlocals\nwaits\nlocks\n"},
			Output{Code: 2, Stderr: "everyway: a.run: no such file\n"}, "everyway: a.run: no such file",
		},
		{
			"replay", map[string]any{"runFile": "a.run"}, []string{":", "replay", "a.run"},
			Output{Stdout: "open\n", Stderr: "everyway: a.run: the run ended differently than when it was recorded\n"},
			`{"fails":false,"same":false,"text":"open\neveryway: a.run: the run ended differently than when it was recorded\n"}`,
		},
		{"confirm", map[string]any{"runFile": "a.run"}, []string{":", "confirm", "a.run"}, Output{Code: 1, Stdout: "not confirmed\n"}, `{"confirmed":false,"text":"not confirmed\n"}`},
		{"write_test", map[string]any{"runFile": "a.run"}, []string{":", "repro", "-o", "-", "a.run"}, Output{Stdout: "package m\n"}, `{"text":"package m\n"}`},
		{"write_test", map[string]any{"runFile": "a.run", "to": "a_test.go"}, []string{":", "repro", "-o", "a_test.go", "a.run"}, Output{Stdout: "wrote a_test.go\n"}, `{"text":"wrote a_test.go\n"}`},
		{"explain", map[string]any{"kind": "data race"}, []string{":", "explain", "data race"}, Output{Stdout: "DATA RACE\n"}, `{"text":"DATA RACE\n"}`},
		{"explain", map[string]any{"kind": "-v"}, []string{":", "explain", "v"}, Output{Code: 2, Stderr: "everyway: unknown kind\n"}, "everyway: unknown kind"},
	} {
		var called []string
		session := connect(t, func(_ context.Context, c Command) (*Output, error) {
			called = append([]string{c.Dir + ":"}, c.Args...)
			if c.Stdin != "" {
				called = append(called, c.Stdin)
			}
			out := test.output
			if c.Line != nil {
				for line := range strings.Lines(out.Stdout) {
					c.Line([]byte(line))
				}
				out.Stdout = ""
			}
			return &out, nil
		}, nil)
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: test.tool, Arguments: test.args})
		if err != nil {
			t.Errorf("%s %v: %v", test.tool, test.args, err)
			continue
		}
		if !slices.Equal(called, test.want) {
			t.Errorf("%s %v runs %q, want %q", test.tool, test.args, called, test.want)
		}
		got := res.Content[0].(*mcp.TextContent).Text
		if wrong := !strings.HasPrefix(test.answer, "{"); res.IsError != wrong || got != test.answer && !sameJSON(got, test.answer) {
			t.Errorf("%s %v answers (error: %v)\n%s\nwant\n%s", test.tool, test.args, res.IsError, got, test.answer)
		}
	}
}

// sameJSON reports whether two texts are the same value.
func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	p, err1 := json.Marshal(x)
	q, err2 := json.Marshal(y)
	return err1 == nil && err2 == nil && string(p) == string(q)
}

// A search says what it finds when it finds it, and ends when it is cancelled.
func TestSearchCancelled(t *testing.T) {
	said := make(chan string, 1)
	stopped := make(chan error, 1)
	session := connect(t, func(ctx context.Context, c Command) (*Output, error) {
		c.Line([]byte(`{"Action":"output","Package":"m","Test":"TestA","Event":"found","Message":"seven","Pos":"a.go:1:2"}`))
		<-ctx.Done()
		stopped <- ctx.Err()
		return nil, ctx.Err()
	}, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
		said <- req.Params.Message
	}})
	ctx, cancel := context.WithCancel(t.Context())
	params := &mcp.CallToolParams{Name: "search"}
	params.SetProgressToken("1")
	ended := make(chan error, 1)
	go func() {
		_, err := session.CallTool(ctx, params)
		ended <- err
	}()
	if got, want := <-said, "m.TestA: a.go:1:2: seven"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	cancel()
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Errorf("the command ends with %v", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ends with %v", err)
	}
}
