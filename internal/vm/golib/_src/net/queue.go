package net

import (
	"internal/poll"
	"io"
	"sync/atomic"
	"syscall"
	"time"
)

// A queue carries what one socket sends to another: one direction of a
// connection, datagrams, or connections to a listener.
type queue struct {
	monitor
	items  []item
	size   int  // bytes in items
	stream bool // the borders of items mean nothing

	reader, writer end

	// reset says that the writer has closed its connection without having read
	// all that came from here.
	reset bool
	// ignored says that something was written after the reader was closed: TCP's
	// peer learns of it with the next write.
	ignored bool
	err     error // of an earlier write, for the next read: that nobody listens there
	broken  bool  // the connection is
}

// An item is what was sent at once.
type item struct {
	data []byte
	from sockaddr // of datagrams
	conn *netFD   // to a listener
}

// maxQueue is how many bytes a queue holds before writers wait.
const maxQueue = 1 << 18

// An end is what the reader's or the writer's side has done to a queue.
type end struct {
	shut    bool // no more, although the socket stays open
	closed  bool // with the socket
	expired bool // its deadline has passed

	timer    *time.Timer // until the deadline, nil when there is none
	deadline int         // counts the deadlines set

	// known repeats, for those who do not want to lock the queue, that nothing has
	// been set (0), that a deadline has been, or that it is closed.
	known atomic.Int32
}

const (
	knownDeadline = 1 + iota
	knownClosed
)

func newQueue(sotype int) *queue {
	q := &queue{stream: sotype == syscall.SOCK_STREAM}
	q.state = int32(writable)
	return q
}

func (q *queue) lock(c condition) { lockWhen(&q.state, int32(c)) }

func (q *queue) unlock() {
	var c condition
	if len(q.items) > 0 || q.err != nil || q.broken || q.writer.shut || q.writer.closed || q.reader.over() {
		c |= readable
	}
	if q.size < maxQueue || q.broken || q.reader.closed || q.writer.over() {
		c |= writable
	}
	unlock(&q.state, int32(c))
}

// over reports whether operations at this end do not wait any more.
func (e *end) over() bool { return e.shut || e.closed || e.expired }

// err returns why an operation at this end cannot be begun.
func (e *end) err() error {
	switch {
	case e.closed:
		return poll.ErrNetClosing
	case e.expired:
		return poll.ErrDeadlineExceeded
	}
	return nil
}

// take waits for something to read and calls f, with the queue locked, when there
// is any.
func (q *queue) take(f func()) error {
	q.lock(readable)
	defer q.unlock()
	if err := q.reader.err(); err != nil {
		return err
	}
	if len(q.items) > 0 {
		f()
		return nil
	}
	if err := q.err; err != nil {
		q.err = nil
		return err
	}
	if (q.reset || q.broken) && !q.reader.shut {
		return syscall.ECONNRESET
	}
	return io.EOF
}

// read reads from a connection, as much as there is and p has room for. Of what
// was sent as one packet, what has no room is lost.
func (q *queue) read(p []byte) (n int, from sockaddr, err error) {
	err = q.take(func() {
		if !q.stream {
			it := q.pop()
			n, from = copy(p, it.data), it.from
			return
		}
		p = p[:piece(min(len(p), q.size))]
		for n < len(p) {
			first := &q.items[0]
			m := copy(p[n:], first.data)
			n += m
			if m == len(first.data) {
				q.pop()
			} else {
				first.data = first.data[m:]
				q.size -= m
			}
		}
	})
	return n, from, err
}

// accept takes the next connection of a listener.
func (q *queue) accept() (fd *netFD, err error) {
	err = q.take(func() { fd = q.pop().conn })
	if err == io.EOF {
		err = syscall.EINVAL // not listening any more
	}
	return fd, err
}

func (q *queue) pop() item {
	it := q.items[0]
	q.items = q.items[1:]
	q.size -= len(it.data)
	return it
}

func (q *queue) push(it item) {
	q.items = append(q.items, it)
	q.size += len(it.data)
}

// write writes all of p to a connection, waiting for room. tcp says that a peer
// which has been closed does not tell at once.
func (q *queue) write(p []byte, tcp bool) (n int, err error) {
	for {
		m, err := q.writeSome(p[n:], tcp)
		n += m
		if err != nil || n == len(p) {
			return n, err
		}
	}
}

func (q *queue) writeSome(p []byte, tcp bool) (n int, err error) {
	q.lock(writable)
	defer q.unlock()
	if err := q.writer.err(); err != nil {
		return 0, err
	}
	switch {
	case q.writer.shut, q.broken, q.reader.closed && (q.ignored || !tcp):
		return 0, syscall.EPIPE
	case q.reader.closed:
		q.ignored = true
		return len(p), nil
	}
	n = len(p)
	if q.stream {
		n = min(n, maxQueue-q.size)
	}
	if n > 0 || !q.stream {
		q.push(item{data: append([]byte(nil), p[:n]...)})
	}
	return n, nil
}

// breakOff ends the use of the queue because the connection breaks. What is on its way is lost.
func (q *queue) breakOff() {
	q.lock(always)
	q.items, q.size, q.broken = nil, 0, true
	q.unlock()
}

// deliver gives a datagram or a connection to the reader, and reports whether
// there is one. It never waits.
func (q *queue) deliver(it item) bool {
	q.lock(always)
	defer q.unlock()
	if q.reader.closed {
		return false
	}
	q.push(it)
	return true
}

// fail makes err the result of the next read that finds nothing else.
func (q *queue) fail(err error) {
	q.lock(always)
	q.err = err
	q.unlock()
}

// closeReader closes the reading end. What is left unread it returns.
func (q *queue) closeReader() (left []item, err error) {
	q.lock(always)
	defer q.unlock()
	if q.reader.closed {
		return nil, poll.ErrNetClosing
	}
	left, q.items, q.size = q.items, nil, 0
	q.reader.close()
	return left, nil
}

// closeWriter closes the writing end; reset says that the reader is to learn
// that not all was read of what it has sent.
func (q *queue) closeWriter(reset bool) {
	q.lock(always)
	q.writer.close()
	q.reset = reset
	q.unlock()
}

func (e *end) close() {
	e.closed = true
	e.known.Store(knownClosed)
	e.stop()
}

func (e *end) stop() {
	e.deadline++
	if e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
}

// shutdown ends the use of one end of the queue, while the socket stays open.
func (q *queue) shutdown(e *end) error {
	q.lock(always)
	defer q.unlock()
	if e.closed {
		return poll.ErrNetClosing
	}
	e.shut = true
	return nil
}

// setDeadline makes the operations at one end of the queue fail from t on.
func (q *queue) setDeadline(e *end, t time.Time) error {
	switch known := e.known.Load(); {
	case known == knownClosed:
		return poll.ErrNetClosing
	case known == 0 && t.IsZero():
		return nil // nothing to take back
	}
	q.lock(always)
	defer q.unlock()
	if e.closed {
		return poll.ErrNetClosing
	}
	e.stop()
	e.expired = false
	if t.IsZero() {
		e.known.Store(0)
		return nil
	}
	e.known.Store(knownDeadline)
	d := time.Until(t)
	if d <= 0 {
		e.expired = true
		return nil
	}
	mine := e.deadline
	e.timer = time.AfterFunc(d, func() {
		q.lock(always)
		if e.deadline == mine {
			e.expired = true
		}
		q.unlock()
	})
	return nil
}
