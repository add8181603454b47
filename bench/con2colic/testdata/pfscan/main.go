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

// Options say what to look for and where.
type options struct {
	pattern    byte
	ignoreCase bool // of what is scanned; the pattern is in lower case
	lines      bool // count lines, not matches
	all        bool // hidden files too
	depth      int  // of directories, from 1 on
	workers    int
}

// parse sets the options that the arguments say, but for the pattern. It returns
// how many arguments are left, -1 if one of them is wrong.
func (o *options) parse(args []string) int {
	for i, arg := range args {
		if len(arg) < 2 || arg[0] != '-' {
			return len(args) - i
		}
		switch arg[1] {
		case 'a':
			o.all = true
		case 'l':
			o.lines = true
		case 'd':
			if o.depth = number(arg[2:]); o.depth <= 0 {
				return -1
			}
		case 'n':
			if o.workers = number(arg[2:]); o.workers <= 0 {
				return -1
			}
		default:
			return -1
		}
	}
	return 0
}

// number returns the number that s is, -1 if it is none.
func number(s string) int {
	if s == "" {
		return -1
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = 10*n + int(s[i]-'0')
	}
	return n
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
		b = lower(b)
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
			continue
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

// walk queues the files in a directory. It reports false when it cannot.
func (s *scanner) walk(d *directory, depth int) bool {
	if depth > s.options.depth {
		return true
	}
	if d == nil {
		return false
	}
	for _, f := range d.files {
		if hidden(f.name) && !s.options.all {
			continue
		}
		if len(f.data) == 0 || !text(f.data) {
			continue
		}
		if !s.queue.put(f) {
			return false
		}
	}
	for _, sub := range d.directories {
		if !s.walk(sub, depth+1) {
			return false
		}
	}
	return true
}

// scan scans a file.
func (s *scanner) scan(f file) {
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
	if s.matches != s.total(tree) {
		panic("pfscan: matches are lost")
	}
}

// total returns the matches in the files that are queued for d.
func (s *scanner) total(d *directory) int {
	n := 0
	for _, f := range d.files {
		if !hidden(f.name) && text(f.data) {
			n += s.options.count(f.data)
		}
	}
	return n
}

// A directory is files and further directories.
type directory struct {
	files       []file
	directories []*directory
}

// tree is what is scanned.
var tree = &directory{
	files: []file{
		{".", nil},
		{"..", nil},
		{".git", []byte("x")},
		{"a", []byte("X\n")},
		{"b", []byte("\tx")},
		{"c.o", []byte("\x7fELF\x00")},
		{"d.o", []byte("\x01")},
		{"empty", nil},
	},
	directories: []*directory{{directories: []*directory{nil}}},
}

func main() {
	pattern, ignoreCase := sym.Uint8("pattern"), sym.Bool("ignoreCase")
	s := &scanner{queue: newQueue()}
	s.options = options{pattern: pattern, ignoreCase: ignoreCase, depth: 1}
	if left := s.options.parse([]string{"-l", "-d2", "-n2", "tree"}); left != 1 {
		panic("pfscan: wrong arguments")
	}
	s.active = s.options.workers
	if !s.walk(tree, 1) {
		panic("pfscan: a directory cannot be walked")
	}
	s.queue.close()
	var wg sync.WaitGroup
	for range s.options.workers {
		wg.Go(s.work)
	}
	wg.Wait()
}
