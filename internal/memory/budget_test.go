package memory

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A process is one whose memory is what a test says.
type process struct {
	*Budget
	use       usage
	after     usage // when garbage has been collected
	time      time.Time
	collected int
	dropped   int
}

func newProcess() *process {
	p := &process{time: time.Unix(1, 0)}
	p.Budget = NewBudget(1000)
	p.usage = func() usage { return p.use }
	p.collect = func() { p.collected++; p.use = p.after }
	p.now = func() time.Time { return p.time }
	p.OnShort(func() { p.dropped++ })
	return p
}

// pass lets time pass, and looks at the memory meanwhile.
func (p *process) pass(d time.Duration) {
	for end := p.time.Add(d); p.time.Before(end); {
		p.time = p.time.Add(watchEvery)
		p.look(p.time)
	}
}

func TestBudget(t *testing.T) {
	p := newProcess()
	small, first := p.Begin(t.Context())
	large, second := p.Begin(t.Context())
	first.Gauge().Hold(10, 0)
	second.Gauge().Hold(5, 0)
	second.Gauge().Hold(6, 0)

	p.use = usage{total: 850, live: 380}
	p.pass(time.Second)
	if p.collected+p.dropped > 0 {
		t.Errorf("%d collections, %d times memory was let go of, though there is enough", p.collected, p.dropped)
	}

	let := 0
	first.OnShort(func() { let++ })
	second.OnShort(func() { t.Error("what is not wanted any more is called") })
	second.OnShort(nil)
	p.use = usage{total: 850, live: 430}
	p.pass(time.Second)
	if let != 1 {
		t.Errorf("a share has let go of memory %d times, not once", let)
	}
	if p.dropped != 1 || small.Err() != nil || large.Err() != nil {
		t.Errorf("with little memory left, it was let go of %d times, not once, and shares end with %v, %v", p.dropped, small.Err(), large.Err())
	}

	// Most of it is garbage.
	p.use, p.after = usage{total: 960, live: 800}, usage{total: 400, live: 300}
	p.pass(time.Second)
	if p.collected != 1 || small.Err() != nil || large.Err() != nil {
		t.Errorf("%d collections, shares end with %v, %v", p.collected, small.Err(), large.Err())
	}

	// None is: the larger share goes. It takes a while to end, and then all is well.
	p.use, p.after = usage{total: 960, live: 800}, usage{total: 960, live: 800}
	p.pass(time.Second)
	exceeded := (*ExceededError)(nil)
	if err := Reason(large, large.Err()); small.Err() != nil || !errors.As(err, &exceeded) || exceeded.Limit != 1000 {
		t.Errorf("shares end with %v, %v", small.Err(), err)
	}
	p.after = usage{total: 400, live: 300}
	second.End()
	p.pass(time.Second)
	if small.Err() != nil || Exceeded(small) != nil {
		t.Error("the other share ends too")
	}

	// A share that does not end does not save the others.
	_, third := p.Begin(t.Context())
	third.Gauge().Hold(100, 0)
	p.use, p.after = usage{total: 1100, live: 1100}, usage{total: 1100, live: 1100}
	p.pass(patience + time.Second)
	if Exceeded(small) == nil {
		t.Error("nothing is done when memory does not get less")
	}
	first.End()
	third.End()
}

// Without a budget nothing is bounded.
func TestNoBudget(t *testing.T) {
	var b *Budget
	b.OnShort(func() { t.Error("called") })
	ctx, cancel := context.WithCancel(t.Context())
	got, share := b.Begin(ctx)
	share.Gauge().Hold(1, 0)
	share.End()
	if got.Err() != nil {
		t.Error("the context ends with the share")
	}
	cancel()
	if err := Reason(got, got.Err()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
