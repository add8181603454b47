package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/deadlock"
	"github.com/everyway-go/everyway/internal/analysis/input"
	"github.com/everyway-go/everyway/internal/analysis/leak"
	"github.com/everyway-go/everyway/internal/analysis/registry"
	"github.com/everyway-go/everyway/internal/analysis/waits"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/prediction"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/schedule"
)

const raceHelp = `
usage: everyway race [flags] file...

Race looks for data races, deadlocks and misuses of synchronisation in
schedules: those of everyway record, run files, and those that other programs
write. It needs the schedule only, not the program. A file named - is the
standard input. Run 'everyway help schedules' for how to use this command, and
'everyway help format' for the format of schedules.

	everyway race .everyway/pool/TestPool.schedule
	everyway race -detector lockset pool.schedule.txt
	everyway race .everyway/pool/TestPool-panic.run

It looks at the schedule as it is, and at other orders that the schedule allows.
A finding that several detectors have is printed once. It names its events, with
their places in the program, what they do to which memory, and their goroutines.
A finding is

	observed   if it is in the schedule as it is,
	predicted  if it is in another order that the schedule allows,
	suspected  if it may be false.

With -confirm, everyway makes the runs that findings predict: it runs the
program of the schedule, which has to be the one in the module in the current
directory, in its own machine, with the same input, and has goroutines take
their steps in the order that was predicted. If the finding shows in that run,
it is confirmed, and the run is saved for everyway replay. The others are listed
after them, with the reason. -confirm also looks for leaks.

	everyway record -run TestPool ./pool
	everyway race -confirm .everyway/pool/TestPool.schedule

A trace of the Go runtime, as go test -trace writes it, can be analysed, too, by
default for goroutines that wait for ever:

	go test -trace trace.out ./pool
	everyway race trace.out

A file with the property "order local" has the events of each goroutine, without
an order between goroutines. Everyway first looks for an order that explains
them, as everyway join does; what is found in it is predicted at most. With
-join the files are of one run, such as one for each goroutine.

With -json, a finding is a line with the keys file, kind, certainty, detector,
times and sites. It also has

	witness      the order of events that shows the finding, if it is known; an
	             event is its number in the file
	inputs       the parts of another input, if the finding needs one, each with
	             the keys name, value and was
	run          with -confirm, the file in which the run is saved, or
	unconfirmed  the reason why there is none

A site with the key turn is a select that takes this case, not the one in the
schedule. A line with the keys file, events, goroutines and findings ends each
file; if it has the key parts, that says which detectors have looked at the
schedule in parts, to bound their memory, and in how many.

The exit code is 0 if nothing was found, 1 if something was (with -confirm, only
if it is confirmed or observed), 2 if a file is not a schedule or has an event
that is not possible after those before it, and 3 if the output cannot be written or
the memory is used up. An event that is not possible is named, and what was
found before it is printed. A file may be larger than memory: only cells, locks
and goroutines are held, not events.
`

func runRace(ctx context.Context, args []string, stdout, stderr io.Writer, disks disk.System) (int, error) {
	fs := flag.NewFlagSet("race", flag.ContinueOnError)
	names := fs.String("detector", defaultDetectors, detectorUsage())
	confirm := fs.Bool("confirm", false, "make the runs that findings predict, and save those that show them")
	window := fs.Int("window", 0, "`number` of events that detectors look at together which need a bound\n(default 1000, and 4000 for m2)")
	var limit memory.Size
	fs.Func("memory", "use at most `size` of memory, such as 2GiB; what needs more is not analysed\n(default three quarters of what the computer or the control group has)", func(s string) (err error) {
		limit, err = memory.ParseSize(s)
		return err
	})
	asJSON := fs.Bool("json", false, "print a JSON line for each finding, and one for each file")
	joins := fs.Bool("join", false, "take the files as parts of one run, not each by itself")
	quiet := fs.Bool("q", false, "print only the findings, not what was read")
	chdir := registerChdir(fs)
	files, err := parseFlags(fs, args, stdout, raceHelp)
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, usagef("race takes schedules; run 'everyway help race'")
	}
	if isSet(fs, "window") && *window < 1 {
		return 0, usagef("-window %d: give a positive number", *window)
	}
	if *confirm && slices.Contains(files, "-") {
		return 0, usagef("-confirm reads a schedule twice: name a file instead of -")
	}
	if *confirm && !isSet(fs, "detector") {
		*names += "," + leak.Info.Name + "," + deadlock.Suspected.Name + "," + input.Info.Name
	}
	detectors, err := chooseDetectors(*names)
	if err != nil {
		return 0, err
	}
	if err := changeDir(*chdir); err != nil {
		return 0, err
	}
	if limit != 0 && limit < leastMemory {
		return 0, usagef("-memory %v: give at least %v", limit, leastMemory)
	}
	budget := limitMemory(ctx, limit)
	limited, share := budget.Begin(ctx)
	defer share.End()
	// What is kept makes garbage, too.
	each := min(int64(budget.Limit())/4/int64(len(detectors)), analysis.DefaultMemory)
	var c *confirmer
	if *confirm {
		dir, err := workDir()
		if err != nil {
			return 0, err
		}
		c = &confirmer{dir: dir, Confirmer: prediction.NewConfirmer(dir, func(p *program.Program) {
			p.Disk = disks
			warnUntested(stderr, p.Toolchain)
		})}
	}
	var to printer = textPrinter{stdout, *quiet}
	if *asJSON {
		to = jsonPrinter{json.NewEncoder(stdout), *quiet}
	}
	runs := make([][]string, 0, len(files)) // the files of each
	for _, file := range files {
		runs = append(runs, []string{file})
	}
	if *joins {
		runs = [][]string{files}
	}
	code := exitOK
	for _, files := range runs {
		found, err := analyseFiles(limited, files, *joins, raceOptions{
			detectors: detectors, chosen: isSet(fs, "detector"),
			Limits: analysis.Limits{Window: *window, Memory: each}, confirmer: c,
		}, to)
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if limited.Err() != nil {
			return 0, fmt.Errorf("%s: %w%s", files[0], memory.Reason(limited, err), lessMemory(detectors, *window))
		}
		switch {
		case isInputError(err):
			fmt.Fprintf(stderr, "everyway: %s\n", printable(err.Error()))
			code = exitUsage
		case err != nil:
			return 0, err
		case found && code == exitOK:
			code = exitFails
		}
	}
	return code, nil
}

// lessMemory says what needs less memory.
func lessMemory(detectors []analysis.Info, window int) string {
	var advice []string
	if window > 0 {
		advice = append(advice, "a smaller -window")
	}
	if len(detectors) > 1 {
		advice = append(advice, "one -detector at a time")
	}
	if !slices.ContainsFunc(detectors, func(d analysis.Info) bool { return slices.Contains([]string{"happensbefore", "huang"}, d.Name) }) {
		advice = append(advice, "-detector happensbefore, or huang without -window, which keep few events")
	}
	if len(advice) == 0 {
		return ""
	}
	return ": give " + strings.Join(advice, ", or ")
}

// detectorUsage lists what -detector takes, a line each.
func detectorUsage() string {
	var b strings.Builder
	b.WriteString("comma-separated `names` of detectors, or all:\n")
	for _, d := range registry.Detectors() {
		fmt.Fprintf(&b, "  %-14s %s (%v)\n", d.Name, d.Doc, d.Certainty)
	}
	return b.String()
}

// chooseDetectors returns the detectors that the flag names.
func chooseDetectors(names string) ([]analysis.Info, error) {
	all := registry.Detectors()
	if names == "all" {
		return all, nil
	}
	var chosen []analysis.Info
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(all, func(d analysis.Info) bool { return d.Name == name })
		if i < 0 {
			return nil, usagef("-detector %s: there is none named %q; run 'everyway help race'", names, name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// defaultDetectors are those that find most without suspicions. Leaks are added where runs decide about them, since
// the schedule does not say what comes after another case of a select.
const defaultDetectors = "happensbefore,huang,deadlock,misuse"

// isSet reports whether a flag was given.
func isSet(fs *flag.FlagSet, name string) (set bool) {
	fs.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// raceOptions say how schedules are analysed.
type raceOptions struct {
	detectors []analysis.Info
	chosen    bool // by a flag
	analysis.Limits
	confirmer *confirmer // follows the witnesses; nil if they are not followed
}

// analyseFiles analyses what is in files, which are one unless they are joined, and prints what is
// found. Unless detectors were chosen, what several of them find is printed once.
func analyseFiles(ctx context.Context, files []string, join bool, o raceOptions, to printer) (found bool, err error) {
	s, err := openSource(ctx, files, join)
	if err != nil {
		return false, err
	}
	defer s.Close()
	if s.traced && !o.chosen {
		o.detectors = []analysis.Info{waits.Abandoned}
	}
	r, err := s.reader()
	if err != nil {
		return false, err
	}
	all, err := analysis.Run(ctx, r, o.detectors, o.Limits)
	findings := all.Findings
	if o.confirmer != nil || !o.chosen {
		findings = differentPlaces(all)
	}
	list := make([]judged, len(findings))
	for i, f := range findings {
		list[i].Finding = f
	}
	if o.confirmer != nil && err == nil {
		if list, err = o.confirmer.judge(ctx, s, findings); err != nil {
			return false, err
		}
	}
	for i := range list {
		found = found || o.confirmer == nil || list[i].isConfirmed() || list[i].Certainty == analysis.Observed
	}
	if err := to.print(s.name, all, list); err != nil {
		return false, err
	}
	return found, err
}

// A judged finding is one with what came of following its witness.
type judged struct {
	*analysis.Finding
	result *prediction.Result // nil if the witness was not followed
}

// isConfirmed reports whether a run shows the finding.
func (f *judged) isConfirmed() bool { return f.result != nil && f.result.RunFile != "" }

// A confirmer has the witnesses of findings followed.
type confirmer struct {
	*prediction.Confirmer
	dir string
}

// judge returns the findings in a schedule with what came of following their witnesses, the confirmed ones first.
func (c *confirmer) judge(ctx context.Context, s *source, findings []*analysis.Finding) ([]judged, error) {
	if len(findings) == 0 {
		return nil, nil
	}
	again, err := s.reader()
	if err != nil {
		return nil, err
	}
	results, err := c.Confirm(ctx, again, findings)
	if wrong := (*prediction.LoadError)(nil); errors.As(err, &wrong) {
		return nil, usagef("%s: %v", s.name, memory.Reason(ctx, err))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	var confirmed, others []judged
	for i, f := range findings {
		if j := (judged{f, &results[i]}); j.isConfirmed() {
			j.result.RunFile = report.Relative(c.dir, j.result.RunFile)
			confirmed = append(confirmed, j)
		} else {
			others = append(others, j)
		}
	}
	return append(confirmed, others...), nil
}

// differentPlaces returns the findings of a report without those that another detector has found before.
func differentPlaces(r *analysis.Report) []*analysis.Finding {
	var findings []*analysis.Finding
	known := map[string]bool{}
	for _, f := range r.Findings {
		if key := placesOf(r.Table, f); !known[key] {
			known[key] = true
			findings = append(findings, f)
		}
	}
	return findings
}

// placesOf returns a text that findings of one kind at the same places have in common, whichever detector
// has found them.
func placesOf(t *schedule.Table, f *analysis.Finding) string {
	list := make([]string, len(f.Sites))
	for i, s := range f.Sites {
		list[i] = t.Position(s.Location) + " " + s.Op.String()
		if s.Location == 0 {
			list[i] = strconv.FormatInt(s.Order, 10)
		}
	}
	slices.Sort(list)
	return f.Kind + "\n" + strings.Join(list, "\n")
}

// A printer prints what was found in a file.
type printer interface {
	print(file string, r *analysis.Report, list []judged) error
}

// A textPrinter prints for people.
type textPrinter struct {
	io.Writer
	quiet bool
}

func (p textPrinter) print(file string, r *analysis.Report, list []judged) error {
	confirmed, unconfirmed := 0, 0
	for i := range list {
		f := &list[i]
		printFinding(p, r, f.Finding)
		switch {
		case f.isConfirmed():
			confirmed++
			fmt.Fprintf(p, "    confirmed: everyway replay %s\n", f.result.RunFile)
		case f.result != nil:
			unconfirmed++
			fmt.Fprintf(p, "    unconfirmed: %s\n", f.result.Why)
		}
	}
	if r.Dropped > 0 {
		fmt.Fprintf(p, "and %d more findings\n", r.Dropped)
	}
	if p.quiet {
		return nil
	}
	for _, parts := range r.Parts {
		fmt.Fprintf(p, "%s: %s has looked at it in %d parts, to bound its memory: what needs events of several in another order is not predicted\n", file, parts.Detector, parts.Number)
	}
	fmt.Fprintf(p, "%s: %s, %s: %s", file, report.Count(r.Events, "event"), report.Count(r.Goroutines, "goroutine"),
		report.Count(len(list), "finding"))
	if confirmed+unconfirmed > 0 {
		fmt.Fprintf(p, ", %d confirmed", confirmed)
	}
	fmt.Fprintln(p)
	return nil
}

// A jsonPrinter prints for programs, a line for each finding.
type jsonPrinter struct {
	*json.Encoder
	quiet bool
}

// A defect is a line of the output of everyway race -json.
type defect struct {
	File      string  `json:"file"`
	Kind      string  `json:"kind"`
	Certainty string  `json:"certainty"`
	Detector  string  `json:"detector"`
	Times     int64   `json:"times"`
	Sites     []event `json:"sites"`
	Witness   []int64 `json:"witness,omitempty"` // numbers of events in the file, from 0
	// Inputs are those with which it shows, if they are others than in the schedule.
	Inputs []changedInput `json:"inputs,omitempty"`

	Run         string `json:"run,omitempty"`         // file of the run that shows it
	Unconfirmed string `json:"unconfirmed,omitempty"` // why there is none
}

// A changedInput is an input with another value than in the schedule, as the text of a schedule has values.
type changedInput struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Was   string `json:"was"`
}

// An event is one of those that a defect consists of.
type event struct {
	Event     string      `json:"event"` // as it is called in the text
	Goroutine string      `json:"goroutine"`
	Op        schedule.Op `json:"op"`
	Cell      string      `json:"cell"`
	Turn      string      `json:"turn,omitempty"` // what the select does instead
	Pos       string      `json:"pos,omitempty"`
	Func      string      `json:"func,omitempty"`
	Note      string      `json:"note,omitempty"` // what it means
}

// An analysed is the line that ends a file in the output of everyway race -json.
type analysed struct {
	File       string `json:"file"`
	Events     int64  `json:"events"`
	Goroutines int    `json:"goroutines"`
	Findings   int64  `json:"findings"` // with those that were too many to be printed
	// Parts is, by detector, in how many parts it has looked at the schedule to bound its memory,
	// if that is more than one.
	Parts map[string]int64 `json:"parts,omitempty"`
}

func (p jsonPrinter) print(file string, r *analysis.Report, list []judged) error {
	for i := range list {
		f := &list[i]
		d := defect{File: file, Kind: f.Kind, Certainty: f.Certainty.String(), Detector: f.Detector, Times: f.Times, Witness: f.Witness}
		for _, s := range f.Sites {
			var turn string
			if s.Turn != nil {
				turn = s.Turn.String()
			}
			d.Sites = append(d.Sites, event{
				Turn:  turn,
				Event: fmt.Sprintf("g%d.%d", s.Goroutine, s.Index), Goroutine: r.Names[s.Goroutine], Op: s.Op, Cell: s.Cell.String(),
				Pos: r.Table.Position(s.Location), Func: r.Table.Name(r.Table.Location(s.Location).Func), Note: s.Note,
			})
		}
		for _, in := range f.Inputs {
			d.Inputs = append(d.Inputs, changedInput{in.Name, in.Value.String(), in.Was.String()})
		}
		if f.result != nil {
			d.Run, d.Unconfirmed = f.result.RunFile, f.result.Why
		}
		if err := p.Encode(d); err != nil {
			return err
		}
	}
	if p.quiet {
		return nil
	}
	line := analysed{File: file, Events: r.Events, Goroutines: r.Goroutines, Findings: int64(len(list)) + r.Dropped}
	for _, parts := range r.Parts {
		if line.Parts == nil {
			line.Parts = make(map[string]int64)
		}
		line.Parts[parts.Detector] = parts.Number
	}
	return p.Encode(line)
}

// printable returns a text of a schedule, which anybody may have written, as a terminal shows it:
// what cannot be printed is escaped, as in a string of Go.
func printable(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) && r != '\n' }) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == '"' || r == '\'' || r == '\\' || r == '\n' || r != utf8.RuneError && strconv.IsPrint(r) {
			b.WriteString(text[:n])
		} else {
			b.WriteString(strings.Trim(strconv.Quote(text[:n]), `"`))
		}
		text = text[n:]
	}
	return b.String()
}

// printFinding prints a finding, a line for each event that it consists of.
func printFinding(to io.Writer, r *analysis.Report, f *analysis.Finding) {
	fmt.Fprintf(to, "%s: %v by %s", f.Kind, f.Certainty, f.Detector)
	if f.Times > 1 {
		fmt.Fprintf(to, ", %d times", f.Times)
	}
	fmt.Fprintln(to)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, s := range f.Sites {
		pos := printable(r.Table.Position(s.Location))
		if pos == "" {
			pos = "-"
		}
		what := fmt.Sprintf("%v %v", s.Op, s.Cell)
		if s.Turn != nil {
			what = fmt.Sprintf("%v, not %s", s.Turn, what)
		}
		if s.Note != "" {
			what = s.Note
		}
		fmt.Fprintf(w, "    %s\t%s\tgoroutine %s\tevent g%d.%d", pos, what, printable(r.Names[s.Goroutine]), s.Goroutine, s.Index)
		if fn := r.Table.Name(r.Table.Location(s.Location).Func); fn != "" {
			fmt.Fprintf(w, "\t%s", printable(fn))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	for _, in := range f.Inputs {
		fmt.Fprintf(to, "    with the input %s = %s in place of %s\n",
			printable(in.Name), printable(in.Value.String()), printable(in.Was.String()))
	}
}
