//go:build unix

package command

import (
	"os"
	"runtime"
	"syscall"
)

// Peak returns the most memory that a process that has ended, or one that it started, has
// used, in bytes.
func Peak(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return u.Maxrss
	}
	return int64(u.Maxrss) << 10 // from KiB
}
