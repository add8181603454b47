package net

import (
	"os"
	"syscall"
)

// maxDatagram is the size of the largest UDP packet.
const maxDatagram = 65507

// send sends a datagram to an address.
func (fd *netFD) send(p []byte, to Addr) (int, error) {
	fd.out.lock(writable)
	err := fd.out.writer.err()
	fd.out.unlock()
	if err != nil {
		return 0, err
	}
	if to == nil {
		return 0, syscall.EDESTADDRREQ
	}
	var peer *netFD
	from := fd.laddr
	if u, ok := to.(*UDPAddr); ok {
		if len(p) > maxDatagram {
			return 0, syscall.EMSGSIZE
		}
		addr := *u
		ip, number := fd.target(&addr)
		if l := from.(*UDPAddr); l.IP.IsUnspecified() {
			from = &UDPAddr{IP: loopbackOf(len(ip)), Port: l.Port}
		}
		peer = udpPorts.port(number).find(ip)
	} else if peer, err = findUnix(to.(*UnixAddr)); err != nil {
		return 0, err
	}
	// A connected socket gets its peer's datagrams only.
	refused := peer == nil || peer.raddr != nil && peer.raddr.String() != from.String()
	it := item{data: append([]byte(nil), p...)}
	if fd.ports != nil || fd.name != (unixName{}) {
		it.from = from.(sockaddr)
	}
	if refused || !peer.in.deliver(it) {
		if fd.family == syscall.AF_UNIX {
			return 0, syscall.ECONNREFUSED
		}
		if fd.isConnected {
			fd.in.fail(syscall.ECONNREFUSED)
		}
	}
	return len(p), nil
}

func (fd *netFD) readFrom(p []byte) (n int, sa syscall.Sockaddr, err error) {
	n, from, err := fd.in.read(p)
	if err == nil && from != nil {
		sa, err = from.sockaddr(fd.family)
	}
	return n, sa, wrapSyscallError("recvfrom", err)
}

func (fd *netFD) readFromInet4(p []byte, from *syscall.SockaddrInet4) (n int, err error) {
	n, sa, err := fd.readFrom(p)
	if sa, ok := sa.(*syscall.SockaddrInet4); ok {
		*from = *sa
	}
	return n, err
}

func (fd *netFD) readFromInet6(p []byte, from *syscall.SockaddrInet6) (n int, err error) {
	n, sa, err := fd.readFrom(p)
	if sa, ok := sa.(*syscall.SockaddrInet6); ok {
		*from = *sa
	}
	return n, err
}

func (fd *netFD) readMsg(p []byte, oob []byte, flags int) (n, oobn, retflags int, sa syscall.Sockaddr, err error) {
	n, sa, err = fd.readFrom(p)
	return n, 0, 0, sa, err
}

func (fd *netFD) readMsgInet4(p []byte, oob []byte, flags int, sa *syscall.SockaddrInet4) (n, oobn, retflags int, err error) {
	n, err = fd.readFromInet4(p, sa)
	return n, 0, 0, err
}

func (fd *netFD) readMsgInet6(p []byte, oob []byte, flags int, sa *syscall.SockaddrInet6) (n, oobn, retflags int, err error) {
	n, err = fd.readFromInet6(p, sa)
	return n, 0, 0, err
}

func (fd *netFD) writeTo(p []byte, sa syscall.Sockaddr) (n int, err error) {
	n, err = fd.send(p, fd.addrFunc()(sa))
	return n, wrapSyscallError("sendto", err)
}

func (fd *netFD) writeToInet4(p []byte, sa *syscall.SockaddrInet4) (n int, err error) {
	return fd.writeTo(p, sa)
}

func (fd *netFD) writeToInet6(p []byte, sa *syscall.SockaddrInet6) (n int, err error) {
	return fd.writeTo(p, sa)
}

func (fd *netFD) writeMsg(p []byte, oob []byte, sa syscall.Sockaddr) (n int, oobn int, err error) {
	if len(oob) > 0 {
		unsupported("control messages beside a packet")
	}
	if sa != nil {
		n, err = fd.send(p, fd.addrFunc()(sa))
	} else if n, err = fd.Write(p); err != nil {
		if sys, ok := err.(*os.SyscallError); ok {
			err = sys.Err
		}
	}
	return n, 0, wrapSyscallError("sendmsg", err)
}

func (fd *netFD) writeMsgInet4(p []byte, oob []byte, sa *syscall.SockaddrInet4) (n int, oobn int, err error) {
	if sa == nil {
		return fd.writeMsg(p, oob, nil)
	}
	return fd.writeMsg(p, oob, sa)
}

func (fd *netFD) writeMsgInet6(p []byte, oob []byte, sa *syscall.SockaddrInet6) (n int, oobn int, err error) {
	if sa == nil {
		return fd.writeMsg(p, oob, nil)
	}
	return fd.writeMsg(p, oob, sa)
}
