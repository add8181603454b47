package table

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestTable(t *testing.T) {
	var out strings.Builder
	table := New(&out, "name", "n")
	table.Row("a", 100)
	table.Row("long name", Short(1234567*time.Nanosecond))
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "       name       n\n          a     100\n  long name  1.23ms\n"; got != want {
		t.Errorf("printed\n%swant\n%s", got, want)
	}
}

func TestRows(t *testing.T) {
	var out strings.Builder
	rows, err := NewRows(&out, "    name", "n", "result")
	if err == nil {
		err = rows.Row("a", 3, "a long text")
	}
	if got, want := out.String(), "    name  n  result\n       a  3  a long text\n"; err != nil || got != want {
		t.Errorf("%v; printed\n%swant\n%s", err, got, want)
	}
}

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 999: "999ns", 1000: "1µs", 1999: "2µs", 123456: "123µs", 59*time.Second + 999*time.Millisecond: "1m0s", 90 * time.Minute: "1h30m0s",
	} {
		if got := Short(d); got != want {
			t.Errorf("Short(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestMeans(t *testing.T) {
	if got := Median([]int{3, 1, 2}); got != 2 {
		t.Errorf("Median is %d", got)
	}
	if got := GeometricMean([]float64{1, 100}); math.Abs(got-10) > 1e-9 {
		t.Errorf("GeometricMean is %v", got)
	}
	if got := GeometricMean(nil); got != 0 {
		t.Errorf("GeometricMean of nothing is %v", got)
	}
}
