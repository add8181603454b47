package binary

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/covering"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/schedule"
)

// A generator makes programs whose goroutines synchronise on locks, channels, a counter, a map and
// what is done once, as an input says. Each operation is on a line of its own, which a comment says
// the object of, and the program says in which order there were operations on each object: a
// goroutine says what it does with a lock while it holds it, and what it has got from the counter
// or a channel.
type generator struct {
	*rand.Rand
	strings.Builder
	swaps int
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(g, format+"\n", args...) }

// body writes the operations of a goroutine.
func (g *generator) body(id, n int) {
	for range n {
		switch k := g.IntN(10); k {
		case 0, 1, 2:
			m := []string{"a", "b", "c"}[k]
			g.line("%s.Lock() // %s", m, m)
			g.line("say(%q, %d)", m, id)
			g.line("%s.Unlock() //", m)
		case 3:
			g.line("say(\"x\", %d, int(x.Add(1))) // x", id)
		case 4:
			g.line("once.Do(func() { say(\"o\", %d) }) // o", id)
		case 5:
			if n > 1 {
				g.line("if n %s %d {", []string{"<", ">", "=="}[g.IntN(3)], g.IntN(4))
				g.body(id, n/2)
				g.line("}")
			}
		case 6:
			if n > 1 {
				g.line("for range n %% %d {", 2+g.IntN(2))
				g.body(id, 1)
				g.line("}")
			}
		case 7:
			g.line("say(\"e\", %d, early())", id)
		case 8:
			g.swaps++
			g.line("say(\"s\", %d, swap(%d))", id, g.swaps)
		case 9:
			g.line("put(\"p\", %d, pool.Get().(*[]int))", id)
		}
	}
}

func generate(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	g.line(`package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/everyway-go/everyway/sym"
)

// say writes a line: the object, the goroutine, and what it has got.
func say(object string, id int, got ...int) { os.Stdout.WriteString(object + fmt.Sprintln("", id, got)) }

var (
	names sync.Map
	pool  = sync.Pool{New: func() any { return new([]int) }}
)

// swap returns what was in the map until it put in another number.
func swap(n int) int {
	old, _ := names.Swap("a", n)
	m, _ := old.(int)
	return m
}

func put(object string, id int, list *[]int) {
	*list = append((*list)[:0], id)
	say(object, id, *list...)
	pool.Put(list)
}

func main() {
	n := sym.Range("n", 0, 4)
	var a, b, c sync.Mutex
	var x atomic.Int64
	var once sync.Once
	var wg sync.WaitGroup
	more := sync.NewCond(&c)
	ready := 0
	early := sync.OnceValue(func() int { return int(x.Load()) })
	u, v := make(chan int), make(chan int, 2)
	_, _, _, _, _, _, _, _, _, _ = &a, &b, &c, &x, &once, u, v, more, ready, early`)
	for id := range 5 {
		if id == 2 {
			g.line("go func() {")
			g.line("defer wg.Done() //")
		} else {
			g.line("wg.Go(func() {")
		}
		g.body(id, 2+g.IntN(3))
		// What is sent is received: values from goroutine 0 to 1, and from 1 to 2, and a condition
		// that 2, 3 and 4 wait for, which some do longer than others.
		switch id {
		case 0:
			g.line("for i := range 1 + n%%2 {\nu <- 10*n + i // u\n}")
		case 1:
			g.line("for range 1 + n%%2 {\nsay(\"u\", 1, <-u) // u\n}")
			g.line("select {\ncase v <- 1: // v\ncase v <- 2: // v\n}\nclose(v)")
			for range 2 {
				g.line("c.Lock() // c\nsay(\"c\", 1)\nready++\nmore.Broadcast() //\nc.Unlock() //")
				g.body(id, g.IntN(2))
			}
		case 2:
			g.line("for i := range v { // v\nsay(\"v\", 2, i)\n}")
			fallthrough
		default:
			g.line("c.Lock() // c\nsay(\"c\", %[1]d)\nfor ready < %[2]s {\nmore.Wait() // c\nsay(\"c\", %[1]d)\n}\nc.Unlock() //", id, []string{"1", "2", "1+n%2"}[g.IntN(3)])
		}
		g.body(id, g.IntN(3))
		if id == 2 {
			g.line("}()")
		} else {
			g.line("})")
		}
	}
	text := strings.Replace(g.String(), "var wg sync.WaitGroup\n", "var wg sync.WaitGroup\n\twg.Add(1)\n", 1)
	return text + "wg.Wait()\nsay(\"x\", 9, int(x.Load()))\n}\n"
}

// said returns what a program says under a schedule, of the objects whose order it can tell: the
// goroutines, in their order.
func said(t *testing.T, source string, sc *cover.Schedule) map[string][]string {
	t.Helper()
	lines := strings.Split(source, "\n")
	orders := map[string][]string{}
	for _, n := range sc.Nodes {
		if !strings.HasPrefix(n.Position, "main.go:") || !slices.Contains([]schedule.Op{schedule.Lock, schedule.CondWake, schedule.AtomicUpdate, schedule.Recv, schedule.Once}, n.Op) {
			continue
		}
		line, err := strconv.Atoi(strings.Split(n.Position, ":")[1])
		if err != nil {
			t.Fatal(err)
		}
		_, object, ok := strings.Cut(lines[line-1], " // ")
		if !ok {
			t.Fatalf("nothing is said at %s", n.Position)
		}
		orders[object] = append(orders[object], strconv.Itoa(n.Goroutine-1)) // 0 is main
	}
	return orders
}

// heard returns the goroutines of an output by objects, in their order. What was got from the
// counter says what the order was.
func heard(output string) map[string][]string {
	orders := map[string][]string{}
	counted := map[int]string{}
	for _, m := range regexp.MustCompile(`(?m)^(\w) (\d) \[(\d*)\]$`).FindAllStringSubmatch(output, -1) {
		if n, err := strconv.Atoi(m[3]); err == nil && m[1] == "x" {
			if m[2] != "9" {
				counted[n] = m[2]
			}
			continue
		}
		orders[m[1]] = append(orders[m[1]], m[2])
	}
	for i := 1; counted[i] != ""; i++ {
		orders["x"] = append(orders["x"], counted[i])
	}
	return orders
}

// TestOrder runs generated programs natively, all processors being busy: the order of operations on
// each object is that of the schedule for the input, and all that the program says is the same each
// time but for the order of what nothing orders.
func TestOrder(t *testing.T) {
	const programs = 40
	for seed := range sample.Of(programs, 1, 1) {
		source := generate(uint64(seed))
		dir := directory(t, source)
		set := enumerate(t, dir, source, covering.Config{Unroll: 20})
		if !set.Complete() || set.Deadlocks() > 0 {
			t.Fatalf("the schedules are not complete, or %d deadlock: %q\n%s", set.Deadlocks(), set.Epochs[0].Open, source)
		}
		write(t, dir, set)
		output := filepath.Join(dir, "program")
		if _, err := Build(context.Background(), Config{Dir: dir, Pattern: ".", Set: dir, Output: output}); err != nil {
			t.Fatalf("program %d: %v\n%s", seed, err, source)
		}
		runs(t, seed, set, source, output, sample.Size(250, 10, 5))
	}
}

// directory writes a program with the module that it needs.
func directory(t *testing.T, source string) (dir string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	dir = t.TempDir()
	put(t, filepath.Join(dir, "main.go"), source)
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, name), string(text))
	}
	edit := exec.Command("go", "mod", "edit", "-module=example.com/order", "-droptool=golang.org/x/tools/cmd/stringer", "-require=github.com/everyway-go/everyway@v0.0.0", "-replace=github.com/everyway-go/everyway="+root)
	edit.Dir = dir
	if out, err := edit.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// enumerate finds the schedules of a program.
func enumerate(t *testing.T, dir, source string, cfg covering.Config) *cover.Set {
	t.Helper()
	p, err := program.LoadNamed(context.Background(), dir, []string{"."}, nil, false)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	targets, err := p.Select(program.Selection{Func: "main"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := covering.New(context.Background(), p, &targets[0], cfg)
	if unsupported := (*covering.UnsupportedError)(nil); cfg.Unknown && errors.As(err, &unsupported) {
		return nil
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	if err := s.Run(context.Background()); err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return s.Set()
}

// runs runs a program with all its inputs, in turns.
func runs(t *testing.T, seed int, set *cover.Set, source, program string, number int) {
	t.Helper()
	stop := make(chan bool)
	var busy sync.WaitGroup
	defer busy.Wait()
	defer close(stop)
	for range runtime.GOMAXPROCS(0) {
		busy.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	var says [5][]string
	for i := range number {
		n := i % 5
		var want map[string][]string
		for _, sc := range set.Epochs[0].Schedules {
			if want == nil && set.Holds(sc, func(string) uint64 { return uint64(n) }) {
				want = said(t, source, sc)
			}
		}
		if len(want["u"]) == 0 || len(want["c"]) == 0 {
			t.Fatalf("program %d, n = %d: the schedule has no order: %v", seed, n, want)
		}
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), fmt.Sprintf("EVERYWAY_INPUT=n=%d", n))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("program %d, n = %d: %v\n%s\n%s", seed, n, err, out, source)
		}
		if lines := slices.Sorted(strings.Lines(string(out))); i < len(says) {
			says[n] = lines
		} else if !slices.Equal(lines, says[n]) {
			t.Fatalf("program %d, n = %d: it says\n%s\nand has said, sorted\n%s\n%s", seed, n, out, strings.Join(says[n], ""), source)
		}
		got := heard(string(out))
		for _, object := range []string{"a", "b", "c", "x", "u", "v", "o"} {
			if !slices.Equal(got[object], want[object]) {
				t.Fatalf("program %d, n = %d: %s is used by %v, and in the schedule by %v\n%s\n%s", seed, n, object, got[object], want[object], out, source)
			}
		}
	}
}
