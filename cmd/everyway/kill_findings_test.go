package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/schedule"
)

// findingsModule has a fuzz target with several findings, early and late in a search for all of
// them.
var findingsModule = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.26\n",
	"m_test.go": `package m

import "testing"

func FuzzX(f *testing.F) {
	f.Fuzz(func(t *testing.T, n uint8) {
		order := make(chan int)
		for g := range 2 {
			go func() {
				for range 7 {
					order <- g
				}
			}()
		}
		turns, sorted, last := true, true, 0
		for i := range 14 {
			g := <-order
			turns = g != i%2 && turns
			sorted = g >= last && sorted
			last = g
		}
		if turns {
			panic("they took turns")
		}
		if n == 7 && last == 0 {
			panic("seven")
		}
		if sorted && n == 200 {
			t.Fatal("two hundred") // in one run of many, an early one
		}
	})
}
`,
}

// TestKillFindings kills a search for all findings again and again at random moments, and has the
// next one resume it. What one of them has printed is there in the end, all files are whole after
// each kill, and none is left that never was.
func TestKillFindings(t *testing.T) {
	for _, strategy := range []string{"hyperconcolic", "stateful"} {
		t.Run(strategy, func(t *testing.T) { testKillFindings(t, strategy) })
	}
}

func testKillFindings(t *testing.T, strategy string) {
	kills := sample.Size(20, 3, 2)
	dir := writeModule(t, findingsModule)
	want := killedSearch(t, strategy, dir, filepath.Join(dir, "out"), 0).messages()
	if len(want) != 3 {
		t.Fatalf("found %q, want three findings", want)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for killed := 0; killed < kills; {
		out := t.TempDir()
		known := map[string]bool{} // what was printed so far
		for {
			after := time.Duration(rng.Int64N(int64(600 * time.Millisecond)))
			if killed == kills {
				after = 0 // and not killed
			}
			s := killedSearch(t, strategy, dir, out, after)
			for _, d := range []string{out, filepath.Join(dir, "testdata")} {
				checkKilled(t, d, s.killed)
			}
			if !s.killed {
				got := s.messages()
				if !slices.Equal(got, want) {
					t.Errorf("after %d kills: found %q, want %q", killed, got, want)
				}
				for message := range known {
					if !slices.Contains(got, message) {
						t.Errorf("after %d kills: %q was found, and is lost", killed, message)
					}
				}
				break
			}
			killed++
			for message := range s.found {
				known[message] = true
			}
		}
	}
}

// A killed search is one that may have been.
type killed struct {
	found  map[string]bool // messages of findings that were printed
	killed bool
}

func (k killed) messages() []string { return slices.Sorted(maps.Keys(k.found)) }

// killedSearch resumes the search of the module by a strategy, and kills it some time after its first run, unless
// that is 0.
func killedSearch(t *testing.T, strategy, dir, out string, after time.Duration) killed {
	t.Helper()
	cmd := exec.Command("everyway", "test", "-json", "-all", "-resume", "-strategy", strategy, "-budget", "1h", "-o", out)
	cmd.Dir = dir
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	k := killed{found: map[string]bool{}}
	scan := bufio.NewScanner(stdout)
	scan.Buffer(nil, 1<<24)
	ended := false
	for scan.Scan() {
		var l report.Line
		if json.Unmarshal(scan.Bytes(), &l) != nil {
			break // cut off
		}
		if l.Event == report.EventInitialised && after > 0 {
			timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
			defer timer.Stop()
		}
		if l.Event == report.EventFound || l.Event == report.EventFinding {
			k.found[l.Message] = true
		}
		ended = ended || l.Action == "fail"
	}
	_ = cmd.Wait() // with an error: it was killed, or found something
	if k.killed = cmd.ProcessState.ExitCode() < 0; !k.killed && !ended {
		t.Fatalf("the search ended with exit code %d and no verdict", cmd.ProcessState.ExitCode())
	}
	return k
}

// checkKilled checks that the files below a directory are whole and, if no process was killed since
// they were written, that there are no others.
func checkKilled(t *testing.T, dir string, killed bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch {
		case disk.IsTemporary(e.Name()) && !killed:
			t.Errorf("%s is left", path)
		case disk.IsTemporary(e.Name()):
		case strings.HasSuffix(path, ".run"):
			if _, err := schedule.ReadRun(bytes.NewReader(text), path); err != nil {
				t.Error(err)
			}
		case strings.HasSuffix(path, ".search"):
			if !isWholeSearch(text) {
				t.Errorf("%s is not whole", path)
			}
		case !strings.HasPrefix(string(text), "go test fuzz v1\nuint8(") && !strings.HasPrefix(string(text), "go test fuzz v1\nbyte("):
			t.Errorf("%s is no seed: %q", path, text)
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}
