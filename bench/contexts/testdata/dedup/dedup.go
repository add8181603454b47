// Package dedup is after PARSEC's program of that name: a pipeline of five stages, with queues between them, which cuts data
// into chunks, leaves out those that it has seen, and compresses the others. The queues and the table of what has been seen are
// variables of the package, as they are in the original.
package dedup

import "sync"

// length is how many bytes there are, and most how many chunks, at most.
const (
	length = 16
	most   = 16
)

// A chunk is a part of the data.
type chunk struct {
	sequence   int32
	begin, end int32
	duplicate  bool
	packed     int32 // how many bytes it has when it is compressed
}

// The stages' common state.
var (
	data    [length]byte
	buckets [2]bucket

	duplicates int32 // that have been written
	written    int32 // bytes
)

// A bucket is a part of the table of what has been seen, with a lock of its own.
type bucket struct {
	mu   sync.Mutex
	keys [8]uint32
	n    int32
}

// fragment cuts the data into large pieces.
func fragment(size int32) {
	sequence := int32(0)
	for begin := int32(0); begin < length; begin += size {
		c := chunk{sequence: sequence, begin: begin, end: min(begin+size, length)}
		sequence++
		enqueue(fragments, c) // context: dedup-1, 1 goroutine
	}
	end(fragments)
}

// refine cuts these where a byte is a multiple of four.
func refine() {
	sequence := int32(0)
	for {
		c, ok := dequeue(fragments) // context: dedup-1, 1 goroutine
		if !ok {
			break
		}
		begin := c.begin
		for i := begin; i < c.end; i++ {
			if data[i%length]&3 == 0 || i == c.end-1 {
				part := chunk{sequence: sequence, begin: begin, end: i + 1}
				sequence++
				begin = i + 1
				enqueue(refined, part) // context: dedup-2, 1 goroutine
			}
		}
	}
	end(refined)
}

// deduplicate passes on what is new to those who compress, and the rest to the end.
func deduplicate() {
	for {
		c, ok := dequeue(refined) // context: dedup-1, 1 goroutine
		if !ok {
			break
		}
		key := sum(c.begin, c.end)
		b := &buckets[key&1]
		b.mu.Lock() // context: dedup-2, 1 goroutine
		known := b.add(key)
		b.mu.Unlock()
		if known {
			c.duplicate = true
			enqueue(packed, c)
		} else {
			enqueue(unique, c)
		}
	}
	end(unique)
	end(packed)
}

// add adds a key, and reports whether it was there.
func (b *bucket) add(key uint32) bool {
	for i := int32(0); i < b.n; i++ {
		if b.keys[i&7] == key {
			return true
		}
	}
	b.keys[b.n&7] = key
	b.n++
	return false
}

// sum returns a hash.
func sum(begin, end int32) uint32 {
	h := uint32(5381)
	for i := begin; i < end; i++ {
		h = h<<5 + h ^ uint32(data[i%length])
	}
	return h
}

// compress compresses what is new: it counts bytes that follow one another.
func compress() {
	for {
		c, ok := dequeue(unique) // context: dedup-1, 1 goroutine
		if !ok {
			break
		}
		c.packed = pack(c.begin, c.end)
		enqueue(packed, c) // context: dedup-2, 1 goroutine
	}
	end(packed)
}

// pack returns how many bytes it takes to say which bytes there are, and how often each comes.
func pack(begin, end int32) (n int32) {
	for i := begin; i < end; i++ {
		if i == begin || data[i%length] != data[(i-1)%length] {
			n += 2
		}
	}
	return n
}

// reorder writes the chunks in their order.
func reorder() {
	var waiting, duplicate [most]bool
	var packedLen [most]int32
	next := int32(0)
	for {
		c, ok := dequeue(packed) // context: dedup-1, 1 goroutine
		if !ok {
			break
		}
		waiting[c.sequence%most] = true
		duplicate[c.sequence%most] = c.duplicate
		packedLen[c.sequence%most] = c.packed
		for waiting[next%most] { // context: dedup-2, 1 goroutine
			waiting[next%most] = false
			if duplicate[next%most] {
				duplicates++
			} else {
				written += packedLen[next%most]
			}
			next++
		}
	}
}

// run passes the data through the stages.
func run(size int32) {
	for i := range queues {
		queues[i].producers = 1
	}
	queues[packed].producers = 2 // deduplicate and compress
	var wg sync.WaitGroup
	wg.Go(func() { fragment(size) })
	wg.Go(refine)
	wg.Go(deduplicate)
	wg.Go(compress)
	wg.Go(reorder)
	wg.Wait()
}
