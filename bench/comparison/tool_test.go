package main

import (
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		name, out string
		want      outcome
		says      string
	}{
		{"failure", "--- FAIL: TestX (0.00s)\n    x_test.go:5: wrong\nFAIL\n", fails, "x_test.go:5: wrong"},
		{"panic", "--- FAIL: TestX (0.00s)\npanic: no [recovered]\n", fails, "panic: no [recovered]"},
		{"deadlock", "fatal error: all goroutines are asleep - deadlock!\n", fails, "fatal error: all goroutines are asleep - deadlock!"},
		{"race", "==================\nWARNING: DATA RACE\nRead at 0x1\n--- FAIL: TestX\n", races, "WARNING: DATA RACE"},
		{"hang", "panic: test timed out after 10s\n\trunning tests:\n\t\tTestX (10s)\n", hangs, "panic: test timed out after 10s"},
		{"many runs that take long", "panic: test timed out after 10s\n\trunning tests:\n\t\tTestX (350ms)\n", slow, "panic: test timed out after 10s"},
		{
			"leak", "PASS\ngoleak: Errors on successful test run: found unexpected goroutines:\n[Goroutine 6 in state chan receive, with p.f on top of the stack:\n",
			leaks, "[Goroutine 6 in state chan receive, with p.f on top of the stack:",
		},
		{"hang in a bubble", "panic: test timed out after 10s\n\trunning tests:\n\t\tTestX (235k)\n", hangs, "panic: test timed out after 10s"},
		{
			"leak in a bubble", "panic: deadlock: main bubble goroutine has exited but blocked goroutines remain [recovered, repanicked]\n",
			leaks, "panic: deadlock: main bubble goroutine has exited but blocked goroutines remain [recovered, repanicked]",
		},
		{
			"no test for a bubble", "fatal error: receive on synctest channel from outside bubble\n",
			unfit, "fatal error: receive on synctest channel from outside bubble",
		},
	} {
		if got := judge(test.out, 10*time.Second); got.Outcome != test.want || got.Says != test.says {
			t.Errorf("%s: got %s, %q, want %s, %q", test.name, got.Outcome, got.Says, test.want, test.says)
		}
	}
}
