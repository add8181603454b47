package dedup

import "testing"

func TestPipeline(t *testing.T) {
	data = [length]byte{1, 1, 4, 1, 1, 4, 7, 8, 1, 1, 4, 2, 5, 5, 5, 4}
	run(4)
	if duplicates != 1 || written != 20 {
		t.Errorf("%d duplicates, %d bytes, want 1 and 20", duplicates, written)
	}
}
