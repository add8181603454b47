// Package quartz has a test of github.com/reugn/go-quartz.
package quartz

import (
	"context"
	"testing"

	"github.com/reugn/go-quartz/quartz"
)

// TestRestart: "Start starts the scheduler. The scheduler will run until the Stop method is
// called or the context is canceled." The goroutine that waits for the first context stops
// whatever runs when it gets to it.
func TestRestart(t *testing.T) {
	s, err := quartz.NewStdScheduler()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	s.Start(ctx)
	s.Stop()
	s.Wait(ctx)
	s.Start(ctx)
	if !s.IsStarted() {
		t.Error("the scheduler was started again and does not run")
	}
	s.Stop()
	s.Wait(ctx)
}
