package recording

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// A log writes records as a program does, for the reader to be compared with: everywayLog, with slices.
type log struct {
	words []uint64
	chunk int             // words in the present chunk
	likes map[uint64]like // by place
	seq   uint64

	goroutine uint64   // the second one begins where the first one ends
	parts     []uint64 // of the present chunk

	single   map[uint64]uint64 // the last word of a record, by place, if it was a single one
	after    map[uint64]uint64 // the place that came after another one the last time
	place    uint64            // the last one
	expected bool              // the last word says how many records are as expected
	all      int               // how many are
	near     int               // how many are the words of near
}

const (
	chunkWords = everywayChunk / 8
	testText   = 0x400000 // where the code begins
	testRun    = 5
)

// close fills the present chunk.
func (l *log) close() {
	if len(l.words) == 0 {
		return
	}
	for len(l.words)%chunkWords != 0 {
		l.words = append(l.words, 0)
	}
	if len(l.words) > chunkWords {
		l.words[len(l.words)-chunkWords+2] = testRun<<32 | uint64(len(l.parts))
		for i, p := range l.parts {
			l.words[len(l.words)-1-i] = p
		}
	}
	l.parts = nil
}

func (l *log) begin() {
	if l.close(); len(l.words) == 0 {
		l.words = make([]uint64, chunkWords) // the header
	}
	l.words = append(l.words, l.goroutine, uint64(len(l.words)/chunkWords)|(l.goroutine-1)<<everywayBefore, 0)
	l.chunk = 3
}

// next has the next goroutine go on, in the same chunk or a new one.
func (l *log) next(same bool) {
	l.goroutine++
	l.expected = false
	if !same {
		l.begin()
		return
	}
	l.parts = append(l.parts, l.goroutine<<16|uint64(8*l.chunk))
}

func (l *log) put(words ...uint64) {
	l.expected = false
	if l.chunk+len(words)+len(l.parts) > chunkWords {
		l.begin()
	}
	l.words = append(l.words, words...)
	l.chunk += len(words)
}

// near returns the word of a plain access that is near.
func near(first, addr, seq uint64) (word uint64, ok bool) {
	size, kind, pc := first%1024, first/1024%64, first>>16
	heap := addr>>31 == 0xc000000000>>31
	if seq != 0 || !heap && addr>>31 != 0 || pc < testText || pc >= testText+1<<25 || size != 1 && (size%8 != 0 || size > 120) {
		return 0, false
	}
	word = 0b110 << 61
	if kind == everywayWrite {
		word |= 1 << 61
	}
	if heap {
		word |= 1 << 31
	}
	return word | size/8<<57 | (pc-testText)<<32 | addr%(1<<31), true
}

// like appends a record of one pair, as one word if it can be.
func (l *log) like(first, addr, seq uint64) (short bool) {
	at := everywayLikeAt(first)
	before := l.likes[at]
	l.likes[at] = like{first: first, addr: addr}
	follows := l.after[l.place] == at
	l.after[l.place], l.place = at, at
	d := int64(addr - before.addr)
	z := uint64(d<<1 ^ d>>63)
	n, left := uint64(0), everywayLikeShift
	if seq != 0 {
		n, l.seq = seq-l.seq, seq
		left = everywayNearBits
	}
	if before.first != first || z>>left != 0 || n>>(everywayLikeShift-everywayNearBits) != 0 {
		delete(l.single, at)
		if word, ok := near(first, addr, seq); ok {
			l.near++
			l.put(word)
			return false
		}
		l.put(seq<<everywayNumber|first, addr)
		return false
	}
	word := 1<<63 | at<<everywayLikeShift | n<<everywayNearBits | z
	if follows && l.single[at] == word {
		l.all++
		if l.expected {
			l.words[len(l.words)-1] += 1 << 16
			return true
		}
		l.put(1<<16 | everywayExpected)
		l.expected = true
		return true
	}
	l.single[at] = word
	l.put(word)
	return true
}

// TestStream reads records of all forms, with addresses and numbers that are near the last ones and far from them.
func TestStream(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		l := &log{chunk: chunkWords, goroutine: 1, likes: map[uint64]like{}, single: map[uint64]uint64{}, after: map[uint64]uint64{}}
		var first, want []record
		seq, short := uint64(0), 0
		for n := range 5000 {
			if n == 3000 {
				l.next(seed%2 == 0)
				first, want = want, nil
			}
			if r.IntN(100) == 0 { // a loop
				body, base := 1+r.IntN(5), uint64(0x401000+r.IntN(300))
				stride := uint64(r.IntN(2) * 8)
				for i := range uint64(r.IntN(100)) {
					for k := range uint64(body) {
						e := record{kind: everywayRead, pc: base + k, addr: 0xc000000000 + 1000*k + i*stride, size: 8}
						if k == 2 {
							seq++
							e = record{kind: everywayLock, addr: 0xc000000000, size: 1, seq: seq, callers: &noCallers}
							l.like(everywayLock<<10|everywayShort, e.addr, seq)
						} else {
							l.like(e.pc<<16|everywayRead<<10|8, e.addr, 0)
						}
						want = append(want, e)
					}
				}
			}
			base := []uint64{0x7f0012345678, 0xc000123456, 0x4000}[r.IntN(3)]
			addr := base + uint64(r.IntN(1<<[]int{0, 4, 16, 40}[r.IntN(4)]))*[]uint64{1, 8}[r.IntN(2)]
			switch r.IntN(10) {
			case 0: // a large access
				e := record{kind: everywayWrite, pc: 0x401000 + uint64(r.IntN(9)), addr: addr, size: 1 << 12}
				l.put(e.pc<<16|everywayWrite<<10, addr)
				l.put(1, e.size)
				want = append(want, e)
			case 1: // a large argument
				seq += 1 + uint64(r.IntN(5))
				e := record{kind: everywayAdd, addr: addr, size: 1, seq: seq, arg: 1 << 20, callers: &noCallers}
				l.put(everywayAdd<<10|everywayLong, addr)
				l.put(seq, e.arg)
				want = append(want, e)
			case 2, 3, 4: // with a number
				seq += 1 + uint64(r.IntN(1<<[]int{1, 8, 21}[r.IntN(3)]))
				e := record{kind: everywayLock + r.IntN(4), addr: addr, size: 1, seq: seq, arg: uint64(r.IntN(3)), callers: &noCallers}
				if l.like(uint64(e.kind)<<10|everywayShort+e.arg, addr, seq) {
					short++
				}
				want = append(want, e)
			default:
				e := record{kind: everywayRead + r.IntN(2), pc: 0x401000 + uint64(r.IntN(400)), addr: addr, size: []uint64{8, 8, 8, 1, 2, 16, 120, 128}[r.IntN(8)]}
				if l.like(e.pc<<16|uint64(e.kind)<<10|e.size, addr, 0) {
					short++
				}
				want = append(want, e)
			}
		}
		l.close()
		// The last chunk is left from another run.
		l.words = append(l.words, 1, 9, 4<<32)
		l.words = append(l.words, make([]uint64, chunkWords-3)...)
		copy(l.words, []uint64{uint64(8 * len(l.words)), 0, testText, testRun})
		var text []byte
		for _, w := range l.words {
			text = binary.NativeEndian.AppendUint64(text, w)
		}
		f, err := openFile(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		if short < 100 || l.all < 1000 || l.near < 100 {
			t.Fatal(short, l.all, l.near)
		}
		// The second one is read without the first one, and after it.
		for i, want := range [][]record{want, first, want} {
			var got []record
			s := f.stream([]uint64{2, 1, 2}[i])
			for ; s.ok; s.advance() {
				got = append(got, s.next)
			}
			if s.err != nil {
				t.Fatal(s.err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("seed %d, reading %d: %d records, want %d, which differ from %d on", seed, i, len(got), len(want), differ(got, want))
			}
		}
	}
}

// differ returns where lists differ first.
func differ(a, b []record) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// What a chunk says of its parts may be wrong.
func TestParts(t *testing.T) {
	for _, parts := range [][]uint64{{16}, {everywayChunk}, {800, 400}, make([]uint64, chunkWords)} {
		words := make([]uint64, 2*chunkWords)
		words[0] = 2 * everywayChunk
		copy(words[chunkWords:], []uint64{1, 1, uint64(len(parts))})
		for i, at := range parts[:min(2, len(parts))] {
			words[len(words)-1-i] = 2<<everywayPart | at
		}
		var data []byte
		for _, w := range words {
			data = binary.NativeEndian.AppendUint64(data, w)
		}
		if _, err := openFile(bytes.NewReader(data), int64(len(data))); err == nil {
			t.Errorf("a chunk with %d parts is read", len(parts))
		}
	}
}

// A file that says that goroutines begin with each other is an error.
func TestCircle(t *testing.T) {
	words := make([]uint64, 3*everywayChunk/8)
	words[0] = 3 * everywayChunk
	for i, id := range []uint64{7, 8} {
		at := (i + 1) * everywayChunk / 8
		words[at], words[at+1] = id, 1|(15-id)<<everywayBefore
	}
	var data []byte
	for _, w := range words {
		data = binary.NativeEndian.AppendUint64(data, w)
	}
	f, err := openFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if s := f.stream(7); s.ok || s.err == nil {
		t.Errorf("it is read: %+v", s.next)
	}
}
