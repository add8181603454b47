package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/verdict"
)

// ended returns results of several targets.
func ended() []*verdict.Result {
	open := func(pkg, target string, runs, estimate int, why ...string) *verdict.Result {
		return &verdict.Result{
			Package: "example.com/m" + pkg, Target: target, Root: "/m", Elapsed: 5 * time.Second,
			Totals: verdict.Totals{Verdict: verdict.Open, Runs: runs, Estimate: estimate, Degree: -1, Open: why},
		}
	}
	list := []*verdict.Result{
		{Package: "example.com/m", Target: "TestHolds", Totals: verdict.Totals{Verdict: verdict.Holds, Runs: 3, Degree: -1}},
		open("/pool", "TestNear", 3400, 12000, "the budget of 5s is spent, after 3,400 of about 12,000 runs, 28%; -resume goes on"),
		open("/pool", "TestFar", 3400, 1e9, "the budget of 5s is spent, after 3,400 of about 1,000,000,000 runs, 0.0%; -resume goes on",
			"pool/seed.go:12:3: a random number was made concrete\n\tcalled by f at pool/pool.go:7:2"),
		open("/queue", "TestUnknown", 12, 0, "the budget of 5s is spent"),
		open("/queue", "TestConcrete", 12, 0, "queue/queue.go:40:8: a random number was made concrete"),
		open("/queue", "TestFile", 0, 0, "the budget of 5s is spent (and cannot be resumed: open x.search: no such directory)"),
		{Package: "example.com/m", Target: "TestSkips", Totals: verdict.Totals{Verdict: verdict.Skipped, Runs: 1, Degree: -1}},
	}
	for range 10 {
		list = append(list, open("/long", "TestLong", 1, 0, "more than 10000 scheduling decisions"))
	}
	for i := range 10 {
		list[len(list)-1-i].Target += string(rune('A' + i))
	}
	return append(list, result())
}

func TestSummary(t *testing.T) {
	for _, test := range []struct {
		name    string
		loaded  int
		results []*verdict.Result
		unbegun []string
	}{
		{"summary", 20, ended(), []string{"TestUnbegun"}},
		{"single", 1, ended()[1:2], nil}, // has no summary
		{"interrupted", 3, nil, []string{"TestA", "TestB", "TestC"}},
		{"cached", 12, []*verdict.Result{
			{Package: "example.com/m", Target: "TestA", Totals: verdict.Totals{Verdict: verdict.Holds, Cached: true}},
			{Package: "example.com/m", Target: "TestB", Totals: verdict.Totals{Verdict: verdict.Holds, Cached: true}},
			{Package: "example.com/m", Target: "TestC", Totals: verdict.Totals{Verdict: verdict.Fails}},
		}, strings.Fields("TestD TestE TestF TestG TestH TestI TestJ TestK TestL")},
	} {
		for _, format := range Formats() {
			var b bytes.Buffer
			r := format.New(Config{Stdout: &b, Dir: "/m/pool"})
			r.Loaded(test.loaded, time.Second)
			for _, ended := range test.results {
				r.Ended(ended)
			}
			for _, name := range test.unbegun {
				r.Unbegun("example.com/m/pool", name)
			}
			b.Reset()
			r.Done(72300 * time.Millisecond)
			golden(t, test.name+"."+format.Name, b.Bytes())
		}
	}
}

func TestCommonPackages(t *testing.T) {
	for _, test := range []struct {
		packages, want string
	}{
		{"", ""},
		{"m", ""},
		{"example.com/m", "example.com/"},
		{"example.com/m example.com/m/pool", "example.com/"},
		{"example.com/m/pool example.com/m/queue", "example.com/m/"},
		{"example.com/bloom/v3", "example.com/"},
		{"example.com/bloom/v3 example.com/bloom/v3/pool", "example.com/"},
		{"example.com/bloom/v3/pool example.com/bloom/v3/queue", "example.com/bloom/v3/"},
		{"example.com/bloom/vector", "example.com/bloom/"},
		{"v3", ""},
	} {
		var s summary
		for _, pkg := range strings.Fields(test.packages) {
			s.unbegun = append(s.unbegun, Target{Package: pkg})
		}
		if got := s.commonPackages(); got != test.want {
			t.Errorf("%s: %q, want %q", test.packages, got, test.want)
		}
	}
}

func TestRoundBudget(t *testing.T) {
	for _, test := range []struct {
		seconds int
		want    string
	}{{1, "1s"}, {61, "61s"}, {120, "120s"}, {121, "3m"}, {7200, "120m"}, {7201, "3h"}} {
		if got := roundBudget(test.seconds); got != test.want {
			t.Errorf("roundBudget(%v) = %s, want %s", test.seconds, got, test.want)
		}
		if _, err := time.ParseDuration(test.want); err != nil {
			t.Error(err)
		}
	}
}
