package main

import (
	"sync"

	"github.com/everyway-go/everyway/bench/internal/journal"
)

// A result is how a program in scope fared.
type result struct {
	Native  *ending `json:",omitempty"` // nil as long as it has not run natively
	Machine *report `json:",omitempty"` // nil as long as it has not run in the machine
}

// results are those that are there already, by what they are true of. They are safe
// for concurrent use.
type results struct {
	mu sync.Mutex
	*journal.Journal[result]
}

// openResults reads the results in a file, and adds to it what comes. No name is no
// file.
func openResults(name string) (*results, error) {
	j, err := journal.Open[result](name)
	if err != nil {
		return nil, err
	}
	return &results{Journal: j}, nil
}

// of returns the result for p, which is empty when there is none for p as it is.
func (r *results) of(p *program) result {
	r.mu.Lock()
	defer r.mu.Unlock()
	one, _ := r.Get(p.key)
	return one
}

// set takes the result for p.
func (r *results) set(p *program, one result) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.Put(p.key, one)
}
