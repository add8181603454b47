package os

import (
	"internal/poll"
	"internal/strconv"
	"sync"
)

// writeOutput writes to the machine's output.
func writeOutput(p []byte)

// example is the file to which an example writes its output, nil if none runs.
var example *File

// captured is what has been written by methods of that file, instead of to the file. A write is a single
// step then, while a write of the kernel's is many, whose orders nobody can tell apart.
var captured struct {
	mu     sync.Mutex
	text   []byte
	closed bool
}

// capture captures what is written to f from now on. Package testing calls it.
func capture(f *File) { example = f }

// capturedText returns what has been captured.
func capturedText() string {
	captured.mu.Lock()
	defer captured.mu.Unlock()
	return string(captured.text)
}

// write writes to the standard output and error at once: they order nothing
// between goroutines. Other files are the kernel's, see package syscall, but for the one
// that is captured.
func (f *File) write(b []byte) (n int, err error) {
	switch {
	case f.stdoutOrErr:
		writeOutput(b)
		return len(b), nil
	case f != example:
		return f.pfd.Write(b)
	}
	captured.mu.Lock()
	defer captured.mu.Unlock()
	if captured.closed {
		return 0, poll.ErrFileClosing
	}
	captured.text = append(captured.text, b...)
	return len(b), nil
}

// Close closes the file. Nothing can be written to it after that.
func (f *File) Close() error {
	if f == nil {
		return ErrInvalid
	}
	if f == example {
		captured.mu.Lock()
		captured.closed = true
		captured.mu.Unlock()
	}
	return f.file.close()
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
