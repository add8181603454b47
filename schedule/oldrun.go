package schedule

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
)

// Run files of versions 1 and 2 were JSON, one object a line: a Header, and then a RunEvent for each
// step. In version 1 each goroutine of a finding was nested in the one before it. They are read, and
// not written any more.

// oldVersion is the last version of run files that were JSON.
const oldVersion = 2

// oldHeaderProperty is the property of schedules of version 1 that held the header, as JSON.
const oldHeaderProperty = "header"

// maxOldLine bounds a line of an old run file, in bytes.
const maxOldLine = 1 << 28

// readOldRun reads a run file of version 1 or 2.
func readOldRun(br *bufio.Reader, name string) (*Run, error) {
	var r Run
	lines, line := bufio.NewScanner(br), int64(1)
	lines.Buffer(nil, maxOldLine)
	for ; lines.Scan(); line++ {
		if err := r.readOld(line, lines.Bytes()); err != nil {
			return nil, &SyntaxError{File: name, Line: line, What: err.Error()}
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, &SyntaxError{File: name, Line: line, What: fmt.Sprintf("a line of more than %d bytes", maxOldLine)}
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &r, nil
}

// readOld reads a line.
func (r *Run) readOld(line int64, text []byte) error {
	if line == 1 {
		version, err := readOldHeader(&r.Header, string(text))
		r.Version = version
		return err
	}
	var e RunEvent
	if err := json.Unmarshal(text, &e); err != nil {
		return fmt.Errorf("event: %w", err)
	}
	switch {
	case len(r.Events) == maxSteps:
		return fmt.Errorf("more than %d events", maxSteps)
	case e.From != nil && (*e.From < 0 || *e.From >= len(r.Events)):
		return fmt.Errorf("event %d has a value of event %d, which is not before it", len(r.Events), *e.From)
	case e.Object == nil && e.Op.IsLock():
		return fmt.Errorf("event: %q of no object", e.Op)
	}
	r.Events = append(r.Events, e)
	return nil
}

// readOldHeader reads the header of a run into h, and returns its version.
func readOldHeader(h *Header, text string) (version int, err error) {
	if err := json.Unmarshal([]byte(text), h); err != nil {
		return 0, fmt.Errorf("not a run file: %w", err)
	}
	switch {
	case h.Version < 1:
		return 0, errors.New("not a run file: it has no version")
	case h.Version > oldVersion:
		return 0, fmt.Errorf("a run file of version %d that is no schedule; this program reads versions up to %d, so use a newer one", h.Version, Version)
	case h.Version == 1:
		return 1, h.unnest(text)
	}
	return h.Version, nil
}

// unnest gets the goroutines of a finding from a header of version 1.
func (h *Header) unnest(text string) error {
	type nested struct {
		Finding
		Other *nested `json:"other"`
	}
	var header struct {
		Finding *nested `json:"finding"`
	}
	if err := json.Unmarshal([]byte(text), &header); err != nil {
		return fmt.Errorf("finding: %w", err)
	}
	if header.Finding == nil {
		return nil
	}
	for other := header.Finding.Other; other != nil; other = other.Other {
		h.Finding.Others = append(h.Finding.Others, other.Finding)
	}
	return nil
}
