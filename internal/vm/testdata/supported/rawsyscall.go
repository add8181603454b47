// stops: system call
package main

import "syscall"

func main() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_SYNC, 0, 0, 0)
}
