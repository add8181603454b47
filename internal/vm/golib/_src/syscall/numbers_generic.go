//go:build !amd64

package syscall

// System calls that package syscall does not name on every architecture.
const (
	sysFstatat       = 79
	sysRenameat      = 38
	sysRenameat2     = 276
	sysGetrandom     = 278
	sysGetrlimit     = 163
	sysCopyFileRange = 285
)
