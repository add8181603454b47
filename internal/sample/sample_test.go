package sample

import (
	"slices"
	"testing"
)

func TestSpread(t *testing.T) {
	for _, test := range []struct{ all, n int }{{0, 0}, {1, 1}, {10, 0}, {10, 1}, {10, 10}, {10, 7}, {1000, 100}, {999, 100}} {
		got := slices.Collect(spread(test.all, test.n))
		if len(got) != test.n {
			t.Errorf("%d numbers of %d, want %d", len(got), test.all, test.n)
		}
		for i, k := range got {
			if k < i*test.all/test.n || k >= (i+1)*test.all/test.n {
				t.Errorf("number %d of %d below %d is %d", i, test.n, test.all, k)
			}
		}
		if again := slices.Collect(spread(test.all, test.n)); !slices.Equal(got, again) {
			t.Errorf("%v, and again %v", got, again)
		}
	}
	// What repeats with a period is met at each of its places.
	met := map[int]int{}
	for k := range spread(1000, 100) {
		met[k%10]++
	}
	if len(met) != 10 {
		t.Errorf("every tenth of a thousand on average, by the last digit: %v", met)
	}
}

func TestSize(t *testing.T) {
	for value, want := range map[string]int{"": 20, "all": 300} {
		t.Setenv(variable, value)
		if testing.Short() {
			want = 1
		}
		if got := Size(300, 20, 1); got != want {
			t.Errorf("%s=%s: %d, want %d", variable, value, got, want)
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
