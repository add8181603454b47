// Package pfscan is after pfscan 1.0, a parallel file scanner: one goroutine walks a tree and puts files into a bounded
// queue of a lock and two condition variables; workers take them, and look for a string in them.
package pfscan

import "sync"

// A File is a name and what is in the file.
type File struct {
	Name string
	Data []byte
}

// A Queue hands files from the one who walks the tree to the workers.
type Queue struct {
	mu       sync.Mutex
	more     sync.Cond // it is not empty, or closed
	less     sync.Cond // it is not full
	buf      []File
	occupied int
	nextIn   int
	nextOut  int
	closed   bool
}

// NewQueue returns a queue with room for a number of files.
func NewQueue(size int) *Queue {
	q := &Queue{buf: make([]File, size)}
	q.more.L, q.less.L = &q.mu, &q.mu
	return q
}

// Put appends f, and reports false when the queue is closed.
func (q *Queue) Put(f File) bool {
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

// Get takes the first file, and reports false when there will be none.
func (q *Queue) Get() (File, bool) {
	q.mu.Lock()
	for q.occupied <= 0 && !q.closed {
		q.more.Wait()
	}
	if q.occupied <= 0 {
		q.mu.Unlock()
		return File{}, false
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

// Close says that nothing more will come.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	q.more.Broadcast()
	q.mu.Unlock()
}

// A scanner is the state of the program.
type scanner struct {
	queue   *Queue
	pattern []byte
	workers int

	mu      sync.Mutex // of what is found
	matches int
	aborted int // files that are no text
}

// work scans files until there are no more.
func (s *scanner) work() {
	for {
		f, ok := s.queue.Get() // context: pfscan, 2 goroutines
		if !ok {
			return
		}
		s.scan(&f)
	}
}

// scan counts the matches in a file.
func (s *scanner) scan(f *File) {
	for i := 0; ; i++ {
		i = s.next(f.Data, i)
		if i == len(f.Data) {
			return
		}
		if f.Data[i] == 0 {
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
func (s *scanner) walk(files []File) {
	for _, f := range files {
		if len(f.Name) == 0 || f.Name[0] == '.' {
			continue
		}
		s.queue.Put(f) // context: pfscan, 1 goroutine
	}
	s.queue.Close()
}

// run scans files.
func (s *scanner) run(files []File) {
	var wg sync.WaitGroup
	for range s.workers {
		wg.Go(s.work)
	}
	s.walk(files)
	wg.Wait()
}
