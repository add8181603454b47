package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/mcpserver"
)

const mcpHelp = `
usage: everyway mcp

Mcp serves everyway's commands as tools of the Model Context Protocol, on
standard input and output: for programs that drive everyway, such as an
assistant in an editor. The tools list targets, search them, show findings,
replay and confirm them, and write regression tests.

An editor is told to start it with a line such as

	{"mcpServers": {"everyway": {"command": "everyway", "args": ["mcp"]}}}

Run 'everyway help mcp.md' for an example.
`

func runMCP(ctx context.Context, args []string, stdout, _ io.Writer, _ disk.System) (int, error) {
	rest, err := parseFlags(flag.NewFlagSet("mcp", flag.ContinueOnError), args, stdout, mcpHelp)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, usagef("mcp takes no arguments; run 'everyway help mcp'")
	}
	binary, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("finding everyway itself: %w", err)
	}
	server := mcpserver.New(fault.Version(), mcpserver.Exec(binary))
	err = server.Serve(ctx, &mcp.IOTransport{Reader: io.NopCloser(os.Stdin), Writer: noClose{stdout}})
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("serving the Model Context Protocol: %w", err)
	}
	return exitOK, nil
}

// noClose is standard output, which stays open.
type noClose struct{ io.Writer }

func (noClose) Close() error { return nil }
