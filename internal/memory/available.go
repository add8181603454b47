package memory

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// share is the part of the available memory that everyway takes by default. The rest is for the
// go command, other processes, and the file cache.
const share = 0.75

// leastDefault is the default limit if it is not known how much memory there is.
const leastDefault Size = 4 << 30

// Default returns the limit of a process for which none was given: a share of the memory of
// the computer or, if that is less, of the control groups that the process is in. It is no more
// than the environment variable GOMEMLIMIT says.
func Default() Size {
	limit := available(memlimit.FromSystem, memlimit.FromCgroup)
	if os.Getenv("GOMEMLIMIT") != "" {
		limit = min(limit, Size(debug.SetMemoryLimit(-1)))
	}
	return limit
}

// available returns a share of the least of what the providers say.
func available(providers ...memlimit.Provider) Size {
	least := uint64(math.MaxUint64)
	for _, provide := range providers {
		if n, err := provide(); err == nil && n > 0 {
			least = min(least, n)
		}
	}
	if least == math.MaxUint64 {
		return leastDefault
	}
	return Size(float64(least) * share)
}
