package net

import (
	"sync"
	"syscall"
)

// A unixName is what a Unix socket is bound to: a file, or an abstract name.
type unixName struct {
	inode    uint64
	abstract string
}

var unixSockets struct {
	mu    sync.Mutex
	bound map[unixName]*netFD
	auto  int // names given to sockets that ask for none in particular
}

// bindUnix gives fd the address a, whose name is filled in when it is empty.
func (fd *netFD) bindUnix(a *UnixAddr) error {
	s := &unixSockets
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.Name == "" {
		s.auto++
		a.Name = "@" + string(appendPadded(nil, s.auto, 5))
	}
	if !isAbstract(a.Name) {
		switch err := syscall.Mknod(a.Name, syscall.S_IFSOCK|0o777, 0); err {
		case nil:
		case syscall.EEXIST:
			return syscall.EADDRINUSE
		default:
			return err
		}
	}
	name, err := unixNameOf(a.Name)
	if err != nil {
		return err
	}
	if s.bound[name] != nil {
		return syscall.EADDRINUSE
	}
	if s.bound == nil {
		s.bound = make(map[unixName]*netFD)
	}
	fd.laddr, fd.name = a, name
	s.bound[name] = fd
	return nil
}

func appendPadded(b []byte, n, digits int) []byte {
	if digits > 1 {
		b = appendPadded(b, n/10, digits-1)
	}
	return append(b, byte('0'+n%10))
}

// isAbstract reports whether a name is none of a file. It begins with @, for a zero byte.
func isAbstract(s string) bool { return s != "" && (s[0] == '@' || s[0] == 0) }

// unixNameOf returns what a socket called s is bound to.
func unixNameOf(s string) (unixName, error) {
	if isAbstract(s) {
		return unixName{abstract: "@" + s[1:]}, nil
	}
	var stat syscall.Stat_t
	if err := syscall.Stat(s, &stat); err != nil {
		return unixName{}, err
	}
	if stat.Mode&syscall.S_IFMT != syscall.S_IFSOCK {
		return unixName{}, syscall.ECONNREFUSED
	}
	return unixName{inode: stat.Ino}, nil
}

// findUnix returns the socket bound to a.
func findUnix(a *UnixAddr) (*netFD, error) {
	name, err := unixNameOf(a.Name)
	if err != nil {
		return nil, err
	}
	unixSockets.mu.Lock()
	defer unixSockets.mu.Unlock()
	fd := unixSockets.bound[name]
	if fd == nil {
		return nil, syscall.ECONNREFUSED
	}
	return fd, nil
}

func unbindUnix(fd *netFD) {
	unixSockets.mu.Lock()
	defer unixSockets.mu.Unlock()
	delete(unixSockets.bound, fd.name)
}
