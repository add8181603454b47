package search

import (
	"sync"
	"time"

	"github.com/everyway-go/everyway/internal/engine/results"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A serialObserver lets several searches share an observer.
type serialObserver struct {
	mu  sync.Mutex
	obs verdict.Observer
	// seen are the targets in which findings were first reported, by their source lines.
	seen map[string]string
}

// newSerial returns an observer that hands on to obs what several searches call it with.
func newSerial(obs verdict.Observer) *serialObserver {
	return &serialObserver{obs: obs, seen: map[string]string{}}
}

func (o *serialObserver) Started(pkg, target string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Started(pkg, target)
}

func (o *serialObserver) Initialised(pkg string, elapsed time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Initialised(pkg, elapsed)
}

func (o *serialObserver) Paused(pkg, target string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Paused(pkg, target)
}

func (o *serialObserver) Restarted(pkg, target, file, why string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Restarted(pkg, target, file, why)
}

func (o *serialObserver) Continued(pkg, target string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Continued(pkg, target)
}

func (o *serialObserver) Progress(r *verdict.Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Progress(r)
}

func (o *serialObserver) Confirmed(r *verdict.Result, run *schedule.Run) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Confirmed(r, run)
}

func (o *serialObserver) Found(r *verdict.Result, f *verdict.Counterexample) {
	o.mu.Lock()
	defer o.mu.Unlock()
	lines, target := sourceLines(f.Run.Finding), r.Package+"."+r.Target
	if first, ok := o.seen[lines]; ok && first != target {
		f.SameAs = first
	} else {
		o.seen[lines] = target
	}
	o.obs.Found(r, f)
}

func (o *serialObserver) Output(pkg, target string, text []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Output(pkg, target, text)
}

func (o *serialObserver) Faulted(f *verdict.Fault) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Faulted(f)
}

func (o *serialObserver) Ended(r *verdict.Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Ended(r)
}

func (o *serialObserver) Unbegun(pkg, target string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Unbegun(pkg, target)
}

// A printed observer keeps what the code under test prints.
type printed struct {
	verdict.Observer
	text     []byte
	overflow bool // it is more than is kept
}

func (p *printed) Output(pkg, target string, text []byte) {
	if p.overflow = p.overflow || len(p.text)+len(text) > results.MaxOutput; !p.overflow {
		p.text = append(p.text, text...)
	}
	p.Observer.Output(pkg, target, text)
}
