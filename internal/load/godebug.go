package load

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// testMain is what the go command adds to the path of a package to name the main package of
// its test binary.
const testMain = ".test"

// godebug has the GODEBUG settings of programs by the paths of their main packages, as the
// go command prints them.
type godebug map[string]string

// listGodebug asks the go command for the settings of the programs that patterns name, with
// some flags of go list: what go.mod, go.work and directives in their main packages and tests
// say, and what was the default in the version of Go that go.mod names.
func listGodebug(ctx context.Context, dir string, env, flags, patterns []string) (godebug, error) {
	args := append([]string{"list", "-e", "-buildvcs=false", "-f", "{{with .DefaultGODEBUG}}{{$.ImportPath}}\t{{.}}{{end}}"}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), patterns...)...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("asking the go command for GODEBUG settings: %w", err)
	}
	settings := make(godebug)
	for line := range strings.Lines(string(out)) {
		if path, text, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			settings[path] = text
		}
	}
	return settings, nil
}

// of returns the settings of the test binary of a package by their names or, if it has none
// or main is true, those of the program whose main package it is.
func (g godebug) of(path string, main bool) map[string]string {
	text, ok := g[path+testMain]
	if main || !ok {
		text = g[path]
	}
	settings := make(map[string]string)
	for setting := range strings.SplitSeq(text, ",") {
		if name, value, ok := strings.Cut(setting, "="); ok {
			settings[name] = value
		}
	}
	return settings
}
