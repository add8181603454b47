package command

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// consumed returns the processor time of a process and of the children that it has waited for. The
// result is false if that is not known.
func consumed(pid int) (time.Duration, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The name of the command, in parentheses, may have anything in it.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	const first, last = 11, 15 // utime, stime, cutime and cstime, in hundredths of a second
	if len(fields) < last {
		return 0, false
	}
	sum := int64(0)
	for _, f := range fields[first:last] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, false
		}
		sum += n
	}
	return time.Duration(sum) * 10 * time.Millisecond, true
}
