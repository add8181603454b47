package inspect_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/inspect"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// describe says everything that a session shows at its point.
func describe(s *inspect.Session) string {
	var b strings.Builder
	p := s.Point(s.At())
	l := s.Location(p)
	fmt.Fprintf(&b, "point %d: step %d, goroutine %s, %s:%d", s.At(), p.Step, s.Name(p.Goroutine), filepath.Base(l.File), l.Line)
	switch p.Kind {
	case inspect.Step:
		fmt.Fprintf(&b, ", about to %s", p.Op)
	case inspect.End:
		fmt.Fprint(&b, ", the end")
	}
	fmt.Fprintf(&b, "; %d events, time %v\n", p.Events, s.Now())
	for _, g := range s.Goroutines() {
		fmt.Fprintf(&b, "  goroutine %s %s: %s", g.Name, g.Func, g.Status)
		if g.Wait != nil {
			fmt.Fprintf(&b, ", %s", g.Wait)
		}
		if g.Created.Line > 0 {
			fmt.Fprintf(&b, ", created by %s:%d", filepath.Base(g.Created.File), g.Created.Line)
		}
		fmt.Fprintln(&b)
		for _, f := range s.Frames(g.ID) {
			if f.Standard {
				continue
			}
			fmt.Fprintf(&b, "    %s %s:%d:%d\n", f.Func, filepath.Base(f.File), f.Line, f.Col)
			for _, v := range s.Variables(f) {
				fmt.Fprintf(&b, "      %s %s %s = %s\n", v.Kind, v.Name, v.Value.Type, v.Value)
			}
		}
	}
	for _, l := range s.Locks() {
		fmt.Fprintf(&b, "  lock %s:", l.Name)
		if l.Writer != nil {
			fmt.Fprintf(&b, " held by %s", l.Writer.Goroutine)
		}
		for _, r := range l.Readers {
			fmt.Fprintf(&b, " read by %s", r.Goroutine)
		}
		fmt.Fprintf(&b, " waiting %v\n", l.Waiting)
	}
	if frames := s.Frames(0); len(frames) > 0 {
		for _, v := range s.Package(frames[len(frames)-1]) {
			fmt.Fprintf(&b, "  %s = %s\n", v.Name, v.Value)
		}
	}
	fmt.Fprintf(&b, "  output %q\n", s.Output())
	return b.String()
}

// TestGolden compares what a session shows at each point of the programs in testdata/concurrent with golden files.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/concurrent/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := openProgram(t, string(source))
			var b strings.Builder
			for i := range s.Len() {
				if err := s.Goto(i); err != nil {
					t.Fatal(err)
				}
				b.WriteString(describe(s))
			}
			golden := strings.TrimSuffix(file, ".go") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("differs from %s; run with -update and see the difference", golden)
			}
		})
	}
}

// TestGoto goes to points in any order: what is shown has to be the same as on the way forwards.
func TestGoto(t *testing.T) {
	source, err := os.ReadFile("testdata/concurrent/locks.go")
	if err != nil {
		t.Fatal(err)
	}
	s := openProgram(t, string(source))
	var want []string
	for i := range s.Len() {
		if err := s.Goto(i); err != nil {
			t.Fatal(err)
		}
		want = append(want, describe(s))
	}
	visit := func(i int) {
		t.Helper()
		if err := s.Goto(i); err != nil {
			t.Fatal(err)
		}
		if got := describe(s); got != want[i] {
			t.Fatalf("at point %d\n%s\nis not what it was on the way forwards\n%s", i, got, want[i])
		}
	}
	for i := s.Len() - 1; i >= 0; i-- {
		visit(i)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		visit(r.IntN(s.Len()))
	}
	if err := s.Goto(s.Len()); err == nil {
		t.Error("there is a point after the last one")
	}
}

// TestLong steps back and forth in a run of more than ten thousand steps.
func TestLong(t *testing.T) {
	s := openProgram(t, `package main

import "sync"

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	total := 0
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 700; i++ {
				mu.Lock()
				total += i
				mu.Unlock()
				mu.Lock()
				total--
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	println(total)
}
`)
	if s.Steps() < 10_000 {
		t.Fatalf("%d steps", s.Steps())
	}
	start := time.Now()
	n := 0
	for i := s.Len() - 1; i >= s.Len()-300; i-- {
		if err := s.Goto(i); err != nil {
			t.Fatal(err)
		}
		n++
	}
	t.Logf("%d points, %d steps; %v for each step back", s.Len(), s.Steps(), time.Since(start)/time.Duration(n))
	start = time.Now()
	for range n - 1 {
		if err := s.Goto(s.At() + 1); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%v for each step forwards", time.Since(start)/time.Duration(n-1))
	start = time.Now()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		if err := s.Goto(r.IntN(s.Len())); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%v to go anywhere", time.Since(start)/20)
}
