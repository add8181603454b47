package static_test

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/parallel"
)

// TestParallel asks which functions of a program may run at once.
func TestParallel(t *testing.T) {
	a, pkg, _ := analyseFile(t, "testdata/parallel.go")
	g := a.Calls()
	r := parallel.New(g).Of(pkg.Func("main"))
	for names, want := range map[string]bool{
		"main main":               false, // one goroutine runs it
		"before before":           false,
		"before once":             true, // the order is not known
		"once once":               false,
		"once many":               true,
		"shared shared":           true, // in two goroutines
		"shared shared shared":    false,
		"many many many":          true,
		"inner child":             true,
		"child child":             true, // each of several goroutines starts one
		"grandchild grandchild":   false,
		"grandchild once before":  true,
		"once shared shared":      false, // one of the two is taken by once
		"waited before":           true,
		"fromTwice fromTwice":     true,
		"twice twice":             false,
		"deep deep":               true,
		"recursive recursive":     false,
		"recursive deep":          true,
		"once main grandchild":    true,
		"once grandchild shared":  true,
		"main before":             false,
		"main before once":        false,
		"once many child before":  true,
		"many child child before": true,
	} {
		var nodes []*callgraph.Node
		for name := range strings.FieldsSeq(names) {
			n := g.Of(pkg.Func(name))
			if n == nil {
				t.Fatalf("no function %s", name)
			}
			nodes = append(nodes, n)
		}
		if got := r.AtOnce(nodes...); got != want {
			t.Errorf("%s: %v, want %v", names, got, want)
		}
	}
}
