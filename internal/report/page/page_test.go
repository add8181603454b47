package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// example returns a page with a finding of two goroutines whose run has a number of points: they take
// turns, and each step changes a variable and what it points to.
func example(points int) *Page {
	values := map[string]int{}
	run := &Run{
		Goroutines: []Goroutine{{"0", "pool.TestPool"}, {"0.1", "pool.worker, started at pool.go:3"}},
		Keys:       []string{"G", "L", "O", "T", "F0", "F1", "V0.1", "V1.1", "Hx"},
		Edges:      []Edge{},
		At:         points - 2,
	}
	value := func(v any) int {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		n, ok := values[string(text)]
		if !ok {
			n = len(run.Values)
			values[string(text)] = n
			run.Values = append(run.Values, text)
		}
		return n
	}
	type m = map[string]any
	for i := range points {
		g := i / 3 % 2
		p := Point{Kind: PointKind(i % 2), Goroutine: g, Line: 1 + i%4}
		if p.Kind == Step {
			p.Text, p.Matters = fmt.Sprintf("write %d", i), i%10 == 1
		}
		if i == points-1 {
			p = Point{Kind: End, Goroutine: -1, File: -1}
		}
		p.Changes = []int{
			4 + g, value([]m{{"n": "pool.worker", "f": 0, "l": p.Line, "v": fmt.Sprintf("V%d.1", g)}}),
			6 + g, value([]m{{"n": "count", "t": fmt.Sprint(i), "y": "int"}, {"n": "p", "t": "&T@x", "r": "x", "y": "*T"}}),
			8, value(m{"t": "*T x", "r": []m{{"n": ".n", "t": fmt.Sprint(i)}, {"n": ".next", "t": "&T@x", "r": "x"}}}),
		}
		if i%100 == 0 {
			p.Changes = append(p.Changes,
				0, value([][2]string{{"running", ""}, {"waiting", "lock pool.mu, held by 0"}}),
				1, value([][3]string{{"pool.mu", "0 since pool.go:2:3", "0.1"}}),
				2, value(fmt.Sprintf("line %d\n", i)),
				3, value(fmt.Sprintf("%dms", i)))
		}
		run.Points = append(run.Points, p)
		if i > 3 && i%6 == 3 {
			run.Edges = append(run.Edges, Edge{From: i - 1, To: i, Reads: i%12 == 3})
		}
	}
	return &Page{
		Title: "everyway", Tool: "test",
		Targets: []*Target{{Name: "example.com/m/pool.TestPool", Verdict: "fails", Runs: "12 runs", Branches: 8, Covered: 6, Why: []string{"</script><b>"}}},
		Findings: []*Finding{
			{
				Target: "example.com/m/pool.TestPool", Kind: "data race", Message: "</script><script>alert(1)</script> & 'x'",
				Where: "pool.go:3:1", Others: []string{"pool.go:4:1: read"}, Input: []string{`s = "<!--"`}, Replay: "everyway replay x.run", Run: run,
			},
			{Target: "example.com/m/pool.TestGone", Kind: "panic", Message: "panic: gone", Where: "gone.go:1:1", Notes: []string{"The run is not shown step by step: it is gone"}},
		},
		Files: []*File{{Name: "pool/pool.go", Text: "package pool\n\nfunc é() { f(); g() }\n\tif x {\n\t}\n", Blocks: []Block{
			{Line: 3, Column: 11, EndLine: 3, EndColumn: 17, Executed: true}, {Line: 3, Column: 17, EndLine: 5, EndColumn: 3},
		}}},
	}
}

// write writes a page and returns the path of the file.
func write(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A page is one file whose data ends nothing else in it, and loads nothing.
func TestWrite(t *testing.T) {
	text, err := os.ReadFile(write(t, example(100)))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(strings.ToLower(string(text)), "<script"); n != 2 {
		t.Errorf("%d scripts, want that of the data and the other one", n)
	}
	for _, loads := range []string{"src=", "href=", "@import", "url(", "fetch(", "XMLHttpRequest"} {
		if strings.Contains(string(text), loads) {
			t.Errorf("the page has %q", loads)
		}
	}
	_, rest, _ := strings.Cut(string(text), `id="data">`)
	data, _, _ := strings.Cut(rest, "</script>")
	var p Page
	if err := json.Unmarshal([]byte(data), &p); err != nil {
		t.Fatal(err)
	}
	if got, want := p.Findings[0].Message, example(100).Findings[0].Message; got != want {
		t.Errorf("the message is %q, want %q", got, want)
	}
}

// The page of a run of 10,000 points has less than 5 MB.
func TestWriteLong(t *testing.T) {
	info, err := os.Stat(write(t, example(10_000)))
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 5e6 {
		t.Errorf("%d bytes", info.Size())
	}
}
