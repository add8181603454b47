package dedup

import (
	"bytes"
	"encoding/binary"
	"testing"
)

func TestPipeline(t *testing.T) {
	data := []byte{1, 1, 4, 1, 1, 4, 7, 8, 1, 1, 4, 2}
	out := newPipeline(3).run(data, 4)
	var got []byte
	chunks := map[uint32][]byte{}
	for len(out) > 0 {
		n := int(out[0])
		out = out[1:]
		if n == 0 {
			got = append(got, chunks[binary.LittleEndian.Uint32(out)]...)
			out = out[4:]
			continue
		}
		var c []byte
		for i := 0; i < n; i += 2 {
			c = append(c, bytes.Repeat(out[i:i+1], int(out[i+1]))...)
		}
		out = out[n:]
		chunks[sum(c)] = c
		got = append(got, c...)
	}
	if !bytes.Equal(got, data) {
		t.Errorf("got %v, want %v", got, data)
	}
	if len(chunks) != 5 {
		t.Errorf("%d chunks, want 5", len(chunks))
	}
}
