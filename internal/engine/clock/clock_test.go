package clock

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// A process of which the test says how much processor time it has taken.
func process(searches int) (*Clock, *atomic.Int64) {
	used := new(atomic.Int64)
	return &Clock{base: time.Now(), used: func() time.Duration { return time.Duration(used.Load()) }, share: searches}, used
}

// TestProcessor checks that the time of a clock of the processors passes with what they have done,
// and is divided among searches.
func TestProcessor(t *testing.T) {
	c, used := process(2)
	start := c.Now()
	time.Sleep(2 * time.Millisecond)
	if d := c.Since(start); d != 0 {
		t.Errorf("%v have passed while the processors have done nothing", d)
	}
	used.Add(int64(4 * time.Second))
	if d := c.Since(start); d != 2*time.Second {
		t.Errorf("%v have passed of the time of two searches when the processors have worked for 4s, want 2s", d)
	}
	if d := c.Until(start.Add(5 * time.Second)); d != 3*time.Second {
		t.Errorf("%v until 5s after the start, want 3s", d)
	}
}

// TestDeadline checks that a context ends when the processors have done what they may, not before, and says why.
func TestDeadline(t *testing.T) {
	c, used := process(1)
	spent := errors.New("spent")
	ctx, cancel := c.WithDeadlineCause(t.Context(), c.Now().Add(time.Second), spent)
	defer cancel()
	used.Add(int64(999 * time.Millisecond))
	select {
	case <-ctx.Done():
		t.Fatal("the context ends before its time")
	case <-time.After(4 * look):
	}
	used.Add(int64(time.Millisecond))
	<-ctx.Done()
	if cause := context.Cause(ctx); cause != spent {
		t.Errorf("the cause is %v, want %v", cause, spent)
	}
	over, cancel := c.WithTimeout(t.Context(), 0)
	defer cancel()
	if over.Err() == nil || context.Cause(over) != context.DeadlineExceeded {
		t.Errorf("a context without time ends with %v, for %v", over.Err(), context.Cause(over))
	}
}

// TestCancel checks that a context that is done with does not end because of its time.
func TestCancel(t *testing.T) {
	c, used := process(1)
	ctx, cancel := c.WithTimeout(t.Context(), time.Second)
	cancel()
	used.Add(int64(time.Minute))
	if cause := context.Cause(ctx); cause != context.Canceled {
		t.Errorf("the cause is %v", cause)
	}
}

// TestWorld checks that a nil clock tells the time of the world.
func TestWorld(t *testing.T) {
	var c *Clock
	before := time.Now()
	start := c.Now()
	if start.Before(before) || c.Since(start) < 0 {
		t.Error("the time of the world goes back")
	}
	ctx, cancel := c.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	<-ctx.Done()
	if ctx.Err() != context.DeadlineExceeded {
		t.Errorf("the context ends with %v", ctx.Err())
	}
}

// TestThisProcess checks that work is noticed.
func TestThisProcess(t *testing.T) {
	c := Processor(1)
	ctx, cancel := c.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	for ctx.Err() == nil { // this ends only because it takes processor time
	}
}
