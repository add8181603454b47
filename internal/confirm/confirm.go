package confirm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/instrument"
	"github.com/everyway-go/everyway/schedule"
)

// Options say how a run is confirmed.
type Options struct {
	Dir      string        // of the module that the run was recorded in
	Attempts int           // native runs at most, with points within expressions and without
	Timeout  time.Duration // of a native run
	Work     string        // directory for the instrumented sources, "" for that of temporary files
	Keep     bool          // do not remove them
}

// A Result says whether the finding of a run shows natively.
type Result struct {
	Confirmed bool
	Why       string // it is not confirmed
	Attempts  int    // native runs that were made
	Output    string // of the last one
}

// A buildError is an error of the go command's.
type buildError struct{ output string }

func (e *buildError) Error() string { return "the package does not build natively: " + e.output }

// Confirm runs the target of the recorded run natively.
func Confirm(ctx context.Context, r *schedule.Run, o Options) (*Result, error) {
	if why := unsupported(r); why != "" {
		return &Result{Why: why}, nil
	}
	env, err := goEnv(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	if env["GOMOD"] == "" || env["GOMOD"] == os.DevNull {
		return nil, errors.New("confirming a run: not in a module")
	}
	race := r.Finding.Kind == "data race"
	if race && env["CGO_ENABLED"] != "1" {
		return &Result{Why: "-race needs cgo, and there is no C compiler"}, nil
	}
	dir, err := os.MkdirTemp(o.Work, "everyway-confirm-")
	if err != nil {
		return nil, err
	}
	if !o.Keep {
		defer os.RemoveAll(dir)
	}
	root := filepath.Dir(env["GOMOD"])
	binary := filepath.Join(dir, "test.exe")
	res := &Result{}
	for _, coarse := range []bool{false, true} {
		plan := instrument.NewPlan(r, root)
		plan.Coarse = coarse
		to := filepath.Join(dir, fmt.Sprintf("coarse-%t", coarse))
		source, err := plan.Write(to, instrument.Toolchain{GOROOT: env["GOROOT"], GOMODCACHE: env["GOMODCACHE"], GoMod: env["GOMOD"]})
		if err != nil {
			res.Why = err.Error()
			return res, nil
		}
		err = build(ctx, r, root, binary, race, source.Flags)
		var broken *buildError
		if errors.As(err, &broken) {
			res.Why = broken.Error()
			continue
		}
		if err != nil {
			return nil, err
		}
		for i := range max(1, o.Attempts) {
			res.Attempts++
			output, code, err := execute(ctx, r, root, binary, o.Timeout, patience[i%len(patience)])
			if err != nil {
				return nil, err
			}
			res.Output = output
			res.Why = judge(r, output, code)
			res.Confirmed = res.Why == ""
			if res.Confirmed || ctx.Err() != nil {
				return res, ctx.Err()
			}
		}
	}
	return res, nil
}

// unsupported says why a run cannot be made natively.
func unsupported(r *schedule.Run) string {
	switch {
	case r.Finding == nil:
		return "the run has no finding"
	case r.Kind != "test" && r.Kind != "fuzz test":
		return "a target of the kind " + r.Kind + " is not run natively: only tests and fuzz tests are"
	case len(r.Files) > 0:
		return "the package was named by its files"
	}
	switch r.Finding.Kind {
	case "panic", "fatal error", "test failure", "deadlock", "data race", "leak":
		return ""
	}
	return "a " + r.Finding.Kind + " does not show in a native run"
}

func goEnv(ctx context.Context, dir string) (map[string]string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOMODCACHE", "GOMOD", "CGO_ENABLED")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("asking the go command for its environment: %w", err)
	}
	env := map[string]string{}
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("asking the go command for its environment: %w", err)
	}
	return env, nil
}

// build builds the test binary.
func build(ctx context.Context, r *schedule.Run, root, binary string, race bool, flags []string) error {
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-o", binary}, flags, r.Options.Flags)
	if race {
		args = append(args, "-race")
	}
	if len(r.Options.Tags) > 0 {
		args = append(args, "-tags="+strings.Join(r.Options.Tags, ","))
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = filepath.Join(root, filepath.FromSlash(r.Dir))
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return &buildError{strings.TrimSpace(string(out) + "\n" + err.Error())}
	}
	return nil
}

// patience is how long a goroutine that is blocked, while nothing else runs, is given to go on
// after all, as with a timer: in one attempt after the other, in times of two milliseconds.
var patience = [...]int{5, 150}

// execute makes a native run, and returns its output and exit code.
func execute(ctx context.Context, r *schedule.Run, root, binary string, timeout time.Duration, patience int) (string, int, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout+5*time.Second)
	defer cancel()
	args := []string{"-test.run=^" + r.Target + "$", "-test.count=1", "-test.v", "-test.timeout=" + timeout.String()}
	if r.Options.Short {
		args = append(args, "-test.short")
	}
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = filepath.Join(root, filepath.FromSlash(r.Dir))
	cmd.Env = append(os.Environ(), "EVERYWAY_INPUT="+environment(r), "GOTRACEBACK=all", fmt.Sprintf("EVERYWAY_PATIENCE=%d", patience))
	if r.Finding.Kind == "deadlock" {
		cmd.Env = append(cmd.Env, "EVERYWAY_STUCK=200")
	}
	cmd.WaitDelay = time.Second
	var out limited
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil, errors.As(err, &exit), errors.Is(err, exec.ErrWaitDelay):
		return out.buf.String(), cmd.ProcessState.ExitCode(), nil
	}
	return "", 0, fmt.Errorf("running the test natively: %w", err)
}

// environment returns the inputs of package sym.
func environment(r *schedule.Run) string {
	var list []string
	for _, v := range r.Input {
		if !v.Choice {
			list = append(list, fmt.Sprintf("%s=%d", v.Name, v.Value))
		}
	}
	return strings.Join(list, " ")
}

// maxOutput is how much of the output of a native run is kept, in bytes.
const maxOutput = 16 << 20

// A limited keeps the beginning of what is written to it.
type limited struct{ buf bytes.Buffer }

func (l *limited) Write(data []byte) (int, error) {
	if rest := maxOutput - l.buf.Len(); rest > 0 {
		l.buf.Write(data[:min(rest, len(data))])
	}
	return len(data), nil
}
