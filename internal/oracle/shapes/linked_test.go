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

// leads says of which fields of a T it is known that they lead back from where others lead: b from
// a, and in every other function a from b, too.
func leads(name string) [][2]int {
	if strings.ContainsAny(name[len(name)-1:], "02468") {
		return [][2]int{{0, 1}, {1, 0}}
	}
	return [][2]int{{0, 1}}
}

// leadBack reports whether all pointers lead back of which that is known.
func leadBack(h *shapes.Heap, links [][2]int) bool {
	for i, o := range h.Objects {
		for _, l := range links {
			if to := o.Fields[l[0]]; to != shapes.Nil && h.Objects[to].Fields[l[1]] != i {
				return false
			}
		}
	}
	return true
}

// completed has each pointer that leads to what does not lead back lead to a new object that does.
func completed(h *shapes.Heap, links [][2]int) *shapes.Heap {
	for i := range h.Objects {
		for _, l := range links {
			if to := h.Objects[i].Fields[l[0]]; to != shapes.Nil && h.Objects[to].Fields[l[1]] != i {
				h.Objects[i].Fields[l[0]] = len(h.Objects)
				o := shapes.Object{Fields: []int{shapes.Nil, shapes.Nil}}
				o.Fields[l[1]] = i
				h.Objects = append(h.Objects, o)
			}
		}
	}
	return h
}

// TestLinked compares the runs of a search over generated functions, where sym.BackLink says that
// pointers lead back, with brute force over the shapes in which they do: all their paths and
// results are met. A run's own shape may have pointers that the function has only compared with
// nil, so that they could as well lead to new objects that lead back. With these, brute force has
// the path and the result of the run. So a function that compares pointers and does not follow them
// meets no shape in which what it compares does not lead back.
func TestLinked(t *testing.T) {
	const most = 2
	var all []*shapes.Heap
	for h := range shapes.All(shapes.Types{{0, 0}}, []int{0, 0, 0}, []int{most}) {
		if leadBack(h, leads("F1")) {
			all = append(all, h)
		}
	}
	var b strings.Builder
	b.WriteString("package linked\n\nimport \"github.com/everyway-go/everyway/sym\"\n\n" + showing)
	programs := map[string][]statement{}
	for seed := range sample.Of(500, 20, 10) {
		name := fmt.Sprintf("F%d", seed)
		list := generate(rand.New(rand.NewPCG(uint64(seed), 4)), 5, 2)
		programs[name] = list
		fmt.Fprintf(&b, "\nfunc %s() {\n\tpath := \"p\"\n", name)
		for _, l := range leads(name) {
			fmt.Fprintf(&b, "\tsym.BackLink[T](\"%c\", \"%c\")\n", fieldNames[l[0]], fieldNames[l[1]])
		}
		for i := range variables {
			fmt.Fprintf(&b, "\tv%d := sym.Any[*T](\"v%[1]d\")\n", i)
		}
		b.WriteString("\t_, _, _ = v0, v1, v2\n")
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
	s := loadSym(t, "linked", b.String(), names)
	runs, paths := 0, 0
	for _, name := range names {
		list := programs[name]
		missing := map[string]bool{}
		for _, h := range all {
			if leadBack(h, leads(name)) {
				missing[printed(name, list, h)] = true
			}
		}
		paths += len(missing)
		each(t, s, name, most, func(trace *run.Trace, output string) {
			if trace.Skipped {
				return
			}
			runs++
			output = strings.TrimSpace(output)
			delete(missing, output)
			if h := completed(heapOf(valuesOf(trace)), leads(name)); printed(name, list, h) != output {
				t.Errorf("%s: with %s the result is %s, in the run %s", name, h, printed(name, list, h), output)
			}
		})
		if len(missing) > 0 {
			t.Errorf("%s: no run has the paths %q", name, slices.Sorted(maps.Keys(missing)))
		}
	}
	t.Logf("%d functions, %d shapes, %d paths, %d runs", len(names), len(all), paths, runs)
}
