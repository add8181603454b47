package analysistest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/schedule"
)

// Find returns what a detector finds in a schedule of the given events, such as
// "data race: g0.3 write, g1.1 read". The events of each goroutine need not be numbered: in
// "g1 read o1.0 - -" the number is added. The last line and the begin of goroutine 0 are added, too.
func Find(t testing.TB, info analysis.Info, events string) []string {
	t.Helper()
	r, err := schedule.NewReader(strings.NewReader(Text(events)), "test.schedule")
	if err != nil {
		t.Fatal(err)
	}
	report, err := analysis.Run(t.Context(), r, []analysis.Info{info}, analysis.Limits{Window: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range report.Findings {
		text := f.Kind + ":"
		for i, s := range f.Sites {
			if i > 0 {
				text += ","
			}
			text += fmt.Sprintf(" g%d.%d %s", s.Goroutine, s.Index, s.Op.Word())
		}
		list = append(list, text)
	}
	return list
}

// Text returns the text of a schedule of the given events, as Find takes them.
func Text(events string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "everyway schedule %d\ng0.0 begin\n", schedule.Version)
	next := map[string]int{"g0": 1}
	for line := range strings.Lines(events) {
		line = strings.TrimSpace(line)
		name, rest, _ := strings.Cut(line, " ")
		if name == "" || strings.HasPrefix(line, "@") {
			fmt.Fprintln(&b, line)
			continue
		}
		fmt.Fprintf(&b, "%s.%d %s\n", name, next[name], rest)
		next[name]++
	}
	b.WriteString("%end\n")
	return b.String()
}
