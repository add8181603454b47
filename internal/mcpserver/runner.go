package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A Command is a command of everyway's.
type Command struct {
	Dir   string // in which it runs; "" for that of the server
	Args  []string
	Stdin string
	Line  func(line []byte) // called for each line of its output, if it is not nil
}

// An Output is what a command has printed, and its exit code.
type Output struct {
	Stdout string // empty if there is a Command.Line
	Stderr string
	Code   int
}

// A Runner runs a command. The error says that it could not be run at all, or was cancelled.
type Runner func(context.Context, Command) (*Output, error)

// Exec returns a Runner that runs the commands of a binary of everyway.
func Exec(binary string) Runner {
	return func(ctx context.Context, c Command) (*Output, error) {
		cmd := exec.CommandContext(ctx, binary, c.Args...)
		cmd.Dir = c.Dir
		cmd.Stdin = strings.NewReader(c.Stdin)
		// What was found so far is saved when a search is interrupted.
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = 10 * time.Second
		var stdout, stderr bytes.Buffer
		cmd.Stderr = &stderr
		if c.Line == nil {
			cmd.Stdout = &stdout
			err := cmd.Run()
			return ended(ctx, cmd, &stdout, &stderr, err)
		}
		pipe, err := cmd.StdoutPipe()
		if err != nil {
			return nil, fmt.Errorf("running everyway: %w", err)
		}
		if err := cmd.Start(); err != nil {
			return nil, fmt.Errorf("running everyway: %w", err)
		}
		lines := bufio.NewScanner(pipe)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			c.Line(lines.Bytes())
		}
		return ended(ctx, cmd, &stdout, &stderr, cmd.Wait())
	}
}

// ended returns the output of a process that has ended with an error or without.
func ended(ctx context.Context, cmd *exec.Cmd, stdout, stderr *bytes.Buffer, err error) (*Output, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		return nil, fmt.Errorf("running everyway: %w", err)
	}
	return &Output{Stdout: stdout.String(), Stderr: stderr.String(), Code: cmd.ProcessState.ExitCode()}, nil
}

// problem returns what a command has said is wrong with how it was called, nil if nothing is.
func (o *Output) problem() error {
	if o.Code < 2 {
		return nil
	}
	text := strings.TrimSpace(o.Stderr)
	if text == "" {
		text = strings.TrimSpace(o.Stdout)
	}
	if text == "" {
		text = fmt.Sprintf("exit code %d", o.Code)
	}
	return errors.New(text)
}
