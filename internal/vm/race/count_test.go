package race

import (
	"strings"
	"testing"
)

// TestCount checks which Adds, Dones and Waits of some goroutines show that the order of Adds may
// matter. In a step "0>1", what 0 has done happens before what 1 does.
func TestCount(t *testing.T) {
	for _, test := range []struct {
		steps string
		want  bool
	}{
		{"0+1 0>1 1-1 0w", true},
		{"0+1 0>1 0+1 0>2 2-1 1-1 0w", true},
		{"0+2 0>1 0>2 2-1 1-1 0w", true},
		{"0+2 0>1 1-2 0w", true},
		{"0+1 0>1 1-1 1>0 0w 0+1 0>2 2-1 2>0 0w", true},
		{"0>1 0+1 1-1", false},             // the Done may come first
		{"0+1 0>1 0>2 0+1 1-1 2-1", false}, // so it may for two Dones and one Add
		{"0+1 0>1 1-2", false},
		{"0-1", false},
		{"0+1 0>1 1+1 0w", false}, // the Wait may come before the second Add
		{"0>1 0w 1+1", false},
		{"0+1 0>1 1+1 1-1 1-1 1>0 0w", true},
	} {
		var c Count
		threads := make([]Thread, 3)
		for i := range threads {
			threads[i].Slot = int32(i)
			threads[i].Clock.Set(int32(i), 1)
		}
		got := true
		for s := range strings.FieldsSeq(test.steps) {
			th := &threads[s[0]-'0']
			now := th.Access(0, 0)
			switch s[1] {
			case '>':
				threads[s[2]-'0'].Clock.Join(&th.Clock)
				th.Tick()
			case 'w':
				got = c.Wait(th, now) && got
			case '+':
				got = c.Add(th, now, int64(s[2]-'0'), Start{int32(s[0] - '0'), 1}) && got
			case '-':
				ok, _ := c.Done(th, int64(s[2]-'0'), Start{-1, 0}, Start{})
				got = ok && got
			}
		}
		if got != test.want {
			t.Errorf("%s: %v, want %v", test.steps, got, test.want)
		}
	}
}
