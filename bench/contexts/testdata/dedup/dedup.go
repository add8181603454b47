// Package dedup is after PARSEC's program of that name: a pipeline of five stages, with queues between them, which cuts data
// into chunks, leaves out those that it has seen, and compresses the others.
package dedup

import "sync"

// A chunk is a part of the data.
type chunk struct {
	sequence  int
	data      []byte
	key       uint32
	duplicate bool
	packed    []byte
}

// A pipeline is the stages' common state.
type pipeline struct {
	fragments, refined, unique, packed *queue

	mu   sync.Mutex // of seen
	seen map[uint32]*chunk

	out []byte
}

// newPipeline returns a pipeline whose queues have room for size - 1 chunks.
func newPipeline(size int) *pipeline {
	return &pipeline{
		fragments: newQueue(size, 1),
		refined:   newQueue(size, 1),
		unique:    newQueue(size, 1),
		packed:    newQueue(size, 2), // of deduplicate and compress
		seen:      map[uint32]*chunk{},
	}
}

// fragment cuts the data into large pieces.
func (p *pipeline) fragment(data []byte, size int) {
	sequence := 0
	for len(data) > 0 {
		n := min(size, len(data))
		c := &chunk{sequence: sequence, data: data[:n]}
		data = data[n:]
		sequence++
		p.fragments.enqueue(c) // context: dedup-1, 1 goroutine
	}
	p.fragments.end()
}

// refine cuts these where a byte is a multiple of four.
func (p *pipeline) refine() {
	sequence := 0
	for {
		c := p.fragments.dequeue() // context: dedup-1, 1 goroutine
		if c == nil {
			break
		}
		start := 0
		for i, b := range c.data {
			if b&3 == 0 || i == len(c.data)-1 {
				part := &chunk{sequence: sequence, data: c.data[start : i+1]} // context: dedup-2, 1 goroutine
				sequence++
				start = i + 1
				p.refined.enqueue(part)
			}
		}
	}
	p.refined.end()
}

// deduplicate passes on what is new to those who compress, and the rest to the end.
func (p *pipeline) deduplicate() {
	for {
		c := p.refined.dequeue() // context: dedup-1, 1 goroutine
		if c == nil {
			break
		}
		c.key = sum(c.data)
		p.mu.Lock()
		_, known := p.seen[c.key] // context: dedup-2, 1 goroutine
		if !known {
			p.seen[c.key] = c
		}
		p.mu.Unlock()
		if known {
			c.duplicate = true
			p.packed.enqueue(c)
		} else {
			p.unique.enqueue(c)
		}
	}
	p.unique.end()
	p.packed.end()
}

// sum returns a hash.
func sum(data []byte) uint32 {
	h := uint32(2166136261)
	for _, b := range data {
		h = (h ^ uint32(b)) * 16777619
	}
	return h
}

// compress compresses what is new: it counts bytes that follow one another.
func (p *pipeline) compress() {
	for {
		c := p.unique.dequeue() // context: dedup-1, 1 goroutine
		if c == nil {
			break
		}
		c.packed = pack(c.data) // context: dedup-2, 1 goroutine
		p.packed.enqueue(c)
	}
	p.packed.end()
}

// pack returns pairs of a byte and how often it comes.
func pack(data []byte) (packed []byte) {
	for i, b := range data {
		if n := len(packed); i > 0 && b == packed[n-2] && packed[n-1] < 255 {
			packed[n-1]++
		} else {
			packed = append(packed, b, 1)
		}
	}
	return packed
}

// reorder writes the chunks in their order.
func (p *pipeline) reorder() {
	waiting := map[int]*chunk{}
	next := 0
	for {
		c := p.packed.dequeue() // context: dedup-1, 1 goroutine
		if c == nil {
			break
		}
		waiting[c.sequence] = c
		for waiting[next] != nil { // context: dedup-2, 1 goroutine
			p.write(waiting[next])
			delete(waiting, next)
			next++
		}
	}
}

// write writes a chunk.
func (p *pipeline) write(c *chunk) {
	if c.duplicate {
		p.out = append(p.out, 0, byte(c.key), byte(c.key>>8), byte(c.key>>16), byte(c.key>>24))
		return
	}
	p.out = append(p.out, byte(len(c.packed)))
	p.out = append(p.out, c.packed...)
}

// run passes data through the stages.
func (p *pipeline) run(data []byte, size int) []byte {
	var wg sync.WaitGroup
	wg.Go(func() { p.fragment(data, size) })
	wg.Go(p.refine)
	wg.Go(p.deduplicate)
	wg.Go(p.compress)
	wg.Go(p.reorder)
	wg.Wait()
	return p.out
}
