//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interruptedProgram has a test that fails at once, one that would be searched for a long time,
// and one that has no turn before it with a single worker.
const interruptedProgram = `package m

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestFails(t *testing.T) { t.Error("it does") }

func TestLong(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 6 {
		wg.Go(func() {
			for range 5 {
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TestNever(t *testing.T) {}

func TestPrints(t *testing.T) {
	fmt.Print(strings.Repeat("a line that nobody reads\n", 10_000))
}
`

// start starts everyway in a module with interruptedProgram.
func start(t *testing.T, env []string, args ...string) (*exec.Cmd, io.Reader, *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "m_test.go": interruptedProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("everyway", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, stdout, &stderr
}

// TestInterrupt interrupts a search: it says what was found, what is open and what was not
// begun, and ends with the exit code of go test.
func TestInterrupt(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			// The first turn of TestLong lasts a twentieth of the budget.
			cmd, stdout, stderr := start(t, nil, "test", "-v", "-budget", "10h", "-workers", "1", "-run", "Fails|Long|Never")
			lines := bufio.NewReader(stdout)
			var text string
			for !strings.Contains(text, "=== RUN   TestLong\n") {
				line, err := lines.ReadString('\n')
				text += line
				if err != nil {
					t.Fatalf("the search never began: %v\n%s%s", err, text, stderr)
				}
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(lines)
			if err != nil {
				t.Fatal(err)
			}
			text += string(rest)
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			for _, want := range []string{
				"--- FAIL: TestFails", "fails   example.com/m.TestFails", "open    example.com/m.TestLong", "open: interrupted",
				"3 targets: 1 open, 1 fails, 1 not searched;", "not searched: m.TestNever",
			} {
				if !strings.Contains(text, want) {
					t.Errorf("output has no %q:\n%s", want, text)
				}
			}
			if got := stderr.String(); !strings.HasSuffix(got, "\neveryway: interrupted\n") {
				t.Errorf("standard error ends with %q", got)
			}
		})
	}
}

// TestInterruptedLoad interrupts everyway while the go command lists the packages.
func TestInterruptedLoad(t *testing.T) {
	bin := t.TempDir()
	started := filepath.Join(bin, "started")
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(started, 0o600); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nif [ \"$1\" != list ]; then exec " + goTool + " \"$@\"; fi\necho >" + started + "\nexec sleep 1000\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd, _, stderr := start(t, []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}, "test")
	if _, err := os.ReadFile(started); err != nil { // when it is written
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if got, want := stderr.String(), "everyway: interrupted\n"; got != want {
		t.Errorf("standard error has %q, want %q", got, want)
	}
}

// TestSecondInterrupt interrupts everyway twice when it cannot end, because nobody reads what
// it prints.
func TestSecondInterrupt(t *testing.T) {
	cmd, stdout, _ := start(t, nil, "test", "-v", "-run", "Prints")
	lines := bufio.NewReader(stdout)
	for line := ""; line != "a line that nobody reads\n"; {
		var err error
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	for {
		cmd.Process.Signal(os.Interrupt) // fails when the process has ended
		select {
		case <-ended:
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if !status.Signaled() || status.Signal() != syscall.SIGINT {
				t.Errorf("the process has ended with %v, want an end by the signal", cmd.ProcessState)
			}
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}
