package schedule

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/cputime"
)

// workload returns n events like those of a server: goroutines take turns of some events each,
// in which they lock, read and write several objects, compute, and branch.
func workload(n int) (*Table, []Event) {
	t := NewTable()
	rng := rand.New(rand.NewPCG(1, 2))
	file, _ := t.NameID("server.go")
	fn, _ := t.NameID("example.com/server.(*Server).handle")
	add, _ := t.NameID("add")
	locations := make([]LocationID, 64)
	for i := range locations {
		locations[i], _ = t.LocationID(Location{File: file, Line: int32(10 + i), Column: 3, Func: fn})
	}
	var events []Event
	index := make([]int64, 9)
	local := Local(0)
	emit := func(e Event) {
		e.Index = index[e.Goroutine]
		index[e.Goroutine]++
		if optional[e.Op]&resultBit != 0 && e.Result == 1 {
			local++
			e.Result = local
		}
		events = append(events, e)
	}
	emit(Event{Op: Start})
	const objects = 512
	memory := map[Cell]uint64{}
	for i := range objects {
		emit(Event{Op: New, Object: ObjectID(i + 1), Child: NoGoroutine})
	}
	emit(Event{Op: Symbol, Result: 1, Value: Value{Int64, 7}})
	for g := GoroutineID(1); g <= 8; g++ {
		emit(Event{Op: Spawn, Child: g})
		emit(Event{Op: Start, Goroutine: g})
	}
	for len(events) < n {
		g := GoroutineID(1 + rng.IntN(8))
		o := ObjectID(1 + rng.IntN(objects))
		at := 8 * rng.IntN(8)
		emit(Event{Op: Lock, Goroutine: g, Object: o, Offset: 0, Location: locations[at]})
		for range 1 + rng.IntN(4) {
			off := int64(1 + rng.IntN(6))
			c, v := Cell{o, off}, uint64(rng.IntN(1000))
			emit(Event{Op: Read, Goroutine: g, Object: o, Offset: off, Value: Value{Int64, memory[c]}, Result: 1, Location: locations[at+1]})
			emit(Event{Op: Binary, Goroutine: g, Name: add, Left: local, Right: 1, Result: 1, Location: locations[at+2]})
			emit(Event{Op: Branch, Goroutine: g, Left: local, Number: 1, Location: locations[at+3]})
			emit(Event{Op: Write, Goroutine: g, Object: o, Offset: off, Value: Value{Int64, v}, Left: local, Location: locations[at+4]})
			memory[c] = v
		}
		emit(Event{Op: Unlock, Goroutine: g, Object: o, Location: locations[at+5]})
	}
	return t, events
}

func BenchmarkWrite(b *testing.B) {
	table, events := workload(1 << 14)
	for _, as := range []struct {
		name string
		Encoding
	}{{"binary", BinaryEncoding}, {"text", TextEncoding}} {
		b.Run(as.name, func(b *testing.B) {
			var size counter
			start := cputime.Now()
			for b.Loop() {
				size = 0
				w, err := NewWriter(&size, as.Encoding, table)
				if err != nil {
					b.Fatal(err)
				}
				for i := range events {
					if err := w.Write(&events[i]); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
			reportEvents(b, len(events), start)
			b.ReportMetric(float64(size)/float64(len(events)), "bytes/event")
		})
	}
}

func BenchmarkRead(b *testing.B) {
	table, events := workload(1 << 14)
	for _, as := range []struct {
		name string
		Encoding
		valid bool
	}{{"binary", BinaryEncoding, false}, {"text", TextEncoding, false}, {"binary with state", BinaryEncoding, true}} {
		b.Run(as.name, func(b *testing.B) {
			var file bytes.Buffer
			w, err := NewWriter(&file, as.Encoding, table)
			if err != nil {
				b.Fatal(err)
			}
			for i := range events {
				if err := w.Write(&events[i]); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
			start := cputime.Now()
			for b.Loop() {
				r, err := NewReader(bytes.NewReader(file.Bytes()), "bench")
				if err != nil {
					b.Fatal(err)
				}
				s := NewState(r.Table())
				for {
					e, err := r.Read()
					if errors.Is(err, io.EOF) {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
					if as.valid {
						if err := s.Next(e); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
			reportEvents(b, len(events), start)
		})
	}
}

// A run file of a long run, beside the JSON that run files of versions 1 and 2 were.
func BenchmarkRun(b *testing.B) {
	const n = 100_000
	table, events := workload(n)
	var h Header
	for i := range n {
		h.Decisions = append(h.Decisions, Decision{Goroutine: []string{"0.1", "0.2", "0.3"}[i/3%3]})
	}
	newRun := func() *Run {
		r := NewRun(h, table, func(w *Writer) error {
			for i := range events {
				if err := w.Write(&events[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if r.Incomplete != "" {
			b.Fatal(r.Incomplete)
		}
		return r
	}
	r := newRun()
	writeJSON := func(w io.Writer) error {
		h.Version = oldVersion
		buf := bufio.NewWriter(w)
		to := json.NewEncoder(buf)
		if err := to.Encode(&h); err != nil {
			return err
		}
		for i := range r.Events {
			if err := to.Encode(&r.Events[i]); err != nil {
				return err
			}
		}
		return buf.Flush()
	}
	var file, old bytes.Buffer
	if err := errors.Join(WriteRun(&file, r), writeJSON(&old)); err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name string
		size int
		do   func() error
	}{
		{"new", 0, func() error { newRun(); return nil }},
		{"write", file.Len(), func() error { return WriteRun(io.Discard, r) }},
		{"write JSON", old.Len(), func() error { return writeJSON(io.Discard) }},
		{"read", file.Len(), func() error { _, err := ReadRun(bytes.NewReader(file.Bytes()), "a.run"); return err }},
		{"read JSON", old.Len(), func() error { _, err := ReadRun(bytes.NewReader(old.Bytes()), "a.run"); return err }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			start := cputime.Now()
			for b.Loop() {
				if err := bench.do(); err != nil {
					b.Fatal(err)
				}
			}
			reportEvents(b, len(events), start)
			b.ReportMetric(float64(bench.size)/1e6, "MB")
		})
	}
}

// reportEvents reports how many events a second of processor time were done since start, n in each round.
func reportEvents(b *testing.B, n int, start time.Duration) {
	b.ReportMetric(float64(n)*float64(b.N)/(cputime.Now()-start).Seconds()/1e6, "Mevents/s")
}

// A counter counts what is written.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
