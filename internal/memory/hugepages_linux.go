package memory

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
)

// startHeap is the most memory in use, in bytes, at which a process has just begun.
const startHeap = 32 << 20

// AdviseHugePages has the memory that the heap is going to take first, up to n bytes, come in huge
// pages where the kernel gives them only to who asks: a program that is loaded takes more than 100
// MB that no process has had yet, and page by page that may be half of the time that it takes. It
// is for the beginning of a process, and does nothing later.
func AdviseHugePages(n Size) {
	enabled, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil || !bytes.Contains(enabled, []byte("[madvise]")) || readUsage().total > startHeap {
		return
	}
	var space syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &space); err != nil || space.Cur != ^uint64(0) {
		return // there may not be that much
	}
	// The advice is for addresses, and stays when the memory there, of which nothing has been touched, is free again.
	b := make([]byte, n)
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) // without it, everything is as it was
	runtime.KeepAlive(b)
	debug.FreeOSMemory()
}
