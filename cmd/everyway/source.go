package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/gotrace"
	"github.com/everyway-go/everyway/internal/join"
	"github.com/everyway-go/everyway/schedule"
)

// A source is a schedule that is read: a file, or what has been made of files that are no schedules by themselves.
type source struct {
	name   string // in messages
	made   []byte // the schedule in the binary encoding, if it is none of a file
	files  []*os.File
	first  *schedule.Reader // of the file, which has not been used yet
	traced bool             // it is of a trace of the Go runtime
	joined *join.Joined     // if an order has been found
}

// openSource opens a schedule. Files of local order are joined; if joins is set, all files are
// joined, whatever they say of themselves.
func openSource(ctx context.Context, files []string, joins bool) (s *source, err error) {
	s = &source{name: strings.Join(files, ", ")}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	traces := join.NewTraces()
	for _, file := range files {
		r, traced, err := s.open(ctx, file)
		if err != nil {
			return s, err
		}
		if traced && joins {
			return s, usagef("%s: a trace of the Go runtime has an order, and is not joined", file)
		}
		if traced || !joins && r.Property(schedule.OrderProperty) != schedule.LocalOrder {
			s.first, s.traced = r, traced
			return s, nil
		}
		if err := traces.Add(file, r); err != nil {
			return s, err
		}
	}
	if s.joined, err = traces.Join(ctx); err != nil {
		if wrong := (*join.InputError)(nil); errors.As(err, &wrong) {
			return s, err
		}
		return s, fmt.Errorf("%s: %w", s.name, err)
	}
	var buf bytes.Buffer
	if err := s.joined.Write(&buf, schedule.BinaryEncoding); err != nil {
		return s, fmt.Errorf("%s: %w", s.name, err)
	}
	s.made = buf.Bytes()
	return s, nil
}

// open opens a file. A trace of the Go runtime is made a schedule.
func (s *source) open(ctx context.Context, file string) (r *schedule.Reader, traced bool, err error) {
	from := os.Stdin
	if file != "-" {
		if from, err = os.Open(file); err != nil {
			return nil, false, err
		}
		s.files = append(s.files, from)
	}
	buf := bufio.NewReader(from)
	if first, _ := buf.Peek(16); !gotrace.Is(first) {
		r, err = schedule.NewReader(buf, file)
		return r, false, err
	}
	dir, err := workDir()
	if err != nil {
		return nil, false, err
	}
	var made bytes.Buffer
	if err := gotrace.Convert(ctx, buf, file, dir, &made, schedule.BinaryEncoding); err != nil {
		return nil, false, err
	}
	s.made = made.Bytes()
	r, err = schedule.NewReader(bytes.NewReader(s.made), file)
	return r, true, err
}

// reader returns a reader of the schedule from its beginning.
func (s *source) reader() (*schedule.Reader, error) {
	if r := s.first; r != nil {
		s.first = nil
		return r, nil
	}
	if s.made != nil {
		return schedule.NewReader(bytes.NewReader(s.made), s.name)
	}
	from := s.files[len(s.files)-1]
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("reading a schedule again: %w", err)
	}
	return schedule.NewReader(from, s.name)
}

// writeTo writes the schedule, and returns the number of events.
func (s *source) writeTo(to io.Writer, as schedule.Encoding) (int64, error) {
	r, err := s.reader()
	if err != nil {
		return 0, err
	}
	w, err := schedule.NewWriter(to, as, r.Table(), r.Properties()...)
	if err != nil {
		return 0, err
	}
	for e, err := range r.Events() {
		if err != nil {
			return 0, err
		}
		if err := w.Write(e); err != nil {
			return 0, err
		}
	}
	return w.Events(), w.Close()
}

// Close closes the files.
func (s *source) Close() {
	for _, f := range slices.Backward(s.files) {
		f.Close()
	}
}

// isInputError reports whether an error is that a file is missing, or is not what is read, or that nothing explains it.
func isInputError(err error) bool {
	var wrong *schedule.SyntaxError
	var missing *os.PathError
	var input *join.InputError
	var order *join.NoOrderError
	var trace *gotrace.Error
	return errors.As(err, &wrong) || errors.As(err, &missing) || errors.As(err, &input) || errors.As(err, &order) || errors.As(err, &trace)
}
