package schedule

import "fmt"

// A SyntaxError says where and how a file is not a schedule.
type SyntaxError struct {
	File   string
	Line   int64 // of a text; 0 in the binary encoding
	Offset int64 // in bytes, in the binary encoding
	What   string
}

func (e *SyntaxError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.What)
	}
	return fmt.Sprintf("%s: byte %d: %s", e.File, e.Offset, e.What)
}
