package net

import (
	"context"
	"internal/poll"
	"io"
	"os"
	"syscall"
	"time"
)

// A netFD is a socket.
type netFD struct {
	pfd poll.FD // of which nothing is used but its options, which have no effect

	// As in GOROOT's, these do not change once the socket is in use.
	family      int
	sotype      int
	isConnected bool
	net         string
	laddr       Addr
	raddr       Addr

	// in is what arrives here: bytes, datagrams or, at a listener, connections.
	// out is what the other end of a connection reads. Sockets for datagrams use
	// no more of it than its writing end.
	in, out   *queue
	listening bool
	abort     bool // SetLinger(0): closing discards what is under way

	// Where the socket is bound.
	ports  *portTable
	number int
	bound  IP
	v6only bool
	name   unixName
}

// unsupported ends the run: the program needs what the machine does not have.
func unsupported(what string)

// socket returns a socket that listens at laddr, or is connected to raddr.
func socket(ctx context.Context, net string, family, sotype, proto int, ipv6only bool, laddr, raddr sockaddr, ctrlCtxFn func(context.Context, string, string, syscall.RawConn) error) (*netFD, error) {
	switch sotype {
	case syscall.SOCK_STREAM, syscall.SOCK_SEQPACKET, syscall.SOCK_DGRAM:
	default:
		unsupported("a socket for raw packets")
	}
	fd := &netFD{family: family, sotype: sotype, net: net, v6only: ipv6only}
	fd.in, fd.out = newQueue(sotype), newQueue(sotype)
	if ctrlCtxFn != nil {
		addr := raddr
		if addr == nil {
			addr = laddr
		}
		text := ""
		if addr != nil {
			text = addr.String()
		}
		if err := ctrlCtxFn(ctx, fd.ctrlNetwork(), text, newRawConn(fd)); err != nil {
			return nil, err
		}
	}
	// Once it is bound, others see the socket.
	fd.listening = raddr == nil && sotype != syscall.SOCK_DGRAM
	if raddr != nil {
		var err error
		if fd.raddr, err = fd.local(raddr); err != nil {
			return nil, err
		}
	}
	if laddr != nil {
		if err := fd.bind(laddr); err != nil {
			return nil, wrapSyscallError("bind", err)
		}
	}
	if raddr != nil {
		if err := fd.connect(ctx, raddr); err != nil {
			fd.Close()
			return nil, wrapSyscallError("connect", err)
		}
	}
	return fd, nil
}

// ctrlNetwork returns the network as Dialer.Control gets it.
func (fd *netFD) ctrlNetwork() string {
	switch last := fd.net[len(fd.net)-1]; {
	case fd.family == syscall.AF_UNIX, last == '4', last == '6':
		return fd.net
	case fd.family == syscall.AF_INET:
		return fd.net + "4"
	}
	return fd.net + "6"
}

// local returns addr as the system gives it back for a socket of fd's family,
// nil for a nil pointer.
func (fd *netFD) local(addr sockaddr) (Addr, error) {
	sa, err := addr.sockaddr(fd.family)
	if sa == nil || err != nil {
		return nil, err
	}
	return fd.addrFunc()(sa), nil
}

// bind gives the socket an address.
func (fd *netFD) bind(addr sockaddr) error {
	a, err := fd.local(addr)
	if a == nil || err != nil {
		return err
	}
	ip, number, isIP := hostPort(a)
	if !isIP {
		return fd.bindUnix(a.(*UnixAddr))
	}
	if *number < 0 || *number > maxPort {
		return syscall.EINVAL
	}
	if !(*ip).IsLoopback() && !(*ip).IsUnspecified() {
		return syscall.EADDRNOTAVAIL // as on a host that has no other interface
	}
	fd.ports = portsOf(fd.sotype)
	if fd.number, err = fd.ports.bind(fd, canonical(*ip), *number); err != nil {
		fd.ports = nil
		return err
	}
	*number = fd.number
	fd.laddr = a
	return nil
}

func portsOf(sotype int) *portTable {
	if sotype == syscall.SOCK_DGRAM {
		return &udpPorts
	}
	return &tcpPorts
}

// hostPort returns where a has its IP address and port number, if it has any.
func hostPort(a Addr) (ip *IP, number *int, ok bool) {
	switch a := a.(type) {
	case *TCPAddr:
		return &a.IP, &a.Port, true
	case *UDPAddr:
		return &a.IP, &a.Port, true
	}
	return nil, nil, false
}

// canonical returns a copy of ip, of four bytes if it is an address of IPv4.
func canonical(ip IP) IP {
	if ip4 := ip.To4(); ip4 != nil {
		ip = ip4
	}
	return append(IP(nil), ip...)
}

// target returns the address that raddr, of fd's family, leads to. The run ends
// if that is not on this host.
func (fd *netFD) target(raddr Addr) (IP, int) {
	ip, number, _ := hostPort(raddr)
	if (*ip).IsUnspecified() {
		*ip = loopbackOf(len(*ip))
	}
	if !(*ip).IsLoopback() {
		unsupported("network access to " + raddr.String())
	}
	return canonical(*ip), *number
}

// loopbackOf returns the loopback address whose length is n bytes.
func loopbackOf(n int) IP {
	if n == IPv4len {
		return IP{127, 0, 0, 1}
	}
	return append(IP(nil), IPv6loopback...)
}

// connect makes raddr, which fd.raddr is already, the socket's peer.
func (fd *netFD) connect(ctx context.Context, raddr sockaddr) (err error) {
	to := fd.raddr
	var peer *netFD
	if ip, number, isIP := hostPort(to); isIP {
		if *number < 0 || *number > maxPort {
			return syscall.EINVAL
		}
		target, number := fd.target(to)
		if fd.laddr == nil {
			from, err := fd.local(raddr)
			if err != nil {
				return err
			}
			fromIP, fromPort, _ := hostPort(from)
			*fromIP, *fromPort = loopbackOf(len(*ip)), 0
			if target.To4() != nil {
				*fromIP = IPv4(127, 0, 0, 1)
			}
			if err := fd.bind(from.(sockaddr)); err != nil {
				return err
			}
		}
		if fd.sotype != syscall.SOCK_DGRAM {
			peer = portsOf(fd.sotype).port(number).find(target)
		}
	} else {
		if fd.laddr == nil {
			fd.laddr = &UnixAddr{Name: "@", Net: fd.net} // as an unnamed socket has it on Linux
		}
		if peer, err = findUnix(to.(*UnixAddr)); err != nil {
			return err
		}
		if peer.sotype != fd.sotype {
			return syscall.EPROTOTYPE
		}
	}
	if fd.sotype != syscall.SOCK_DGRAM {
		if peer == nil || !peer.listening || !peer.in.deliver(item{conn: peer.accepted(fd)}) {
			return syscall.ECONNREFUSED
		}
	}
	select {
	case <-ctx.Done():
		return mapErr(ctx.Err())
	default:
	}
	fd.isConnected = true
	return nil
}

// accepted returns the listener's end of the connection that fd is the other end of.
func (listener *netFD) accepted(fd *netFD) *netFD {
	conn := &netFD{
		family: listener.family, sotype: listener.sotype, net: listener.net, isConnected: true,
		in: fd.out, out: fd.in, laddr: fd.raddr, raddr: fd.laddr,
	}
	switch fd.raddr.(type) {
	case *TCPAddr:
		// An IPv6 socket has IPv4 addresses of 16 bytes.
		conn.laddr, _ = conn.local(fd.raddr.(sockaddr))
		conn.raddr, _ = conn.local(fd.laddr.(sockaddr))
	case *UnixAddr:
		conn.laddr = listener.laddr
	}
	return conn
}

// tcp reports whether fd is a connection of TCP.
func (fd *netFD) tcp() bool { return fd.family != syscall.AF_UNIX }

func (fd *netFD) accept() (*netFD, error) {
	conn, err := fd.in.accept()
	return conn, wrapSyscallError("accept", err)
}

func (fd *netFD) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		if fd.in.reader.known.Load() == knownClosed {
			err = poll.ErrNetClosing
		}
		return 0, err
	}
	fd.mayBreak()
	n, _, err = fd.in.read(p)
	return n, wrapSyscallError("read", err)
}

func (fd *netFD) Write(p []byte) (n int, err error) {
	if fd.sotype == syscall.SOCK_DGRAM {
		n, err = fd.send(p, fd.raddr)
	} else {
		fd.mayBreak()
		n, err = fd.out.write(p, fd.tcp())
	}
	return n, wrapSyscallError("write", err)
}

// Close closes the socket. Operations that wait on it fail.
func (fd *netFD) Close() error {
	left, err := fd.in.closeReader()
	if err != nil {
		return err
	}
	for _, it := range left {
		if it.conn != nil {
			it.conn.out.closeWriter(true)
			it.conn.in.closeReader()
		}
	}
	fd.out.closeWriter(fd.tcp() && (len(left) > 0 || fd.abort))
	if fd.ports != nil {
		fd.ports.port(fd.number).unbind(fd)
	}
	if fd.name != (unixName{}) {
		unbindUnix(fd)
	}
	return nil
}

func (fd *netFD) closeRead() error {
	return wrapSyscallError("shutdown", fd.shutdown(fd.in, &fd.in.reader))
}

func (fd *netFD) closeWrite() error {
	return wrapSyscallError("shutdown", fd.shutdown(fd.out, &fd.out.writer))
}

func (fd *netFD) shutdown(q *queue, e *end) error {
	if !fd.isConnected {
		return syscall.ENOTCONN
	}
	return q.shutdown(e)
}

func (fd *netFD) SetDeadline(t time.Time) error {
	if err := fd.SetReadDeadline(t); err != nil {
		return err
	}
	return fd.SetWriteDeadline(t)
}

func (fd *netFD) SetReadDeadline(t time.Time) error { return fd.in.setDeadline(&fd.in.reader, t) }

func (fd *netFD) SetWriteDeadline(t time.Time) error { return fd.out.setDeadline(&fd.out.writer, t) }

// writeBuffers writes all of v, as many buffers at once as Linux takes.
func (c *conn) writeBuffers(v *Buffers) (written int64, err error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	const most = 1024
	for err == nil && len(*v) > 0 {
		var all []byte
		for _, b := range (*v)[:min(most, len(*v))] {
			all = append(all, b...)
		}
		var n int
		if n, err = c.fd.Write(all); n > 0 {
			poll.TestHookDidWritev(n)
		}
		v.consume(int64(n))
		written += int64(n)
	}
	if err != nil {
		err = &OpError{Op: "writev", Net: c.fd.net, Source: c.fd.laddr, Addr: c.fd.raddr, Err: err}
	}
	return written, err
}

func (fd *netFD) writeBuffers(v *Buffers) (int64, error) { return (&conn{fd}).writeBuffers(v) }

// Nothing is copied from one descriptor to another below Go.

func sendFile(c *netFD, r io.Reader) (written int64, err error, handled bool) { return 0, nil, false }

func spliceFrom(c *netFD, r io.Reader) (written int64, err error, handled bool) {
	return 0, nil, false
}

func spliceTo(w io.Writer, c *netFD) (written int64, err error, handled bool) { return 0, nil, false }

func (fd *netFD) dup() (*os.File, error) {
	unsupported("a file for a socket")
	return nil, syscall.ENOSYS
}

func newFileFD(f *os.File) (*netFD, error) {
	unsupported("a socket made of a file")
	return nil, syscall.ENOSYS
}

func setLinger(fd *netFD, sec int) error {
	fd.abort = sec == 0
	return nil
}

func (c *rawConn) Control(f func(uintptr)) error {
	unsupported("a socket's descriptor")
	return syscall.ENOSYS
}

func (c *rawConn) Read(f func(uintptr) bool) error { return c.Control(nil) }

func (c *rawConn) Write(f func(uintptr) bool) error { return c.Control(nil) }

func joinIPv4Group(fd *netFD, ifi *Interface, ip IP) error {
	unsupported("multicast")
	return syscall.ENOSYS
}

func joinIPv6Group(fd *netFD, ifi *Interface, ip IP) error {
	unsupported("multicast")
	return syscall.ENOSYS
}

func supportsMultipathTCP() bool { return false }

func (p *ipStackCapabilities) probe() {
	p.ipv4Enabled, p.ipv6Enabled, p.ipv4MappedIPv6Enabled = true, true, true
}
