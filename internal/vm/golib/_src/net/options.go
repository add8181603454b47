package net

import "syscall"

// The options of a socket: they tune what has no counterpart here, and are taken
// without effect, but for one.
type options struct {
	fd    *netFD
	abort bool // SetLinger(0): closing discards what is under way
}

func (o *options) SetsockoptInt(level, name, arg int) error { return nil }

func (o *options) SetsockoptByte(level, name int, arg byte) error { return nil }

func (o *options) SetsockoptLinger(level, name int, l *syscall.Linger) error {
	o.abort = l.Onoff != 0 && l.Linger == 0
	return nil
}

func (o *options) SetsockoptIPMreqn(level, name int, mreq *syscall.IPMreqn) error {
	unsupported("multicast")
	return syscall.ENOSYS
}

func (o *options) SetsockoptIPv6Mreq(level, name int, mreq *syscall.IPv6Mreq) error {
	unsupported("multicast")
	return syscall.ENOSYS
}

func (o *options) GetsockoptInt(level, name int) (int, error) { return 0, syscall.ENOPROTOOPT }

func (o *options) RawControl(f func(uintptr)) error {
	unsupported("a socket's descriptor")
	return syscall.ENOSYS
}

func (o *options) RawRead(f func(uintptr) bool) error { return o.RawControl(nil) }

func (o *options) RawWrite(f func(uintptr) bool) error { return o.RawControl(nil) }
