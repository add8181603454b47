package poll

import "syscall"

// There is no poller: a goroutine that waits for a pipe waits in the system
// call, which to it is the same.

func runtime_pollServerInit() {}

func runtime_pollOpen(fd uintptr) (uintptr, int) { return 0, int(syscall.EPERM) }

func runtime_isPollServerDescriptor(fd uintptr) bool { return false }

// The only descriptors here that are not files belong to the sockets of package
// net, whose options have nothing to act upon.

func (fd *FD) SetsockoptInt(level, name, arg int) error { return nil }

func (fd *FD) SetsockoptByte(level, name int, arg byte) error { return nil }

func (fd *FD) GetsockoptInt(level, name int) (int, error) { return 0, syscall.ENOPROTOOPT }
