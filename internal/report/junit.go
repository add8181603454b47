package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/everyway-go/everyway/internal/verdict"
)

// A junitDocument is a document in the XML form of JUnit, as build servers read it: a test suite for each
// package, a test case for each target, and a failure with the text of the findings of each that fails.
type junitDocument struct {
	Config
	verdict.Quiet
	suites []*junitSuite // in the order in which something was first known of their packages
}

// A junitSuite is what is known of the targets of a package.
type junitSuite struct {
	pkg     string
	elapsed time.Duration
	cases   []*junit.Testcase
}

func newJUnit(c Config) Document { return &junitDocument{Config: c} }

// suite returns the suite of a package.
func (j *junitDocument) suite(pkg string) *junitSuite {
	for _, s := range j.suites {
		if s.pkg == pkg {
			return s
		}
	}
	s := &junitSuite{pkg: pkg}
	j.suites = append(j.suites, s)
	return s
}

// testcase returns the test case of a target.
func (s *junitSuite) testcase(target string) *junit.Testcase {
	for _, c := range s.cases {
		if c.Name == target {
			return c
		}
	}
	c := &junit.Testcase{Name: target, Classname: s.pkg, Time: seconds(0)}
	s.cases = append(s.cases, c)
	return c
}

// NotBuilt implements Document.
func (j *junitDocument) NotBuilt(p *NotBuilt) {
	var text strings.Builder
	for _, e := range p.Errors {
		fmt.Fprintf(&text, "# %s\n%s\n", e.Package, e.Text)
	}
	c := j.suite(p.Package).testcase("[build failed]")
	c.Error = &junit.Result{Message: p.Text(), Type: "build", Data: xmlText(text.String())}
}

// Found implements verdict.Observer. The text of a finding is that which people get.
func (j *junitDocument) Found(r *verdict.Result, f *verdict.Counterexample) {
	var text bytes.Buffer
	cfg := j.Config
	cfg.Stdout, cfg.Stderr, cfg.Terminal, cfg.Color = &text, io.Discard, nil, false
	newText(cfg).Found(r, f)
	c := j.suite(r.Package).testcase(r.Target)
	if isSought(f.Run.Finding) || isPossible(f.Run) {
		return // the verdict says so
	}
	if c.Failure == nil {
		finding := f.Run.Finding
		c.Failure = &junit.Result{Message: xmlText(headline(finding.Kind, cfg.narrative(r.Root, f.Run).Sentence())), Type: finding.Kind}
	}
	c.Failure.Data += xmlText(text.String())
}

// Faulted implements verdict.Observer.
func (j *junitDocument) Faulted(f *verdict.Fault) {
	j.suite(f.Package).testcase(f.Target).Error = &junit.Result{Message: xmlText(f.Message), Type: "fault"}
}

// Ended implements verdict.Observer.
func (j *junitDocument) Ended(r *verdict.Result) {
	s := j.suite(r.Package)
	s.elapsed += r.Elapsed
	c := s.testcase(r.Target)
	c.Time = seconds(r.Elapsed)
	switch {
	case c.Error != nil:
	case r.Verdict == verdict.Fails && c.Failure == nil: // kept from an earlier search
		c.Failure = &junit.Result{Message: string(verdict.Fails), Type: string(verdict.Fails)}
	case r.Verdict == verdict.Skipped:
		c.Skipped = &junit.Result{Message: "the target skipped itself"}
	}
	var text bytes.Buffer
	newText(Config{Stdout: &text, Stderr: io.Discard, Dir: j.Dir}).Ended(r)
	c.SystemOut = &junit.Output{Data: xmlText(text.String())}
}

// Unbegun implements verdict.Observer.
func (j *junitDocument) Unbegun(pkg, target string) {
	j.suite(pkg).testcase(target).Skipped = &junit.Result{Message: "not searched"}
}

// Encode implements Document.
func (j *junitDocument) Encode(w io.Writer) error {
	var all junit.Testsuites
	var elapsed time.Duration
	for i, s := range j.suites {
		suite := junit.Testsuite{Name: s.pkg, ID: i, Time: seconds(s.elapsed)}
		for _, c := range s.cases {
			suite.AddTestcase(*c)
		}
		all.AddSuite(suite)
		elapsed += s.elapsed
	}
	all.Time = seconds(elapsed)
	if _, err := io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"); err != nil {
		return err
	}
	if err := all.WriteXML(w); err != nil {
		return fmt.Errorf("encoding JUnit XML: %w", err)
	}
	return nil
}

// seconds writes a duration as JUnit has it.
func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// xmlText replaces what XML 1.0 has no way to write, such as control characters that a test has printed.
func xmlText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r',
			r >= 0x20 && r <= 0xd7ff, r >= 0xe000 && r <= 0xfffd, r >= 0x10000:
			return r
		}
		return '\ufffd'
	}, text)
}
