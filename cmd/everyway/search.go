package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/accept"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/engine/results"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/engine/summaries"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/internal/static/initial"
	"github.com/everyway-go/everyway/internal/walkthrough"
)

// A testCommand is an everyway test that searches: it loads the packages, finds the targets, and
// has them searched. Results that were kept are reported without a search.
type testCommand struct {
	*testFlags
	choose         program.Selection
	format         report.Format
	dir            string // the current directory
	stdout, stderr io.Writer
	files          disk.System
	start          time.Time

	kept    []*results.Kept
	prog    *program.Program
	out     *output
	targets []load.Target
	// The calls that a search begins with, of -at calls:PKG; they take the place of targets. Nil otherwise.
	combinations *program.Calls
}

func runTest(ctx context.Context, args []string, stdout, stderr io.Writer, files disk.System) (int, error) {
	var f testFlags
	choose, patterns, err := f.parse(args, stdout)
	if err != nil {
		return 0, err
	}
	format, err := f.output.format()
	if err != nil {
		return 0, err
	}
	f.Memory = limitMemory(ctx, f.memory)
	f.Limits.Memory = int64(f.Memory.Limit().RunLimit(memory.Size(worker.DefaultLimits.Memory)))
	if f.listing {
		return f.printList(ctx, patterns, stdout, stderr)
	}
	pool, err := f.startSolver(ctx)
	if err != nil {
		return 0, err
	}
	if pool != nil {
		defer pool.Close()
	}
	c := &testCommand{testFlags: &f, choose: choose, format: format, stdout: stdout, stderr: stderr, files: files, start: time.Now()}
	if c.dir, err = workDir(); err != nil {
		return 0, err
	}
	return c.execute(ctx, patterns)
}

// execute searches the packages of the patterns, and returns the exit code.
func (c *testCommand) execute(ctx context.Context, patterns []string) (int, error) {
	cfg, err := c.config(ctx, patterns)
	if err != nil {
		return 0, err
	}
	var others []string // packages with targets whose results are not kept
	if c.kept, others = c.Keeper.Find(); len(c.kept) > 0 {
		if len(others) == 0 {
			return c.reportKept()
		}
		cfg.Patterns, cfg.Listing, c.choose.Part = others, cfg.Listing.Of(others), true
	}
	if c.prog, err = c.loadProgram(ctx, cfg); err != nil {
		return 0, err
	}
	if err := c.open(ctx); err != nil {
		return 0, err
	}
	if err := c.findTargets(ctx); err != nil {
		return 0, err
	}
	if err := c.begin(); err != nil {
		return 0, err
	}
	if err := c.search(ctx); err != nil {
		return 0, err
	}
	return c.end()
}

// config returns what is loaded, and opens what is kept of other searches.
func (c *testCommand) config(ctx context.Context, patterns []string) (load.Config, error) {
	cfg, err := program.LoadConfig(ctx, c.dir, patterns, c.build, c.function == "")
	if err != nil {
		return cfg, usageError{err}
	}
	if c.summaries {
		kept, err := openCache(c.files)
		if err != nil {
			return cfg, err
		}
		c.Summaries = summaries.NewLibrary(kept)
	}
	cfg.Blocks = c.covers()
	if cfg.Blocks || c.Reach != nil || c.inMiddle() {
		return cfg, nil // a verdict that is kept does not say what was executed
	}
	cfg.Listing, _ = cfg.List(ctx) // loading says what is wrong
	c.Keeper, err = c.keeper(c.files, cfg)
	return cfg, err
}

// open opens the report, and says in it which packages do not build.
func (c *testCommand) open(ctx context.Context) (err error) {
	warnUntested(c.stderr, c.prog.Toolchain)
	c.out, err = c.output.open(c.format, report.Config{
		Stdout: c.stdout, Stderr: c.stderr, Terminal: terminal(c.stderr), Chdir: *c.chdir, Source: c.prog.Line,
		Qualified: len(c.kept) > 0 || len(c.prog.Binaries())+len(c.prog.Broken) > 1,
		Blocks:    c.prog.BlockList(),
	}, c.files)
	if err != nil {
		return err
	}
	if c.html != "" {
		c.out.Report = report.Multi{c.out.Report, &pageReport{
			ctx: ctx, prog: c.prog, dir: c.dir, chdir: *c.chdir,
			write: func(m *walkthrough.Maker) error { return writePage(m, c.html, c.files) },
		}}
	}
	c.out.notBuilt(c.prog.Broken)
	return nil
}

// findTargets finds what is to be searched, and what is known of it before: the places of -reach
// in it, and the findings that are accepted.
func (c *testCommand) findTargets(ctx context.Context) (err error) {
	c.choose.Part = c.choose.Part || len(c.prog.Broken) > 0
	switch {
	case len(c.prog.Packages) == 0: // none of them builds
	case c.calls != "":
		if c.combinations, err = c.prog.Calls(ctx, c.calls); err != nil {
			return usagef("-at %s%s: %w", search.CallsPrefix, c.calls, err)
		}
	default:
		if c.targets, err = c.selectTargets(ctx); err != nil {
			return usageError{err}
		}
	}
	if c.pieces > 0 && len(c.targets) != 1 {
		return usagef("-pieces searches one target, and there are %d: name one with -run, -func or -at", len(c.targets))
	}
	c.prog.Args, c.prog.Disk = c.args, c.files
	for i := range c.targets {
		switch t := &c.targets[i]; {
		case t.Kind != load.TargetMain && c.args != nil:
			return usagef("-args: %s takes no arguments, only the main function of a program does: name it with -func main", t.Name)
		case t.Kind == load.TargetMain && c.function == "":
			fmt.Fprintf(c.stderr, "everyway: no tests in %s: searching its main function\n", t.Package.Path)
		}
	}
	if err := c.findPlaces(ctx); err != nil {
		return err
	}
	c.Accepted, err = acceptedFindings(c.prog, c.targets)
	return err
}

// selectTargets returns the targets that the flags name.
func (c *testCommand) selectTargets(ctx context.Context) ([]load.Target, error) {
	if c.from != "" {
		return c.dumped(ctx, c.prog)
	}
	if len(c.at) == 0 {
		return c.prog.Select(c.choose)
	}
	t, err := c.prog.Context(ctx, c.places(), initial.Options{Presume: true})
	if err != nil {
		return nil, err
	}
	return []load.Target{*t}, nil
}

// findPlaces finds the places of -reach in what the targets call. At least one target has to come to each.
func (c *testCommand) findPlaces(ctx context.Context) error {
	if len(c.reach) == 0 {
		return nil
	}
	var unreachable string
	reached := false
	for i := range c.targets {
		goal, err := reach.New(ctx, c.prog, &c.targets[i], c.reach)
		if err != nil {
			return usageError{err}
		}
		c.Reach.Add(&c.targets[i], goal)
		reached = reached || goal.Unreachable == "" || len(goal.Missed) > 0
		unreachable = cmp.Or(unreachable, goal.Unreachable)
	}
	if !reached && unreachable != "" {
		return usagef("-reach %s: %s", c.reach[0].Text, unreachable)
	}
	return nil
}

// begin reports what there is to search, and the results that were kept.
func (c *testCommand) begin() error {
	searches := len(c.kept) + len(c.targets)
	if c.combinations != nil {
		searches++
	}
	c.out.Loaded(searches, time.Since(c.start))
	if err := c.out.Err(); err != nil { // before anything is searched
		return fmt.Errorf("writing the report: %w", err)
	}
	for _, k := range c.kept {
		k.Report(c.out)
	}
	if c.Resume {
		for _, gone := range search.Gone(c.prog, c.Config) {
			fmt.Fprintf(c.stderr, "everyway: %s: %s is gone\n", report.Relative(c.dir, gone.File), gone.Target)
		}
	}
	if c.Total > 0 {
		c.Rank = c.rank
	}
	return nil
}

// rank ranks targets that were searched before, with no result that is kept, behind those that have
// changed.
func (c *testCommand) rank(t *load.Target) int {
	if c.Keeper.Searched(c.prog, t) {
		return 1
	}
	return 0
}

// search searches the targets. The error is nil if the report has it already.
func (c *testCommand) search(ctx context.Context) (err error) {
	begin := time.Now()
	switch {
	case c.combinations != nil:
		err = search.Calls(ctx, c.prog, c.combinations, c.Config, c.out)
	case c.pieces > 0:
		of := search.Piecewise{Number: c.pieces, Instructions: c.piece}
		err = search.Pieces(ctx, c.prog, &c.targets[0], of, c.Config, c.out)
	default:
		err = search.Targets(ctx, c.prog, c.targets, c.Config, c.out)
	}
	c.out.Done(time.Since(begin))
	if err != nil && !c.out.fault && !errors.Is(err, context.Canceled) {
		return err
	}
	c.Keeper.Finish(ctx, c.prog, c.targets)
	return nil
}

// end says which accepted findings are gone, and returns the exit code.
func (c *testCommand) end() (int, error) {
	if c.out.nowhere {
		return 0, c.nowhere()
	}
	if c.Run == "" && c.Skip == "" { // otherwise less is searched than there is
		for _, root := range slices.Sorted(maps.Keys(c.Accepted)) {
			searched := searchedComments(c.prog, root, c.targets, c.out.held)
			reportGone(c.stderr, c.Accepted[root], searched, c.out.held)
		}
	}
	return c.out.exitCode()
}

// nowhere returns the error that no run comes to where the search was to begin.
func (c *testCommand) nowhere() error {
	where := "-from " + c.from
	if c.from == "" {
		where = "-at " + strings.Join(c.places(), " -at ")
	}
	what := "what is known of the places, and how the bounds of the input limit it, contradict one another"
	if len(c.out.facts) > 0 {
		what = "these facts, and the bounds of the input, contradict one another: " + strings.Join(c.out.facts, "; ")
	}
	return usagef("%s: no run comes there: %s", where, what)
}

// reportKept reports the results of a command for which nothing has to be searched, and returns the
// exit code.
func (c *testCommand) reportKept() (int, error) {
	warnUntested(c.stderr, c.Keeper.Toolchain())
	out, err := c.output.open(c.format, report.Config{
		Stdout: c.stdout, Stderr: c.stderr, Chdir: *c.chdir, Qualified: c.Keeper.Several(),
	}, c.files)
	if err != nil {
		return 0, err
	}
	out.Loaded(len(c.kept), time.Since(c.start))
	for _, k := range c.kept {
		k.Report(out)
	}
	out.Done(time.Since(c.start))
	if c.Run != "" || c.Skip != "" { // less was searched than there is
		return out.exitCode()
	}
	var roots []string
	for _, k := range c.kept {
		if root := k.Result.Root; !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	for _, root := range roots {
		list, err := accept.Read(disk.Dir{System: c.files, Path: root}, nil)
		if err != nil {
			return 0, usageError{err}
		}
		reportGone(c.stderr, list, nil, out.held)
	}
	return out.exitCode()
}
