package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/narrative"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// The directories that paths of a SARIF document are relative to.
const (
	sarifSources = "SRCROOT" // that of the user
	sarifGOROOT  = "GOROOT"
)

// A sarifDocument is a document in the Static Analysis Results Interchange Format, version 2.1.0. A
// finding is a result, the other goroutines of which are related locations, and its interleaving a code
// flow with a thread flow for each goroutine.
type sarifDocument struct {
	Config
	verdict.Quiet
	run        *sarif.Run
	invocation *sarif.Invocation
}

func newSARIF(c Config) Document {
	run := sarif.NewRunWithInformationURI("everyway", fault.Home)
	run.Tool.Driver.WithVersion(fault.Version())
	for _, d := range check.Detectors {
		rule := run.AddRule(ruleID(string(d.Kind))).WithDescription(plainText(d.Doc))
		rule.WithHelpURI(fault.Home + "/blob/main/docs/findings.md#" + ruleID(string(d.Kind)))
		rule.WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel("error"))
	}
	run.WithColumnKind("unicodeCodePoints")
	base := sarif.NewSimpleArtifactLocation(strings.TrimSuffix(fileURI(c.Dir), "/") + "/")
	run.WithOriginalUriBaseIds(map[string]sarif.ArtifactLocation{sarifSources: *base})
	s := &sarifDocument{Config: c, run: run, invocation: sarif.NewInvocation().WithExecutionSuccessful(true)}
	run.AddInvocation(s.invocation)
	return s
}

// ruleID names the rule of a kind of finding: data-race.
func ruleID(kind string) string { return strings.ReplaceAll(kind, " ", "-") }

// plainText drops the marks of code from a line of Markdown.
func plainText(markdown string) string { return strings.ReplaceAll(markdown, "`", "") }

// NotBuilt implements Document.
func (s *sarifDocument) NotBuilt(p *NotBuilt) {
	text := p.Text()
	for _, e := range p.Errors {
		text += "\n" + e.Text
	}
	s.notify("error", text)
}

// Found implements verdict.Observer.
func (s *sarifDocument) Found(r *verdict.Result, c *verdict.Counterexample) {
	finding := c.Run.Finding
	id := ruleID(finding.Kind)
	level := "error"
	switch {
	case isSought(finding):
		level = "note"
	case isPossible(c.Run):
		level = "warning"
	}
	result := sarif.NewRuleResult(id).WithRuleIndex(s.run.GetRuleIndex(id)).WithLevel(level)
	n := s.narrative(r.Root, c.Run)
	text := headline(finding.Kind, n.Sentence())
	if why := n.Why(); why != "" {
		text += "\nwhy: " + why
	}
	if input := inputText(c.Run.Input); input != "" {
		text += "\ninput: " + input
	}
	properties := sarif.NewPropertyBag()
	properties.Add("target", r.Package+"."+r.Target)
	if c.RunFile != "" {
		properties.Add("runFile", Relative(s.Dir, c.RunFile))
		text += "\nreplay: " + Replay(s.Dir, s.Chdir, c.RunFile)
	}
	result.WithMessage(sarif.NewTextMessage(text)).WithProperties(properties)
	result.AddLocation(s.location(r.Root, finding.Pos, "").AddLogicalLocation(
		sarif.NewLogicalLocation().WithFullyQualifiedName(r.Package + "." + r.Target).WithKind("function")))
	result.WithPartialFingerprints(map[string]string{"everyway/v1": fingerprint(r, finding)})
	for i := range finding.Others {
		o := &finding.Others[i]
		related := s.location(r.Root, o.Pos, fmt.Sprintf("%s: %s", n.Goroutine(o.Goroutine), o.Message))
		result.AddRelatedLocation(related.WithID(i + 1))
	}
	for one := range finding.All() {
		if len(one.Stack) > 0 {
			result.AddStack(s.stack(r.Root, n, one))
		}
	}
	if flow := s.flow(r.Root, c.Run, n); len(flow.ThreadFlows) > 0 {
		result.AddCodeFlow(flow)
	}
	s.run.AddResult(result)
}

// fingerprint identifies a finding across searches: lines and messages may change.
func fingerprint(r *verdict.Result, f *schedule.Finding) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n", r.Package, r.Target, f.Kind)
	for one := range f.All() {
		if len(one.Stack) > 0 {
			fmt.Fprintln(h, one.Stack[0].Func)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// flow returns the interleaving of a run: the steps that its finding depends on.
func (s *sarifDocument) flow(root string, run *schedule.Run, n *narrative.Narrative) *sarif.CodeFlow {
	flow := sarif.NewCodeFlow()
	threads := map[string]*sarif.ThreadFlow{}
	for order, i := range narrative.Relevant(run) {
		e := &run.Events[i]
		thread := threads[e.Goroutine]
		if thread == nil {
			thread = sarif.NewThreadFlow().WithID(e.Goroutine).WithMessage(sarif.NewTextMessage(n.Goroutine(e.Goroutine)))
			threads[e.Goroutine] = thread
			flow.AddThreadFlow(thread)
		}
		step := sarif.NewThreadFlowLocation().WithLocation(s.location(root, e.Pos, n.Describe(e)))
		thread.AddLocation(step.WithExecutionOrder(order))
	}
	return flow
}

// stack returns the call stack of a finding, or of one of its others.
func (s *sarifDocument) stack(root string, n *narrative.Narrative, f *schedule.Finding) *sarif.Stack {
	stack := sarif.NewStack().WithMessage(sarif.NewTextMessage(n.Goroutine(f.Goroutine)))
	for _, frame := range f.Stack {
		stack.AddFrame(sarif.NewStackFrame().WithLocation(s.location(root, frame.Pos, frame.Func)))
	}
	return stack
}

// location returns a location with a message, "" for none. A position that is not known has no place.
func (s *sarifDocument) location(root, pos, message string) *sarif.Location {
	at := sarif.NewLocation()
	if message != "" {
		at.WithMessage(sarif.NewTextMessage(message))
	}
	file, rest := splitPosition(pos)
	if file == "" {
		return at
	}
	place := sarif.NewPhysicalLocation().WithArtifactLocation(s.artifact(root, file))
	lineText, columnText, _ := strings.Cut(strings.TrimPrefix(rest, ":"), ":")
	if line, err := strconv.Atoi(lineText); err == nil && line > 0 {
		region := sarif.NewRegion().WithStartLine(line)
		if column, err := strconv.Atoi(columnText); err == nil && column > 0 {
			region.WithStartColumn(s.characters(root, file, line, column))
		}
		place.WithRegion(region)
	}
	return at.WithPhysicalLocation(place)
}

// characters turns a column, which counts bytes, into one that counts characters.
func (s *sarifDocument) characters(root, file string, line, column int) int {
	if s.Source == nil {
		return column
	}
	text, ok := s.Source(root, file, line)
	if !ok || len(text) < column-1 {
		return column
	}
	return utf8.RuneCountInString(text[:column-1]) + 1
}

// artifact names a file, relative to the user's directory or to GOROOT if it is below one of them.
func (s *sarifDocument) artifact(root, file string) *sarif.ArtifactLocation {
	if rest, ok := strings.CutPrefix(file, "$GOROOT/"); ok {
		return sarif.NewSimpleArtifactLocation(escapePath(rest)).WithURIBaseID(sarifGOROOT)
	}
	path := absolute(root, file)
	if rel, err := filepath.Rel(s.Dir, path); err == nil && filepath.IsLocal(rel) {
		return sarif.NewSimpleArtifactLocation(escapePath(filepath.ToSlash(rel))).WithURIBaseID(sarifSources)
	}
	return sarif.NewSimpleArtifactLocation(fileURI(path))
}

// escapePath returns a relative path as a URI reference.
func escapePath(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// fileURI returns the URI of a file with an absolute path.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" {
		path = "/" + path // /C:/dir
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// Ended implements verdict.Observer. A target that is open is no result, but a note.
func (s *sarifDocument) Ended(r *verdict.Result) {
	if r.Verdict == verdict.Open {
		s.notify("note", fmt.Sprintf("%s.%s is open: %s", r.Package, r.Target, strings.Join(r.Open, "; ")))
	}
}

// Unbegun implements verdict.Observer.
func (s *sarifDocument) Unbegun(pkg, target string) {
	s.notify("note", fmt.Sprintf("%s.%s was not searched", pkg, target))
}

// Faulted implements verdict.Observer.
func (s *sarifDocument) Faulted(f *verdict.Fault) {
	s.notify("error", fmt.Sprintf("%s.%s: %s", f.Package, f.Target, f.Message))
	s.invocation.WithExecutionSuccessful(false)
}

// notify adds something to be said of the searches, and not of the program.
func (s *sarifDocument) notify(level, text string) {
	s.invocation.AddToolExecutionNotification(sarif.NewNotification().WithLevel(level).WithMessage(sarif.NewTextMessage(text)))
}

// Encode implements Document.
func (s *sarifDocument) Encode(w io.Writer) error {
	doc := sarif.NewReport()
	doc.AddRun(s.run)
	if err := doc.PrettyWrite(w); err != nil {
		return fmt.Errorf("encoding SARIF: %w", err)
	}
	return nil
}
