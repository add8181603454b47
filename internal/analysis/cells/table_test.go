package cells

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/schedule"
)

// TestTable compares a table with a map.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var table Table[int]
	want := map[schedule.Cell]int{}
	offsets := []int64{0, 1, pageSize - 1, pageSize, maxPaged - 1, maxPaged, maxPaged + 1, 1 << 40, -1}
	for n := range 20000 {
		c := schedule.Cell{Object: schedule.ObjectID(r.IntN(300)), Offset: offsets[r.IntN(len(offsets))]}
		v, ok := want[c]
		switch found := table.Find(c); {
		case (found != nil) != ok:
			t.Fatalf("%v is in the table: %v, want %v", c, found != nil, ok)
		case ok && *found != v:
			t.Fatalf("%v is %d, want %d", c, *found, v)
		}
		if n%3 == 0 {
			if used := table.Use(c); *used != v {
				t.Fatalf("%v is %d, want %d", c, *used, v)
			} else {
				*used, want[c] = n+1, n+1
			}
		}
	}
}

// TestDelete forgets some of the cells, near and far, and gives their values to others.
func TestDelete(t *testing.T) {
	var table Table[int]
	cell := func(i int) schedule.Cell {
		return schedule.Cell{Object: schedule.ObjectID(i % 7), Offset: int64(i * 100)}
	}
	const n = 60 // some of which are beyond the pages
	for i := range n {
		*table.Use(cell(i)) = i
	}
	table.Delete(func(v *int) bool { return *v%3 != 0 })
	for i := range n {
		if v := table.Find(cell(i)); i%3 == 0 && (v == nil || *v != i) || i%3 != 0 && v != nil {
			t.Errorf("value %d is %v", i, v)
		}
	}
	for i := range n {
		if v := table.Use(cell(i)); i%3 != 0 && *v != 0 {
			t.Errorf("new value %d is %d", i, *v)
		}
	}
}
