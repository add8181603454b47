package recording

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// What a goroutine does after it has sent comes after the value has been received, and is there
// also if nobody has recorded that.
func TestLastSender(t *testing.T) {
	type step struct {
		goroutine uint64
		kind      int
	}
	plain := func(pc uint64) []uint64 { return []uint64{pc<<16 | everywayWrite<<10 | 8, 0xc000001000} }
	synchronises := func(kind, arg, seq uint64) []uint64 {
		return []uint64{kind<<10 | everywayLong, 0xc000002000, seq, arg}
	}
	fork, send, receive, unlock := synchronises(everywayFork, 2, 1), synchronises(everywaySend, 0, 2), synchronises(everywayReceive, 0, 3), synchronises(everywayUnlock, 0, 4)
	for _, test := range []struct {
		name    string
		streams [][]uint64
		want    []step
	}{
		{
			"received", [][]uint64{slices.Concat(fork, send, plain(1), unlock), slices.Concat(receive, plain(2))},
			[]step{{1, everywayFork}, {1, everywaySend}, {2, everywayReceive}, {2, everywayWrite}, {1, everywayWrite}, {1, everywayUnlock}},
		},
		{
			"not received", [][]uint64{slices.Concat(fork, send, plain(1), unlock), plain(2)},
			[]step{{1, everywayFork}, {2, everywayWrite}, {1, everywaySend}, {1, everywayWrite}, {1, everywayUnlock}},
		},
		{
			"alone", [][]uint64{slices.Concat(plain(1), send, plain(1))},
			[]step{{1, everywayWrite}, {1, everywaySend}, {1, everywayWrite}},
		},
		{
			"the last sends, too", [][]uint64{slices.Concat(fork, send, synchronises(everywaySend, 0, 3), plain(1)), slices.Concat(synchronises(everywaySend, 0, 4), plain(2))},
			[]step{{1, everywayFork}, {1, everywaySend}, {2, everywaySend}, {1, everywaySend}, {1, everywayWrite}, {2, everywayWrite}},
		},
	} {
		words := make([]uint64, (1+len(test.streams))*chunkWords)
		words[0] = uint64(8 * len(words))
		for i, s := range test.streams {
			copy(words[(i+1)*chunkWords:], append([]uint64{uint64(i + 1), 1, 0}, s...))
		}
		var data []byte
		for _, w := range words {
			data = binary.NativeEndian.AppendUint64(data, w)
		}
		f, err := openFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		var got []step
		if err := f.merge(1, func(g uint64, r *record) error {
			got = append(got, step{g, r.kind})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		count := map[step]int{}
		for _, s := range got {
			count[s]++
		}
		for _, s := range test.want {
			count[s]--
		}
		for s, n := range count {
			if n != 0 {
				t.Errorf("%s: goroutine %d has %+d of kind %d: %v, want %v", test.name, s.goroutine, n, s.kind, got, test.want)
			}
		}
		if test.name == "received" && !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
