package recording

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// A record is what a goroutine has done.
type record struct {
	kind    int
	pc      uint64
	addr    uint64
	size    uint64
	seq     uint64 // of what synchronises: its number; 0 for plain accesses
	arg     uint64
	callers *[everywayDepth]uint64 // of what synchronises
}

// A File is the file of a program that has recorded.
type File struct {
	from   io.ReaderAt
	chunks map[uint64][]chunk // by the number of the goroutine, in order
	begins map[uint64]begin   // by the number of the goroutine
	ended  map[uint64]*stream // of goroutines that others begin with, of which there may be none
	within map[uint64]bool    // goroutines of which it is being read how they end
	text   uint64             // where the code of the program begins
	run    uint64             // which of the runs that have recorded in the file this is
	Full   bool               // it did not suffice for the whole run
	Size   int64              // how many bytes have been used
}

// A chunk is a part of the file that one goroutine has written.
type chunk struct {
	nth  uint64 // of the goroutine
	at   int64
	size int64
}

// A begin says how the records of a goroutine begin.
type begin struct {
	before uint64 // the goroutine of which all still holds, 0 if there is none
	timers bool   // it stands for timers
}

// environment returns the variables that make a program record to a file of so many bytes, which is
// made, or has been used by runs before.
func environment(file string, size int64) ([]string, error) {
	size = size / everywayChunk * everywayChunk
	if size < 2*everywayChunk {
		return nil, fmt.Errorf("%d bytes are too few for a recording", size)
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	var old [5]uint64 // used, full, text, run, dirty
	buf := make([]byte, 8*len(old))
	if n, err := f.ReadAt(buf, 0); n == len(buf) {
		for i := range old {
			old[i] = binary.NativeEndian.Uint64(buf[8*i:])
		}
	} else if err != io.EOF {
		return nil, errors.Join(err, f.Close())
	}
	header := []byte{}
	for _, w := range [...]uint64{everywayChunk, 0, 0, old[3] + 1, min(max(old[0], old[4]), uint64(size))} {
		header = binary.NativeEndian.AppendUint64(header, w)
	}
	_, err = f.WriteAt(header, 0)
	err = errors.Join(err, f.Truncate(size), f.Close())
	return []string{"EVERYWAY_RECORD=" + file, fmt.Sprintf("EVERYWAY_RECORD_SIZE=%d", size)}, err
}

// openFile reads which chunks a file has, of which there are so many bytes.
func openFile(from io.ReaderAt, size int64) (*File, error) {
	f := &File{from: from, chunks: map[uint64][]chunk{}, begins: map[uint64]begin{}, ended: map[uint64]*stream{}, within: map[uint64]bool{}}
	header, err := f.words(0, 4)
	if err != nil {
		return nil, err
	}
	f.text, f.run = header[2], header[3]
	used := min(int64(min(header[0], math.MaxInt64)), size)
	f.Full = header[1] != 0
	for at := int64(everywayChunk); at+everywayChunk <= used; at += everywayChunk {
		if err := f.openChunk(at); err != nil {
			return nil, err
		}
	}
	for _, list := range f.chunks {
		slices.SortFunc(list, func(a, b chunk) int { return int(a.nth) - int(b.nth) })
	}
	return f, nil
}

// openChunk reads whose the parts of a chunk are.
func (f *File) openChunk(at int64) error {
	w, err := f.words(at, everywayHeader/8)
	if err != nil {
		return err
	}
	id, parts := w[0], w[2]&(1<<everywayRuns-1)
	if id == 0 || w[2]>>everywayRuns != f.run {
		return nil
	}
	f.Size += everywayChunk
	if parts > (everywayChunk-everywayHeader)/8 {
		return fmt.Errorf("reading a recording: a chunk with %d parts", parts)
	}
	end := everywayChunk - 8*int64(parts)
	f.begins[id] = begin{w[1] << 1 >> 1 >> everywayBefore, w[1]>>everywayTimers != 0}
	part := chunk{w[1] & (1<<everywayBefore - 1), at + everywayHeader, end - everywayHeader}
	if parts > 0 {
		if w, err = f.words(at+end, int(parts)); err != nil {
			return err
		}
	}
	for i := range w[:parts] {
		// The last word is about the first part.
		next := w[int(parts)-1-i]
		begins := at + int64(next&(1<<everywayPart-1))
		if begins < part.at || begins > at+end {
			return fmt.Errorf("reading a recording: a part of a chunk at %d", begins-at)
		}
		part.size = begins - part.at
		f.chunks[id] = append(f.chunks[id], part)
		before := id
		id = next << 1 >> 1 >> everywayPart
		f.begins[id] = begin{before, next>>everywayTimers != 0}
		part = chunk{1, begins, at + end - begins}
	}
	f.chunks[id] = append(f.chunks[id], part)
	return nil
}

// words reads n words.
func (f *File) words(at int64, n int) ([]uint64, error) {
	buf := make([]byte, 8*n)
	if _, err := f.from.ReadAt(buf, at); err != nil {
		return nil, fmt.Errorf("reading a recording: %w", err)
	}
	words := make([]uint64, n)
	for i := range words {
		words[i] = binary.NativeEndian.Uint64(buf[8*i:])
	}
	return words, nil
}

// A stream is what one goroutine has recorded, from some place on.
type stream struct {
	file  *File
	id    uint64
	left  []chunk
	words []uint64 // of the present chunk
	err   error
	next  record // the next one, if ok
	ok    bool
	// Stacks that the goroutine has defined, which are not changed, but replaced. The others are without callers.
	stacks [everywayStacks]*[everywayDepth]uint64
	likes  [everywayLikes]like
	seq    uint64 // the last number in a record of one word or pair
	// Where the last record that has one is among likes, and how many of the next ones are as expected.
	like, expected uint64
}

// A like is a record that later ones can be like: its first word, without a number, and the last
// address; the word if the last one of these was a single one, and where the record is that came
// next the last time.
type like struct{ first, addr, word, next uint64 }

// stream returns what a goroutine has recorded.
func (f *File) stream(id uint64) *stream {
	s := f.rest(f.begins[id].before)
	s.id, s.left, s.words = id, f.chunks[id], nil
	s.advance()
	return s
}

// rest returns what holds when a goroutine has ended, as a stream without records. A goroutine is
// numbered 0 if there is none.
func (f *File) rest(id uint64) *stream {
	if id == 0 {
		return &stream{file: f}
	}
	if s := f.ended[id]; s != nil { // it is one that nobody else begins with
		delete(f.ended, id)
		return s
	}
	if f.within[id] {
		return &stream{file: f, err: fmt.Errorf("reading a recording: goroutine %d begins with what it has recorded itself", id)}
	}
	f.within[id] = true
	defer delete(f.within, id)
	s := f.stream(id)
	for s.ok {
		s.advance()
	}
	delete(f.ended, id)
	return s
}

var noCallers [everywayDepth]uint64

// more makes at least n words of a chunk the next ones. It returns false at the end.
func (s *stream) more(n int) bool {
	for len(s.words) < n {
		if len(s.left) == 0 || s.err != nil {
			return false
		}
		if s.words, s.err = s.file.words(s.left[0].at, int(s.left[0].size/8)); s.err != nil {
			return false
		}
		s.left = s.left[1:]
	}
	return true
}

// pair returns the next two words, two zeros at the end.
func (s *stream) pair() (a, b uint64) {
	if !s.more(2) {
		return 0, 0
	}
	a, b = s.words[0], s.words[1]
	s.words = s.words[2:]
	return a, b
}

// first returns the first word and the address of the next record, two zeros at the end.
func (s *stream) first() (first, addr uint64) {
	if s.expected == 0 && s.more(1) && s.words[0]>>63 == 0 && s.words[0]&(1<<16-1) == everywayExpected {
		s.expected = s.words[0] >> 16
		s.words = s.words[1:]
	}
	w := uint64(0)
	switch {
	case s.expected > 0:
		s.expected--
		if w = s.likes[s.likes[s.like].next].word; w == 0 {
			s.err = errors.New("reading a recording: there is nothing to expect")
			return 0, 0
		}
	case s.more(1) && s.words[0]>>63 != 0:
		w = s.words[0]
		s.words = s.words[1:]
	}
	if w>>62 == 3 {
		first, addr = everywayFar(w, s.file.text)
		s.pairLike(first, addr)
		return first, addr
	}
	if w != 0 {
		slot := w >> everywayLikeShift % everywayLikes
		at := &s.likes[slot]
		s.likes[s.like].next, at.word, s.like = slot, w, slot
		d, first := w&(1<<everywayLikeShift-1), at.first
		if numbered(first) {
			s.seq += d >> everywayNearBits
			d &= 1<<everywayNearBits - 1
			first |= s.seq << everywayNumber
		}
		at.addr += d>>1 ^ -(d & 1)
		return first, at.addr
	}
	first, addr = s.pair()
	kind, size := first>>10&0x3f, first&(1<<10-1)
	switch {
	case numbered(first):
		s.seq = first >> everywayNumber
		first &= 1<<everywayNumber - 1
		s.pairLike(first, addr)
		first |= s.seq << everywayNumber
	case size != 0 && (kind == everywayRead || kind == everywayWrite):
		s.pairLike(first, addr)
	}
	return first, addr
}

// pairLike notes a record of one pair that later ones can be like.
func (s *stream) pairLike(first, addr uint64) {
	slot := everywayLikeAt(first)
	s.likes[s.like].next = slot
	at := &s.likes[slot]
	at.first, at.addr, at.word = first, addr, 0
	s.like = slot
}

// numbered reports whether a record has its number in the given first word.
func numbered(first uint64) bool {
	return first>>10&0x3f >= everywayAlloc && first&(1<<10-1) >= everywayShort
}

// advance reads the next record.
func (s *stream) advance() {
	for {
		first, addr := s.first()
		r := record{kind: int(first >> 10 & 0x3f), pc: first >> 16, addr: addr, size: first & (1<<10 - 1)}
		if s.ok = r.kind != 0; !s.ok {
			s.file.ended[s.id] = s
			return
		}
		if r.kind == everywayCallers {
			stack := new([everywayDepth]uint64)
			for i := 0; i < everywayDepth; i += 2 {
				stack[i], stack[i+1] = s.pair()
			}
			s.stacks[r.pc%everywayStacks] = stack
			continue
		}
		if r.size == 0 {
			_, r.size = s.pair()
		}
		if r.kind >= everywayAlloc {
			if r.size >= everywayShort {
				r.seq, r.arg, r.size = first>>everywayNumber, r.size-everywayShort, 1
			} else {
				r.seq, r.arg = s.pair()
			}
			// A process that was killed may have left half a record.
			s.ok = r.seq != 0
		}
		if r.kind == everywayAlloc {
			r.pc = 0
		}
		if r.kind >= everywayFork {
			r.callers, r.pc = s.stacks[r.pc%everywayStacks], 0
			if r.callers == nil {
				r.callers = &noCallers
			}
		}
		s.next = r
		return
	}
}
