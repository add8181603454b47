package schedule

import (
	"bytes"
	"errors"
	"testing"
)

// FuzzSchedule reads any bytes as a schedule. What is valid comes back from either encoding.
func FuzzSchedule(f *testing.F) {
	f.Add([]byte(everyOperation))
	var binary bytes.Buffer
	if err := convert(&binary, []byte(everyOperation), BinaryEncoding, true); err != nil {
		f.Fatal(err)
	}
	f.Add(binary.Bytes())
	f.Add([]byte("everyway schedule 1\n@location \"a b\" 1 2 -\ng0.0 begin\n%end\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := readAll(t, data)
		var wrong *SyntaxError
		if errors.As(err, &wrong) {
			return
		}
		if err != nil {
			t.Fatalf("a schedule that is read and valid cannot be written: %v", err)
		}
		for _, as := range []Encoding{TextEncoding, BinaryEncoding} {
			var out bytes.Buffer
			if err := convert(&out, []byte(text), as, true); err != nil {
				t.Fatalf("encoding %d: %v\n%s", as, err, text)
			}
			back, err := readAll(t, out.Bytes())
			if err != nil {
				t.Fatalf("encoding %d: %v\n%s", as, err, text)
			}
			if back != text {
				t.Fatalf("encoding %d: got\n%s\nwant\n%s", as, back, text)
			}
		}
	})
}
