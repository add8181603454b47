// Package pfscan is after pfscan 1.0, a parallel file scanner: one goroutine walks a tree and puts files into a bounded
// queue of a lock and two condition variables; workers take them, look for a string in them, and print where it is. The queue and what is
// counted are variables of the package, and conditions are signalled with the lock held, as in the copy that Bergan has searched.
package pfscan

import "sync"

// An Entry is what the walk of a tree finds.
type Entry struct {
	Kind           Kind
	CannotOpen     bool
	CannotStat     bool
	CannotBeMapped bool
	Text           [8]byte
}

// A Kind says what is at a path.
type Kind byte

const (
	Missing Kind = iota
	Unreadable
	Directory
	Regular
)

// workers is how many goroutines scan files.
const workers = 2

// size is how many files there can be in the queue.
const size = workers + 8

// The queue hands files from the one who walks the tree to the workers.
var (
	mu       sync.Mutex
	more     = sync.Cond{L: &mu} // it is not empty, or closed
	less     = sync.Cond{L: &mu} // it is not full
	buf      [size]int           // indices in entries
	occupied int
	nextIn   int
	nextOut  int
	closed   bool
)

// put appends a file, and reports false when the queue is closed.
func put(f int) bool {
	mu.Lock()
	if closed {
		mu.Unlock()
		return false
	}
	for occupied >= size {
		less.Wait()
	}
	buf[nextIn] = f
	nextIn = (nextIn + 1) % size
	occupied++
	more.Signal()
	mu.Unlock()
	return true
}

// get takes the first file, and reports false when there will be none.
func get() (f int, ok bool) {
	mu.Lock()
	for occupied <= 0 && !closed {
		more.Wait()
	}
	if occupied > 0 {
		f, ok = buf[nextOut], true
		nextOut = (nextOut + 1) % size
		occupied--
		less.Signal()
	}
	mu.Unlock()
	return f, ok
}

// end says that nothing more will come.
func end() {
	mu.Lock()
	closed = true
	more.Broadcast()
	mu.Unlock()
}

// The scanner's state. What is told of it by options is set before there are workers.
var (
	entries [4]Entry
	pattern [2]byte
	verbose bool
	lines   bool // a match is said by the line in which it is

	matchesMu sync.Mutex
	matches   int

	printMu sync.Mutex
	printed int // lines of output

	workersMu sync.Mutex
	done      = sync.Cond{L: &workersMu}
	active    int
)

// work scans files until there are no more.
func work() {
	for {
		f, ok := get() // context: pfscan, 2 goroutines
		if !ok {
			break
		}
		scan(&entries[f&3])
	}
	workersMu.Lock()
	active--
	done.Signal()
	workersMu.Unlock()
}

// scan opens a file and looks for the pattern.
func scan(e *Entry) bool {
	if e.CannotOpen {
		complain()
		return false
	}
	if e.CannotStat {
		complain()
		return false
	}
	if e.CannotBeMapped {
		complain()
		return false
	}
	for i := 0; i+len(pattern) <= len(e.Text); i++ {
		if e.Text[i] == pattern[0] && e.Text[i+1] == pattern[1] {
			match(e, i)
		}
	}
	return true
}

// complain prints that something failed.
func complain() {
	if verbose {
		print()
	}
}

// match counts a match and prints it.
func match(e *Entry, at int) {
	matchesMu.Lock()
	matches++
	matchesMu.Unlock()
	if lines {
		for at > 0 && e.Text[at-1] != '\n' {
			at--
		}
	}
	print()
}

// print writes a line of output.
func print() {
	printMu.Lock()
	printed++
	printMu.Unlock()
}

// walk puts the files into the queue, and ends at what it cannot read.
func walk() {
	for i := range entries {
		if !visit(i) {
			break
		}
	}
	end()
}

// visit puts what is at a path into the queue if it is a file, and reports whether the walk goes on.
func visit(i int) bool {
	switch entries[i].Kind {
	case Regular:
		put(i) // context: pfscan, 1 goroutine
		return true
	case Directory:
		return true
	}
	return false
}

// run scans the entries.
func run() {
	active = workers
	for range workers {
		go work()
	}
	walk()
	workersMu.Lock()
	for active > 0 {
		done.Wait()
	}
	workersMu.Unlock()
}
