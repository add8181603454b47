package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// A result is how a program in scope fared.
type result struct {
	Name    string
	Fails   string `json:",omitempty"` // how it fails natively
	Differs string `json:",omitempty"` // how the machine's run differs from the native one
}

// results are those that are there already. A file, if there is one, has each as a
// line of JSON, so that a run that is broken off can go on.
type results struct {
	byName map[string]result
	file   *os.File // nil for none
}

// openResults reads the results in a file, and adds to it what comes. No name is no
// file.
func openResults(name string) (*results, error) {
	r := &results{byName: make(map[string]result)}
	if name == "" {
		return r, nil
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("opening the results: %w", err)
	}
	r.file = f
	d := json.NewDecoder(f)
	for {
		var one result
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return r, nil
		} else if err != nil {
			f.Close()
			return nil, fmt.Errorf("reading the results in %s: %w", name, err)
		}
		r.byName[one.Name] = one
	}
}

// has reports whether there is a result for p.
func (r *results) has(p *program) bool {
	_, ok := r.byName[p.name]
	return ok
}

// add adds a result.
func (r *results) add(one result) error {
	r.byName[one.Name] = one
	if r.file == nil {
		return nil
	}
	if err := json.NewEncoder(r.file).Encode(one); err != nil {
		return fmt.Errorf("writing a result: %w", err)
	}
	return nil
}

// close closes the file.
func (r *results) close() {
	if r.file != nil {
		r.file.Close()
	}
}
