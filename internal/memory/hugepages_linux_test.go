package memory

import (
	"bytes"
	"os"
	"testing"
)

func TestAdviseHugePages(t *testing.T) {
	enabled, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil || !bytes.Contains(enabled, []byte("[madvise]")) {
		t.Skip("the kernel does not ask for advice")
	}
	advised := func() int { // areas of memory for which it was given
		t.Helper()
		areas, err := os.ReadFile("/proc/self/smaps")
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(areas, []byte(" hg"))
	}
	AdviseHugePages(1 << 30)
	if advised() == 0 {
		t.Error("no memory has huge pages")
	}
	if total := readUsage().total; total > startHeap {
		t.Errorf("%v are in use", total)
	}

	// The heap is no longer that of a process that has just begun.
	used := make([]byte, startHeap)
	before := readUsage().total
	AdviseHugePages(1 << 30)
	if after := readUsage().total; after < before {
		t.Errorf("memory was freed: %v, and %v before", after, before)
	}
	clear(used)
}
