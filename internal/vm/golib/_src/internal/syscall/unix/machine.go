package unix

import "syscall"

func fcntl(fd int32, cmd int32, arg int32) (int32, int32) {
	r, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), uintptr(cmd), uintptr(arg))
	if errno != 0 {
		return -1, int32(errno)
	}
	return int32(r), 0
}

func vgetrandom(p []byte, flags uint32) (ret int, supported bool) { return -1, false }
