// Package cron has a test of github.com/robfig/cron/v3.
package cron

import (
	"testing"
	"time"

	"github.com/robfig/cron/v3"
)

// soon is a schedule that is due every millisecond.
type soon struct{}

func (soon) Next(t time.Time) time.Time { return t.Add(time.Millisecond) }

// TestRestart: Stop leaves a goroutine behind that waits for the running jobs, on a wait group
// that the jobs of the next Start are added to.
func TestRestart(t *testing.T) {
	c := cron.New(cron.WithLocation(time.UTC), cron.WithLogger(cron.DiscardLogger))
	started := make(chan bool, 1)
	c.Schedule(soon{}, cron.FuncJob(func() {
		select {
		case started <- true:
		default:
		}
	}))
	c.Start()
	<-started
	c.Stop()
	c.Start()
	<-started
	<-c.Stop().Done()
}
