package main

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestPaths counts the paths of rows of the table. There are more of them if less is known: which
// barriers are matched, what is set before goroutines are started, what only the first goroutine
// writes, and what numbers that one lock protects are together. That of blackscholes with fewer
// branches comes to its end since an element of an array is an expression. Where nothing is known
// of synchronisation, pfscan has 12 of its 35 paths if nobody else waits at its conditions.
func TestPaths(t *testing.T) {
	want := []struct {
		row      string
		branches int // 0 for those of the row
		column   int // of configurations
		paths    int
	}{{"streamcluster", 0, 0, 13}, {"pfscan", 0, 0, 286}, {"pfscan", 8, 2, 35}, {"lu-2", 0, 0, 107}, {"dedup-1", 0, 0, 113}, {"blackscholes", 8, 0, 28}}
	for i := range sample.Of(len(want), 1, 1) {
		r := rows[slices.IndexFunc(rows, func(r row) bool { return r.name == want[i].row })]
		p, err := program.Load(t.Context(), ".", []string{programs + r.pkg}, nil, true)
		if err != nil {
			t.Fatal(err)
		}
		places, err := r.places(p)
		if err != nil {
			t.Fatal(err)
		}
		e, err := explore(t.Context(), p, places, configurations[want[i].column].options, bounds{cmp.Or(want[i].branches, r.branches), time.Hour, false})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(e.search.seen); !e.exact() || n != want[i].paths {
			t.Errorf("%s, %s: %d paths, all found: %t; want %d", r.name, configurations[want[i].column].name, n, e.exact(), want[i].paths)
		}
	}
}
