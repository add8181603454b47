package shapes_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle/shapes"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// written is a package whose functions write down the heaps that they get, as Heap.String does.
const written = `package heaps

import (
	"fmt"
	"strings"
)

type (
	List   struct{ next *List }
	Double struct{ next, prev *Double }
	Tree   struct{ left, right *Tree }
	Head   struct{ first, last *Node }
	Node   struct {
		next  *Node
		owner *Head
	}
)

// A writer numbers objects in the order of a breadth-first search.
type writer struct{ fields []func() string }

// A numbered is the objects of a type.
type numbered[T any] struct {
	objects []*T
	numbers []int
}

func name[T any](w *writer, known *numbered[T], p *T, fields func() string) string {
	if p == nil {
		return "nil"
	}
	for i, o := range known.objects {
		if o == p {
			return fmt.Sprint(known.numbers[i])
		}
	}
	known.objects, known.numbers = append(known.objects, p), append(known.numbers, len(w.fields))
	w.fields = append(w.fields, fields)
	return fmt.Sprint(len(w.fields) - 1)
}

func (w *writer) write(roots ...string) {
	var b strings.Builder
	b.WriteString(strings.Join(roots, " ") + ":")
	for i := 0; i < len(w.fields); i++ {
		b.WriteString(" " + w.fields[i]())
	}
	println(b.String())
}

func Lists(l *List) { lists(l) }

func TwoLists(k, l *List) { lists(k, l) }

func lists(roots ...*List) {
	w, known := &writer{}, &numbered[List]{}
	var list func(l *List) string
	list = func(l *List) string { return name(w, known, l, func() string { return "0(" + list(l.next) + ")" }) }
	var names []string
	for _, l := range roots {
		names = append(names, list(l))
	}
	w.write(names...)
}

func Doubles(l *Double) {
	w, known := &writer{}, &numbered[Double]{}
	var list func(l *Double) string
	list = func(l *Double) string {
		return name(w, known, l, func() string { return "0(" + list(l.next) + " " + list(l.prev) + ")" })
	}
	w.write(list(l))
}

// Trees looks at the right pointer of an object first.
func Trees(t *Tree) {
	w, known := &writer{}, &numbered[Tree]{}
	var tree func(l *Tree) string
	tree = func(l *Tree) string {
		return name(w, known, l, func() string { return "0(" + tree(l.left) + " " + tree(l.right) + ")" })
	}
	if t != nil && t.right != nil && t.right.left != nil {
		_ = *t.right.left
	}
	w.write(tree(t))
}

func Heads(n *Node, h *Head) {
	w, nodes, heads := &writer{}, &numbered[Node]{}, &numbered[Head]{}
	var node func(n *Node) string
	var head func(h *Head) string
	node = func(n *Node) string {
		return name(w, nodes, n, func() string { return "1(" + node(n.next) + " " + head(n.owner) + ")" })
	}
	head = func(h *Head) string {
		return name(w, heads, h, func() string { return "0(" + node(h.first) + " " + node(h.last) + ")" })
	}
	w.write(node(n), head(h))
}
`

// TestSearch compares the shapes of which a search makes runs with those that there are. The programs
// look at all pointers. So each shape has one run, and there are runs that stop where a bound is reached.
func TestSearch(t *testing.T) {
	list, two, heads := shapes.Types{{0}}, shapes.Types{{0, 0}}, shapes.Types{{1, 1}, {1, 0}}
	cases := []struct {
		name  string
		types shapes.Types
		roots []int
		most  int // objects of each type
	}{
		{"Lists", list, []int{0}, 5},
		{"TwoLists", list, []int{0, 0}, 3},
		{"Doubles", two, []int{0}, 3},
		{"Trees", two, []int{0}, 3},
		{"Heads", heads, []int{1, 0}, 1},
	}
	if !testing.Short() {
		cases[4].most = 2
	}
	var names []string
	for _, c := range cases {
		names = append(names, c.name)
	}
	s := loadFuncs(t, "heaps", written, names)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			missing := map[string]bool{}
			for h := range shapes.All(c.types, c.roots, slices.Repeat([]int{c.most}, len(c.types))) {
				missing[h.String()] = true
			}
			all, stopped, numbers := len(missing), 0, map[uint64]bool{}
			each(t, s, c.name, c.most, func(trace *run.Trace, output string) {
				if !trace.Skipped {
					numbers[trace.Shape] = true
				}
				switch output = strings.TrimSpace(output); {
				case trace.Skipped:
					stopped++
				case missing[output]:
					delete(missing, output)
				default:
					t.Errorf("%s: there is no such shape, or there was a run", output)
				}
			})
			for h := range missing {
				t.Errorf("%s: no run", h)
			}
			if len(numbers) != all {
				t.Errorf("%d shapes are counted, want %d", len(numbers), all)
			}
			t.Logf("%d shapes, %d runs stopped at a bound", all, stopped)
		})
	}
}

// each calls do for each run of an exhaustive search of a function, with what it has printed.
func each(t *testing.T, s *suite.Suite, target string, most int, do func(trace *run.Trace, output string)) {
	t.Helper()
	ctx := t.Context()
	s.Settings = run.Settings{
		MaxLen: 2, MaxObjects: most, MaxChain: 100,
		Limits: run.Limits{Instructions: 1e6, Memory: 16 << 20, Depth: 1000, Goroutines: 100, Decisions: 1000},
	}
	var output bytes.Buffer
	m, err := s.Machine(ctx, target, &output)
	if err != nil {
		t.Fatal(err)
	}
	m.MaxObjects = most
	st := hyperconcolic.New(hyperconcolic.Options{Names: m.Names})
	for {
		job, err := st.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			break
		}
		output.Reset()
		trace, err := m.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		if trace.Outcome != run.Finished && trace.Outcome != run.Failed || len(trace.GivenUp) > 0 {
			t.Fatalf("a run was %v: %s %v", trace.Outcome, trace.Message, trace.GivenUp)
		}
		do(trace, output.String())
		if err := st.Learn(ctx, job, trace, m.Arena); err != nil {
			t.Fatal(err)
		}
	}
	if status := st.Status(); !status.Exhausted {
		t.Errorf("the search has left something open: %v", status.Open)
	}
}

// loadFuncs loads functions of a module of one file, to search them over their parameters.
func loadFuncs(t *testing.T, module, source string, names []string) *suite.Suite {
	t.Helper()
	dir := t.TempDir()
	if err := suite.Write(dir, module, map[string]string{module + ".go": source}); err != nil {
		t.Fatal(err)
	}
	s, err := suite.LoadFuncs(t.Context(), dir, names...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
