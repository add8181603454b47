package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// outcomes are how the tests of a package ended, by name, on one side.
type outcomes struct {
	Tests map[string]outcome
	Error string `json:",omitempty"` // why there are none
}

// An outcome is how a test ended.
type outcome struct {
	Status string // pass, fail or skip
	Why    string `json:",omitempty"` // in the machine: what went wrong
}

const (
	pass = "pass"
	fail = "fail"
	skip = "skip"
)

// runNative has the go command run the tests of a package. Of subtests only the test
// that they belong to counts.
func runNative(ctx context.Context, name string, o options) (outcomes, error) {
	args := []string{"test", "-json", "-count=1", "-run=" + o.match.String()}
	if o.short {
		args = append(args, "-short")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, name)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as everyway loads packages
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return outcomes{}, fmt.Errorf("running the tests of %s: %w", name, err)
	}
	r := outcomes{Tests: make(map[string]outcome)}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var event struct{ Action, Test string }
		if err := d.Decode(&event); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return outcomes{}, fmt.Errorf("reading what the tests of %s print: %w", name, err)
		}
		switch event.Action {
		case pass, fail, skip:
			if event.Test != "" && !strings.Contains(event.Test, "/") {
				r.Tests[event.Test] = outcome{Status: event.Action}
			}
		}
	}
	if len(r.Tests) == 0 {
		r.Error = line(stderr.String())
	}
	return r, nil
}
