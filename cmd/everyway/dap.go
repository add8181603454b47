package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"

	"github.com/everyway-go/everyway/internal/debugger/dapserver"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/inspect"
	"github.com/everyway-go/everyway/internal/fault"
)

const dapHelp = `
usage: everyway dap [flags]

Dap serves the debugger of recorded runs to an editor, in the Debug Adapter
Protocol: on standard input and output, or to clients that connect to an
address. The editor launches a run file:

	{"type": "everyway", "request": "launch", "run": ".everyway/pool/TestPool-deadlock.run"}

Run 'everyway help debug.md' for how to set up editors.
`

func runDAP(ctx context.Context, args []string, stdout, stderr io.Writer, _ disk.System) (int, error) {
	fs := flag.NewFlagSet("dap", flag.ContinueOnError)
	chdir := registerChdir(fs)
	listen := fs.String("listen", "", "serve clients that connect to `address`, such as 127.0.0.1:4711; port 0 is any free port")
	rest, err := parseFlags(fs, args, stdout, dapHelp)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, usagef("dap takes no arguments: the editor says which run file to open; run 'everyway help dap'")
	}
	if err := changeDir(*chdir); err != nil {
		return 0, err
	}
	serve := func(in io.Reader, out io.Writer) error {
		server := dapserver.New(in, out, func(ctx context.Context, l dapserver.Launch) (*inspect.Session, error) {
			return openLaunched(ctx, l, stderr)
		})
		// What is wrong with one request is no end of the process, in which others may be served.
		return fault.Do(func() error { return server.Serve(ctx) })
	}
	if *listen == "" {
		err := serve(os.Stdin, stdout)
		if errors.Is(err, context.Canceled) {
			err = nil
		}
		return exitOK, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", *listen)
	if err != nil {
		return 0, usageError{fmt.Errorf("listening: %w", err)}
	}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	fmt.Fprintf(stdout, "DAP server listening at: %s\n", l.Addr())
	var clients sync.WaitGroup
	defer clients.Wait()
	for {
		conn, err := l.Accept()
		if ctx.Err() != nil {
			return exitOK, nil
		}
		if err != nil {
			return 0, fmt.Errorf("accepting a client: %w", err)
		}
		clients.Go(func() {
			defer conn.Close()
			defer context.AfterFunc(ctx, func() { conn.Close() })()
			if err := serve(conn, conn); err != nil && ctx.Err() == nil {
				fmt.Fprintf(stderr, "everyway: %v\n", err)
			}
		})
	}
}

// openLaunched opens the run file that a client launches.
func openLaunched(ctx context.Context, l dapserver.Launch, stderr io.Writer) (*inspect.Session, error) {
	dir := l.Dir
	if dir == "" {
		var err error
		if dir, err = workDir(); err != nil {
			return nil, err
		}
	}
	path := l.Run
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return openSession(ctx, dir, path, inspect.Options{Library: l.Library}, stderr)
}
