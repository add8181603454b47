package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Server is a server with everyway's tools.
type Server struct {
	run    Runner
	server *mcp.Server
}

// New returns a server of a version, which runs commands by a Runner.
func New(version string, run Runner) *Server {
	s := &Server{
		run: run,
		server: mcp.NewServer(&mcp.Implementation{Name: "everyway", Title: "Everyway", Version: version}, &mcp.ServerOptions{
			Instructions: instructions,
		}),
	}
	s.addTools()
	return s
}

const instructions = `Everyway runs a Go test every way it can go: with every input and under every interleaving of its goroutines.
Call search on a package; it ends with "fails" (an input and an interleaving that break the test), "holds" (all were covered, within the named bounds) or "open".
A finding has a run file. show_finding prints its interleaving, replay says if it still fails after a change, confirm shows it in an ordinary binary, and write_test makes a regression test.
When the bug is mended, search again: "holds" is the proof, within its bounds.`

// Serve answers calls that come by a transport until the context ends or the other side has gone.
func (s *Server) Serve(ctx context.Context, transport mcp.Transport) error {
	return s.server.Run(ctx, transport)
}
