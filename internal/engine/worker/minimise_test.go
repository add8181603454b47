package worker

import (
	"fmt"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

// steps reads a schedule such as "aabca": a letter for each step's goroutine.
func steps(text string) []step {
	var list []step
	for _, c := range text {
		list = append(list, step{goroutine: c - 'a'})
	}
	return list
}

func text(list []step) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%c", 'a'+s.goroutine)
	}
	return b.String()
}

func TestJoin(t *testing.T) {
	for _, test := range []struct {
		schedule string
		i, j     int
		want     string
	}{
		{"aba", 0, 2, "baa"},
		{"aba", 2, 0, "aab"},
		{"abcab", 1, 4, "acabb"},
		{"abcab", 3, 0, "aabcb"},
	} {
		segments := split(steps(test.schedule))
		if got := text(join(segments, test.i, test.j)); got != test.want {
			t.Errorf("join(%s, %d, %d) = %s, want %s", test.schedule, test.i, test.j, got, test.want)
		}
	}
}

func TestSplitAndNeighbours(t *testing.T) {
	segments := split(steps("aabbabc"))
	var parts []string
	for _, s := range segments {
		parts = append(parts, text(s))
	}
	if got, want := strings.Join(parts, " "), "aa bb a b c"; got != want {
		t.Errorf("split: %s, want %s", got, want)
	}
	for i, want := range []string{"[2]", "[3]", "[0]", "[1]", "[]"} {
		if got := fmt.Sprint(neighbours(segments, i)); got != want {
			t.Errorf("neighbours of %d: %s, want %s", i, got, want)
		}
	}
	if got := switches(steps("aabbabc")); got != 4 {
		t.Errorf("switches = %d, want 4", got)
	}
}

func TestFollow(t *testing.T) {
	options := func(text string) []run.Transition {
		var list []run.Transition
		for _, c := range text {
			list = append(list, run.Transition{Decision: run.Decision{Goroutine: c - 'a'}})
		}
		return list
	}
	// A run in which goroutines can be enabled or not: at each point the enabled
	// ones are given; the follower's choice is what is taken.
	for _, test := range []struct {
		name, schedule string
		points         []string
		want           string
	}{
		{"as listed", "aba", []string{"ab", "ab", "ab"}, "aba"},
		{"a step that is not enabled is taken later", "ba", []string{"a", "ab"}, "ab"},
		{"after the list the last goroutine goes on", "b", []string{"ab", "ab", "ab"}, "bbb"},
		{"and when it cannot, the first", "b", []string{"ab", "a", "a"}, "baa"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := follow(steps(test.schedule), nil)
			last := int32(-1)
			for _, p := range test.points {
				list := options(p)
				k := f.Choose(&run.SchedulingPoint{Kind: run.Step, Enabled: list, Last: last})
				f.Stepping(&list[k], new(run.Trace))
				last = list[k].Goroutine
			}
			if got := text(f.taken); got != test.want {
				t.Errorf("taken %s, want %s", got, test.want)
			}
		})
	}
}

func TestFollowValues(t *testing.T) {
	f := follow(nil, []int32{2, 7})
	var got []int
	for range 3 {
		got = append(got, f.Choose(&run.SchedulingPoint{Kind: run.Value, N: 3}))
	}
	if want := "[2 0 0]"; fmt.Sprint(got) != want {
		t.Errorf("values %v, want %s: one out of range and one not listed are 0", got, want)
	}
}
