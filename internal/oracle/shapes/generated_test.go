package shapes_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle/shapes"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
)

// A statement of a generated function, whose variables are pointers to a struct of two of them.
type statement struct {
	op      string // "move", "load", "store", "same" or "nil"
	v, w    int    // variables
	field   int
	yes, no []statement // of "same" and "nil"
}

const variables, fieldNames = 3, "ab"

// generate returns n statements.
func generate(r *rand.Rand, n, depth int) []statement {
	var list []statement
	for range n {
		s := statement{op: []string{"move", "load", "load", "store", "same", "nil"}[r.IntN(6)], v: r.IntN(variables), w: r.IntN(variables), field: r.IntN(2)}
		if s.op == "same" || s.op == "nil" {
			if depth == 0 {
				s.op = "load"
			} else {
				s.yes, s.no = generate(r, 1+r.IntN(2), depth-1), generate(r, r.IntN(2), depth-1)
			}
		}
		list = append(list, s)
	}
	return list
}

// source writes statements as Go. A function prints its path: 1 or 0 for each condition.
func source(b *strings.Builder, list []statement) {
	for _, s := range list {
		f := fieldNames[s.field]
		switch s.op {
		case "move":
			fmt.Fprintf(b, "\tv%d = v%d\n", s.v, s.w)
		case "load":
			fmt.Fprintf(b, "\tif v%d == nil {\n\t\tprintln(path+\"!\", show(v0, v1, v2))\n\t\treturn\n\t}\n\tv%d = v%d.%c\n", s.w, s.v, s.w, f)
		case "store":
			fmt.Fprintf(b, "\tif v%d == nil {\n\t\tprintln(path+\"!\", show(v0, v1, v2))\n\t\treturn\n\t}\n\tv%d.%c = v%d\n", s.v, s.v, f, s.w)
		default:
			other := "nil"
			if s.op == "same" {
				other = fmt.Sprintf("v%d", s.w)
			}
			fmt.Fprintf(b, "\tif v%d == %s {\n\tpath += \"1\"\n", s.v, other)
			source(b, s.yes)
			b.WriteString("\t} else {\n\tpath += \"0\"\n")
			source(b, s.no)
			b.WriteString("\t}\n")
		}
	}
}

// showing is the type, and a function that writes what can be reached from variables, numbered in a
// breadth-first search.
const showing = `type T struct{ a, b *T }

func show(vars ...*T) string {
	var seen []*T
	text := ""
	name := func(p *T) {
		if p == nil {
			text += " nil"
			return
		}
		for i, o := range seen {
			if o == p {
				text += " " + string(rune('0'+i))
				return
			}
		}
		text += " " + string(rune('0'+len(seen)))
		seen = append(seen, p)
	}
	for _, p := range vars {
		name(p)
	}
	for i := 0; i < len(seen); i++ {
		text += ","
		name(seen[i].a)
		name(seen[i].b)
	}
	return text
}
`

// show does the same.
func (e *execution) show() string {
	var seen []int
	text := ""
	name := func(p int) {
		if p == shapes.Nil {
			text += " nil"
			return
		}
		if !slices.Contains(seen, p) {
			seen = append(seen, p)
		}
		text += fmt.Sprint(" ", slices.Index(seen, p))
	}
	for _, p := range e.vars {
		name(p)
	}
	for i := 0; i < len(seen); i++ {
		text += ","
		name(e.objects[seen[i]][0])
		name(e.objects[seen[i]][1])
	}
	return text
}

// An execution is a state of a generated function.
type execution struct {
	vars    [variables]int
	objects [][2]int
	path    string
}

// run carries out statements. It returns false if the function has returned.
func (e *execution) run(list []statement) bool {
	for _, s := range list {
		switch s.op {
		case "move":
			e.vars[s.v] = e.vars[s.w]
		case "load":
			if e.vars[s.w] == shapes.Nil {
				e.path += "!"
				return false
			}
			e.vars[s.v] = e.objects[e.vars[s.w]][s.field]
		case "store":
			if e.vars[s.v] == shapes.Nil {
				e.path += "!"
				return false
			}
			e.objects[e.vars[s.v]][s.field] = e.vars[s.w]
		default:
			other := shapes.Nil
			if s.op == "same" {
				other = e.vars[s.w]
			}
			bit, then := "0", s.no
			if e.vars[s.v] == other {
				bit, then = "1", s.yes
			}
			e.path += bit
			if !e.run(then) {
				return false
			}
		}
	}
	return true
}

// shows reports whether a function prints the heap as well when it returns. Then all of it is
// looked at, and there are many more runs.
func shows(name string) bool { return strings.HasSuffix(name, "0") || strings.HasSuffix(name, "5") }

// printed returns what a function prints for a heap, of which the roots are the parameters.
func printed(name string, list []statement, h *shapes.Heap) string {
	e := &execution{path: "p"}
	copy(e.vars[:], h.Roots)
	for _, o := range h.Objects {
		e.objects = append(e.objects, [2]int{o.Fields[0], o.Fields[1]})
	}
	e.run(list)
	if shows(name) {
		return e.path + " " + e.show()
	}
	return e.path
}

// heapOf returns the heap that the inputs of a run are; pointers that the run has not drawn are nil.
func heapOf(in run.Input) *shapes.Heap {
	objects := 0
	for _, v := range in {
		objects = max(objects, int(v))
	}
	h := &shapes.Heap{}
	for i := range variables {
		h.Roots = append(h.Roots, int(in[fmt.Sprintf("v%d", i)])-1)
	}
	for i := range objects {
		h.Objects = append(h.Objects, shapes.Object{Fields: []int{int(in[fmt.Sprintf("&%d.a", i+1)]) - 1, int(in[fmt.Sprintf("&%d.b", i+1)]) - 1}})
	}
	return h
}

// TestGenerated compares the runs of a search over generated functions with brute force over all
// shapes to the bound: both meet the same paths and results, and brute force with the shape of a
// run has the path and the result that the run had. A fifth of the functions returns the heap, so
// that its runs are of all shapes that differ in what is left in the end.
func TestGenerated(t *testing.T) {
	const most = 2
	var all []*shapes.Heap
	for h := range shapes.All(shapes.Types{{0, 0}}, []int{0, 0, 0}, []int{most}) {
		all = append(all, h)
	}
	var b strings.Builder
	b.WriteString("package generated\n\n" + showing)
	programs := map[string][]statement{}
	for seed := range sample.Of(500, 80, 20) {
		name := fmt.Sprintf("F%d", seed)
		list := generate(rand.New(rand.NewPCG(uint64(seed), 3)), 5, 2)
		programs[name] = list
		fmt.Fprintf(&b, "\nfunc %s(v0, v1, v2 *T) {\n\tpath := \"p\"\n", name)
		text := &strings.Builder{}
		source(text, list)
		fmt.Fprint(text, "\tprintln(path, show(v0, v1, v2))\n}\n")
		code := text.String()
		if !shows(name) {
			code = strings.ReplaceAll(code, ", show(v0, v1, v2)", "")
		}
		b.WriteString(code)
	}
	names := slices.Sorted(maps.Keys(programs))
	s := loadFuncs(t, "generated", b.String(), names)
	runs, paths := 0, 0
	for _, name := range names {
		list := programs[name]
		want := map[string]bool{}
		for _, h := range all {
			want[printed(name, list, h)] = true
		}
		got := map[string]bool{}
		each(t, s, name, most, func(trace *run.Trace, output string) {
			if trace.Skipped {
				return
			}
			runs++
			output = strings.TrimSpace(output)
			got[output] = true
			if h := heapOf(valuesOf(trace)); printed(name, list, h) != output {
				t.Errorf("%s: with %s the result is %s, in the run %s", name, h, printed(name, list, h), output)
			}
		})
		if !maps.Equal(got, want) {
			t.Errorf("%s: paths %q, want %q", name, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
		paths += len(want)
	}
	t.Logf("%d functions, %d shapes, %d paths, %d runs", len(names), len(all), paths, runs)
}
