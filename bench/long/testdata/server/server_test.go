// Package server has a server under load, without a network, of which runs of about a million and ten million events are
// recorded.
package server

import (
	"sync"
	"sync/atomic"
	"testing"
)

// In the machine, schedules also have the memory that only one goroutine uses.
func TestMachine1M(t *testing.T)  { load(t, 8, 440, 160) }
func TestMachine10M(t *testing.T) { load(t, 8, 900, 900) }

func TestNative1M(t *testing.T)  { load(t, 8, 3_400, 16) }
func TestNative10M(t *testing.T) { load(t, 8, 34_000, 16) }

// A request is for a key; the answer comes on reply.
type request struct {
	session, key int
	body         []int
	reply        chan int
}

// A server has workers that take requests from a queue, a cache that is read more often than written, and sessions.
type server struct {
	queue   chan *request
	work    int // size of the buffer in which an answer is computed
	workers sync.WaitGroup

	cacheMu sync.RWMutex
	cache   map[int]int

	sessionMu sync.Mutex
	sessions  []int

	served atomic.Int64
}

func start(workers, sessions, work int) *server {
	s := &server{queue: make(chan *request, 16), work: work, cache: map[int]int{}, sessions: make([]int, sessions)}
	for range workers {
		s.workers.Go(func() {
			for r := range s.queue {
				r.reply <- s.serve(r)
			}
		})
	}
	return s
}

// serve computes the answer, with a buffer of its own, and keeps it in the cache.
func (s *server) serve(r *request) int {
	s.cacheMu.RLock()
	sum, ok := s.cache[r.key]
	s.cacheMu.RUnlock()
	if !ok {
		for _, x := range r.body {
			sum += x
		}
		buffer := make([]int, s.work)
		for i := range buffer {
			buffer[i] = sum + i*r.key
		}
		for _, x := range buffer {
			sum ^= x
		}
		s.cacheMu.Lock()
		s.cache[r.key] = sum
		s.cacheMu.Unlock()
	}
	s.sessionMu.Lock()
	s.sessions[r.session]++
	s.sessionMu.Unlock()
	s.served.Add(1)
	return sum
}

// load has clients make requests, one after the other, and each with a body of its own. Each answer that is not known takes some work.
func load(t *testing.T, clients, requests, work int) {
	s := start(4, clients, work)
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			reply := make(chan int)
			for i := range requests {
				body := make([]int, 8)
				for k := range body {
					body[k] = i + k
				}
				s.queue <- &request{c, (c*requests + i) % (requests * clients / 2), body, reply}
				<-reply
			}
		})
	}
	wg.Wait()
	close(s.queue)
	s.workers.Wait()
	if n := s.served.Load(); n != int64(clients*requests) {
		t.Error(n)
	}
}
