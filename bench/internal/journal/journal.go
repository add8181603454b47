package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// A Journal holds results of type T by key. Its file has each as a line of JSON; the last
// one of a key counts.
type Journal[T any] struct {
	byKey map[string]T
	file  *os.File // nil for none
}

// A line is a line of the file.
type line[T any] struct {
	Key    string
	Result T
}

// Open reads the results in a file, which is made if there is none. No name is no file.
func Open[T any](name string) (*Journal[T], error) {
	j := &Journal[T]{byKey: make(map[string]T)}
	if name == "" {
		return j, nil
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("opening the results: %w", err)
	}
	j.file = f
	for d := json.NewDecoder(f); ; {
		var l line[T]
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return j, nil
		} else if err != nil {
			f.Close()
			return nil, fmt.Errorf("reading the results in %s: %w", name, err)
		}
		j.byKey[l.Key] = l.Result
	}
}

// Get returns the result of a key.
func (j *Journal[T]) Get(key string) (T, bool) {
	r, ok := j.byKey[key]
	return r, ok
}

// Put adds a result, or replaces the one of its key.
func (j *Journal[T]) Put(key string, r T) error {
	j.byKey[key] = r
	if j.file == nil {
		return nil
	}
	if err := json.NewEncoder(j.file).Encode(line[T]{key, r}); err != nil {
		return fmt.Errorf("writing a result: %w", err)
	}
	return nil
}

// Close closes the file.
func (j *Journal[T]) Close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
