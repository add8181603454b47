package walkthrough

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/engine/inspect"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/report/page"
	"github.com/everyway-go/everyway/schedule"
)

const source = `package m

import (
	"sync"
	"testing"
)

type list struct {
	n    int
	next *list
}

func TestList(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	head := &list{n: 1}
	head.next = head
	wg.Go(func() {
		mu.Lock()
		head.n++
		mu.Unlock()
	})
	mu.Lock()
	head.n += 2
	mu.Unlock()
	wg.Wait()
	if head.n == 4 {
		t.Error("four")
	}
}
`

// run goes through a run of the test above, without decisions: the first schedule.
func run(t *testing.T) (*page.Run, *Files) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "m_test.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	recorded := &schedule.Run{Header: schedule.Header{Dir: ".", Package: "example.com/m", Target: "TestList", Kind: "test"}}
	prog, target, err := program.LoadRecordedNamed(t.Context(), dir, recorded)
	if err != nil {
		t.Fatal(err)
	}
	s, err := inspect.Open(t.Context(), prog, target, recorded, inspect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	files := NewFiles(dir)
	out, err := Run(t.Context(), s, prog, recorded, files)
	if err != nil {
		t.Fatal(err)
	}
	return out, files
}

// state returns what a page shows at a point: the value of a key, as JSON, "" for none.
func state(r *page.Run, point int, key string) string {
	value := ""
	for _, p := range r.Points[:point+1] {
		for k := 0; k < len(p.Changes); k += 2 {
			if r.Keys[p.Changes[k]] == key {
				value = string(r.Values[p.Changes[k+1]])
			}
		}
	}
	return value
}

func TestRun(t *testing.T) {
	r, files := run(t)
	if len(files.List) != 1 || files.List[0].Name != "m_test.go" || files.List[0].Text != source {
		t.Fatalf("files %+v", files.List)
	}
	line := func(text string) int { return strings.Count(source[:strings.Index(source, text)], "\n") + 1 }
	at := map[string]int{} // the last point at each line
	for i, p := range r.Points {
		if p.Kind == page.Line && p.File == 0 {
			for _, text := range []string{"head.n += 2", "head.n++", "t.Error"} {
				if p.Line == line(text) {
					at[text] = i
				}
			}
		}
	}
	if len(at) != 3 {
		t.Fatalf("points at lines: %v", at)
	}
	if r.Points[r.At].Kind != page.End && r.At != at["t.Error"] {
		t.Errorf("the page begins at point %d, want that of the failure %d or the end", r.At, at["t.Error"])
	}
	main := r.Points[at["head.n += 2"]].Goroutine
	if got := state(r, at["head.n += 2"], "L"); !strings.Contains(got, r.Goroutines[main].Name+" since m_test.go:23") {
		t.Errorf("locks at head.n += 2: %s", got)
	}
	// What the variable head refers to is an object that refers to itself, and has another content later.
	var rows []row
	var key string
	for k := range r.Keys {
		if name := r.Keys[k]; strings.HasPrefix(name, "V") && strings.Contains(state(r, at["head.n += 2"], name), `"n":"head"`) {
			key = name
		}
	}
	if err := json.Unmarshal([]byte(state(r, at["head.n += 2"], key)), &rows); err != nil {
		t.Fatal(err)
	}
	ref := ""
	for _, v := range rows {
		if v.Name == "head" {
			ref = v.Ref
		}
	}
	before, after := state(r, at["head.n += 2"], "H"+ref), state(r, len(r.Points)-1, "H"+ref)
	if !strings.Contains(before, `"r":"`+ref+`"`) || !strings.Contains(after, `"n":".n","t":"4"`) || before == after {
		t.Errorf("the object is\n%s\nand in the end\n%s", before, after)
	}
	// Each change is one: no point repeats the value that was there.
	last := map[int]int{}
	for i, p := range r.Points {
		for k := 0; k < len(p.Changes); k += 2 {
			if v, ok := last[p.Changes[k]]; ok && v == p.Changes[k+1] {
				t.Errorf("point %d repeats %s", i, r.Keys[p.Changes[k]])
			}
			last[p.Changes[k]] = p.Changes[k+1]
		}
	}
	// The goroutine that is started comes after the go statement, and one of the locks after the other's unlock.
	starts, locks := false, false
	for _, e := range r.Edges {
		if e.From >= e.To || r.Points[e.From].Goroutine == r.Points[e.To].Goroutine && r.Points[e.To].Kind == page.Step {
			t.Errorf("edge %+v from %+v to %+v", e, r.Points[e.From], r.Points[e.To])
		}
		starts = starts || r.Points[e.From].Line == line("wg.Go")
		locks = locks || strings.HasPrefix(r.Points[e.From].Text, "unlocks") && strings.HasPrefix(r.Points[e.To].Text, "locks")
	}
	if !starts || !locks {
		t.Errorf("edges: of the start %v, of the lock %v", starts, locks)
	}
}

// Going through a run again gives the same.
func TestSame(t *testing.T) {
	text := func() string {
		r, _ := run(t)
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if a, b := text(), text(); a != b {
		t.Error("two pages of one run differ")
	}
}
