package confirm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/instrument"
	"github.com/everyway-go/everyway/internal/instrument/overlay"
	"github.com/everyway-go/everyway/schedule"
)

// Options say how a run is confirmed.
type Options struct {
	Dir      string        // of the module that the run was recorded in
	Attempts int           // native runs at most, with points within expressions and without
	Timeout  time.Duration // of a native run
	Work     string        // directory in which the instrumented sources stay, "" if they are removed
	Baseline int           // native runs without control points
}

// A Result says whether the finding of a run shows natively.
type Result struct {
	Confirmed bool   // a native run shows it
	Scheduled bool   // one with control points does
	Why       string // none does
	Attempts  int    // native runs with control points that were made
	Output    string // of the last one
	// Anyhow is how many of the native runs without control points, of which there were Baseline,
	// show the finding, too.
	Anyhow, Baseline int
}

// A RefusedError says why a run cannot be made natively, and what to do about it, in one line.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return e.Why }

func refuse(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// A buildError is what the go command says if the package does not build.
type buildError struct {
	places   []instrument.Position // of the errors, without columns, which control points move
	messages []string              // at these places
	output   string
}

// newBuildError finds the errors in an output of the go command, run in dir.
func newBuildError(output, dir string, at *places) *buildError {
	e := &buildError{output: output}
	for line := range strings.Lines(output) {
		m := compileError.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		file := m[1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		n, err := strconv.Atoi(m[2])
		if err != nil {
			continue
		}
		place := at.original(site{file, n})
		e.places = append(e.places, instrument.Position{File: place.file, Line: place.line})
		e.messages = append(e.messages, at.name(place)+": "+m[3])
	}
	return e
}

var compileError = regexp.MustCompile(`^(\S.*?):(\d+)(?::\d+)?: (.*)`)

// Error returns the first error, one with a place if there is one.
func (e *buildError) Error() string {
	if len(e.messages) > 0 {
		return e.messages[0]
	}
	for line := range strings.Lines(e.output) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "the go command failed"
}

// Confirm runs the target of the recorded run natively.
func Confirm(ctx context.Context, r *schedule.Run, o Options) (res *Result, err error) {
	if err := supported(r); err != nil {
		return nil, err
	}
	env, err := goEnv(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	if env["GOMOD"] == "" || env["GOMOD"] == os.DevNull {
		return nil, refuse("this is no directory of a module: run everyway confirm in the module of %s", r.Package)
	}
	root := filepath.Dir(env["GOMOD"])
	called := r.Kind == "function"
	if called {
		if r, err = instrument.Called(r, root); err != nil {
			return nil, refuse("no test can call the function: %v", err)
		}
	}
	race := r.Finding.Kind == "data race"
	if race && env["CGO_ENABLED"] != "1" {
		return nil, refuse("the race detector needs a C compiler: install one, and set CGO_ENABLED=1")
	}
	dir, remove, err := makeDir(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	n := &native{
		run: r, called: called, root: root, dir: dir, race: race, timeout: o.Timeout,
		toolchain: overlay.Toolchain{
			GOROOT: env["GOROOT"], GOMODCACHE: env["GOMODCACHE"], GoMod: env["GOMOD"],
			Workspace: env["GOWORK"] != "" && env["GOWORK"] != "off",
		},
	}
	if file := onlyWithoutCgo(instrument.NewPlan(r, root).Files(), r.Options.Tags); file != "" {
		if race {
			return nil, refuse("%s is only built without cgo, which the race detector needs: everyway replay shows the run", n.name(file))
		}
		n.pure = true
	}
	res = &Result{}
	if err := n.attempts(ctx, o, res); err != nil {
		return nil, err
	}
	return res, n.baseline(ctx, o, res)
}

// makeDir makes the directory for sources and binaries, and says how it is removed.
func makeDir(o Options) (dir string, remove func() error, err error) {
	const prefix = "everyway-confirm-"
	if o.Work != "" {
		work, err := filepath.Abs(o.Work) // the go command runs elsewhere
		if err != nil {
			return "", nil, fmt.Errorf("finding the directory for sources: %w", err)
		}
		if dir, err = os.MkdirTemp(work, prefix); err != nil {
			return "", nil, refuse("%v: -work names a directory that exists", err)
		}
		return dir, func() error { return nil }, nil
	}
	t, err := disk.MakeTemporary(disk.Host{}, os.TempDir(), prefix)
	if err != nil {
		return "", nil, err
	}
	return t.Path, t.Remove, nil
}

// A native is what makes native runs.
type native struct {
	run       *schedule.Run
	called    bool   // it is that of a test which was made to call a function
	root      string // of the module
	dir       string // for sources and binaries
	race      bool   // with the race detector
	pure      bool   // without cgo, as in the machine
	timeout   time.Duration
	toolchain overlay.Toolchain
}

// attempts makes runs with control points until one shows the finding.
func (n *native) attempts(ctx context.Context, o Options, res *Result) error {
	for _, coarse := range []bool{false, true} {
		plan := instrument.NewPlan(n.run, n.root)
		plan.Coarse, plan.Race = coarse, n.race
		binary, at, err := n.prepare(ctx, plan, fmt.Sprintf("coarse-%t", coarse))
		for range maxPlain {
			broken, ok := errors.AsType[*buildError](err)
			if !ok {
				break
			}
			// What is within expressions is put there without types, and need not compile.
			plan.Plain = append(plan.Plain, broken.places...)
			binary, at, err = n.prepare(ctx, plan, fmt.Sprintf("coarse-%t", coarse))
		}
		if broken, ok := errors.AsType[*buildError](err); ok {
			if !coarse {
				continue
			}
			if _, _, err := n.prepare(ctx, &instrument.Plan{Run: n.run, Root: n.root}, "baseline"); err != nil {
				return n.refused(err)
			}
			return refuse("%s: this is a fault of everyway's, in the control points: please report it, with what -work keeps", broken)
		}
		if err != nil {
			return n.refused(err)
		}
		needed := plan.Needed()
		for i := range max(1, o.Attempts) {
			res.Attempts++
			output, code, err := n.execute(ctx, binary, attempt{
				patience: patience[i%len(patience)], alone: i%2 == 1, segments: needed * ((i + 1) % 2),
			})
			if err != nil {
				return err
			}
			res.Output = output
			res.Why = at.judge(n.run, output, code)
			res.Scheduled = res.Why == ""
			res.Confirmed = res.Scheduled
			if res.Scheduled || ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// maxPlain is how often points that do not compile are left out.
const maxPlain = 4

// refused returns the error for what is wrong with the developer's sources.
func (n *native) refused(err error) error {
	if source, ok := errors.AsType[*instrument.SourceError](err); ok {
		return refuse("%s: %s", n.name(source.Pos), source.Message)
	}
	if broken, ok := errors.AsType[*buildError](err); ok {
		if n.called && strings.HasPrefix(broken.Error(), path.Join(n.run.Dir, instrument.CalledFile)+":") {
			return refuse("no test can call the function: Go cannot write the input in its package: %s", broken)
		}
		return refuse("%s: the package does not build: mend it, and confirm the run again", broken)
	}
	return err
}

// name returns the name of a file, with a position or without, relative to the module if it is in it.
func (n *native) name(file string) string {
	if rel, err := filepath.Rel(n.root, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

// onlyWithoutCgo returns the first of some files that is not built where cgo is enabled, as
// everyway's machine never has it. It is empty if there is none.
func onlyWithoutCgo(files, tags []string) string {
	with := build.Default
	with.BuildTags = append(slices.Clip(with.BuildTags), tags...)
	without := with
	with.CgoEnabled, without.CgoEnabled = true, false
	for _, file := range files {
		match := func(ctx *build.Context) bool {
			ok, err := ctx.MatchFile(filepath.Split(file))
			return ok && err == nil
		}
		if match(&without) && !match(&with) {
			return file
		}
	}
	return ""
}

// baseline makes runs without control points. A fuzz test gets the input all the same.
func (n *native) baseline(ctx context.Context, o Options, res *Result) error {
	if o.Baseline <= 0 {
		return nil
	}
	binary, at, err := n.prepare(ctx, &instrument.Plan{Run: n.run, Root: n.root}, "baseline")
	if err != nil {
		return n.refused(err)
	}
	for range o.Baseline {
		start := time.Now()
		output, code, err := n.execute(ctx, binary, attempt{patience: patience[0]})
		if err != nil {
			return err
		}
		res.Baseline++
		if at.judge(n.run, output, code) == "" {
			res.Anyhow++
			res.Confirmed, res.Why = true, ""
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if time.Since(start) >= n.timeout {
			return nil // the others would not end by themselves, either
		}
	}
	return nil
}

// prepare builds the test binary with the control points of a plan.
func (n *native) prepare(ctx context.Context, plan *instrument.Plan, name string) (binary string, at *places, err error) {
	source, err := plan.Write(filepath.Join(n.dir, name), n.toolchain)
	if err != nil {
		return "", nil, err
	}
	binary = filepath.Join(n.dir, name+".exe")
	at = &places{root: n.root, goroot: n.toolchain.GOROOT, copies: source.Copies}
	return binary, at, n.build(ctx, binary, source.Flags, at)
}

// supported returns the error for a run that cannot be made natively.
func supported(r *schedule.Run) error {
	switch {
	case r.Finding == nil:
		return refuse("the run has no finding, so there is nothing to confirm: everyway replay shows it")
	case r.Kind != "test" && r.Kind != "fuzz test" && r.Kind != "function":
		return refuse("%s is a target of the kind %s, which is not run natively: call it in a test, and search that; everyway replay shows the run", r.Target, r.Kind)
	case len(r.Files) > 0:
		return refuse("the package was named by its files: search it by its directory, and confirm what is found then")
	}
	switch r.Finding.Kind {
	case "panic", "fatal error", "test failure", "not linearizable", "deadlock", "data race", "leak":
		return nil
	}
	return refuse("a %s does not show in a native run: everyway replay shows the run", r.Finding.Kind)
}

func goEnv(ctx context.Context, dir string) (map[string]string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOMODCACHE", "GOMOD", "GOWORK", "CGO_ENABLED")
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
func (n *native) build(ctx context.Context, binary string, flags []string, at *places) error {
	options := &n.run.Options
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-trimpath=false", "-o", binary}, flags, options.Flags)
	if n.race {
		args = append(args, "-race")
	}
	if len(options.Tags) > 0 {
		args = append(args, "-tags="+strings.Join(options.Tags, ","))
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = filepath.Join(n.root, filepath.FromSlash(n.run.Dir))
	// What the go command leaves if it is interrupted is removed with everything else.
	cmd.Env = append(os.Environ(), "GOTMPDIR="+n.dir)
	if n.pure {
		cmd.Env = append(cmd.Env, "CGO_ENABLED=0")
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return newBuildError(string(out), cmd.Dir, at)
	}
	return nil
}

// patience is how long a goroutine that is blocked, while nothing else runs, is given to go on
// after all, as with a timer: in one attempt after the other, in times of two milliseconds.
var patience = [...]int{5, 150}

// An attempt says how a native run is made.
type attempt struct {
	patience int  // as above
	alone    bool // the race detector sees the accesses of the race only, and not others to the same object
	segments int  // that are kept to, 0 for all
}

// execute makes a native run, and returns its output and exit code.
func (n *native) execute(ctx context.Context, binary string, a attempt) (string, int, error) {
	ctx, cancel := context.WithTimeout(ctx, n.timeout)
	defer cancel()
	r := n.run
	args := []string{"-test.run=^" + r.Target + "$", "-test.count=1", "-test.v", "-test.fullpath", "-test.paniconexit0"}
	if r.Options.Short {
		args = append(args, "-test.short")
	}
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = filepath.Join(n.root, filepath.FromSlash(r.Dir))
	// So is what a test leaves that is ended.
	temporary := filepath.Join(n.dir, "tmp")
	if err := os.MkdirAll(temporary, 0o777); err != nil {
		return "", 0, fmt.Errorf("running the test natively: %w", err)
	}
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary, "TMP="+temporary, "GOTRACEBACK=all",
		instrument.InputVariable+"="+instrument.Symbols(r),
		fmt.Sprintf("EVERYWAY_PATIENCE=%d", a.patience), fmt.Sprintf("EVERYWAY_SEGMENTS=%d", a.segments))
	if r.Finding.Kind == "deadlock" {
		cmd.Env = append(cmd.Env, "EVERYWAY_STUCK=200")
	}
	if n.race && a.alone {
		cmd.Env = append(cmd.Env, fmt.Sprintf("EVERYWAY_RACECTX=%d", shadowOffset(binary)))
	}
	// The test has no timeout of its own, since its clock need not be that of the computer.
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
