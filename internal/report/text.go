package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/mod/module"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/drawing"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/narrative"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A textReport is for people, shaped after go test.
type textReport struct {
	Config
	writer
	status  *status
	summary summary
	heads   map[string][]head // of findings that are not written whole, by the target
	faults  map[string]bool   // of packages that could not be built, that were printed
}

// A head is the lines with which a finding begins, below the one that names the target.
type head struct {
	lines string
	end   int64 // what was written then, in bytes
}

func newText(c Config) Report {
	c.Width = min(cmp.Or(max(c.Width, 0), 120), 1000) // whatever COLUMNS says
	s := newStatus(c)
	c.Stderr = clearing{s, c.Stderr}
	return &textReport{Config: c, writer: writer{to: clearing{s, c.Stdout}}, status: s, heads: map[string][]head{}}
}

// NotBuilt implements Report. What is wrong with a package that several import is printed once.
func (t *textReport) NotBuilt(p *NotBuilt) {
	for _, e := range p.Errors {
		text := fmt.Sprintf("# %s\n%s\n", e.Package, e.Text)
		if t.faults[text] {
			continue
		}
		if t.faults == nil {
			t.faults = make(map[string]bool)
		}
		t.faults[text] = true
		fmt.Fprint(t.Stderr, text)
	}
	fmt.Fprintf(t, "FAIL\t%s\n", p.Text())
	t.summary.addNotBuilt(p.Package)
}

// Loaded implements Report.
func (t *textReport) Loaded(targets int, elapsed time.Duration) {
	t.summary.loaded = targets
	t.status.loaded(targets)
	if t.Verbose {
		fmt.Fprintf(t.Stderr, "loaded %s in %.2fs\n", Count(targets, "target"), elapsed.Seconds())
	}
}

// Started implements verdict.Observer.
func (t *textReport) Started(pkg, target string) {
	if t.Verbose {
		fmt.Fprintf(t, "=== RUN   %s\n", target)
	}
	t.status.update(pkg, target, "")
}

// Restarted implements verdict.Observer.
func (t *textReport) Restarted(_, _, file, why string) {
	fmt.Fprintf(t.Stderr, "everyway: %s: searched anew: %s\n", t.relative(file), why)
}

// longInitialisation is how long package initialisers take if that is said.
const longInitialisation = time.Second

// Initialised implements verdict.Observer.
func (t *textReport) Initialised(pkg string, elapsed time.Duration) {
	if t.Verbose || elapsed >= longInitialisation {
		fmt.Fprintf(t, "%s: initialisers took %.2fs\n", pkg, elapsed.Seconds())
	}
}

// Paused implements verdict.Observer.
func (t *textReport) Paused(pkg, target string) {
	if t.Verbose {
		fmt.Fprintf(t, "=== PAUSE %s\n", target)
	}
	t.status.remove(pkg, target)
}

// Continued implements verdict.Observer.
func (t *textReport) Continued(pkg, target string) {
	if t.Verbose {
		fmt.Fprintf(t, "=== CONT  %s\n", target)
	}
	t.status.update(pkg, target, "")
}

// Progress implements verdict.Observer.
func (t *textReport) Progress(r *verdict.Result) {
	if t.Verbose {
		fmt.Fprintf(t.Stderr, "%s: %.0fs, %s, %d/%d branches, %d candidates%s\n",
			r.Target, r.Elapsed.Seconds(), r.Share(), r.Covered, r.Branches, r.Candidates, wasted(r))
	}
	t.status.update(r.Package, r.Target, fmt.Sprintf("%s, %.0fs", r.Share(), r.Elapsed.Seconds()))
}

// Output implements verdict.Observer.
func (t *textReport) Output(_, _ string, text []byte) {
	if t.Verbose {
		t.Write(text)
	}
}

// Confirmed implements verdict.Observer. It writes the head of the finding.
func (t *textReport) Confirmed(r *verdict.Result, run *schedule.Run) {
	lines := t.headLines(r.Root, run)
	fmt.Fprintf(t, "%s\n%s", t.banner(r, run), lines)
	key := r.Package + "." + r.Target
	t.heads[key] = append(t.heads[key], head{lines, t.written})
}

// banner is the line with which a finding begins.
func (t *textReport) banner(r *verdict.Result, run *schedule.Run) string {
	f := run.Finding
	what, style := "FAIL", failure
	switch {
	case isSought(f):
		what, style = "REACHED", strong
	case isPossible(run):
		what, style = "POSSIBLE", strong
	case confirms(r, run):
		what = "CONFIRMED"
	}
	return t.paint(style, fmt.Sprintf("--- %s: %s (%.2fs)", what, t.failed(r, f), r.Elapsed.Seconds()))
}

// isSought reports whether a finding is nothing wrong, but what the search was to look for.
func isSought(f *schedule.Finding) bool { return check.Of(check.Kind(f.Kind)).Sought }

// isPossible reports whether a run begins in the middle of a program, so that it is not known
// whether it is the end of one that begins at the start.
func isPossible(run *schedule.Run) bool { return run.Kind == "context" }

// confirms reports whether a run begins at the start, of another target, and shows what the search
// of a result has found from the middle of the program.
func confirms(r *verdict.Result, run *schedule.Run) bool {
	return !isPossible(run) && len(r.Counterexamples) > 0 && isPossible(r.Counterexamples[0].Run)
}

// headLines returns what failed, where and why, relative to a root.
func (t *textReport) headLines(root string, run *schedule.Run) string {
	where := t.position(root, run.Finding.Pos)
	if where != "" {
		where += ": "
	}
	what, rest, _ := strings.Cut(t.narrative(root, run).Sentence(), "\n")
	lines := "    " + where + t.paint(strong, what) + "\n"
	if rest != "" {
		lines += "        " + indent(rest) + "\n"
	}
	return lines
}

// endHead writes the head of a finding, or what the head that was written has not said: that
// it is another one now that it is minimised. If something else was written in between, it says again which finding
// it is, and whose, as go test says it.
func (t *textReport) endHead(r *verdict.Result, run *schedule.Run) {
	key, lines := r.Package+"."+r.Target, t.headLines(r.Root, run)
	heads := t.heads[key]
	if len(heads) == 0 {
		fmt.Fprintf(t, "%s\n%s", t.banner(r, run), lines)
		return
	}
	was := heads[0]
	t.heads[key] = heads[1:]
	if t.written != was.end {
		fmt.Fprintf(t, "=== NAME  %s\n", t.failed(r, run.Finding))
		if lines == was.lines {
			fmt.Fprint(t, lines)
		}
	}
	if lines != was.lines {
		fmt.Fprintf(t, "    minimised:\n%s", lines)
	}
}

// Found implements verdict.Observer. A finding is a screen: what failed, where and why, the input, and
// the steps that led there.
func (t *textReport) Found(r *verdict.Result, f *verdict.Counterexample) {
	run := f.Run
	t.endHead(r, run)
	if f.SameAs != "" {
		t.same(r, f)
		return
	}
	n := t.narrative(r.Root, run)
	switch {
	case f.Confirms:
		fmt.Fprintf(t, "    from the start of %s\n", run.Target)
	case isPossible(run) && run.Target != r.Target:
		fmt.Fprintf(t, "    from %s\n", strings.ReplaceAll(run.Target, "+", " and "))
	}
	t.about(r.Root, run, n)
	fmt.Fprintln(t)
	t.printed(f)
	if text := n.Why(); text != "" {
		fmt.Fprintf(t, "    why     %s\n", text)
	}
	if text := inputText(run.Input); text != "" {
		fmt.Fprintf(t, "    input   %s\n", text)
	}
	t.shape(run.Input)
	if f.Corpus != "" {
		fmt.Fprintf(t, "    saved   %s\n", t.relative(f.Corpus))
	}
	if f.RunFile != "" {
		fmt.Fprintf(t, "    replay  %s\n", t.replay(f.RunFile))
	}
	t.warn(f)
	fmt.Fprintln(t)
	t.steps(r.Root, n)
	fmt.Fprintln(t)
}

// about writes what is to be said of a finding besides its first line: in which goroutine it is, unless the
// first line has said so, and with Verbose the call stacks.
func (t *textReport) about(root string, run *schedule.Run, n *narrative.Narrative) {
	finding := run.Finding
	if initialised := during(finding.Stack); !told(finding) || initialised != "" {
		fmt.Fprintf(t, "    %s in %s%s\n", finding.Kind, n.Goroutine(finding.Goroutine), initialised)
	}
	if n.Sentence() == finding.Message {
		for i := range finding.Others {
			o := &finding.Others[i]
			fmt.Fprintf(t, "    %s: %s, %s\n", t.position(root, o.Pos), indent(o.Message), n.Goroutine(o.Goroutine))
		}
	}
	if finding.Stall > 0 {
		fmt.Fprintf(t, "    goroutines that could run have to be kept waiting for %v, the shortest time found\n", finding.Stall)
	}
	if !t.Verbose {
		return
	}
	for one := range finding.All() {
		fmt.Fprintf(t, "    %s (%s):\n", n.Goroutine(one.Goroutine), one.Goroutine)
		for _, frame := range one.Stack {
			file, rest := splitPosition(frame.Pos)
			at := t.file(root, file) + rest + " "
			if strings.Contains(file, "/zz_everyway_") {
				at = "" // a model, of which there is no file
			}
			fmt.Fprintf(t, "        %s%s\n", at, frame.Func)
		}
	}
}

// told reports whether the first line of a finding says which goroutines it is about.
func told(f *schedule.Finding) bool {
	d := check.Of(check.Kind(f.Kind))
	return d.Stuck || d.Symmetric
}

// narrative returns the narrative of a run, with positions as the user sees them.
func (c *Config) narrative(root string, run *schedule.Run) *narrative.Narrative {
	return narrative.New(run, func(pos string) string {
		file, rest := splitPosition(pos)
		if cached(file) != "" {
			file = filepath.Base(file)
		} else {
			file = c.file(root, file)
		}
		return file + lineOf(rest)
	})
}

// same writes what is left to be said of a finding that another target has shown before.
func (t *textReport) same(r *verdict.Result, f *verdict.Counterexample) {
	first := strings.TrimPrefix(f.SameAs, r.Package+".")
	fmt.Fprintf(t, "    %s: the same as in %s\n", f.Run.Finding.Kind, first)
	if f.RunFile != "" {
		fmt.Fprintf(t, "    replay  %s\n", t.replay(f.RunFile))
	}
	t.warn(f)
	fmt.Fprintln(t)
}

// warn says what could not be written.
func (t *textReport) warn(f *verdict.Counterexample) {
	for _, text := range f.Warnings {
		fmt.Fprintf(t, "    warning %s\n", text)
	}
}

// maxPrinted is the number of lines of a run's output that are shown if not more is asked for.
const maxPrinted = 50

// printed writes what the run of a finding printed, unless that is the finding itself.
func (t *textReport) printed(f *verdict.Counterexample) {
	finding := f.Run.Finding
	text := strings.TrimSuffix(f.Output, "\n")
	if text == "" || text == fmt.Sprintf("    %s: %s", t.shortPosition(finding.Pos), indent(finding.Message)) {
		return
	}
	lines := strings.Split(text, "\n")
	fmt.Fprintln(t, "    output of the run:")
	if more := len(lines) - maxPrinted; more > 0 && !t.Verbose {
		fmt.Fprintf(t, "    ... %d more lines, shown with -v ...\n", more)
		lines = lines[more:]
	}
	for _, line := range lines {
		fmt.Fprintln(t, strings.TrimRight("    "+line, " "))
	}
	fmt.Fprintln(t)
}

// failed names what a finding is in: the target or a subtest of it, with the package if
// there are several.
func (t *textReport) failed(r *verdict.Result, f *schedule.Finding) string {
	name := r.Target
	if strings.HasPrefix(f.Test, name+"/") {
		name = f.Test
	}
	if t.Qualified {
		name = r.Package + "." + name
	}
	return name
}

// during says which package was being initialised, if a call stack is that of an
// initialiser. That of a package also initialises what the package imports.
func during(stack []schedule.Frame) string {
	for _, frame := range stack {
		if pkg, ok := strings.CutSuffix(frame.Func, ".init"); ok {
			return ", during the initialisation of package " + pkg
		}
	}
	return ""
}

// maxDrawn is the number of lines of a drawing that are shown.
const maxDrawn = 40

// shape draws the objects that are inputs if there are several.
func (t *textReport) shape(input []schedule.Input) {
	g := drawing.Of(input)
	if len(g.Objects) < 2 {
		return
	}
	lines := g.Tree()
	if len(lines) > maxDrawn {
		lines = append(lines[:maxDrawn], "…")
	}
	label := "shape"
	for _, line := range lines {
		fmt.Fprintf(t, "    %-7s %s\n", label, line)
		label = ""
	}
}

// shapes says how many shapes the objects had that are inputs.
func shapes(r *verdict.Result) string {
	switch {
	case r.Shapes == 0 && r.Refused == 0:
		return ""
	case r.Refused == 0:
		return ", " + Count(r.Shapes, "shape")
	case r.Shapes == 0:
		return ", all of " + Count(r.Refused, "shape") + " refused"
	}
	return fmt.Sprintf(", %s (%d more refused)", Count(r.Shapes, "shape"), r.Refused)
}

// Ended implements verdict.Observer.
func (t *textReport) Ended(r *verdict.Result) {
	line := fmt.Sprintf("%-7s %s.%s", r.Verdict, r.Package, r.Target)
	line += fmt.Sprintf("\t%s, %d/%d branches", Count(r.Runs, "run"), r.Covered, r.Branches)
	line += shapes(r)
	if n := len(r.Counterexamples); n > 1 {
		line += fmt.Sprintf(", %d findings", n)
	}
	if r.Degree >= 0 {
		line += fmt.Sprintf(", degree %d", r.Degree)
	}
	if n := len(r.Accepted); n > 0 {
		line += fmt.Sprintf(", %d accepted", n)
	}
	if t.Verbose {
		line += wasted(r)
	}
	if r.Cached {
		line += ", (cached)"
	} else {
		line += fmt.Sprintf(", %.2fs", r.Elapsed.Seconds())
	}
	fmt.Fprintln(t, line)
	if t.Verbose && r.Solver.Queries > 0 {
		fmt.Fprintf(t, "        solver: %s\n", r.Solver)
	}
	if t.Verbose && r.Summaries.Walks > 0 {
		fmt.Fprintf(t, "        summaries: %s\n", r.Summaries)
	}
	if a := r.Alone; a != nil && t.Verbose {
		fmt.Fprintf(t, "        goroutines alone: %s\n", a)
		for i := range a.Races {
			fmt.Fprintf(t, "        potential race: %s\n", &a.Races[i])
		}
	}
	if (r.Verdict == verdict.Holds || r.Verdict == verdict.Unreachable || len(r.Assumes) > 0) && len(r.Bounds) > 0 {
		fmt.Fprintf(t, "        within: %s\n", strings.Join(r.Bounds, "; "))
	}
	for _, what := range r.Assumes {
		fmt.Fprintf(t, "        assuming: %s\n", what)
	}
	for _, why := range r.Open {
		fmt.Fprintf(t, "        open: %s\n", strings.ReplaceAll(why, "\n", "\n        "))
	}
	for _, found := range r.Accepted {
		pos, rest, _ := strings.Cut(found, ": ")
		fmt.Fprintf(t, "        accepted: %s: %s\n", t.position(r.Root, pos), indent(rest))
	}
	for _, f := range r.Saved {
		line := fmt.Sprintf("%s: %s", t.relative(f.RunFile), f.Status)
		if f.Why != "" {
			line += ": " + f.Why
		}
		fmt.Fprintf(t, "        saved: %s\n", line)
	}
	for i, suspect := range r.Suspects {
		if i == 0 || t.Verbose || strings.HasSuffix(suspect, verdict.SuspectFound) || strings.HasSuffix(suspect, verdict.SuspectMet) {
			fmt.Fprintf(t, "        %s\n", suspect)
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(t, "        %s\n", note)
	}
	if r.Verdict == verdict.Open && r.Promise != "" {
		fmt.Fprintf(t, "        promised: %s\n", r.Promise)
	}
	t.summary.add(r)
	t.status.end(r)
}

// Faulted implements verdict.Observer.
func (t *textReport) Faulted(f *verdict.Fault) {
	line := fmt.Sprintf("fault   %s.%s: %s", f.Package, f.Target, f.Message)
	if f.Report != "" {
		line += fmt.Sprintf(" (please send %s to %s)", t.relative(f.Report), fault.Issues)
	}
	fmt.Fprintln(t, line)
	if f.Text != "" {
		fmt.Fprint(t, f.Text)
	}
}

// Unbegun implements verdict.Observer.
func (t *textReport) Unbegun(pkg, target string) { t.summary.addUnbegun(pkg, target) }

// Done implements Report. It sums up if there are several targets.
func (t *textReport) Done(elapsed time.Duration) {
	t.status.clear()
	if !t.summary.several() {
		return
	}
	sum := t.summary.make()
	fmt.Fprintf(t, "\n%s\n", sum.line(elapsed))
	common := t.summary.commonPackages()
	for i := range sum.Undecided {
		fmt.Fprintf(t, "        open: %s\n", sum.Undecided[i].text(t.position, common))
	}
	if len(sum.Unbegun) > 0 {
		fmt.Fprintf(t, "        %s\n", sum.unbegunText(common))
	}
	if len(sum.NotBuilt) > 0 {
		fmt.Fprintf(t, "        %s\n", sum.notBuiltText())
	}
}

// wasted counts the runs that were begun in vain, "" when there were none.
func wasted(r *verdict.Result) string {
	var text string
	if r.Redundant > 0 {
		text += fmt.Sprintf(", %d redundant", r.Redundant)
	}
	if r.Blocked > 0 {
		text += fmt.Sprintf(", %d blocked", r.Blocked)
	}
	return text
}

// compareGoroutines orders names of goroutines such as 0.2 and 0.10.
func compareGoroutines(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	return slices.CompareFunc(x, y, func(p, q string) int {
		return cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q))
	})
}

// inputText writes an input as Go syntax, one assignment after another. The
// bytes of a string or slice are put together into one literal. What does not matter is marked, and of a reading of the
// clock it is said what its number means.
func inputText(input []schedule.Input) string {
	var parts []string
	for _, v := range schedule.Variables(input) {
		text := v.String()
		if late, err := strconv.ParseInt(v.Text, 10, 64); err == nil && strings.HasPrefix(v.Name, "clock(") {
			text += fmt.Sprintf(" (read %v later than it had to be)", time.Duration(late))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// position shows a position, whose file is relative to a root, relative to the user's directory.
func (t *textReport) position(root, pos string) string {
	file, rest := splitPosition(pos)
	if file == "" {
		return ""
	}
	return t.relative(absolute(root, file)) + rest
}

// shortPosition is the base name of the file and the line.
func (t *textReport) shortPosition(pos string) string {
	file, rest := splitPosition(pos)
	if file == "" {
		return ""
	}
	return filepath.Base(file) + lineOf(rest)
}

// lineOf returns :line of :line:column.
func lineOf(rest string) string {
	if line, _, ok := strings.Cut(strings.TrimPrefix(rest, ":"), ":"); ok {
		return ":" + line
	}
	return rest
}

// file shows a file, which is relative to a root, to be read: relative to the user's directory, or as
// module@version/file if it is in the module cache.
func (c *Config) file(root, file string) string {
	if file == "" || strings.HasPrefix(file, "$GOROOT/") {
		return file
	}
	path := absolute(root, file)
	if name := cached(path); name != "" {
		return name
	}
	return Relative(c.Dir, path)
}

// cached returns the name module@version/file of a file in the module cache, empty if it is in none.
func cached(path string) string {
	_, rest, _ := strings.Cut(filepath.ToSlash(path), moduleCache)
	escaped, version, ok := strings.Cut(rest, "@")
	if !ok {
		return ""
	}
	name, err := module.UnescapePath(escaped)
	if err != nil {
		return ""
	}
	return name + "@" + version
}

// moduleCache is in the paths of the files of modules that were downloaded.
const moduleCache = "/pkg/mod/"

// absolute returns the path of a file that is relative to a root, if it is not absolute.
func absolute(root, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(root, file)
}

// replay returns the command that replays a run file.
func (t *textReport) replay(file string) string { return Replay(t.Dir, t.Chdir, file) }

// Replay returns the command that replays a run file, for a shell in the directory in which everyway was
// started. That was the user's directory dir, or it has changed from there to chdir.
func Replay(dir, chdir, file string) string {
	command := "everyway replay "
	if chdir != "" {
		command += "-C " + quote(chdir) + " "
	}
	file = Relative(dir, file)
	if strings.HasPrefix(file, "-") {
		file = "." + string(filepath.Separator) + file // it is no flag
	}
	return command + quote(file)
}

// plain matches arguments that mean themselves to all shells.
var plain = regexp.MustCompile(`^[\w./][\w@%+=:,./~-]*$`)

// quote quotes an argument for a POSIX shell, if need be.
func quote(arg string) string {
	if plain.MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

func (t *textReport) relative(path string) string { return Relative(t.Dir, path) }

// Relative returns a path as it is shown to a user in a directory.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(rel, filepath.Join("..", "..")) {
		return rel
	}
	return path
}

// source returns the source line at pos without its indentation, "" when there is none.
func (t *textReport) source(root, pos string) string {
	file, rest := splitPosition(pos)
	number, _, _ := strings.Cut(strings.TrimPrefix(rest, ":"), ":")
	line, err := strconv.Atoi(number)
	if err != nil || t.Source == nil {
		return ""
	}
	text, _ := t.Source(root, file, line)
	text = strings.TrimSpace(text)
	if before, _, ok := strings.Cut(text, " //"); ok {
		text = strings.TrimSpace(before)
	}
	return text
}

// splitPosition splits file:line:column after the file.
func splitPosition(pos string) (file, rest string) {
	i := strings.LastIndexByte(pos, ':')
	if i < 0 {
		return pos, ""
	}
	if j := strings.LastIndexByte(pos[:i], ':'); j >= 0 {
		if _, err := strconv.Atoi(pos[j+1 : i]); err == nil {
			i = j
		}
	}
	return pos[:i], pos[i:]
}

// indent indents the lines of a text but the first by eight columns.
func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n        ") }

// clipName is clip for the names of goroutines, which differ at their ends: "…worker #2", "func at …pool_test.go:15".
func clipName(name string, width int) string {
	if utf8.RuneCountInString(name) <= width {
		return name
	}
	kept := ""
	if rest, ok := strings.CutPrefix(name, "func at "); ok {
		kept, name = "func at ", rest
	}
	runes := []rune(name)
	return kept + "…" + string(runes[len(runes)-(width-len(kept)-1):])
}

func clip(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	runes := []rune(text)
	return string(runes[:width-1]) + "…"
}
