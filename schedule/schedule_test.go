package schedule

import (
	"bytes"
	_ "embed"
	"errors"
	"io"
	"strings"
	"testing"
)

// everyOperation is a valid schedule with each operation, and with all parts of events.
//
//go:embed testdata/every.schedule.txt
var everyOperation string

// readAll returns the events of a schedule as they are in the text, having checked each of them.
func readAll(t testing.TB, data []byte) (text string, err error) {
	var out bytes.Buffer
	err = convert(&out, data, TextEncoding, true)
	return out.String(), err
}

// convert writes the schedule in data in an encoding.
func convert(to io.Writer, data []byte, as Encoding, valid bool) error {
	r, err := NewReader(bytes.NewReader(data), "a.schedule")
	if err != nil {
		return err
	}
	w, err := NewWriter(to, as, r.Table(), r.Properties()...)
	if err != nil {
		return err
	}
	s := NewState(r.Table())
	for e, err := range r.Events() {
		if err != nil {
			return err
		}
		if valid {
			if err := s.Next(e); err != nil {
				return r.Fail(err.Error())
			}
		}
		if err := w.Write(e); err != nil {
			return err
		}
	}
	return w.Close()
}

func TestEncodings(t *testing.T) {
	text, err := readAll(t, []byte(everyOperation))
	if err != nil {
		t.Fatal(err)
	}
	if text != everyOperation {
		t.Fatalf("got\n%s", text)
	}
	var binary bytes.Buffer
	if err := convert(&binary, []byte(everyOperation), BinaryEncoding, true); err != nil {
		t.Fatal(err)
	}
	if text, err = readAll(t, binary.Bytes()); err != nil {
		t.Fatal(err)
	}
	if text != everyOperation {
		t.Fatalf("by the binary encoding, got\n%s", text)
	}
	for op := NoOp + 1; op < NumOps; op++ {
		if !strings.Contains(text, " "+op.Word()) {
			t.Errorf("operation %q is not tested", op.Word())
		}
	}
	for n := range binary.Len() {
		var wrong *SyntaxError
		if _, err := readAll(t, binary.Bytes()[:n]); !errors.As(err, &wrong) {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
	for n := range len(text) {
		var wrong *SyntaxError
		if _, err := readAll(t, []byte(text[:n])); !errors.As(err, &wrong) && n < len(text)-1 {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
}

func TestClone(t *testing.T) {
	r, err := NewReader(strings.NewReader(everyOperation), "a.schedule")
	if err != nil {
		t.Fatal(err)
	}
	var events []Event
	for e, err := range r.Events() {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e.Clone())
	}
	var out bytes.Buffer
	w, err := NewWriter(&out, TextEncoding, r.Table(), r.Properties()...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		if err := w.Write(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if out.String() != everyOperation {
		t.Errorf("got\n%s", out.String())
	}
}
