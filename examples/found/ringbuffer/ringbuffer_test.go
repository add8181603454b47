// Package ringbuffer has tests of github.com/smallnest/ringbuffer: "It is safe to
// concurrently read and write RingBuffer."
package ringbuffer

import (
	"io"
	"testing"
	"time"

	"github.com/smallnest/ringbuffer"
)

// TestReadTimeout: the timer of a blocking read wakes nobody if it fires before the read
// waits. The goroutine has to be kept waiting for a millisecond: -stall 5ms.
func TestReadTimeout(t *testing.T) {
	r := ringbuffer.New(1).SetBlocking(true).WithTimeout(time.Millisecond)
	if _, err := r.Read(make([]byte, 1)); err == nil {
		t.Error("nothing was written, and Read returned no error")
	}
}

// TestWriteClose: a Write that waits for room succeeds after CloseWriter, and after the
// reader has been told that there is no more.
func TestWriteClose(t *testing.T) {
	r := ringbuffer.New(1).SetBlocking(true)
	r.Write([]byte("a"))
	done := make(chan error, 1)
	go func() {
		_, err := r.Write([]byte("b"))
		done <- err
	}()
	go r.CloseWriter()
	got, err := io.ReadAll(r)
	if err != nil {
		t.Error(err)
	}
	if err := <-done; err == nil && string(got) != "ab" {
		t.Errorf("Write succeeded, and the reader got %q before the end", got)
	}
}

// TestWriteToReset: WriteTo releases the lock while it writes to the destination, and then
// moves the position that Reset has set to zero meanwhile.
func TestWriteToReset(t *testing.T) {
	r := ringbuffer.New(4).SetBlocking(true)
	r.Write([]byte("ab"))
	done := make(chan int64)
	go func() {
		n, _ := r.WriteTo(io.Discard)
		done <- n
	}()
	r.Reset()
	r.CloseWriter()
	if n := <-done; n > 2 {
		t.Errorf("2 bytes were written to the buffer, and %d from it", n)
	}
}
