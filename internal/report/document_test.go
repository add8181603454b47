package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/everyway-go/everyway/internal/profile"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// race is a run with a data race, one side of which is in the standard library, and a message that
// needs to be escaped wherever it is written.
func race() *verdict.Counterexample {
	return &verdict.Counterexample{
		RunFile: "/m/.everyway/TestY-data-race.run",
		Run: &schedule.Run{Header: schedule.Header{Finding: &schedule.Finding{
			Kind: "data race", Message: "write of <v> & \"w\"\n100%: a, b ]]> \x01", Goroutine: "0.1", Pos: "a b/y.go:7:3",
			Stack: []schedule.Frame{{Func: "example.com/m.f", Pos: "a b/y.go:7:3"}, {Func: "example.com/m.TestY", Pos: "y_test.go:3:1"}},
			Others: []schedule.Finding{
				{Kind: "data race", Message: "an earlier read", Goroutine: "0", Pos: "$GOROOT/src/fmt/print.go:9:1"},
				{Kind: "data race", Message: "an earlier read", Goroutine: "0.2"},
			},
		}}},
	}
}

// observed calls a document with all that can happen to targets.
func observed(d Document) {
	d.NotBuilt(&NotBuilt{Package: "example.com/m/broken", Errors: []BuildError{{Package: "example.com/m/broken", Text: "b.go:1:1: expected 'package'"}}})
	d.Found(result(), lost())
	r := result()
	r.Counterexamples = append(r.Counterexamples, lost())
	r.Profile = profile.Profile{profile.NewPlace(profile.Planning, profile.InOrder, []profile.Frame{{Func: "m.f", File: "/m/f.go", Line: 7}}): {Runs: int64(r.Runs)}}
	d.Ended(r)
	other := func(target string, v verdict.Verdict) *verdict.Result {
		return &verdict.Result{Package: "example.com/m/p", Target: target, Root: "/m", Totals: verdict.Totals{Verdict: v, Runs: 2, Degree: -1}, Elapsed: time.Second}
	}
	fails := other("TestY", verdict.Fails)
	d.Found(fails, race())
	d.Found(fails, race())
	d.Ended(fails)
	d.Ended(other("TestZ", verdict.Holds))
	open := other("TestOpen", verdict.Open)
	open.Open = []string{"the budget of 1s is spent", "p.go:3:1: a float was made concrete"}
	d.Ended(open)
	d.Ended(other("TestSkipped", verdict.Skipped))
	d.Faulted(&verdict.Fault{Package: "example.com/m/p", Target: "TestFault", Message: "everyway itself failed: nil map"})
	d.Ended(other("TestFault", verdict.Open))
	d.Unbegun("example.com/m/p", "TestLate")
}

// encode returns the text of a document.
func encode(t *testing.T, d Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := d.Encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Each document has a golden file, is well-formed before anything is known, and is the same when it is
// encoded again.
func TestDocuments(t *testing.T) {
	for _, format := range Documents() {
		d := format.New(Config{Dir: "/m"})
		if len(encode(t, d)) == 0 {
			t.Errorf("%s: nothing before the first target", format.Name)
		}
		observed(d)
		text := encode(t, d)
		golden(t, "document."+format.Name, readable(t, format, text))
		if again := encode(t, d); !bytes.Equal(text, again) {
			t.Errorf("%s: encoded again it is\n%s", format.Name, again)
		}
	}
}

// readable returns a document as text, with all that is in it.
func readable(t *testing.T, format DocumentFormat, document []byte) []byte {
	t.Helper()
	if !format.Profile {
		return document
	}
	p, err := pprof.ParseData(document)
	if err != nil {
		t.Fatal(err)
	}
	return []byte(p.String())
}

// The document is valid by the schema of the standard, and says where the finding is.
func TestSARIF(t *testing.T) {
	d := newSARIF(Config{Dir: "/m", Source: func(_, _ string, line int) (string, bool) { return "éé x.Unlock()", line == 7 }})
	for range 2 { // when nothing is known, and at the end
		report, err := sarif.FromBytes(encode(t, d))
		if err != nil {
			t.Fatal(err)
		}
		if err := report.Validate(); err != nil {
			t.Fatalf("not valid: %v", err)
		}
		observed(d)
	}
	var doc struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI, URIBaseID string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
				RelatedLocations []struct {
					PhysicalLocation *struct {
						ArtifactLocation struct{ URI, URIBaseID string }
					}
				}
				CodeFlows []struct {
					ThreadFlows []struct {
						ID        string
						Locations []struct{ ExecutionOrder int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(encode(t, d), &doc); err != nil {
		t.Fatal(err)
	}
	lostUpdate, dataRace := doc.Runs[0].Results[0], doc.Runs[0].Results[1]
	if dataRace.RuleID != "data-race" {
		t.Errorf("rule %q", dataRace.RuleID)
	}
	place := dataRace.Locations[0].PhysicalLocation
	if place.ArtifactLocation.URI != "a%20b/y.go" || place.ArtifactLocation.URIBaseID != "SRCROOT" {
		t.Errorf("file %+v", place.ArtifactLocation)
	}
	if place.Region.StartLine != 7 || place.Region.StartColumn != 2 { // byte 3 is the second é
		t.Errorf("region %+v", place.Region)
	}
	if related := dataRace.RelatedLocations; related[0].PhysicalLocation.ArtifactLocation.URI != "src/fmt/print.go" || related[1].PhysicalLocation != nil {
		t.Errorf("related %+v", related)
	}
	var order []int
	for _, flow := range lostUpdate.CodeFlows[0].ThreadFlows {
		for _, step := range flow.Locations {
			order = append(order, step.ExecutionOrder)
		}
	}
	slices.Sort(order)
	if want := []int{0, 1, 2, 3}; !slices.Equal(order, want) {
		t.Errorf("steps %v, want %v", order, want)
	}
}

// The document is XML that says of each target what became of it, whatever findings say.
func TestJUnit(t *testing.T) {
	d := newJUnit(Config{Dir: "/m"})
	observed(d)
	var doc struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Cases []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(encode(t, d), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Tests != 8 || doc.Failures != 2 || doc.Errors != 2 || doc.Skipped != 2 {
		t.Errorf("%+v", doc)
	}
	y := doc.Suites[2].Cases[0]
	if y.Name != "TestY" || !strings.HasPrefix(y.Failure.Message, `data race: write of <v> & "w"`) {
		t.Fatalf("%+v", y)
	}
	if n := strings.Count(y.Failure.Text, "]]> \ufffd"); n != 2 {
		t.Errorf("the text has %d findings:\n%s", n, y.Failure.Text)
	}
}

// A finding is in the file before its target has ended, and an error of writing stays.
func TestInFile(t *testing.T) {
	for _, format := range Documents() {
		var text []byte
		var fail error
		writes := 0
		r := InFile(format.New(Config{Dir: "/m"}), func(fill func(io.Writer) error) error {
			writes++
			var b bytes.Buffer
			if err := fill(&b); err != nil {
				return err
			}
			text = b.Bytes()
			return fail
		})
		r.Loaded(1, 0)
		r.Started("example.com/m", "FuzzX")
		r.Found(result(), lost())
		if !format.Blocks && !format.Profile && !bytes.Contains(text, []byte("x = 1")) {
			t.Errorf("%s: after a finding the file is\n%s", format.Name, text)
		}
		fail = fs.ErrPermission
		r.Done(0)
		if err := r.Err(); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: error %v", format.Name, err)
		}
		r.Done(0)
		if writes != 3 {
			t.Errorf("%s: written %d times, want 3", format.Name, writes)
		}
	}
}

// An annotation is one line whatever the message is, and has a file only if that is below the directory.
func TestGitHub(t *testing.T) {
	var b bytes.Buffer
	r := newGitHub(Config{Stdout: &b, Dir: "/m"})
	r.Found(&verdict.Result{Package: "example.com/m/p", Target: "TestY", Root: "/m"}, race())
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "::") {
			got = append(got, line)
		}
	}
	want := []string{
		"::error file=a b/y.go,line=7,col=3,title=data race in TestY::write of <v> & \"w\"%0A100%25: a, b ]]> \x01\n",
		"::error title=data race in TestY::an earlier read\n",
		"::error title=data race in TestY::an earlier read\n",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// What is reported to several is what each of them would get alone.
func TestMulti(t *testing.T) {
	alone, parts := make([]bytes.Buffer, len(Formats())), make([]bytes.Buffer, len(Formats()))
	var several Multi
	for i, format := range Formats() {
		config := func(to io.Writer) Config { return Config{Stdout: to, Stderr: to, Verbose: true, Dir: "/m"} }
		all(format.New(config(&alone[i])))
		several = append(several, format.New(config(&parts[i])))
	}
	all(several)
	for i, format := range Formats() {
		if got, want := parts[i].String(), alone[i].String(); got != want || got == "" {
			t.Errorf("%s: got\n%s\nwant\n%s", format.Name, got, want)
		}
	}
	if err := several.Err(); err != nil {
		t.Error(err)
	}
	several = append(several, InFile(newJUnit(Config{}), func(func(io.Writer) error) error { return fs.ErrClosed }))
	several.Done(0)
	if err := several.Err(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("error %v", err)
	}
}
