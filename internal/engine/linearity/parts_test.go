package linearity

import (
	"fmt"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/linear"
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestParts checks what is said of a bound when some of its parts have ended.
func TestParts(t *testing.T) {
	const (
		holds   = "holds"
		spent   = "the budget of 2s is spent, after 9 of about 20 runs; -resume goes on"
		another = "not supported: something"
	)
	for _, test := range []struct {
		name  string
		ended []string // by part: holds, skipped, fails, or why it is open
		want  string
	}{
		{"all hold", []string{holds, holds, holds}, "holds []"},
		{"none is there", []string{"skipped", "skipped", "skipped"}, "skipped []"},
		{"one fails", []string{holds, "fails"}, "fails []"},
		{"one is left", []string{holds, spent, holds}, "open [the budget of 10s is spent, after 3 runs; of the 6 sets of methods, all are finished but C, A with B; -resume goes on]"},
		{"most are left", []string{holds, spent, spent}, "open [the budget of 10s is spent, after 3 runs; of the 6 sets of methods, these are finished: A, B; -resume goes on]"},
		{"no time", []string{spent}, "open [the budget of 10s is spent, after 1 runs; none of the 6 sets of methods is finished; -resume goes on]"},
		{"not begun", []string{holds, holds}, "open [the budget of 10s is spent, after 2 runs; of the 6 sets of methods, all are finished but A with C, B with C; -resume goes on]"},
		{"given up", []string{holds, another, holds}, "open [" + another + "]"},
		{"given up and left", []string{holds, another, spent}, "open [" + another + " the budget of 10s is spent, after 3 runs; of the 6 sets of methods, these are finished: A, B; -resume goes on]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got verdict.Result
			p := &parts{Observer: &last{to: &got}, bound: linear.Bound{Goroutines: 2, Calls: 1, Methods: 2}, budget: 10 * time.Second, list: []linear.Part{
				{Target: "one", Sets: [][]string{{"A"}, {"B"}}}, {Target: "two", Sets: [][]string{{"C"}, {"A", "B"}}}, {Target: "three", Sets: [][]string{{"A", "C"}, {"B", "C"}}},
			}}
			for i, text := range test.ended {
				r := &verdict.Result{Target: p.list[i].Target, Totals: verdict.Totals{Verdict: verdict.Verdict(text), Runs: 1}}
				switch r.Verdict {
				case verdict.Holds, verdict.Skipped, verdict.Fails:
				default:
					r.Verdict, r.Open = verdict.Open, []string{text}
					if text == spent {
						r.Spent = text
					}
				}
				p.Started("", r.Target)
				p.Ended(r)
			}
			p.end()
			if text := fmt.Sprint(got.Verdict, " ", got.Open); text != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
			if got.Target != "FuzzLinear2x1of2" {
				t.Errorf("the target is %s", got.Target)
			}
		})
	}
}

// last keeps the result of the search that ended last.
type last struct {
	verdict.Quiet
	to *verdict.Result
}

// Ended implements verdict.Observer.
func (l *last) Ended(r *verdict.Result) { *l.to = *r }
