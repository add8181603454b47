// Pfscan is a parallel file scanner after pfscan 1.0: the names of files go
// through a bounded queue to workers, which look for a pattern. The workers
// count the matches without a lock, so that with two at work some are lost.
package main

import (
	"sync"

	"github.com/everyway-go/everyway/sym"
)

// A file is a name and what is in the file.
type file struct {
	name string
	data []byte
}

// A queue hands files from the one who walks the tree to the workers.
type queue struct {
	mu       sync.Mutex
	more     sync.Cond // it is not empty, or closed
	less     sync.Cond // it is not full
	buf      [4]file
	occupied int
	nextIn   int
	nextOut  int
	closed   bool
}

func newQueue() *queue {
	q := &queue{}
	q.more.L, q.less.L = &q.mu, &q.mu
	return q
}

// put appends f, and reports false when the queue is closed.
func (q *queue) put(f file) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	for q.occupied >= len(q.buf) {
		q.less.Wait()
	}
	q.buf[q.nextIn] = f
	q.nextIn++
	if q.nextIn == len(q.buf) {
		q.nextIn = 0
	}
	q.occupied++
	q.more.Signal()
	return true
}

// get takes the first file, and reports false when there will be none.
func (q *queue) get() (file, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := q.occupied
	for n <= 0 {
		if q.closed {
			return file{}, false
		}
		q.more.Wait()
		n = q.occupied
	}
	i := q.nextOut
	f := q.buf[i]
	if i++; i == len(q.buf) {
		i = 0
	}
	q.nextOut = i
	q.occupied = n - 1
	q.less.Signal()
	return f, true
}

// close says that nothing more will come.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		panic("pfscan: the queue is closed twice")
	}
	q.closed = true
	q.more.Broadcast()
}

// Options say how to look.
type options struct {
	pattern    byte
	ignoreCase bool
	lines      bool // count lines, not matches
}

// A scanner is the state of the program.
type scanner struct {
	options options
	queue   *queue

	matches int // bug: there is no lock for it

	mu     sync.Mutex
	active int // workers
}

// lower returns b in lower case.
func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

// fits reports whether b fits the pattern.
func (o *options) fits(b byte) bool {
	if o.ignoreCase {
		return lower(b) == lower(o.pattern)
	}
	return b == o.pattern
}

// count returns the matches in data, or the lines with one.
func (o *options) count(data []byte) int {
	n := 0
	skip := false // the line has been counted
	for _, b := range data {
		if b == '\n' {
			skip = false
		}
		if skip {
			continue
		}
		if o.fits(b) {
			n++
			if o.lines {
				skip = true
			}
		}
	}
	return n
}

// text reports whether data looks like text, and not like a program.
func text(data []byte) bool {
	for i, b := range data {
		if i >= 8 {
			break
		}
		if b == 0 {
			return false
		}
		if b < ' ' && b != '\n' && b != '\t' {
			return false
		}
	}
	return true
}

// hidden reports whether files of the name are left out.
func hidden(name string) bool {
	if name == "" {
		return true
	}
	if name[0] != '.' {
		return false
	}
	return name != "." && name != ".."
}

// scan scans a file.
func (s *scanner) scan(f file) {
	if hidden(f.name) {
		return
	}
	if !text(f.data) {
		return
	}
	if n := s.options.count(f.data); n > 0 {
		s.matches += n
	}
}

// work scans files until there are no more. The last worker reports.
func (s *scanner) work() {
	for {
		f, ok := s.queue.get()
		if !ok {
			break
		}
		s.scan(f)
	}
	s.mu.Lock()
	s.active--
	last := s.active == 0
	s.mu.Unlock()
	if last {
		s.report()
	}
}

// report compares the number of matches with what one worker alone counts.
func (s *scanner) report() {
	want := 0
	for _, f := range tree {
		if !hidden(f.name) && text(f.data) {
			want += s.options.count(f.data)
		}
	}
	if s.matches != want {
		panic("pfscan: matches are lost")
	}
}

// tree is what is scanned.
var tree = []file{
	{".git", []byte("x")},
	{"a", []byte("xY\n")},
	{"b", []byte("zX")},
	{"c.o", []byte("\x7fELF\x00")},
}

const workers = 2

func main() {
	pattern, mode := sym.Uint8("pattern"), sym.Uint8("mode")
	s := &scanner{
		options: options{pattern: pattern, ignoreCase: mode&1 != 0, lines: mode&2 != 0},
		queue:   newQueue(),
		active:  workers,
	}
	for _, f := range tree {
		if !s.queue.put(f) {
			return
		}
	}
	s.queue.close()
	var wg sync.WaitGroup
	for range workers {
		wg.Go(s.work)
	}
	wg.Wait()
}
