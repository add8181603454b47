package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/narrative"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A Line is one line of -json output. It is a line of go test -json (see go doc test2json), so that
// its readers show it as they show those; what they do not know is in further fields, which
// docs/json.md describes. Lines are flat: what a finding consists of has lines of its own.
type Line struct {
	Time    time.Time `json:",omitzero"`
	Action  string    // one of go test -json: start, run, pause, cont, output, pass, fail, skip, build-output, build-fail
	Package string    `json:",omitempty"`
	Test    string    `json:",omitempty"`
	Elapsed float64   `json:",omitempty"` // seconds
	Output  string    `json:",omitempty"`

	ImportPath  string `json:",omitempty"` // of actions build-output and build-fail
	FailedBuild string `json:",omitempty"` // of action fail, where a package was not built

	Event Event `json:",omitempty"` // what else the line says

	Kind         string           `json:",omitempty"` // of events found and finding
	Message      string           `json:",omitempty"` // of events found, finding, other and fault
	Sentence     string           `json:",omitempty"` // of events found and finding: what is wrong, where and why
	Why          string           `json:",omitempty"` // of event finding: in which order of two steps it would pass, that it fails in every order, or what does not order a race
	Subtest      string           `json:",omitempty"` // of events found and finding
	Goroutine    string           `json:",omitempty"` // of events found, finding, other and step
	Label        string           `json:",omitempty"` // likewise: what people call the goroutine
	Pos          string           `json:",omitempty"` // likewise
	Stack        []schedule.Frame `json:",omitempty"` // of events found, finding and other
	Stall        time.Duration    `json:",omitempty"` // of events found and finding
	From         string           `json:",omitempty"` // of events found and finding: with -at, the target from whose start the run shows what was found from the middle
	Initialisers int              `json:",omitempty"` // of event finding: as in schedule.Header
	Tests        []schedule.Test  `json:",omitempty"` // likewise
	RunFile      string           `json:",omitempty"` // of event finding
	Corpus       string           `json:",omitempty"` // of event finding
	SameAs       string           `json:",omitempty"` // of event finding
	Warnings     []string         `json:",omitempty"` // of event finding: what could not be written

	Name  string `json:",omitempty"` // of event input
	Type  string `json:",omitempty"` // of event input
	Value string `json:",omitempty"` // of event input

	Any schedule.Freedom `json:",omitempty"` // of event input: which other values show the finding

	Op     string `json:",omitempty"` // of event step, as schedule.RunEvent has it, like the following
	Func   string `json:",omitempty"`
	Own    string `json:",omitempty"`
	Call   string `json:",omitempty"`
	Var    string `json:",omitempty"`
	Object string `json:",omitempty"` // goroutine#count, #count for a global variable
	Offset int32  `json:",omitempty"`
	Read   string `json:",omitempty"`
	Wrote  string `json:",omitempty"`
	Child  string `json:",omitempty"`

	*verdict.Totals          // of event progress and of actions pass, fail and skip of targets
	Summary         *Summary `json:",omitempty"` // of event summary
	Report          string   `json:",omitempty"` // of event fault: the path of a file to send

	Cut bool `json:",omitempty"` // the line would have been too long: texts and lists were cut
}

// An Event is what a line says beyond what go test -json does.
type Event string

// The events, in the order of docs/json.md.
const (
	EventInitialised Event = "initialised" // the package initialisers of a test binary have run
	EventRestarted   Event = "restarted"   // a saved search is of no use, and the target is searched anew
	EventProgress    Event = "progress"    // the totals so far
	EventFound       Event = "found"       // something is wrong, and is about to be saved and made smaller
	EventFinding     Event = "finding"     // the same finding, minimised
	EventOther       Event = "other"       // the other access or another goroutine of the finding before
	EventInput       Event = "input"       // an input variable of the finding before
	EventStep        Event = "step"        // an event that the finding before depends on
	EventFault       Event = "fault"       // the search cannot go on
	EventSummary     Event = "summary"     // all searches have ended
)

// maxLine bounds a line, in bytes, as readers of lines do: bufio.Scanner takes 64 KiB.
const maxLine = 64 << 10

// A jsonReport is for programs: one object a line. What people get as text is in it, as output of the
// targets, so that programs which show the output of go test -json show findings, too.
type jsonReport struct {
	writer
	now      func() time.Time
	text     *textReport
	of       Line // whose output the text is
	packages []*jsonPackage
	summary  summary
}

// A jsonPackage is what is known of a package, whose result is the last line of it.
type jsonPackage struct {
	name    string
	elapsed time.Duration
	fails   bool
	ends    bool // some target has a verdict other than skipped
	written bool // its result, since it was not built
}

func newJSON(c Config) Report {
	j := &jsonReport{writer: writer{to: c.Stdout}, now: c.Now}
	c.Stdout, c.Terminal = (*jsonText)(j), nil
	j.text = newText(c).(*textReport)
	return j
}

// A jsonText writes text as output lines.
type jsonText jsonReport

// Write implements io.Writer. The text has whole lines, or is the end of one.
func (j *jsonText) Write(text []byte) (int, error) {
	(*jsonReport)(j).output(j.of, text)
	return len(text), j.err
}

// output writes text as output lines of a package and test: each has a line of the text, or a part of one
// that is very long.
func (j *jsonReport) output(of Line, text []byte) {
	for line := range bytes.Lines(text) {
		for len(line) > 0 {
			n := whole(line, maxLine/8) // a byte may take six in JSON
			of.Action, of.Output = "output", string(line[:n])
			j.write(of)
			line = line[n:]
		}
	}
}

// write writes a line.
func (j *jsonReport) write(l Line) {
	if j.now != nil {
		l.Time = j.now()
	}
	data, err := json.Marshal(l)
	for limit := maxLine / 8; err == nil && len(data) >= maxLine && limit > 0; limit /= 2 {
		l.shorten(limit)
		data, err = json.Marshal(l)
	}
	if err != nil && j.err == nil {
		j.err = fmt.Errorf("encoding %s of %s: %w", l.Action, l.Test, err)
	}
	j.Write(append(data, '\n'))
}

// shorten cuts texts to a number of bytes, and lists to a hundredth of that.
func (l *Line) shorten(limit int) {
	l.Cut = true
	for _, text := range []*string{&l.Message, &l.Sentence, &l.Why, &l.Label, &l.Value, &l.Read, &l.Wrote, &l.Name, &l.Type, &l.Func, &l.Pos, &l.Own, &l.Call, &l.Var} {
		*text = cut(*text, limit)
	}
	items := max(limit/100, 1)
	l.Stack, l.Tests, l.Warnings = l.Stack[:min(len(l.Stack), items)], l.Tests[:min(len(l.Tests), items)], cutAll(l.Warnings, items, limit)
	if l.Totals != nil {
		t := *l.Totals
		for _, list := range []*[]string{&t.Open, &t.Bounds, &t.Accepted, &t.Notes} {
			*list = cutAll(*list, items, limit)
		}
		t.Saved = t.Saved[:min(len(t.Saved), items)]
		if t.Alone != nil {
			a := *t.Alone
			a.Races = a.Races[:min(len(a.Races), items)]
			t.Alone = &a
		}
		l.Totals = &t
	}
	if l.Summary != nil {
		s := *l.Summary
		s.Undecided = slices.Clone(s.Undecided[:min(len(s.Undecided), items)])
		for i := range s.Undecided {
			c := &s.Undecided[i]
			c.Positions, c.Targets = c.Positions[:min(len(c.Positions), items)], c.Targets[:min(len(c.Targets), items)]
		}
		s.Unbegun, s.NotBuilt = s.Unbegun[:min(len(s.Unbegun), items)], s.NotBuilt[:min(len(s.NotBuilt), items)]
		l.Summary = &s
	}
}

// whole returns how many bytes of a text are taken, of a number at most, so that no character is divided.
func whole[T string | []byte](text T, limit int) int {
	if len(text) <= limit {
		return len(text)
	}
	n := limit
	for n > limit-utf8.UTFMax && n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return max(n, 1)
}

// cut returns the beginning of a text that has more than a number of bytes.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return text[:whole(text, limit)] + "…"
}

// cutAll cuts each of a number of texts, and drops the others.
func cutAll(texts []string, items, limit int) []string {
	texts = slices.Clone(texts[:min(len(texts), items)])
	for i := range texts {
		texts[i] = cut(texts[i], limit/max(len(texts), 1)+1)
	}
	return texts
}

// pkg returns a package, whose first line it writes if need be.
func (j *jsonReport) pkg(name string) *jsonPackage {
	for _, p := range j.packages {
		if p.name == name {
			return p
		}
	}
	p := &jsonPackage{name: name}
	j.packages = append(j.packages, p)
	j.write(Line{Action: "start", Package: name})
	return p
}

// line returns a line of a target or, if there is none, of a package. What is written as text belongs to
// the same.
func (j *jsonReport) line(pkg, target string) Line {
	j.pkg(pkg)
	j.of = Line{Action: "output", Package: pkg, Test: target}
	return j.of
}

// NotBuilt implements Report.
func (j *jsonReport) NotBuilt(p *NotBuilt) {
	fault := ""
	for _, e := range p.Errors {
		fault = e.Package
		j.write(Line{Action: "build-output", ImportPath: e.Package, Output: cut(fmt.Sprintf("# %s\n%s\n", e.Package, e.Text), maxLine/8)})
		j.write(Line{Action: "build-fail", ImportPath: e.Package})
	}
	l := j.line(p.Package, "")
	l.Output = "FAIL\t" + p.Text() + "\n"
	j.write(l)
	j.write(Line{Action: "fail", Package: p.Package, FailedBuild: fault})
	j.pkg(p.Package).written = true
	j.summary.addNotBuilt(p.Package)
}

// Loaded implements Report.
func (j *jsonReport) Loaded(targets int, _ time.Duration) { j.summary.loaded = targets }

// Done implements Report. It writes the results of packages, and sums up if there are several targets.
func (j *jsonReport) Done(elapsed time.Duration) {
	for _, p := range j.packages {
		if p.written {
			continue
		}
		action := "skip"
		switch {
		case p.fails:
			action = "fail"
		case p.ends:
			action = "pass"
		}
		j.write(Line{Action: action, Package: p.name, Elapsed: p.elapsed.Seconds()})
		p.written = true
	}
	if !j.summary.several() {
		return
	}
	sum := j.summary.make()
	j.write(Line{Action: "output", Event: EventSummary, Elapsed: elapsed.Seconds(), Summary: &sum})
}

// Started implements verdict.Observer.
func (j *jsonReport) Started(pkg, target string) {
	l := j.line(pkg, target)
	l.Action = "run"
	j.write(l)
}

// Initialised implements verdict.Observer.
func (j *jsonReport) Initialised(pkg string, elapsed time.Duration) {
	l := j.line(pkg, "")
	l.Event, l.Elapsed = EventInitialised, elapsed.Seconds()
	j.write(l)
}

// Restarted implements verdict.Observer.
func (j *jsonReport) Restarted(pkg, target, file, why string) {
	l := j.line(pkg, target)
	l.Event, l.Output = EventRestarted, fmt.Sprintf("%s: searched anew: %s\n", file, why)
	j.write(l)
}

// Output implements verdict.Observer.
func (j *jsonReport) Output(pkg, target string, text []byte) { j.output(j.line(pkg, target), text) }

// Paused implements verdict.Observer.
func (j *jsonReport) Paused(pkg, target string) {
	l := j.line(pkg, target)
	l.Action = "pause"
	j.write(l)
}

// Continued implements verdict.Observer.
func (j *jsonReport) Continued(pkg, target string) {
	l := j.line(pkg, target)
	l.Action = "cont"
	j.write(l)
}

// Progress implements verdict.Observer.
func (j *jsonReport) Progress(r *verdict.Result) {
	l := j.line(r.Package, r.Target)
	l.Event, l.Elapsed, l.Totals = EventProgress, r.Elapsed.Seconds(), &r.Totals
	j.write(l)
}

// finding returns a line with what a run says of its finding.
func (j *jsonReport) finding(event Event, r *verdict.Result, run *schedule.Run) Line {
	l := j.line(r.Package, r.Target)
	l.Event, l.Elapsed = event, r.Elapsed.Seconds()
	n := j.text.narrative(r.Root, run)
	l.is(run.Finding, n)
	l.Sentence, l.Why = n.Sentence(), n.Why()
	l.Kind, l.Subtest, l.Stall = run.Finding.Kind, run.Finding.Test, run.Finding.Stall
	if confirms(r, run) {
		l.From = run.Target
	}
	return l
}

// is has the line say where and what a finding is.
func (l *Line) is(f *schedule.Finding, n *narrative.Narrative) {
	l.Message, l.Goroutine, l.Pos, l.Stack = f.Message, f.Goroutine, f.Pos, f.Stack
	l.Label = n.Goroutine(f.Goroutine)
}

// Confirmed implements verdict.Observer.
func (j *jsonReport) Confirmed(r *verdict.Result, run *schedule.Run) {
	j.write(j.finding(EventFound, r, run))
	j.text.Confirmed(r, run)
}

// Found implements verdict.Observer.
func (j *jsonReport) Found(r *verdict.Result, f *verdict.Counterexample) {
	run := f.Run
	n := j.text.narrative(r.Root, run)
	l := j.finding(EventFinding, r, run)
	of := j.of
	j.output(of, []byte(f.Output))
	l.Initialisers, l.Tests = run.Initialisers, run.Tests
	l.RunFile, l.Corpus, l.SameAs, l.Warnings = f.RunFile, f.Corpus, f.SameAs, f.Warnings
	j.write(l)
	for i := range run.Finding.Others {
		l := of
		l.Event = EventOther
		l.is(&run.Finding.Others[i], n)
		j.write(l)
	}
	for _, v := range schedule.Variables(run.Input) {
		l := of
		l.Event, l.Name, l.Type, l.Value, l.Any = EventInput, v.Name, v.Type, v.Text, v.Any
		j.write(l)
	}
	for _, i := range narrative.Relevant(run) {
		e := &run.Events[i]
		l := of
		l.Event, l.Goroutine, l.Pos = EventStep, e.Goroutine, e.Pos
		l.Label, l.Own, l.Call, l.Var = n.Goroutine(e.Goroutine), e.Own, e.Call, e.Var
		l.Op, l.Func, l.Object, l.Offset = e.Op.String(), e.Func, objectName(e.Object), e.Offset
		l.Read, l.Wrote, l.Child = e.Read, e.Wrote, e.Child
		j.write(l)
	}
	shown := *f
	shown.Output = "" // which is written
	j.text.Found(r, &shown)
}

// objectName names an object: 0.1#3, or #3 for a global variable.
func objectName(o *schedule.Object) string {
	if o == nil {
		return ""
	}
	return o.Goroutine + "#" + strconv.Itoa(int(o.Count))
}

// Ended implements verdict.Observer. The action is fail for fails, skip for skipped and
// pass otherwise, as the exit code has it.
func (j *jsonReport) Ended(r *verdict.Result) {
	l := j.line(r.Package, r.Target)
	j.text.Ended(r)
	p := j.pkg(r.Package)
	p.elapsed += r.Elapsed
	l.Action = "pass"
	switch r.Verdict {
	case verdict.Fails:
		l.Action, p.fails = "fail", true
	case verdict.Skipped:
		l.Action = "skip"
	}
	p.ends = p.ends || r.Verdict != verdict.Skipped
	l.Elapsed, l.Totals = r.Elapsed.Seconds(), &r.Totals
	j.write(l)
	j.summary.add(r)
}

// Faulted implements verdict.Observer.
func (j *jsonReport) Faulted(f *verdict.Fault) {
	l := j.line(f.Package, f.Target)
	l.Event, l.Message, l.Report = EventFault, f.Message, f.Report
	j.write(l)
	j.text.Faulted(f)
	j.pkg(f.Package).fails = true
}

// Unbegun implements verdict.Observer.
func (j *jsonReport) Unbegun(pkg, target string) { j.summary.addUnbegun(pkg, target) }
