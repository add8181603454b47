package confirm

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/everyway-go/everyway/schedule"
)

// TestInStatement has accesses that the race detector reports at another line of their statement than the finding has.
func TestInStatement(t *testing.T) {
	const source = `package m

func f(x, y int, c, d chan int) {
	go func(z int) {
		c <- z
	}(x)
	println(
		x, func() int {
			return y
		}(),
	)
	select {
	case c <- 1:
	case d <- 1:
	case <-d:
	}
	println(x); println(
		y)
	if x == 1 ||
		y == 1 {
		x = 1
	} else if x == 2 ||
		y == 2 {
	}
	switch x +
		y {
	case x,
		y:
		x++
	}
}
`
	root := t.TempDir()
	path := filepath.Join(root, "x.go")
	if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	at := &places{root: root, goroot: "/usr/local/go"}
	for _, test := range []struct {
		name    string
		pos     string
		message string
		line    int // in the report
		write   bool
		events  []schedule.RunEvent
		want    bool
	}{
		{"argument of a go statement", "x.go:6:4", "read", 4, false, nil, true},
		{"write", "x.go:6:4", "data race: write and an earlier read are not ordered", 4, false, nil, false},
		{"both write", "x.go:6:4", "data race: write and an earlier read are not ordered", 4, true, nil, true},
		{"close", "x.go:6:4", "close", 4, true, nil, true},
		{"function of a go statement", "x.go:5:6", "read", 4, false, nil, false},
		{"argument of a call", "x.go:8:3", "read", 7, false, nil, true},
		{"function in an argument", "x.go:9:4", "read", 7, false, nil, false},
		{"another statement", "x.go:8:3", "read", 6, false, nil, false},
		{"two statements at a line", "x.go:18:3", "read", 17, false, nil, false},
		{"condition", "x.go:20:3", "read", 19, false, nil, true},
		{"body of a condition", "x.go:21:3", "write", 20, true, nil, false},
		{"another condition", "x.go:20:3", "read", 22, false, nil, false},
		{"tag of a switch", "x.go:26:3", "read", 25, false, nil, true},
		{"case of a switch", "x.go:28:3", "read", 27, false, nil, true},
		{"case for the tag", "x.go:27:7", "read", 25, false, nil, false},
		{"body of a case", "x.go:29:3", "read", 27, false, nil, false},
		{"case that is taken", "x.go:12:2", "data race: send and an earlier close are not ordered", 14, false, []schedule.RunEvent{{Goroutine: "0.1", Op: schedule.Send, Pos: "x.go:12:2", Alt: 1}}, true},
		{"case that is not taken", "x.go:12:2", "send", 13, false, []schedule.RunEvent{{Goroutine: "0.1", Op: schedule.Send, Pos: "x.go:12:2", Alt: 1}}, false},
		{"different cases", "x.go:12:2", "send", 13, false, []schedule.RunEvent{{Goroutine: "0.1", Op: schedule.Send, Pos: "x.go:12:2"}, {Goroutine: "0.1", Op: schedule.Recv, Pos: "x.go:12:2", Alt: 2}}, false},
		{"case of another goroutine", "x.go:12:2", "send", 13, false, []schedule.RunEvent{{Goroutine: "0.2", Op: schedule.Send, Pos: "x.go:12:2"}}, false},
		{"one of several sends", "x.go:12:2", "send", 13, false, []schedule.RunEvent{{Goroutine: "0.1", Op: schedule.Fail, Pos: "x.go:12:2"}}, false},
	} {
		f := &schedule.Finding{Kind: "data race", Goroutine: "0.1", Message: test.message, Pos: test.pos, Stack: []schedule.Frame{{Func: "f", Pos: test.pos}}}
		a := &access{frames: []site{{path, test.line}}, write: test.write}
		if got := at.inStatement(&schedule.Run{Events: test.events}, f, a); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}
