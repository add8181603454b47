package gotrace

import (
	"strings"

	"golang.org/x/exp/trace"

	"github.com/everyway-go/everyway/internal/analysis/waits"
)

// waitOf returns what a goroutine waits for, empty if it does not wait for other goroutines, or that is not known. The
// runtime gives one reason for all of package sync; its functions are on the stack.
func waitOf(reason string, stack trace.Stack) string {
	switch reason {
	case "chan send":
		return waits.ChanSend
	case "chan receive":
		return waits.ChanReceive
	case "select":
		return waits.Select
	case "forever":
		return waits.Forever
	case "sync.(*Cond).Wait":
		return waits.Condition
	case "sync":
		return syncWait(stack)
	}
	return ""
}

// syncWait returns what a goroutine waits for in package sync: what the outermost of its functions says.
func syncWait(stack trace.Stack) (wait string) {
	for f := range stack.Frames() {
		if !isBelow(f.Func) {
			break
		}
		for _, of := range [...]struct{ prefix, wait string }{
			{"sync.(*WaitGroup).", waits.WaitGroup},
			{"sync.(*RWMutex).RLock", waits.ReadLock},
			{"sync.(*RWMutex).", waits.RWMutex},
			{"sync.(*Mutex).", waits.Mutex},
			{"sync.(*Once).", waits.Once},
		} {
			if strings.HasPrefix(f.Func, of.prefix) {
				wait = of.wait
				break
			}
		}
	}
	return wait
}
