package cover

import (
	"bytes"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// example returns a set that has something of everything.
func example() *Set {
	s := New()
	a := s.Arena
	s.Program, s.Code, s.Options = "example.com/p q", "c0de", []string{"-unroll=2"}
	s.Processors, s.Flags = 4, Flags{"-n=3", "-v=a\nb"}
	s.Markers = []Marker{{AtLoop, "main.go:4:2", "main.work"}, {AtBarrier, "a b.go:9:3", "main.\"odd\""}, {AtHead, "main.go:12:2", "main.work"}}
	s.Decisions = []Decision{{"main.go:8:5", "main.work", "what os.ReadFile returns", false}, {"main.go:7:2", "main.work", "the order of a map", true}}
	s.Notes = []string{"one\ntwo"}
	s.Deferred = []string{"main.go:3:2"}
	n := a.Var("n", 64)
	odd := a.Var("odd name|", 8)
	s.Epochs = []*Epoch{
		{
			Goroutines: []Start{{Kind: Entry}},
			Ready:      true,
			Inputs: []Input{
				{Name: "n", Width: 64, Type: "int", Root: Root{Kind: Sym, Name: "n"}, Ranged: true, Low: 1<<64 - 2, Size: 11},
				{Name: "1:main.go:8:5#2", Width: 1, Type: "bool", Root: Root{Kind: Decided, Goroutine: 1, Position: "main.go:8:5", Time: 2}},
			},
			Schedules: []*Schedule{
				{
					When:    [][]expr.ID{{a.Slt(n, a.Const(3, 64))}, {a.Eq(odd, a.Const(7, 8)), a.Sle(n, a.Const(9, 64))}},
					Example: map[string]uint64{"n": 1, "odd name|": 7},
					Nodes: []Node{
						{Op: schedule.Spawn, Position: "main.go:3:2", Child: 1, From: -1},
						{Op: schedule.Recv, Position: "main.go:5:2", Goroutine: 1, Child: -1, From: 0, After: []int{0}, Alt: -1},
						{Bypass: true, Position: "main.go:6:2", Goroutine: 1, Child: -1, From: -1},
						{Op: schedule.Spawn, Position: "main.go:7:2", Child: 2, From: -1},
					},
					End: End{Kind: NewEpoch, Epoch: 1, Next: []int{-1, 1, 0}, Goroutines: []Start{
						{Kind: Ended}, {Kind: Marked, Stack: []string{"main.go:6:2", "main.go:3:2"}}, {Kind: Blocked, Stack: []string{"main.go:9:9"}},
					}},
				},
				{When: [][]expr.ID{nil}, Infeasible: true, Conservative: true, Races: [][2]string{{"a.go:1:1", "b.go:2:2"}}, End: End{Kind: Exit}},
			},
		},
		{
			Goroutines: []Start{{Kind: Blocked, Stack: []string{"main.go:9:9"}}, {Kind: Marked, Stack: []string{"main.go:6:2", "main.go:3:2"}}},
			Inputs: []Input{
				{Name: "x", Width: 1, Root: Root{Kind: Local, Goroutine: 1, Frame: 2, Name: "x", Position: "main.go:1:1"}, Steps: []Step{"*", ".f", "[3]", "len"}},
				{Name: "g", Width: 8, Root: Root{Kind: Global, Name: "example.com/p.g"}}, {Name: "t1", Width: 8},
			},
			Begin: &Beginning{
				Shape: "abc", From: 0, Alive: true, Via: map[string]uint64{"n": 2, "": 1 << 63},
				Cells:  []Input{{Name: "x", Width: 1, Type: "bool", Root: Root{Kind: Local, Goroutine: 1, Name: "x", Position: "main.go:1:1"}}, {Name: "t1", Width: 8}},
				States: [][]uint64{{0, 3}, {1, 255}}, Where: []expr.ID{a.Eq(a.Var("x", 1), a.Bool(true)), a.Ult(a.Var("t1", 8), a.Const(9, 8))},
			},
			Open:      []string{"no time was left"},
			Schedules: []*Schedule{{When: [][]expr.ID{nil}, Reached: map[string]uint64{"n": 2}, Arguments: []string{"a b", ""}, End: End{Kind: Deadlock, Goroutines: []Start{{Kind: Blocked}, {Kind: Ended}}}}, {When: [][]expr.ID{nil}, Excluded: true, End: End{Kind: Deadlock, Goroutines: []Start{{Kind: Blocked}, {Kind: Ended}}}}},
		},
	}
	return s
}

func text(t testing.TB, s *Set) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestRoundTrip has a set written, read, and written again.
func TestRoundTrip(t *testing.T) {
	s := example()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	first := text(t, s)
	again, err := Read(strings.NewReader(first))
	if err != nil {
		t.Fatalf("%v in\n%s", err, first)
	}
	if second := text(t, again); second != first {
		t.Errorf("read and written again:\n%s\nand at first:\n%s", second, first)
	}
	if sum := again.Summary(); again.Deadlocks() != 1 || again.Complete() || sum.Excluded != 1 || sum.Schedules != 3 {
		t.Errorf("%d deadlocks, complete: %t; %+v", again.Deadlocks(), again.Complete(), sum)
	}
	for _, c := range []struct {
		n, odd uint64
		want   bool
	}{{2, 0, true}, {9, 7, true}, {9, 6, false}, {10, 7, false}} {
		got := again.Holds(again.Epochs[0].Schedules[0], func(name string) uint64 {
			return map[string]uint64{"n": c.n, "odd name|": c.odd}[name]
		})
		if got != c.want {
			t.Errorf("with n = %d and odd = %d, the schedule is for the input: %t", c.n, c.odd, got)
		}
	}
}

// TestMalformed has texts read that are none of a set: each gives an error of one line.
func TestMalformed(t *testing.T) {
	whole := text(t, example())
	for _, c := range []struct{ old, new, want string }{
		{"everyway cover 10", "everyway cover 11", `line 1: the set has version "11", and this program reads version 10`},
		{"everyway cover 10", "<html>", "line 1: it is no set of schedules"},
		{"\nend\n", "\n", "the end is missing"},
		{"\nend\n", "\nend\nend\n", "there is more after the end"},
		{"\nepoch 1\n", "\nepoch 2\n", "epoch: it has the number 2, and not 1"},
		{"ends epoch 1", "ends epoch 7", "there is no epoch 7 to end in"},
		{"next -1 1 0", "next -1 0 1", "goroutine 1 cannot be number 0 of the next epoch"},
		{"next -1 1 0", "next -1 1 1", "goroutine 2 cannot be number 1 of the next epoch"},
		{"next -1 1 0", "next 0 1 0", "goroutine 0 cannot be number 0 of the next epoch"},
		{"next -1 1 0", "next -1 1", "it says of 2 goroutines which they are in the next epoch, and there are 3"},
		{"    next -1 1 0\n", "", "it says of 0 goroutines which they are in the next epoch, and there are 3"},
		{"node 1 1", "node 1 5", "there is no goroutine 5"},
		{"after 0", "after 2", "it cannot come after node 2"},
		{"child 1", "child 2", "it cannot start goroutine 2"},
		{"fork", "frok", `"frok" is no operation`},
		{`"main.go:3:2" child`, `"main.go:3:2 child`, "a quoted text"},
		{"      (bvcomp", "      (bvcomp (", "a condition"},
		{"      (bvcomp", "(bvcomp", "(bvcomp: it is not known"},
		{"    ends exit\n", "", "the schedule before it has no end"},
		{"  ready\n", "  ready 1\n", `ready: "1" is too much`},
		{"example \"n\" 1", "example \"n\" x", `"x" is no number`},
		{`input "n" 64`, `input "n" 65`, "an input of 65 bits"},
	} {
		changed := strings.Replace(whole, c.old, c.new, 1)
		if changed == whole {
			t.Errorf("nothing to change for %q", c.want)
			continue
		}
		_, err := Read(strings.NewReader(changed))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("with %q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

// FuzzRead has any text read: what is read without an error is written, and read as the same.
func FuzzRead(f *testing.F) {
	f.Add(text(f, example()))
	f.Fuzz(func(t *testing.T, in string) {
		s, err := Read(strings.NewReader(in))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %v", err)
			}
			return
		}
		first := text(t, s)
		again, err := Read(strings.NewReader(first))
		if err != nil {
			t.Fatalf("%v in what was read and written:\n%s", err, first)
		}
		if second := text(t, again); second != first {
			t.Errorf("%s\nand then\n%s", first, second)
		}
	})
}
