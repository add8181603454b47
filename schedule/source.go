package schedule

import (
	"errors"
	"fmt"
	"io"
)

// A source reads bytes of the binary encoding, and counts them.
type source struct {
	r        io.Reader
	file     string
	buf      []byte
	pos, end int
	base     int64 // offset of buf in the file
	start    int64 // offset of the record that is being read
}

// offset returns how many bytes have been read.
func (s *source) offset() int64 { return s.base + int64(s.pos) }

// fail returns the error that something is wrong in the record that is being read.
func (s *source) fail(what string) error {
	return &SyntaxError{File: s.file, Offset: s.start, What: what}
}

// fill reads more into the buffer, which has been used up.
func (s *source) fill() error {
	s.base += int64(s.pos)
	s.pos, s.end = 0, 0
	for range 100 {
		n, err := s.r.Read(s.buf)
		if n > 0 {
			s.end = n
			return nil
		}
		if errors.Is(err, io.EOF) {
			return &SyntaxError{File: s.file, Offset: s.base, What: "the file is cut short: its end is missing"}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
	}
	return fmt.Errorf("%s: %w", s.file, io.ErrNoProgress)
}

// byte reads a byte.
func (s *source) byte() (byte, error) {
	if s.pos == s.end {
		if err := s.fill(); err != nil {
			return 0, err
		}
	}
	c := s.buf[s.pos]
	s.pos++
	return c, nil
}

// uvarint reads a number.
func (s *source) uvarint() (uint64, error) {
	if s.pos < s.end {
		if c := s.buf[s.pos]; c < 0x80 {
			s.pos++
			return uint64(c), nil
		}
	}
	return s.longUvarint()
}

// longUvarint is uvarint for a number of several bytes.
func (s *source) longUvarint() (n uint64, err error) {
	for shift := 0; shift < 64; shift += 7 {
		c, err := s.byte()
		if err != nil {
			return 0, err
		}
		if shift == 63 && c > 1 {
			break
		}
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return n, nil
		}
	}
	return 0, s.fail("a number of more than 64 bits")
}

// below reads a number that is below a bound.
func (s *source) below(bound uint64, what string) (uint64, error) {
	n, err := s.uvarint()
	if err == nil && n >= bound {
		err = s.fail(fmt.Sprintf("%s %d is not below %d", what, n, bound))
	}
	return n, err
}

// text reads a string.
func (s *source) text() (string, error) {
	n, err := s.below(maxName+1, "length")
	if err != nil {
		return "", err
	}
	var text []byte
	for len(text) < int(n) {
		if s.pos == s.end {
			if err := s.fill(); err != nil {
				return "", err
			}
		}
		k := min(int(n)-len(text), s.end-s.pos)
		text = append(text, s.buf[s.pos:s.pos+k]...)
		s.pos += k
	}
	return string(text), nil
}
