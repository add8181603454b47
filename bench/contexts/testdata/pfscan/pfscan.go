// Package pfscan is after pfscan 1.0, a parallel file scanner: one goroutine walks a tree and puts files into a bounded
// queue of a lock and two condition variables; workers take them, and look for a string in them. The queue and what is counted
// are variables of the package, as they are in the original.
package pfscan

import "sync"

// A File is what is in a file.
type File [8]byte

// size is how many files there can be in the queue.
const size = 2

// The queue hands files from the one who walks the tree to the workers.
var (
	mu       sync.Mutex
	more     = sync.Cond{L: &mu} // it is not empty, or closed
	less     = sync.Cond{L: &mu} // it is not full
	buf      [size]int           // indices in files
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
	nextIn++
	if nextIn == size {
		nextIn = 0
	}
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
	if occupied <= 0 {
		mu.Unlock()
		return 0, false
	}
	f = buf[nextOut]
	nextOut++
	if nextOut == size {
		nextOut = 0
	}
	occupied--
	less.Signal()
	mu.Unlock()
	return f, true
}

// close says that nothing more will come.
func end() {
	mu.Lock()
	closed = true
	more.Broadcast()
	mu.Unlock()
}

// The scanner's state.
var (
	files   [4]File
	pattern [2]byte

	matchesMu sync.Mutex
	matches   int

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
		scan(&files[f&3])
	}
	workersMu.Lock()
	active--
	done.Signal()
	workersMu.Unlock()
}

// scan counts the matches in a file.
func scan(f *File) {
	n := 0
	for i := 0; i+len(pattern) <= len(f); i++ {
		if f[i] == pattern[0] && f[i+1] == pattern[1] {
			n++
		}
	}
	if n > 0 {
		matchesMu.Lock()
		matches += n
		matchesMu.Unlock()
	}
}

// walk puts the files into the queue.
func walk() {
	for i := range files {
		if files[i][0] == 0 {
			continue
		}
		put(i) // context: pfscan, 1 goroutine
	}
	end()
}

// run scans files.
func run(workers int) {
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
