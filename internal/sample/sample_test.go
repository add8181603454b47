package sample

import (
	"fmt"
	"slices"
	"testing"
)

func TestSpread(t *testing.T) {
	for _, test := range []struct{ all, n int }{{0, 0}, {1, 1}, {10, 0}, {10, 1}, {10, 10}, {10, 7}, {1000, 100}, {999, 100}} {
		got := slices.Collect(spread(test.all, test.n, 0))
		if len(got) != test.n {
			t.Errorf("%d numbers of %d, want %d", len(got), test.all, test.n)
		}
		for i, k := range got {
			if k < i*test.all/test.n || k >= (i+1)*test.all/test.n {
				t.Errorf("number %d of %d below %d is %d", i, test.n, test.all, k)
			}
		}
		if again := slices.Collect(spread(test.all, test.n, 0)); !slices.Equal(got, again) {
			t.Errorf("%v, and again %v", got, again)
		}
	}
	// What repeats with a period is met at each of its places.
	met := map[int]int{}
	for k := range spread(1000, 100, 0) {
		met[k%10]++
	}
	if len(met) != 10 {
		t.Errorf("every tenth of a thousand on average, by the last digit: %v", met)
	}
}

func TestSize(t *testing.T) {
	for value, want := range map[string]int{"": 20, "all": 300, "1/2": 150, "3/7": 43, "1/100": 20} {
		t.Setenv(variable, value)
		if testing.Short() {
			want = 1
		}
		if got := Size(300, 20, 1); got != want {
			t.Errorf("%s=%s: %d, want %d", variable, value, got, want)
		}
	}
}

// The parts are the whole together, whatever their number.
func TestParts(t *testing.T) {
	if testing.Short() {
		t.Skip("there are no parts of a small sample")
	}
	for _, all := range []int{1, 2, 5, 30, 301} {
		for parts := 1; parts < 8; parts++ {
			seen := map[int]bool{}
			for k := range parts {
				t.Setenv(variable, fmt.Sprintf("%d/%d", k+1, parts))
				n := 0
				for i := range Of(all, 20, 1) {
					seen[i] = true
					n++
				}
				if n != Size(all, 20, 1) {
					t.Errorf("part %d of %d of %d has %d numbers, want %d", k+1, parts, all, n, Size(all, 20, 1))
				}
			}
			if len(seen) != all {
				t.Errorf("%d parts of %d have %d numbers", parts, all, len(seen))
			}
		}
	}
}

func TestFrom(t *testing.T) {
	list := []string{"a", "b", "c"}
	t.Setenv(variable, "all")
	want := 3
	if testing.Short() {
		want = 1
	}
	if got := From(list, 2, 1); len(got) != want {
		t.Errorf("%v of %v", got, list)
	}
	t.Setenv(variable, "")
	if got := From(list, 5, 4); !slices.Equal(got, list) {
		t.Errorf("%v of %v", got, list)
	}
}

// A part has fewer cases of those that are tried one by one, and all parts have all of them.
func TestEach(t *testing.T) {
	if testing.Short() {
		t.Skip("there are no parts of a small sample")
	}
	list := make([]int, 60)
	for i := range list {
		list[i] = i
	}
	seen := map[int]bool{}
	for k := range 6 {
		t.Setenv(variable, fmt.Sprintf("%d/6", k+1))
		some := Each(list, 20, 1)
		if len(some) != 10 {
			t.Errorf("part %d has %d cases, want 10", k+1, len(some))
		}
		for _, x := range some {
			seen[x] = true
		}
	}
	if len(seen) != len(list) {
		t.Errorf("the parts have %d cases, want %d", len(seen), len(list))
	}
	t.Setenv(variable, "")
	if some := Each(list, 20, 1); len(some) != 20 {
		t.Errorf("%d cases as usual, want 20", len(some))
	}
}
