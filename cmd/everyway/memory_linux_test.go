package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
)

// greedyTests take all the memory that they can get.
const greedyTests = `package m

import (
	"strings"
	"testing"
)

var (
	sink any
	big  [1 << 31]byte
)

func TestMake(t *testing.T)     { sink = make([]byte, 1<<33) }
func TestVariable(t *testing.T) { sink = big[:] }
func TestChannel(t *testing.T)  { sink = make(chan [1000]int, 1<<21) }
func TestRepeat(t *testing.T)   { sink = strings.Repeat("ab", 1<<31) }

func TestLength(t *testing.T) {
	defer func() {
		if err, ok := recover().(error); !ok || err.Error() != "runtime error: makeslice: len out of range" {
			t.Error(err)
		}
	}()
	n := 1 << 50
	sink = make([]int, n)
}

func TestGarbage(t *testing.T) {
	for i := range 8 {
		b := make([]byte, 24<<20)
		b[i] = 1
	}
}

func TestAppend(t *testing.T) {
	var s []*int
	for {
		s = append(s, new(int))
	}
}

func TestArrays(t *testing.T) {
	var all [][]byte
	for {
		all = append(all, make([]byte, 1<<20))
	}
}

func TestMap(t *testing.T) {
	m := map[int]string{}
	for i := 0; ; i++ {
		m[i] = "value"
	}
}

func TestText(t *testing.T) {
	s := "x"
	for {
		s += s
	}
}

func TestLog(t *testing.T) {
	for {
		t.Log(strings.Repeat("x", 1<<20))
	}
}

func down(n int, a [64]int) int {
	if n == 1<<40 {
		return a[n&63]
	}
	a[n&63]++
	return down(n+a[0], a) + a[3]
}

func TestDeep(t *testing.T) { down(0, [64]int{1}) }

func TestDeepMany(t *testing.T) {
	for range 50 {
		go down(0, [64]int{1})
	}
	select {}
}

func TestDefers(t *testing.T) {
	for i := 0; ; i++ {
		defer func() { sink = i }()
	}
}

func TestGoroutines(t *testing.T) {
	c := make(chan int)
	for range 1_000_000 {
		go func() { <-c }()
	}
}

func TestBuffers(t *testing.T) {
	var all []chan int
	for {
		c := make(chan int, 1<<16)
		c <- 1
		all = append(all, c)
	}
}

func TestSteps(t *testing.T) {
	c := make(chan int)
	go func() {
		for i := range 4_000_000 {
			c <- i
		}
		close(c)
	}()
	for range c {
	}
}

func TestOneOrder(t *testing.T) {
	c := make(chan int, 2)
	for i := range 2 {
		go func() { c <- i }()
	}
	if <-c == 1 {
		t.Error("the second came first")
		sink = make([]byte, 1<<33)
	}
}
`

// TestMemory searches tests that take all the memory that they can get, under a limit of the
// operating system: each search ends with its reason, and stays within -memory.
func TestMemory(t *testing.T) {
	const memory = 512 << 20
	ofRun := "open: .*more than 64 MiB of memory"
	tests := []struct{ name, runs, want string }{
		{"Make", "3", ofRun},
		{"Append", "3", ofRun},
		{"Steps", "3", "open: memory: more is needed than -memory 512MiB"},
		{"OneOrder", "100", "the second came first"},
		{"Length", "100", "^holds"},
		{"Garbage", "100", "^holds"},
		{"Variable", "3", "open: package variable .*big: more than 64 MiB of memory"},
		{"Channel", "3", "open: .*a channel of too many elements"},
		{"Repeat", "3", "open: .*an object of too many cells"},
		{"Arrays", "3", ofRun},
		{"Map", "3", ofRun},
		{"Text", "3", ofRun},
		{"Log", "3", ofRun},
		{"Deep", "3", ofRun},
		{"DeepMany", "3", ofRun},
		{"Defers", "3", ofRun},
		{"Goroutines", "3", "open: too many goroutines"},
		{"Buffers", "3", ofRun},
	}
	if testing.Short() {
		tests = tests[:4]
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "m_test.go": greedyTests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// The limit is in KiB, of what the process may write to: more than it uses,
			// since memory that is given back still counts.
			cmd := exec.Command("sh", "-c", `ulimit -d 1048576 && exec everyway "$@"`, "sh",
				"test", "-count", "1", "-budget", "1h", "-runs", test.runs, "-workers", "1", "-memory", "512MiB", "-run", "^Test"+test.name+"$")
			cmd.Dir = dir
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			err := cmd.Run()
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != exitOK && code != exitFails {
				t.Errorf("exit code %d", code)
			}
			if !regexp.MustCompile("(?m)" + test.want).Match(out.Bytes()) {
				t.Errorf("no %s in\n%s", test.want, out.Bytes())
			}
			if peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10; peak > memory*12/10 {
				t.Errorf("it took %d MiB", peak>>20)
			}
		})
	}
}
