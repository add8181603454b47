// stops: system call
package main

import "syscall"

func main() {
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGTERM)
}
