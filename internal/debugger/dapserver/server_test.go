package dapserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"github.com/everyway-go/everyway/internal/debugger/dapserver"
	"github.com/everyway-go/everyway/internal/engine/inspect"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/schedule"
)

const source = `package main

import "sync"

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) add(k int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += k
	return c.n
}

func main() {
	c := &counter{}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.add(i + 1)
		}()
	}
	wg.Wait()
	if c.n == 3 {
		panic("three")
	}
}
`

// A client speaks the protocol with a server.
type client struct {
	*testing.T
	conn   net.Conn
	in     *bufio.Reader
	seq    int
	events []dap.EventMessage // that have come before the response to a request
}

// request sends a request and returns the response.
func (c *client) request(command string, args any) dap.Message {
	c.Helper()
	c.seq++
	m := map[string]any{"seq": c.seq, "type": "request", "command": command}
	if args != nil {
		m["arguments"] = args
	}
	data, err := json.Marshal(m)
	if err != nil {
		c.Fatal(err)
	}
	if err := dap.WriteBaseMessage(c.conn, data); err != nil {
		c.Fatal(err)
	}
	for {
		switch m := c.read().(type) {
		case dap.ResponseMessage:
			if m.GetResponse().RequestSeq != c.seq {
				c.Fatalf("%s: a response to request %d", command, m.GetResponse().RequestSeq)
			}
			return m
		case dap.EventMessage:
			c.events = append(c.events, m)
		}
	}
}

func (c *client) read() dap.Message {
	c.Helper()
	m, err := dap.ReadProtocolMessage(c.in)
	if err != nil {
		c.Fatal(err)
	}
	return m
}

// wait returns the next event of a kind.
func wait[E dap.EventMessage](c *client) E {
	c.Helper()
	for {
		for i, e := range c.events {
			if e, ok := e.(E); ok {
				c.events = slices.Delete(c.events, 0, i+1)
				return e
			}
		}
		c.events = nil
		m, ok := c.read().(dap.EventMessage)
		if !ok {
			c.Fatalf("%v is no event", m)
		}
		c.events = append(c.events, m)
	}
}

// do sends a request that has to be answered with success.
func do[R dap.ResponseMessage](c *client, command string, args any) R {
	c.Helper()
	m := c.request(command, args)
	r, ok := m.(R)
	if !ok || !r.GetResponse().Success {
		data, _ := json.Marshal(m)
		c.Fatalf("%s: %s", command, data)
	}
	return r
}

// fails sends a request that has to be answered with an error, and returns its message.
func (c *client) fails(command string, args any) string {
	c.Helper()
	m := c.request(command, args)
	e, ok := m.(*dap.ErrorResponse)
	if !ok {
		c.Fatalf("%s succeeded: %v", command, m)
	}
	return e.Message
}

// stopped returns where the run has stopped: the reason, and the innermost call.
func (c *client) stopped() (reason string, thread int, top dap.StackFrame) {
	c.Helper()
	e := wait[*dap.StoppedEvent](c)
	r := do[*dap.StackTraceResponse](c, "stackTrace", map[string]any{"threadId": e.Body.ThreadId})
	if len(r.Body.StackFrames) == 0 {
		c.Fatal("no calls")
	}
	for _, f := range r.Body.StackFrames {
		if f.PresentationHint != "subtle" {
			return e.Body.Reason, e.Body.ThreadId, f
		}
	}
	return e.Body.Reason, e.Body.ThreadId, r.Body.StackFrames[0]
}

func (c *client) expect(reason string, line int) (thread int, top dap.StackFrame) {
	c.Helper()
	got, thread, top := c.stopped()
	if got != reason || top.Line != line {
		c.Fatalf("stopped because of %s at line %d, want %s at line %d", got, top.Line, reason, line)
	}
	return thread, top
}

// locals returns the variables of a call by name.
func (c *client) locals(frame int) map[string]dap.Variable {
	c.Helper()
	scopes := do[*dap.ScopesResponse](c, "scopes", map[string]any{"frameId": frame})
	return c.variables(scopes.Body.Scopes[0].VariablesReference)
}

func (c *client) variables(ref int) map[string]dap.Variable {
	c.Helper()
	vars := make(map[string]dap.Variable)
	for _, v := range do[*dap.VariablesResponse](c, "variables", map[string]any{"variablesReference": ref}).Body.Variables {
		vars[v.Name] = v
	}
	return vars
}

// connect starts a server on a program, and returns a client and the program's file.
func connect(t *testing.T) (*client, string) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	here, there := net.Pipe()
	server := dapserver.New(there, there, func(ctx context.Context, l dapserver.Launch) (*inspect.Session, error) {
		if l.Run != "the.run" {
			return nil, errors.New("no such run file")
		}
		r := &schedule.Run{Header: schedule.Header{Kind: "main", Target: "main", Package: "example.com/p"}}
		prog, target, err := program.LoadRecordedNamed(ctx, dir, r)
		if err != nil {
			return nil, err
		}
		return inspect.Open(ctx, prog, target, r, inspect.Options{})
	})
	served := make(chan error, 1)
	go func() {
		served <- server.Serve(t.Context())
		there.Close()
	}()
	t.Cleanup(func() {
		here.Close()
		if err := <-served; err != nil && !errors.Is(err, io.ErrClosedPipe) && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return &client{T: t, conn: here, in: bufio.NewReader(here)}, filepath.Join(dir, "p.go")
}

// TestSession is a session as an editor has it.
func TestSession(t *testing.T) {
	c, file := connect(t)
	if caps := do[*dap.InitializeResponse](c, "initialize", map[string]any{"adapterID": "everyway"}); !caps.Body.SupportsStepBack {
		t.Error("no stepping back")
	}
	if got := c.fails("threads", nil); !strings.Contains(got, "no run has been launched") {
		t.Errorf("threads before launch: %s", got)
	}
	if got := c.fails("launch", map[string]any{"run": "other.run"}); got != "no such run file" {
		t.Errorf("launch: %s", got)
	}
	do[*dap.LaunchResponse](c, "launch", map[string]any{"run": "the.run"})
	wait[*dap.InitializedEvent](c)
	set := do[*dap.SetBreakpointsResponse](c, "setBreakpoints", map[string]any{
		"source": map[string]any{"path": file}, "breakpoints": []map[string]any{{"line": 12}, {"line": 4}, {"line": 13, "condition": "k == 2"}},
	})
	if b := set.Body.Breakpoints; !b[0].Verified || b[0].Line != 12 || !b[1].Verified || b[1].Line != 11 || b[2].Line != 13 {
		t.Errorf("breakpoints %+v", b)
	}
	// Without the one that has been moved from line 4.
	do[*dap.SetBreakpointsResponse](c, "setBreakpoints", map[string]any{
		"source": map[string]any{"path": file}, "breakpoints": []map[string]any{{"line": 13, "condition": "k == 2"}},
	})
	do[*dap.ConfigurationDoneResponse](c, "configurationDone", nil)
	thread, top := c.expect("breakpoint", 13)
	vars := c.locals(top.Id)
	if vars["k"].Value != "2" || vars["k"].Type != "int" || !strings.Contains(vars["c"].Value, "n: 1") {
		t.Errorf("variables %+v", vars)
	}
	fields := c.variables(vars["c"].VariablesReference)
	if fields["n"].Value != "1" || fields["n"].EvaluateName != "c.n" || fields["mu"].Value != "sync.Mutex{locked by 0.2}" {
		t.Errorf("fields %+v", fields)
	}
	threads := do[*dap.ThreadsResponse](c, "threads", nil).Body.Threads
	if len(threads) != 2 || !strings.Contains(threads[0].Name, "wait group") {
		t.Errorf("threads %+v", threads)
	}
	if r := do[*dap.EvaluateResponse](c, "evaluate", map[string]any{"expression": "c.n + k*2", "frameId": top.Id}); r.Body.Result != "5" {
		t.Errorf("evaluate: %+v", r.Body)
	}
	if got := c.fails("evaluate", map[string]any{"expression": "c.x", "frameId": top.Id}); !strings.Contains(got, "no field x") {
		t.Errorf("evaluate: %s", got)
	}
	if r := do[*dap.EvaluateResponse](c, "evaluate", map[string]any{"expression": "locks", "context": "repl"}); !strings.Contains(r.Body.Result, "held by 0.2") {
		t.Errorf("locks: %+v", r.Body)
	}

	// A data breakpoint: who has written c.n before?
	info := do[*dap.DataBreakpointInfoResponse](c, "dataBreakpointInfo", map[string]any{"name": "n", "variablesReference": vars["c"].VariablesReference})
	if info.Body.Description != "c.n" {
		t.Errorf("data breakpoint %+v", info.Body)
	}
	on := map[string]any{"threadId": thread}
	do[*dap.NextResponse](c, "next", on)
	c.expect("step", 14)
	do[*dap.StepBackResponse](c, "stepBack", on)
	c.expect("breakpoint", 13)
	do[*dap.StepOutResponse](c, "stepOut", on)
	c.expect("step", 25)
	do[*dap.SetDataBreakpointsResponse](c, "setDataBreakpoints", map[string]any{"breakpoints": []map[string]any{{"dataId": info.Body.DataId}}})
	do[*dap.SetBreakpointsResponse](c, "setBreakpoints", map[string]any{"source": map[string]any{"path": file}})
	do[*dap.ReverseContinueResponse](c, "reverseContinue", on)
	c.expect("data breakpoint", 13)
	do[*dap.SetDataBreakpointsResponse](c, "setDataBreakpoints", map[string]any{"breakpoints": []any{}})

	// A breakpoint on a function, and the finding.
	set2 := do[*dap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", map[string]any{"breakpoints": []map[string]any{{"name": "counter.add"}, {"name": "nothing"}}})
	if b := set2.Body.Breakpoints; !b[0].Verified || b[1].Verified {
		t.Errorf("breakpoints on functions %+v", b)
	}
	do[*dap.ReverseContinueResponse](c, "reverseContinue", on)
	c.expect("breakpoint", 11)
	do[*dap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", map[string]any{"breakpoints": []any{}})
	do[*dap.ContinueResponse](c, "continue", on)
	c.expect("exception", 29)
	if e := do[*dap.ExceptionInfoResponse](c, "exceptionInfo", map[string]any{"threadId": 1}); e.Body.ExceptionId != "panic" || !strings.Contains(e.Body.Description, "three") {
		t.Errorf("exception %+v", e.Body)
	}
	do[*dap.ContinueResponse](c, "continue", on)
	c.stopped() // at the end
	do[*dap.ContinueResponse](c, "continue", on)
	wait[*dap.TerminatedEvent](c)
	do[*dap.ReverseContinueResponse](c, "reverseContinue", on)
	c.expect("entry", 18)
	do[*dap.StepInResponse](c, "stepIn", on)
	c.expect("step", 19)
	if got := c.fails("setVariable", map[string]any{}); !strings.Contains(got, "not supported") {
		t.Errorf("setVariable: %s", got)
	}
	do[*dap.DisconnectResponse](c, "disconnect", map[string]any{})
}

// TestModels asks for the source of a model of the standard library, which is not on disk.
func TestModels(t *testing.T) {
	c, _ := connect(t)
	do[*dap.InitializeResponse](c, "initialize", map[string]any{"adapterID": "everyway"})
	do[*dap.LaunchResponse](c, "launch", map[string]any{"run": "the.run", "stopOnEntry": true})
	do[*dap.ConfigurationDoneResponse](c, "configurationDone", nil)
	thread, _ := c.expect("entry", 18)
	for range 50 {
		do[*dap.NextResponse](c, "next", map[string]any{"threadId": thread, "granularity": "instruction"})
		e := wait[*dap.StoppedEvent](c)
		frames := do[*dap.StackTraceResponse](c, "stackTrace", map[string]any{"threadId": e.Body.ThreadId}).Body.StackFrames
		if src := frames[0].Source; src != nil && src.SourceReference > 0 {
			text := do[*dap.SourceResponse](c, "source", map[string]any{"source": src, "sourceReference": src.SourceReference})
			if !strings.Contains(text.Body.Content, "package sync") {
				t.Errorf("source %q", text.Body.Content)
			}
			return
		}
	}
	t.Error("no call in a model")
}
