package os

import (
	"internal/strconv"
	"sync"
)

// writeOutput writes to the machine's output.
func writeOutput(p []byte)

// write writes to the standard output and error at once: they order nothing
// between goroutines. Other files are the kernel's, see package syscall.
func (f *File) write(b []byte) (n int, err error) {
	if f.stdoutOrErr {
		writeOutput(b)
		return len(b), nil
	}
	return f.pfd.Write(b)
}

// argument returns an argument of the program, if it has so many.
func argument(i int) (arg string, ok bool)

// executablePath returns the path of the program.
func executablePath() string

func executable() (string, error) { return executablePath(), nil }

func runtime_args() []string {
	args := []string{executablePath()}
	for {
		arg, ok := argument(len(args) - 1)
		if !ok {
			return args
		}
		args = append(args, arg)
	}
}

func runtime_beforeExit(exitCode int) {}

func sigpipe() {}

// unsupported ends the run: the program needs what the machine does not have.
func unsupported(what string)

// startProcess ends the run: there are no other processes.
func startProcess(name string, argv []string, attr *ProcAttr) (p *Process, err error) {
	unsupported("starting another process, " + name)
	return nil, ErrProcessDone
}

// checkClonePidfd finds that processes cannot be had.
func checkClonePidfd() error { return ErrProcessDone }

func ignoreSIGSYS() {}

func restoreSIGSYS() {}

// tempFiles counts the names of temporary files and directories.
var tempFiles struct {
	mu sync.Mutex
	n  int
}

// nextRandom returns a part of a name that no other has.
func nextRandom() string {
	tempFiles.mu.Lock()
	defer tempFiles.mu.Unlock()
	tempFiles.n++
	return strconv.FormatInt(int64(tempFiles.n), 10)
}
