// Stream measures everyway race on schedules that are longer than memory: it makes one of so many
// bytes, which nobody keeps, and has each detector read it from a pipe.
//
//	go run ./bench/stream                              # 10 GiB, with the default detectors
//	go run ./bench/stream -size 1GiB -detectors all    # one after another
//	go run ./bench/stream -size 1GiB -text
//
// The schedule is that of a server that never stops: a listener starts a goroutine for each
// request, which takes locks, reads and writes sessions that all share, computes, branches, uses
// atomics and channels, and ends. Objects and goroutines become more, sessions and locks do not.
// One counter is not protected, so that there is a race. A row has the processor time of everyway
// race, the memory that it had at most (the peak of its resident set), and how many findings it has
// printed. The tables are in docs/schedules.md.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/analysis/registry"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/schedule"
)

// options are those of the command line.
type options struct {
	size, memory memory.Size
	detectors    string
	window       int
	text         bool
	concrete     bool
}

func main() {
	o := options{size: 10 << 30}
	flag.Func("size", "`size` of the schedule (default 10GiB)", parseSize(&o.size))
	flag.Func("memory", "-memory of everyway race", parseSize(&o.memory))
	flag.StringVar(&o.detectors, "detectors", "happensbefore+huang+deadlock+misuse", "comma-separated `names`, + between those that look at it together, or all")
	flag.IntVar(&o.window, "window", 0, "-window of everyway race")
	flag.BoolVar(&o.text, "text", false, "the text instead of the binary encoding")
	flag.BoolVar(&o.concrete, "concrete", false, "without symbolic values")
	flag.Parse()
	if o.detectors == "all" {
		var names []string
		for _, d := range registry.Detectors() {
			names = append(names, d.Name)
		}
		o.detectors = strings.Join(names, ",")
	}
	table.Main(command.With(o.run))
}

func parseSize(to *memory.Size) func(string) error {
	return func(s string) (err error) {
		*to, err = memory.ParseSize(s)
		return err
	}
}

func (o *options) run(ctx context.Context, built command.Everyway, _ string) error {
	fmt.Printf("| detector | events | size | processor time | memory | findings |\n|---|---|---|---|---|---|\n")
	for d := range strings.SplitSeq(o.detectors, ",") {
		row, err := o.measure(ctx, string(built), strings.ReplaceAll(d, "+", ","))
		if err != nil {
			return err
		}
		fmt.Printf("| `%s` | %s |\n", d, row)
	}
	return nil
}

// measure has everyway race read a schedule with a detector, and returns the cells of a row.
func (o *options) measure(ctx context.Context, everyway, detector string) (string, error) {
	args := []string{"race", "-detector", detector}
	if o.window != 0 {
		args = append(args, "-window", fmt.Sprint(o.window))
	}
	if o.memory != 0 {
		args = append(args, "-memory", o.memory.String())
	}
	cmd := exec.CommandContext(ctx, everyway, append(args, "-")...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return "", err
	}
	to := &counter{to: in}
	encoding := schedule.BinaryEncoding
	if o.text {
		encoding = schedule.TextEncoding
	}
	events, writing := write(to, encoding, int64(o.size), o.concrete)
	err = errors.Join(in.Close(), cmd.Wait())
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	last := lines[len(lines)-1]
	took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	row := fmt.Sprintf("%d | %.2f GB | %v | %.2f GB | ", events, float64(to.n)/(1<<30), took.Round(100*time.Millisecond), float64(command.Peak(cmd.ProcessState))/(1<<30))
	exit := (*exec.ExitError)(nil)
	switch {
	case err != nil && !errors.As(err, &exit):
		return "", err
	case writing == nil && (err == nil || exit.ExitCode() == 1):
		_, last, _ = strings.Cut(last[strings.LastIndex(last, ": ")+1:], " ")
	} // otherwise it has not read all, and says why
	return row + last, nil
}

// A counter counts what is written.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(data []byte) (int, error) {
	n, err := c.to.Write(data)
	c.n += int64(n)
	return n, err
}

// Numbers of the server.
const (
	sessions = 1 << 12 // objects that all requests share, each with a lock
	queues   = 16      // channels
	capacity = 64      // of a channel
	workers  = 32      // goroutines for requests at the same time
	bursts   = 400     // of a goroutine before it ends
)

// A server makes events.
type server struct {
	w         *schedule.Writer
	e         schedule.Event
	err       error
	rng       uint64
	concrete  bool
	index     []int64 // of the next event, by goroutine; -1 if it has ended
	running   []schedule.GoroutineID
	left      []int // bursts, by place in running
	objects   schedule.ObjectID
	local     schedule.Local
	memory    [sessions][8]uint64
	fresh     [workers]schedule.ObjectID // what the last request there has allocated
	queued    [queues]int
	values    [queues][]uint64
	add       schedule.NameID
	locations []schedule.LocationID
}

// write writes a schedule of so many bytes, and returns how many events that are.
func write(to *counter, encoding schedule.Encoding, size int64, concrete bool) (int64, error) {
	t := schedule.NewTable()
	w, err := schedule.NewWriter(to, encoding, t)
	if err != nil {
		return 0, err
	}
	s := &server{w: w, rng: 1, concrete: concrete, index: make([]int64, 1)}
	if err := s.begin(t); err != nil {
		return 0, err
	}
	for to.n < size && s.err == nil {
		s.burst(int(s.random() % workers))
	}
	return w.Events(), cmp.Or(s.err, w.Close())
}

// begin starts the server.
func (s *server) begin(t *schedule.Table) (err error) {
	file, err := t.NameID("server.go")
	if err != nil {
		return err
	}
	function, err := t.NameID("example.com/server.(*Server).handle")
	if err != nil {
		return err
	}
	if s.add, err = t.NameID("add"); err != nil {
		return err
	}
	for i := range 64 {
		l, err := t.LocationID(schedule.Location{File: file, Line: int32(10 + i), Column: 3, Func: function})
		if err != nil {
			return err
		}
		s.locations = append(s.locations, l)
	}
	s.emit(schedule.Event{Op: schedule.Start}, 0)
	for range sessions { // objects 1 to sessions
		s.new(0, schedule.Memory, 0)
	}
	for range queues {
		s.new(0, schedule.Channel, capacity)
	}
	s.new(0, schedule.Memory, 0) // with the counter
	for range workers {
		s.running, s.left = append(s.running, s.start()), append(s.left, 1+int(s.random()%bursts))
	}
	return s.err
}

func (s *server) random() uint64 {
	s.rng ^= s.rng << 13
	s.rng ^= s.rng >> 7
	s.rng ^= s.rng << 17
	return s.rng >> 11
}

// emit writes an event at one of the locations.
func (s *server) emit(e schedule.Event, at int) {
	s.e = e
	s.e.Index = s.index[e.Goroutine]
	s.index[e.Goroutine]++
	s.e.Location = s.locations[at]
	if s.err == nil {
		s.err = s.w.Write(&s.e)
	}
}

// new introduces an object.
func (s *server) new(g schedule.GoroutineID, kind schedule.ObjectKind, n int64) schedule.ObjectID {
	s.objects++
	s.emit(schedule.Event{Op: schedule.New, Goroutine: g, Object: s.objects, Kind: kind, Number: n, Child: schedule.NoGoroutine}, 1)
	return s.objects
}

// start starts a goroutine.
func (s *server) start() schedule.GoroutineID {
	g := schedule.GoroutineID(len(s.index))
	s.index = append(s.index, 0)
	s.emit(schedule.Event{Op: schedule.Spawn, Child: g}, 2)
	s.emit(schedule.Event{Op: schedule.Start, Goroutine: g}, 3)
	return g
}

// result returns a new symbolic value.
func (s *server) result() schedule.Local {
	if s.concrete {
		return 0
	}
	s.local++
	return s.local
}

func value(bits uint64) schedule.Value { return schedule.Value{Kind: schedule.Int64, Bits: bits} }

// burst has a goroutine take some steps.
func (s *server) burst(n int) {
	if s.left[n]--; s.left[n] < 0 {
		s.emit(schedule.Event{Op: schedule.End, Goroutine: s.running[n]}, 4)
		s.index[s.running[n]] = -1
		s.running[n], s.left[n] = s.start(), bursts
		s.fresh[n] = 0
		return
	}
	g, r := s.running[n], s.random()
	kind, at := r%16, int(r>>4%4)*8
	switch {
	case kind == 0: // a value goes through a queue
		q := int(r >> 8 % queues)
		queue := schedule.ObjectID(sessions + 1 + q)
		if s.queued[q] < capacity {
			s.queued[q]++
			s.values[q] = append(s.values[q], r>>16)
			s.emit(schedule.Event{Op: schedule.Send, Goroutine: g, Object: queue, Value: value(r >> 16), Case: schedule.NoCase}, 5)
			return
		}
		for _, v := range s.values[q] {
			s.emit(schedule.Event{Op: schedule.Recv, Goroutine: g, Object: queue, Value: value(v), Case: schedule.NoCase}, 6)
		}
		s.queued[q], s.values[q] = 0, s.values[q][:0]
	case kind == 1: // nothing orders these
		if s.left[n]%64 == 0 {
			s.emit(schedule.Event{Op: schedule.Write, Goroutine: g, Object: sessions + queues + 1, Value: value(r)}, 7)
		}
	case kind < 4: // a lock of readers, or an atomic
		o := schedule.ObjectID(1 + r>>8%sessions)
		s.emit(schedule.Event{Op: schedule.AtomicUpdate, Goroutine: g, Object: o, Offset: 9, Value: schedule.Value{}}, 32+at/8)
	case kind < 8: // what is its own
		if s.fresh[n] == 0 {
			s.fresh[n] = s.new(g, schedule.Memory, 0)
			s.emit(schedule.Event{Op: schedule.Write, Goroutine: g, Object: s.fresh[n], Value: value(0)}, 8)
		}
		for range 1 + r>>8%4 {
			s.emit(schedule.Event{Op: schedule.Read, Goroutine: g, Object: s.fresh[n], Value: value(0)}, 40+at/8)
		}
	default:
		o := r >> 8 % sessions
		object := schedule.ObjectID(1 + o)
		s.emit(schedule.Event{Op: schedule.Lock, Goroutine: g, Object: object, Lock: schedule.Mutex}, 10+at)
		for range 1 + r>>24%3 {
			f := 1 + r>>32%7
			read := s.result()
			s.emit(schedule.Event{Op: schedule.Read, Goroutine: g, Object: object, Offset: int64(f), Value: value(s.memory[o][f]), Result: read}, 11+at)
			sum := s.result()
			if !s.concrete {
				s.emit(schedule.Event{Op: schedule.Binary, Goroutine: g, Name: s.add, Left: read, Right: read, Result: sum}, 12+at)
				s.emit(schedule.Event{Op: schedule.Branch, Goroutine: g, Left: sum, Number: 1}, 13+at)
			}
			s.memory[o][f] = (2*s.memory[o][f] + r%3) % 1000
			s.emit(schedule.Event{Op: schedule.Write, Goroutine: g, Object: object, Offset: int64(f), Value: value(s.memory[o][f]), Left: sum}, 14+at)
			r = r>>1 ^ r<<40
		}
		s.emit(schedule.Event{Op: schedule.Unlock, Goroutine: g, Object: object}, 15+at)
	}
}
