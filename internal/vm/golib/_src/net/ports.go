package net

import (
	"sync"
	"sync/atomic"
	"syscall"
)

// A port is what is bound to a port number of TCP or UDP.
type port struct {
	mu    sync.Mutex
	bound []*netFD
}

// A portTable has the ports of a protocol. Its pages are made when they are
// first needed; goroutines that use different ports do not meet.
type portTable [1024]atomic.Pointer[[64]port]

const maxPort = 1<<16 - 1

var tcpPorts, udpPorts portTable

func (t *portTable) port(number int) *port {
	page := &t[number/64]
	for page.Load() == nil {
		page.CompareAndSwap(nil, new([64]port))
	}
	return &page.Load()[number%64]
}

// ephemeral returns a port number for a socket that asks for none in particular.
// It is the same in all runs in which the goroutine has done the same.
func ephemeral() int

// bind gives fd the address ip at a port of the table, any if number is 0. It returns the number.
func (t *portTable) bind(fd *netFD, ip IP, number int) (int, error) {
	if number != 0 {
		if !t.port(number).bind(fd, ip) {
			return 0, syscall.EADDRINUSE
		}
		return number, nil
	}
	const first, last = 32768, 60999 // as Linux has it
	number = ephemeral()
	for range last - first + 1 {
		if t.port(number).bind(fd, ip) {
			return number, nil
		}
		if number++; number > last {
			number = first
		}
	}
	return 0, syscall.EADDRINUSE
}

func (p *port) bind(fd *netFD, ip IP) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, other := range p.bound {
		if overlap(ip, fd.v6only, other.bound, other.v6only) {
			return false
		}
	}
	fd.bound = ip
	p.bound = append(p.bound, fd)
	return true
}

// overlap reports whether two sockets could both be meant by an address.
func overlap(a IP, aV6only bool, b IP, bV6only bool) bool {
	switch {
	case a.IsUnspecified() && b.IsUnspecified():
		return reaches(a, aV6only, len(b) == IPv4len) || reaches(b, bV6only, len(a) == IPv4len)
	case a.IsUnspecified():
		return reaches(a, aV6only, b.To4() != nil)
	case b.IsUnspecified():
		return reaches(b, bV6only, a.To4() != nil)
	}
	return a.Equal(b)
}

// reaches reports whether a socket bound to all addresses gets what is sent to
// one of the family IPv4 or IPv6.
func reaches(all IP, v6only, v4 bool) bool {
	if len(all) == IPv4len {
		return v4
	}
	return !v4 || !v6only
}

// find returns the socket that gets what is sent to ip, nil when there is none.
func (p *port) find(ip IP) *netFD {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, fd := range p.bound {
		if overlap(ip, true, fd.bound, fd.v6only) {
			return fd
		}
	}
	return nil
}

// unbind takes fd off the port.
func (p *port) unbind(fd *netFD) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, other := range p.bound {
		if other == fd {
			p.bound = append(p.bound[:i:i], p.bound[i+1:]...)
			return
		}
	}
}
