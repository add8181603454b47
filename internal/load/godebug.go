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

// listGodebug asks the go command for the GODEBUG settings of programs: what go.mod, go.work
// and directives in their main packages and tests say, and what was the default in the
// version of Go that go.mod names. They are by the path of the main package.
func listGodebug(ctx context.Context, cfg *Config, patterns []string) (map[string]string, error) {
	args := append([]string{"list", "-e", "-f", "{{with .DefaultGODEBUG}}{{$.ImportPath}}\t{{.}}{{end}}"}, buildFlags(cfg)...)
	if cfg.Tests {
		args = append(args, "-test")
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), patterns...)...)
	cmd.Dir, cmd.Env = cfg.Dir, environment(cfg)
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("asking the go command for GODEBUG settings: %w", err)
	}
	settings := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		if path, text, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			settings[path] = text
		}
	}
	return settings, nil
}

// Godebug returns the settings of $GODEBUG, other than the defaults of the toolchain, that
// the program has which runs t.
func (r *Result) Godebug(t *Target) map[string]string {
	text, ok := "", false
	if t.Kind != TargetMain {
		text, ok = r.godebug[t.Package.Binary()+testMain]
	}
	if !ok {
		text = r.godebug[t.Package.Path]
	}
	settings := make(map[string]string)
	for setting := range strings.SplitSeq(text, ",") {
		if name, value, ok := strings.Cut(setting, "="); ok {
			settings[name] = value
		}
	}
	return settings
}

// Godebugs returns the settings of all programs by the paths of their main packages, as the
// go command prints them.
func (r *Result) Godebugs() map[string]string { return r.godebug }
