// Package pfscan is after pfscan 1.0, a parallel file scanner: one goroutine walks a tree and puts files into a bounded
// queue of a lock and two condition variables; workers take them, and look for a string in them.
package pfscan

import "sync"

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
	buf      []file
	occupied int
	nextIn   int
	nextOut  int
	closed   bool
}

func newQueue(size int) *queue {
	q := &queue{buf: make([]file, size)}
	q.more.L, q.less.L = &q.mu, &q.mu
	return q
}

// put appends f, and reports false when the queue is closed.
func (q *queue) put(f file) bool {
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
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
	q.mu.Unlock()
	return true
}

// get takes the first file, and reports false when there will be none.
func (q *queue) get() (file, bool) {
	q.mu.Lock()
	for q.occupied <= 0 && !q.closed {
		q.more.Wait()
	}
	if q.occupied <= 0 {
		q.mu.Unlock()
		return file{}, false
	}
	f := q.buf[q.nextOut]
	q.nextOut++
	if q.nextOut == len(q.buf) {
		q.nextOut = 0
	}
	q.occupied--
	q.less.Signal()
	q.mu.Unlock()
	return f, true
}

// close says that nothing more will come.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.more.Broadcast()
	q.mu.Unlock()
}

// A scanner is the state of the program.
type scanner struct {
	queue   *queue
	pattern []byte
	workers int

	mu      sync.Mutex // of what is found
	matches int
	aborted int // files that are no text
}

// work scans files until there are no more.
func (s *scanner) work() {
	for {
		f, ok := s.queue.get() // context: pfscan, 2 goroutines
		if !ok {
			return
		}
		s.scan(&f)
	}
}

// scan counts the matches in a file.
func (s *scanner) scan(f *file) {
	for i := 0; ; i++ {
		i = s.next(f.data, i)
		if i == len(f.data) {
			return
		}
		if f.data[i] == 0 {
			s.mu.Lock()
			s.aborted++
			s.mu.Unlock()
			return
		}
		s.mu.Lock()
		s.matches++
		s.mu.Unlock()
	}
}

// next returns where data has the pattern, or a zero byte, from i on, or its length.
func (s *scanner) next(data []byte, i int) int {
	for ; i < len(data); i++ {
		if data[i] == 0 || s.matchesAt(data[i:]) {
			return i
		}
	}
	return i
}

func (s *scanner) matchesAt(data []byte) bool {
	if len(data) < len(s.pattern) {
		return false
	}
	for i, b := range s.pattern {
		if data[i] != b {
			return false
		}
	}
	return true
}

// walk puts the files into the queue.
func (s *scanner) walk(files []file) {
	for _, f := range files {
		if len(f.name) == 0 || f.name[0] == '.' {
			continue
		}
		s.queue.put(f) // context: pfscan, 1 goroutine
	}
	s.queue.close()
}

// run scans files.
func (s *scanner) run(files []file) {
	var wg sync.WaitGroup
	for range s.workers {
		wg.Go(s.work)
	}
	s.walk(files)
	wg.Wait()
}
