package main

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/internal/sample"
)

// killedProgram fails in one of its 48,620 interleavings, far on in the search.
const killedProgram = `package main

func main() {
	order := make(chan int)
	for g := range 2 {
		go func() {
			for range 9 {
				order <- g
			}
		}()
	}
	turns := true
	for i := range 18 {
		turns = <-order != i%2 && turns
	}
	if turns {
		panic("the goroutines took turns")
	}
}
`

// TestKill kills a search again and again at random moments and has the next
// one resume it: what it ends with is what it would have ended with.
func TestKill(t *testing.T) {
	kills := sample.Size(25, 6, 3)
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "main.go": killedProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	search := func(kill time.Duration, args ...string) (lines []report.Line, killed bool) {
		args = append([]string{"test", "-json", "-strategy", "hyperconcolic", "-budget", "1h"}, args...)
		cmd := exec.Command("everyway", args...)
		cmd.Dir = dir
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		scan := bufio.NewScanner(stdout)
		scan.Buffer(nil, 1<<24)
		for scan.Scan() {
			var l report.Line
			if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
				break // cut off
			}
			if len(lines) == 0 && kill > 0 {
				timer := time.AfterFunc(kill, func() { cmd.Process.Kill() })
				defer timer.Stop()
			}
			lines = append(lines, l)
		}
		cmd.Wait() // with an error: it was killed, or found something
		return lines, cmd.ProcessState.ExitCode() < 0
	}

	begin := time.Now()
	uninterrupted, _ := search(0, "-o", t.TempDir())
	want := essence(t, uninterrupted)
	took := time.Since(begin)

	out := t.TempDir()
	rng := rand.New(rand.NewPCG(3, 4))
	during := 0
	for range kills {
		// What a killed search has done since it was saved is lost; the rest of what
		// they do, all together, is about the whole search.
		within := 2*took/time.Duration(kills) + 100*time.Millisecond
		lines, killed := search(time.Duration(rng.Int64N(int64(within))), "-o", out, "-resume")
		if !killed {
			t.Logf("ended after %d kills", during)
			if got := essence(t, lines); got != want {
				t.Errorf("with kills:\n%s\nwithout:\n%s", got, want)
			}
			return
		}
		during++
	}
	lines, _ := search(0, "-o", out, "-resume")
	if got := essence(t, lines); got != want {
		t.Errorf("after %d kills:\n%s\nwithout:\n%s", during, got, want)
	}
	again, _ := search(0, "-o", out, "-resume")
	if got := essence(t, again); got != want {
		t.Errorf("when it has ended:\n%s\nbefore:\n%s", got, want)
	}
}

// essence is what of the output of a search does not depend on time: its
// findings and its totals.
func essence(t *testing.T, lines []report.Line) string {
	var kept []report.Line
	for _, l := range lines {
		switch {
		case l.Event == report.EventFinding, l.Event == report.EventOther, l.Event == report.EventInput, l.Event == report.EventStep:
		case l.Event == "" && l.Action != "output": // a text has times
		default:
			// A search that has ended is resumed without a machine that initialises packages, and
			// what it has found is known.
			continue
		}
		l.Time, l.Elapsed, l.RunFile = time.Time{}, 0, ""
		kept = append(kept, l)
	}
	if len(kept) < 3 || kept[len(kept)-1].Action != "fail" {
		t.Fatalf("the search did not end with a finding: %+v", kept)
	}
	text, err := json.MarshalIndent(kept, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
