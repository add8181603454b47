package shapes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
)

// opening is a package whose functions open a list of two nodes, and write down what it is then.
const opening = `package opening

import (
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/sym"
)

type (
	List struct{ first, last *Node }
	Node struct{ next *Node }
)

// write follows pointers breadth first. Nodes are A and B, which the list had, and numbers.
func write(a, b *Node, roots ...*Node) {
	var known []*Node
	var text strings.Builder
	name := func(p *Node) string {
		if p == nil {
			return "nil"
		}
		at := -1
		for i, k := range known {
			if k == p {
				at = i
			}
		}
		if at < 0 {
			known = append(known, p)
			at = len(known) - 1
		}
		switch p {
		case a:
			return "A"
		case b:
			return "B"
		}
		return fmt.Sprint(at)
	}
	for _, r := range roots {
		text.WriteString(name(r) + " ")
	}
	for i := 0; i < len(known); i++ {
		text.WriteString(": " + name(known[i].next) + " ")
	}
	println(text.String())
}

func Fields() {
	b := &Node{}
	a := &Node{b}
	l := &List{a, b}
	sym.Open("l", l)
	write(a, b, l.first, l.last)
}

// Slice has the pointers in the array of a slice.
func Slice() {
	b := &Node{}
	a := &Node{b}
	l := &struct{ all []*Node }{[]*Node{a, b}}
	sym.Open("l", l)
	write(a, b, l.all...)
}

// After draws a pointer after the list has been opened, and Before before that.
func After() {
	b := &Node{}
	a := &Node{b}
	l := &List{a, b}
	sym.Open("l", l)
	write(a, b, sym.Any[*Node]("q"), l.first)
}

func Before() {
	q := sym.Any[*Node]("q")
	b := &Node{}
	a := &Node{b}
	l := &List{a, b}
	sym.Open("l", l)
	write(a, b, l.first, q)
}
`

// TestOpened compares the structures that there are when pointers of one have become inputs with all that
// pointers can be, by brute force.
func TestOpened(t *testing.T) {
	s := loadSym(t, "opening", opening, []string{"Fields", "Slice", "After", "Before"})
	most := 4
	if testing.Short() {
		most = 3
	}
	for _, target := range []string{"Fields", "Slice", "After", "Before"} {
		t.Run(target, func(t *testing.T) {
			missing := map[string]bool{}
			for _, h := range openedHeaps(most, target == "Before") {
				missing[h] = true
			}
			all, numbers := len(missing), map[uint64]bool{}
			each(t, s, target, most, func(trace *run.Trace, output string) {
				if trace.Skipped {
					return
				}
				numbers[trace.Shape] = true
				switch output = strings.TrimSpace(output); {
				case missing[output]:
					delete(missing, output)
				default:
					t.Errorf("%s: there is no such structure, or there was a run", output)
				}
			})
			for h := range missing {
				t.Errorf("%s: no run", h)
			}
			if len(numbers) != all {
				t.Errorf("%d shapes are counted, want %d", len(numbers), all)
			}
			t.Logf("%d structures", all)
		})
	}
}

// loadSym loads functions of a package of one file that imports package sym.
func loadSym(t *testing.T, pkg, source string, names []string) *suite.Suite {
	t.Helper()
	files := map[string]string{pkg + "/" + pkg + ".go": source}
	sources, err := filepath.Glob("../../../sym/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no package sym: %v", err)
	}
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files["sym/"+filepath.Base(name)] = string(text)
	}
	dir := t.TempDir()
	if err := suite.Write(dir, "github.com/everyway-go/everyway", files); err != nil {
		t.Fatal(err)
	}
	s, err := suite.LoadFuncs(t.Context(), dir, names...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// openedHeaps returns what two roots can lead to among the nodes A and B and as many new ones as
// there may be, written as by the functions above. If before is set the second root was drawn
// before there were A and B.
func openedHeaps(most int, before bool) []string {
	const a, b, null = 0, 1, -1
	var list []string
	seen := map[string]bool{}
	pointers := make([]int, 2+most) // the roots, and the next pointers of the nodes
	for i := range pointers {
		pointers[i] = null
	}
	for {
		if !before || pointers[1] != a && pointers[1] != b {
			var known, names []int // nodes, and what to call them
			var text strings.Builder
			name := func(p int) string {
				if p == null {
					return "nil"
				}
				at := -1
				for i, k := range known {
					if k == p {
						at = names[i]
					}
				}
				if at < 0 {
					at = len(known)
					known, names = append(known, p), append(names, at)
				}
				switch p {
				case a:
					return "A"
				case b:
					return "B"
				}
				return fmt.Sprint(at)
			}
			text.WriteString(name(pointers[0]) + " " + name(pointers[1]) + " ")
			for i := 0; i < len(known); i++ {
				text.WriteString(": " + name(pointers[2+known[i]]) + " ")
			}
			if h := strings.TrimSpace(text.String()); !seen[h] {
				seen[h] = true
				list = append(list, h)
			}
		}
		i := 0
		for ; i < len(pointers); i++ {
			if pointers[i]++; pointers[i] < most {
				break
			}
			pointers[i] = null
		}
		if i == len(pointers) {
			return list
		}
	}
}
