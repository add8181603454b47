package covering

import (
	"fmt"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/engine/program/programtest"
)

// TestCheckEpochs searches programs of several epochs, with decisions, under their schedules.
func TestCheckEpochs(t *testing.T) {
	text := func(most, sum int) string {
		return fmt.Sprintf(`package main

import (
	"os"
	"sync"

	"github.com/everyway-go/everyway/sym"
)

func main() {
	n := sym.Range("n", 0, %d)
	var m sync.Mutex
	var wg sync.WaitGroup
	sum := 0
	for range 2 {
		wg.Go(func() {
			for i := 0; i < n; i++ {
				m.Lock()
				sum += i
				m.Unlock()
			}
		})
	}
	wg.Wait()
	if len(os.Args) > 3 {
		m.Lock()
		m.Unlock()
	}
	if sum == %d {
		panic("found")
	}
}
`, most, sum)
	}
	p := programtest.Load(t, nil, map[string]string{"fails": text(5, 12), "holds": text(5, 13)})
	for _, name := range []string{"fails", "holds"} {
		s := search(t, p, name, Config{})
		c, err := s.Check(t.Context())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(c.Within, []string{"what is in os.Args"}) {
			t.Errorf("%s: within %q", name, c.Within)
		}
		switch name {
		case "fails":
			if len(c.Failures) != 1 || c.Failures[0].Input["n"] != 4 || c.Failures[0].Epoch == 0 || c.Failures[0].Schedule < 0 || len(c.Open) > 0 {
				t.Errorf("%s: %+v", name, c)
			}
		case "holds":
			if len(c.Failures) > 0 || len(c.Open) > 0 || c.Paths < 6 {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}

// TestCheckElements searches programs in which the element at an index that is an input decides
// nothing but whether the program panics: each element is tried.
func TestCheckElements(t *testing.T) {
	text := func(list, use string) string {
		return `package main

import (
	"sync"

	"github.com/everyway-go/everyway/sym"
)

func main() {
	x := sym.Range("x", 0, 3)
	var m sync.Mutex
	var wg sync.WaitGroup
	one := 1
	list := ` + list + `
	wg.Go(func() {
		m.Lock()
		m.Unlock()
	})
	wg.Wait()
	` + use + `
	_, _ = one, list
}
`
	}
	p := programtest.Load(t, nil, map[string]string{
		"pointers":  text(`[]*int{&one, &one, nil, &one}`, `println(*list[x])`),
		"functions": text(`[]func(){func() {}, func() {}, func() { panic("found") }, func() {}}`, `list[x]()`),
		"strings": text(`[4]string{"a", "b", "", "d"}`, `if s := list[x]; s == "" {
		panic("found")
	}`),
		"stores": text(`[]*int{&one, &one, &one, &one}`, `list[x] = nil
	println(*list[2])`),
	})
	for _, name := range []string{"pointers", "functions", "strings", "stores"} {
		c, err := search(t, p, name, Config{}).Check(t.Context())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(c.Failures) != 1 || c.Failures[0].Input["x"] != 2 || len(c.Open) > 0 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// TestComputing has goroutines that compute for different times before they synchronise: what a run
// does is what its schedule says.
func TestComputing(t *testing.T) {
	p := programtest.Load(t, nil, map[string]string{"computes": `package main

import (
	"sync"

	"github.com/everyway-go/everyway/sym"
)

func main() {
	n := sym.Range("n", 0, 1)
	var wg sync.WaitGroup
	sums := make([]int, 3)
	for id := range 3 {
		wg.Go(func() {
			for i := 0; n == 1 && id == 0 && i < 100_000; i++ {
				sums[id] += i
			}
		})
	}
	wg.Wait()
}
`})
	s := search(t, p, "computes", Config{})
	if c, err := s.Check(t.Context()); err != nil || len(c.Open) > 0 || c.Paths < 2 || len(s.Set().Epochs[0].Schedules) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}
