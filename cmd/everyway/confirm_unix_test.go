//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestConfirmEnded ends native runs: an interrupt removes what was written, and what a process
// leaves that is ended by force the next one removes.
func TestConfirmEnded(t *testing.T) {
	if testing.Short() {
		t.Skip("builds native binaries")
	}
	dir, temporary := t.TempDir(), t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "m_test.go"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	everyway := func(args ...string) *exec.Cmd {
		cmd := exec.Command("everyway", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
		return cmd
	}
	write("package m\n\nimport \"testing\"\n\nfunc TestFails(t *testing.T) { t.Error(\"it does\") }\n")
	_ = everyway("test", ".").Run() // fails, since there is a finding
	// A run that does not end by itself.
	write("package m\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestFails(t *testing.T) { time.Sleep(time.Hour) }\n")
	running := func() bool {
		binaries, err := filepath.Glob(filepath.Join(temporary, "everyway-confirm-*", "tmp"))
		return err == nil && len(binaries) > 0
	}
	left := func() []os.DirEntry {
		entries, err := os.ReadDir(temporary)
		if err != nil {
			t.Fatal(err)
		}
		return entries
	}
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		cmd := everyway("confirm", "-timeout", "10m", ".everyway/TestFails-test-failure.run")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
		for !running() {
			time.Sleep(10 * time.Millisecond)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if signal == syscall.SIGTERM && (len(left()) > 0 || cmd.ProcessState.ExitCode() != exitFails || stderr.String() != "everyway: interrupted\n") {
			t.Errorf("%v: exit code %d, and left are %v\n%s", signal, cmd.ProcessState.ExitCode(), left(), &stderr)
		}
	}
	if len(left()) == 0 {
		t.Error("a process that was ended by force has left nothing")
	}
	write("package m\n")
	_ = everyway("confirm", "-baseline", "0", ".everyway/TestFails-test-failure.run").Run()
	if list := left(); len(list) > 0 {
		t.Errorf("left are %v", list)
	}
}
