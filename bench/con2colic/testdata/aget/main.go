// Aget is a download accelerator after aget 0.4: goroutines fetch the segments
// of a file, and on an interrupt another saves how far they are, so that the
// download can be resumed. It reads the counts one by one while the downloads go
// on (the bug of aget that SCTBench lists): what is saved does not add up.
package main

import "sync"

const (
	segments    = 1
	segmentSize = 4 // chunks
	headerSize  = 3 // bytes before the body of a response
)

// The states of a response's header.
const (
	inStatus = iota
	inLength
	inBody
)

// A segment is a part of the file.
type segment struct {
	mu     sync.Mutex
	begin  int
	end    int
	offset int  // next chunk to fetch
	busy   bool // being fetched
}

// A download is a file that is being fetched.
type download struct {
	segments [segments]segment

	mu      sync.Mutex
	written int // chunks, of all segments
	percent int // of the bar that is shown
}

// A response is what the server sends for a segment.
type response struct {
	state int
	code  int
	bytes []byte
}

// A mode says what the bar shows.
type mode int

const (
	showPercent mode = iota
	showChunks
	showNothing
)

// bar returns the width of the bar for so many chunks.
func bar(m mode, written int) int {
	switch m {
	case showPercent:
		return written * 100 / (segments * segmentSize)
	case showChunks:
		return written
	}
	return 0
}

// request returns the response for the chunks from begin to end. The server is
// part of the program.
func request(begin, end int) *response {
	r := &response{bytes: []byte{'2', 'L', '\n'}}
	if begin >= end {
		r.bytes[0] = '4' // range not satisfiable
	} else if end > segments*segmentSize {
		r.bytes[0] = '5'
	}
	for i := begin; i < end; i++ {
		b := byte('a')
		if i%2 == 1 {
			b = 'b'
		}
		r.bytes = append(r.bytes, b)
	}
	return r
}

// header reads the header, and reports whether there is a body.
func (r *response) header() bool {
	for r.state != inBody {
		if len(r.bytes) == 0 {
			return false
		}
		b := r.bytes[0]
		r.bytes = r.bytes[1:]
		switch r.state {
		case inStatus:
			if b < '0' || b > '9' {
				return false
			}
			r.code = int(b - '0')
			if r.code != 2 {
				return false
			}
			r.state = inLength
		case inLength:
			if b == '\n' {
				r.state = inBody
			}
		}
	}
	return true
}

// receive returns the number of chunks that the next read of the connection
// gives, 0 at the end.
func (r *response) receive() int {
	n := 0
	for len(r.bytes) > 0 && n < 2 {
		if r.bytes[0] != 'a' && r.bytes[0] != 'b' {
			return -1
		}
		r.bytes = r.bytes[1:]
		n++
	}
	return n
}

// setOffset notes how far a segment is.
func (s *segment) setOffset(offset int, busy bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offset, s.busy = offset, busy
}

// fetch fetches segment i.
func (d *download) fetch(i int) {
	s := &d.segments[i]
	s.mu.Lock()
	begin, end := s.begin, s.end
	s.busy = true
	s.mu.Unlock()
	r := request(begin, end)
	if !r.header() {
		return
	}
	at := begin
	for at < end {
		n := r.receive()
		if n < 0 {
			return
		}
		if n == 0 {
			break
		}
		if at+n > end {
			n = end - at
		}
		at += n
		s.setOffset(at, at < end)
		d.wrote(n) // bug: between the two the counts differ
	}
}

// wrote counts chunks that were written to the file.
func (d *download) wrote(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.written += n
	if d.written >= segments*segmentSize {
		d.percent = 100
	} else if p := bar(showPercent, d.written); p > d.percent {
		d.percent = p
	}
}

// A state is what is saved on an interrupt.
type state struct {
	offset  [segments]int
	written int
}

// save returns how far the download is, and reports whether it is under way.
func (d *download) save() (state, bool) {
	var st state
	for i := range d.segments {
		s := &d.segments[i]
		s.mu.Lock()
		busy := s.busy
		s.mu.Unlock()
		if !busy {
			return st, false // nothing to resume
		}
		s.mu.Lock()
		st.offset[i] = s.offset
		s.mu.Unlock()
	}
	d.mu.Lock()
	st.written = d.written
	d.mu.Unlock()
	return st, true
}

// interrupt saves the download, as the handler of a signal does.
func (d *download) interrupt() {
	st, ok := d.save()
	if !ok {
		return
	}
	sum := 0
	for i, offset := range st.offset {
		begin := i * segmentSize
		if offset < begin {
			panic("aget: a segment before its begin")
		}
		if offset > begin+segmentSize {
			panic("aget: a segment beyond its end")
		}
		sum += offset - begin
	}
	if sum != st.written {
		panic("aget: what is saved does not add up")
	}
}

func main() {
	d := &download{}
	for i := range d.segments {
		d.segments[i].begin = i * segmentSize
		d.segments[i].end = (i + 1) * segmentSize
		d.segments[i].offset = d.segments[i].begin
	}
	var wg sync.WaitGroup
	for i := range d.segments {
		wg.Go(func() { d.fetch(i) })
	}
	wg.Go(d.interrupt)
	wg.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.written < segments*segmentSize {
		return // it can be resumed
	}
	if d.percent != 100 {
		panic("aget: the bar is not at its end")
	}
}
