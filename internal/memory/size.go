package memory

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize"
)

// A Size is a number of bytes.
type Size int64

// ParseSize reads a size such as 512MiB, 1.5GB or 2G. A number without a unit is one of bytes,
// as in the environment variable GOMEMLIMIT.
func ParseSize(s string) (Size, error) {
	n, err := humanize.ParseBytes(s)
	if err != nil || strings.HasPrefix(s, "-") {
		return 0, errors.New("give a size such as 512MiB or 2GB")
	}
	if n == 0 || n > math.MaxInt64 {
		return 0, fmt.Errorf("%s is out of range", s)
	}
	return Size(n), nil
}

// String returns s in the largest unit of which it is a whole number or, if that takes more
// than four digits, rounded.
func (s Size) String() string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	n, i := s, 0
	for n%1024 == 0 && n > 0 && i < len(units)-1 {
		n, i = n/1024, i+1
	}
	if n < 10_000 {
		return fmt.Sprintf("%d%s", n, units[i])
	}
	return strings.ReplaceAll(humanize.IBytes(uint64(s)), " ", "")
}
