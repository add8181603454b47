package syscall

import "sync"

// Getpagesize returns the size of a page of memory.
func Getpagesize() int { return 4096 }

// Exit ends the run: the program exits with a status.
func Exit(code int)

// unsupported ends the run: the program makes a system call that the kernel
// does not have.
func unsupported(trap uintptr)

// writeOutput writes to the machine's output.
func writeOutput(p []byte)

// hostFile returns the content of a file that the machine's user gives the program.
func hostFile(path string) string

// hostDirectory lists such a directory: for each name 'd' for a directory or 'f' for a
// file, the name, and a zero byte.
func hostDirectory(path string) string

// workDirectory returns the path, among the files that the machine's user gives the
// program, of its working directory: "." for their root.
func workDirectory() string

// hostRoot returns the path of those files on the host, where the program finds them, empty if it is not known.
func hostRoot() string

// outside ends the run if the machine's user gives the program files: it looks for others,
// around those, of which it cannot be told whether they are there.
func outside()

// clock returns the virtual time in nanoseconds since the Unix epoch.
func clock() int64

// random returns a random byte, which is an input of the run.
func random() byte

// The environment is small, and the same on every host.
func runtime_envs() []string {
	return []string{"HOME=" + home, "PATH=/usr/bin:/bin", "PWD=" + kernel.start, "USER=root"}
}

func runtimeSetenv(k, v string) {
	if k == "GODEBUG" {
		setGodebug(v)
	}
}

// setGodebug ends the run if settings in $GODEBUG differ from those of the program: they
// cannot be changed.
func setGodebug(settings string)

func runtimeUnsetenv(k string) {}

func runtimeClearenv(env map[string]int) {}

func runtime_entersyscall() {}

func runtime_exitsyscall() {}

func hasWaitingReaders(rw *sync.RWMutex) bool { return false }

func gettimeofday(tv *Timeval) (err Errno) {
	ns := clock()
	tv.Sec, tv.Usec = ns/1e9, ns%1e9/1e3
	return 0
}

// RawSyscall6 is every system call.
func RawSyscall6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err Errno) {
	if trap == SYS_MMAP {
		r1, err = kernel.mmap(a2, int(a3), int(a4), a5, a6)
		return r1, 0, err
	}
	r, errno := kernel.call(trap, a1, a2, a3, a4, a5)
	if errno != 0 {
		return ^uintptr(0), 0, errno
	}
	return uintptr(r), 0, 0
}

func rawSyscallNoError(trap, a1, a2, a3 uintptr) (r1, r2 uintptr) {
	r1, _, _ = RawSyscall6(trap, a1, a2, a3, 0, 0, 0)
	return r1, 0
}

func rawVforkSyscall(trap, a1, a2, a3 uintptr) (r1 uintptr, err Errno) {
	r1, _, err = RawSyscall6(trap, a1, a2, a3, 0, 0, 0)
	return r1, err
}
