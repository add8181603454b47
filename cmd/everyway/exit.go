package main

import (
	"fmt"
	"syscall"
)

// Exit codes, as go test and go vet have them.
const (
	exitOK      = 0 // every target holds, is open or was skipped
	exitFails   = 1 // some target fails, or the command was interrupted
	exitUsage   = 2 // a bad flag or argument, code that does not compile
	exitProblem = 3 // a fault of everyway's own, or output that cannot be written
	// exitPipe is that of a process which has ended because nobody reads its output.
	exitPipe = 128 + int(syscall.SIGPIPE)
)

// A usageError is a mistake of the user's: it is printed in one line.
type usageError struct{ error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}
