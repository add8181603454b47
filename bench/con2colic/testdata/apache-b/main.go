// Apache-b is a test driver for the buffered log of a server, after
// mod_log_config of Apache httpd 2.0 (its bug 25520): two goroutines append
// records to a buffer that is written out when it is full. To look for room and
// to take it are two steps, so that a record can go beyond the end.
package main

import (
	"sync"

	"github.com/everyway-go/everyway/sym"
)

// bufferSize is the room for records, in bytes.
const bufferSize = 32

// maxMessage is the longest message of a record; longer ones are cut.
const maxMessage = 48

// The levels of records.
const (
	levelError = iota
	levelWarn
	levelInfo
	levelDebug
)

// A log is a buffer and what was written out of it.
type log struct {
	mu      sync.Mutex
	used    int // of the buffer
	written int // bytes
	dropped int
}

func (l *log) inUse() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.used
}

// flush writes the buffer out.
func (l *log) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.used == 0 {
		return
	}
	l.written += l.used
	l.used = 0
}

// header returns the length of what a record of the level begins with, -1 if
// there is no such level.
func header(level uint8) int {
	switch level {
	case levelError:
		return 8
	case levelWarn:
		return 6
	case levelInfo:
		return 4
	case levelDebug:
		return 2
	}
	return -1
}

// tail returns the length of what a record of the level ends with.
func tail(level uint8, size int) int {
	n := 1 // end of line
	if level == levelError {
		n += 2 // mark
	}
	switch {
	case size == 0:
		n++ // a dash for nothing
	case size > maxMessage/2:
		n++ // a line of its own
	}
	return n
}

// drop counts a record that is no record.
func (l *log) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dropped++
}

// append appends a record.
func (l *log) append(level uint8, size int) {
	head := header(level)
	if head < 0 || size < 0 {
		l.drop()
		return
	}
	if size > maxMessage {
		size = maxMessage // cut
	}
	size += head + tail(level, size)
	if size > bufferSize {
		// It goes past the buffer.
		l.flush()
		l.mu.Lock()
		l.written += size
		l.mu.Unlock()
		return
	}
	if l.inUse()+size > bufferSize {
		l.flush()
	}
	// bug: the room may have been taken in the meantime
	l.mu.Lock()
	end := l.used + size
	l.used = end
	l.mu.Unlock()
	if end > bufferSize {
		panic("log: a record beyond the end of the buffer")
	}
	if end == bufferSize {
		l.flush()
	}
}

// check panics unless the counts make sense.
func (l *log) check() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.used < 0 || l.used > bufferSize {
		panic("log: the buffer is in disorder")
	}
	if l.dropped > 2 {
		panic("log: more records dropped than there were")
	}
	if l.dropped == 2 && l.written > 0 {
		panic("log: something was written though all was dropped")
	}
}

func main() {
	level, a, b := sym.Uint8("level"), sym.Int8("a"), sym.Int8("b")
	l := &log{}
	var wg sync.WaitGroup
	wg.Go(func() { l.append(level, int(a)) })
	wg.Go(func() { l.append(levelInfo, int(b)) })
	wg.Wait()
	l.check()
}
