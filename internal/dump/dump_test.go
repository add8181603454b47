package dump

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestParse reads dumps that Go programs have printed.
func TestParse(t *testing.T) {
	for _, test := range []struct {
		file     string
		panicked bool
		want     []string // goroutines: number, state, and the frames of package main, innermost first
	}{
		{"deadlock.txt", false, []string{
			"1 sync.WaitGroup.Wait waits: main:40",
			"7 sync.Mutex.Lock waits for a lock: (*pair).ab:14 main.func1:33",
			"8 sync.Mutex.Lock waits for a lock: (*pair).ba:22 main.func2:36",
			"9 chan receive waits: gen[...]:27",
			"10 select (no cases) waits: main.func3:39",
		}},
		{"crash.txt", false, []string{
			"1 sync.WaitGroup.Wait waits: main:40",
			"7 sync.Mutex.Lock waits for a lock: (*pair).ab:14 main.func1:33",
			"8 sync.Mutex.Lock waits for a lock: (*pair).ba:22 main.func2:36",
			"9 chan receive waits: gen[...]:27 main.gowrap1:38",
			"10 select (no cases) waits: main.func3:39",
		}},
		{"sigquit.txt", false, []string{
			"0 idle:",
			"1 sleep: main:40",
			"7 sync.Mutex.Lock waits for a lock: (*pair).ab:14 main.func1:33",
			"8 sync.Mutex.Lock waits for a lock: (*pair).ba:22 main.func2:36",
			"9 chan receive waits: gen[...]:27 main.gowrap1:38",
			"10 select (no cases) waits: main.func3:39",
		}},
		{"panic.txt", true, []string{"1 running: (*box).take:9 main:17", "6 select waits: serve:23"}},
	} {
		f, err := os.Open(filepath.Join("testdata", test.file))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Parse(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", test.file, err)
		}
		var got []string
		for i := range d.Goroutines {
			g := &d.Goroutines[i]
			text := fmt.Sprintf("%d %s", g.ID, g.State)
			switch {
			case g.WaitsForLock():
				text += " waits for a lock"
			case g.Waits():
				text += " waits"
			}
			text += ":"
			for _, f := range g.Frames {
				if f.Package == "main" {
					text += fmt.Sprintf(" %s:%d", f.Func, f.Line)
				}
			}
			got = append(got, text)
		}
		if !slices.Equal(got, test.want) || d.Panicked != test.panicked {
			t.Errorf("%s: panicked %v, goroutines\n%s\nwant\n%s", test.file, d.Panicked, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// The last dump of a text counts, whatever is around it.
func TestParseLast(t *testing.T) {
	const one = "goroutine 5 [running]:\nexample.com/a%2eb.F[...](...)\n\t/x/f.go:3 +0x1d\n"
	const two = "goroutine 6 [chan send, 3 minutes]:\nexample.com/d.(*T[...]).M.func1.2(0x1)\n\t/x/g.go:4 +0x1d\ncreated by example.com/d.G in goroutine 1\n\t/x/g.go:9 +0x2\n"
	d, err := Parse(strings.NewReader("2026/01/02 serving\npanic: one\n\n" + one + "\nexit status 2\nmore\n\n" + two + "\nrax 0x0\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Goroutines) != 1 || d.Goroutines[0].ID != 6 || d.Panicked || !d.Goroutines[0].Waits() {
		t.Errorf("%+v", d)
	}
	if f := d.Goroutines[0].Frames[0]; f != (Frame{"example.com/d", "(*T[...]).M.func1.2", "/x/g.go", 4}) {
		t.Errorf("%+v", f)
	}
	d, err = Parse(strings.NewReader(one))
	if err != nil {
		t.Fatal(err)
	}
	if f := d.Goroutines[0].Frames[0]; f != (Frame{"example.com/a.b", "F[...]", "/x/f.go", 3}) {
		t.Errorf("%+v", f)
	}
	for text, want := range map[string]bool{
		"working on itpanic: boom\n\n":                                           true, // behind a line that is not finished
		"working on itpanic: boom [recovered]\n\tpanic: x\n[signal SIGSEGV]\n\n": true,
		"caught a panic: x\nmore\n\nserving\n\n":                                 false,
		"caught a panic: x\nSIGQUIT: quit\nPC=0x1 m=0\n\n":                       false,
		"caught a panic: xfatal error: all asleep\n\n":                           false,
	} {
		if d, err := Parse(strings.NewReader(text + one)); err != nil || d.Panicked != want {
			t.Errorf("%q: %v, %v, want panicked %v", text, d, err, want)
		}
	}
	for _, text := range []string{"", "no goroutines here\n", "goroutine profile: total 1\n1 @ 0x1 0x2\n#\t0x1\tmain.main+0x1\t/x.go:1\n"} {
		if d, err := Parse(strings.NewReader(text)); err == nil {
			t.Errorf("%q: %+v, want an error", text, d)
		}
	}
}

// FuzzParse checks that no text makes Parse panic, and that what it finds is in the text.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		if len(d.Goroutines) == 0 {
			t.Error("no goroutines, and no error")
		}
		for _, g := range d.Goroutines {
			for _, f := range g.Frames {
				if !strings.Contains(text, f.File) {
					t.Errorf("file %q is not in the text", f.File)
				}
			}
		}
	})
}
