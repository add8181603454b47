package main

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/solve/external"
)

// TestJournal checks that the sample is of blocks in a row, spread over the search.
func TestJournal(t *testing.T) {
	for _, n := range []int{0, 1, blockSize, blockSize*maxBlocks + 1, 7 * blockSize * maxBlocks, 10*blockSize*maxBlocks - 3} {
		a := expr.NewArena()
		x := a.Var("x", 32)
		j := newJournal()
		for i := range n {
			mark := a.Mark()
			hint := func(expr.ID) uint64 { return uint64(i) }
			if i%2 == 0 {
				hint = nil
			}
			j.note(a, solve.Query{Conj: []expr.ID{a.Eq(a.Add(x, a.Const(uint64(2*i+1), 32)), a.Const(0, 32))}, Hint: hint, Model: true})
			a.Release(mark)
		}
		if j.met != n || len(j.blocks) > maxBlocks || n > 0 && len(j.blocks) < min(maxBlocks/2, (n-1)/blockSize+1) {
			t.Errorf("%d of %d queries noted, %d blocks", j.met, n, len(j.blocks))
		}
		for b, block := range j.blocks {
			if len(block) != min(blockSize, n-b*j.stride*blockSize) {
				t.Errorf("of %d queries block %d has %d", n, b, len(block))
			}
			for i, q := range block {
				number := (b*j.stride)*blockSize + i
				want := j.arena.Eq(j.arena.Var("x", 32), j.arena.Const(-uint64(2*number+1)&0xffffffff, 32))
				if !slices.Equal(q.conj, []expr.ID{want}) {
					t.Fatalf("of %d queries number %d is %s", n, number, j.arena.String(q.conj[0]))
				}
				if v, ok := q.near[j.arena.Var("x", 32)]; ok != (number%2 == 1) || ok && v != uint64(number) {
					t.Fatalf("of %d queries number %d has the hint %v", n, number, q.near)
				}
			}
		}
		order := j.spread()
		if sorted := slices.Sorted(slices.Values(order)); len(order) != len(j.blocks) || len(sorted) > 0 && sorted[len(sorted)-1] != len(order)-1 {
			t.Errorf("order of %d blocks: %v", len(j.blocks), order)
		}
		if len(order) > 2 && (order[0] != 0 || order[1] < len(order)/4) {
			t.Errorf("%v is not spread", order)
		}
	}
}

// TestLog checks what is printed and written of a search.
func TestLog(t *testing.T) {
	dir := t.TempDir()
	l := logs{
		patterns: []string{"../../examples/addall/mended"}, match: regexp.MustCompile("AddAll"),
		budget: time.Hour, runs: 60, patience: time.Nanosecond, dump: dir,
	}
	var out strings.Builder
	if err := l.table(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	wants := []string{
		"queries of a search", "addall.FuzzAddAll", "the same queries",
		"queries that everyway does not answer, and another solver does within 1s: 0",
	}
	if _, err := external.Find(); err == nil { // there is another solver to be beside
		wants = append(wants, "real code, 1 searches")
	}
	for _, want := range wants {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	queries, err := readScripts([]string{dir})
	if err != nil || len(queries) == 0 {
		t.Errorf("%d files written: %v", len(queries), err)
	}
}

func TestComposition(t *testing.T) {
	a := expr.NewArena()
	x, y := a.Var("x", 32), a.Var("y", 32)
	got := composition(a, []expr.ID{a.Ult(a.Mul(x, y), y), a.Eq(a.UDiv(x, a.Const(10, 32)), y)})
	if want := "2 conjuncts, 2 variables, 7 nodes, 1 Mul 32, 1 UDiv/c 32, 1 Ult 32"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
