package stateful

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
)

// placesProgram returns a function in which goroutines do the same at several places, of which some
// continue in the same way, and which panics with what is in memory at the end. Variables have few
// values, so that memory is often the same at two places, whatever a goroutine has done. So a
// search that takes two places for the same which do not continue in the same way misses a panic.
func placesProgram(name string, r *rand.Rand) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	v := func() string { return []string{"n", "m"}[r.IntN(2)] }
	steps := func(most int) string {
		var s strings.Builder
		for range 1 + r.IntN(most) {
			switch k := r.IntN(10); {
			case k < 4:
				fmt.Fprintf(&s, "%s.Store(%d); ", v(), r.IntN(2))
			case k < 6:
				fmt.Fprintf(&s, "l = int(%s.Load()); ", v())
			case k < 7:
				fmt.Fprintf(&s, "if l == %d { k = %d }; ", r.IntN(2), r.IntN(2))
			case k < 8 && r.IntN(8) == 0:
				s.WriteString("k ^= seen(); ")
			default:
				s.WriteString("mu.Lock(); l = x; x = k; mu.Unlock(); ")
			}
		}
		return s.String()
	}
	goroutines, rounds, length := 2, 2, 2
	// several has the same done at several places. At one of them something else may follow, or be
	// done instead at the end.
	several := func() {
		same := steps(length)
		other := same
		switch r.IntN(3) {
		case 0:
			other += steps(1)
		case 1:
			other = steps(1) + same
		}
		switch r.IntN(4) {
		case 0:
			p("for i := 0; i < 2; i++ { %s }; %s", same, other)
		case 1:
			p("%s; for i := 0; l == %d && i < 2; i++ { %s }", same, r.IntN(2), other)
		case 2:
			p("switch l { case 0: %s; case 1: %s; default: %s }", same, other, same)
		default:
			p("if l == %d { %s } else { %s }", r.IntN(2), same, other)
		}
	}
	p("func %s() {", name)
	p("var n, m atomic.Int64; var mu sync.Mutex; var wg sync.WaitGroup; x := 0")
	if r.IntN(6) == 0 {
		goroutines, rounds, length = 3, 1, 1
	}
	body := func() {
		p("l, k := 0, 0")
		for range rounds {
			several()
		}
		p("_, _ = l, k; mu.Lock(); x ^= k; mu.Unlock(); wg.Done()")
	}
	p("wg.Add(%d)", goroutines)
	if r.IntN(3) == 0 {
		p("for range %d { go func() {", goroutines)
		body()
		p("}() }")
	} else {
		for range goroutines {
			p("go func() {")
			body()
			p("}()")
		}
	}
	p("wg.Wait()\n panic(int(n.Load())*4 + int(m.Load())*2 + x)\n}")
	return b.String()
}

// placesPrograms begins a package with programs of which Rounds has a loop that begins with what it
// ends with, Heads one whose condition is a call, Told looks from which of two places it is called,
// and Parted goes on in another way after one of two places.
const placesPrograms = `package places

import ("runtime"; "sync"; "sync/atomic")

// seen returns whether the line from which it is called is an odd one.
func seen() int { _, _, line, _ := runtime.Caller(1); return line & 1 }

func Rounds() {
	var next atomic.Int64; var wg sync.WaitGroup
	done := make([]bool, 4)
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			i := next.Add(1) - 1
			for ; int(i) < len(done); i = next.Add(1) - 1 { done[i] = true }
		}()
	}
	wg.Wait()
	panic(len(done))
}

func Heads() {
	var mu sync.Mutex; var wg sync.WaitGroup
	list := make([]int, 4)
	more := func() bool { mu.Lock(); defer mu.Unlock(); if len(list) == 0 { return false }; list = list[1:]; return true }
	for range 3 { wg.Add(1); go func() { defer wg.Done(); for more() { } }() }
	wg.Wait()
	panic(len(list))
}

func Told() {
	var n, m atomic.Int64; var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); m.Store(1); m.Store(0) }()
	go func() {
		defer wg.Done()
		if m.Load() == 0 {
			i := m.Load(); n.Store(2*i + int64(seen()))
		} else {

			i := m.Load(); n.Store(2*i + int64(seen()))
		}
	}()
	wg.Wait()
	panic(int(n.Load()))
}

func Parted() {
	var n, m atomic.Int64; var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); m.Store(1); m.Store(0) }()
	go func() {
		defer wg.Done()
		if m.Load() == 0 { n.Store(0); n.Store(m.Load()) } else { n.Store(0); n.Store(m.Load()+2) }
	}()
	wg.Wait()
	panic(int(n.Load()))
}
`

// TestPlaces compares what searches find that do not tell places apart which continue in the same
// way with what one finds that does.
func TestPlaces(t *testing.T) {
	n := sample.Size(300, 60, 20)
	var text strings.Builder
	text.WriteString(placesPrograms)
	of := func(i int) (string, string) {
		name := fmt.Sprintf("P%d", i)
		return name, placesProgram(name, rand.New(rand.NewPCG(uint64(i), 3)))
	}
	for i := range n {
		_, program := of(i)
		text.WriteString(program)
	}
	boot := programsOf(t, text.String())
	all := Options{ForgetKnowledge: true, Rename: true, Alike: true, Ahead: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true}
	compare := func(name, program string) (runs int) {
		want, _ := panics(t, boot(name), Options{ForgetKnowledge: true})
		loads := all
		loads.HideAtomics = true
		for _, o := range []Options{{Rename: true}, {ForgetKnowledge: true, Rename: true}, all, {ForgetKnowledge: true, Rename: true, HideAtomics: true}, loads} {
			var got string
			if got, runs = panics(t, boot(name), o); got != want {
				t.Errorf("%s, %+v: found\n%s\nwant\n%s\n%s", name, o, got, want, program)
			}
		}
		return runs
	}
	told := all
	told.TellPlaces = true
	for name, fewer := range map[string]bool{"Rounds": true, "Heads": false, "Told": false, "Parted": false} {
		runs := compare(name, "")
		_, more := panics(t, boot(name), told)
		t.Logf("%s: %d runs, %d where places are told apart", name, runs, more)
		if fewer && runs >= more {
			t.Errorf("%s: %d runs, and %d where places are told apart", name, runs, more)
		}
	}
	for i := range n {
		compare(of(i))
	}
}
