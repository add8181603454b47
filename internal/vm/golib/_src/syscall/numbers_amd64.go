package syscall

// System calls that package syscall does not name on every architecture.
const (
	sysFstatat       = 262
	sysRenameat      = 264
	sysRenameat2     = 316
	sysGetrandom     = 318
	sysGetrlimit     = 97
	sysCopyFileRange = 326
)
