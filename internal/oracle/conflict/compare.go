package conflict

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/verdict"
)

// Bounds of the search of a program.
const (
	maxRuns = 20000
	budget  = 30 * time.Second
)

// source returns a test file of the programs, with imports and the prelude.
func source(programs []*Program) string {
	var b strings.Builder
	b.WriteString("package conflict\n\nimport (\n")
	for _, path := range []string{"context", "errors", "runtime", "sync", "sync/atomic", "testing", "time"} {
		fmt.Fprintf(&b, "%q\n", path)
	}
	b.WriteString(")\n" + prelude)
	for i, p := range programs {
		p.source(&b, fmt.Sprint("TestP", i))
	}
	return b.String()
}

// Compare compares the verdicts on the programs of some seeds with what is known of them.
func Compare(ctx context.Context, seeds []uint64) (*suite.Results, error) {
	return compare(ctx, generate(seeds))
}

// write writes the programs as a test package to a new directory for temporary files.
func write(programs []*Program) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "conflict"); err != nil {
		return "", fmt.Errorf("making a suite: %w", err)
	}
	if err := suite.Write(dir, "conflict", map[string]string{"conflict_test.go": source(programs)}); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}

func compare(ctx context.Context, programs []*Program) (*suite.Results, error) {
	dir, err := write(programs)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := suite.Load(ctx, dir)
	if err != nil {
		return nil, err
	}
	r := &suite.Results{Programs: len(programs)}
	for i, p := range programs {
		t, err := s.Target(fmt.Sprint("TestP", i))
		if err != nil {
			return nil, err
		}
		cfg := search.Config{Runs: maxRuns, Budget: budget, Workers: 1, NoCorpus: true, OutDir: dir}
		v, err := search.Target(ctx, s.Program, t, cfg, verdict.Quiet{})
		if err != nil {
			return nil, err
		}
		r.Runs += v.Runs
		switch what := judge(p, v); {
		case what != "":
			r.Differences = append(r.Differences, suite.Difference{Seed: p.Seed, What: what, Source: p.Source()})
		case v.Verdict == verdict.Open:
			r.Leave(strings.Join(v.Open, "; "))
		default:
			r.Compared++
		}
	}
	return r, nil
}

func generate(seeds []uint64) (programs []*Program) {
	for _, seed := range seeds {
		programs = append(programs, Generate(seed))
	}
	return programs
}

// judge says what is wrong with the result of a search of p, "" if nothing is.
func judge(p *Program, v *verdict.Result) string {
	want := verdict.Holds
	if p.Race {
		want = verdict.Fails
	}
	for _, c := range v.Counterexamples {
		if f := c.Run.Finding; f.Kind != string(check.Race) {
			return fmt.Sprintf("a %s: %s", f.Kind, f.Message)
		}
	}
	if v.Verdict != want && v.Verdict != verdict.Open {
		return fmt.Sprintf("the verdict is %s, it should be %s", v.Verdict, want)
	}
	return ""
}

// ErrNoDetector is returned when the race detector cannot be used here: it needs cgo.
var ErrNoDetector = errors.New("the race detector is not available")

// Native runs the programs of some seeds count times under Go's race detector. A difference
// is a race that it has found in a program without one. Compared are those in which it
// has found the race that there is, or none as there is none.
func Native(ctx context.Context, seeds []uint64, count int) (*suite.Results, error) {
	programs := generate(seeds)
	dir, err := write(programs)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	command := func(name string, args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "GORACE=atexit_sleep_ms=0")
		return cmd.CombinedOutput()
	}
	binary := filepath.Join(dir, "conflict.test")
	if out, err := command("go", "test", "-race", "-vet=off", "-c", "-o", binary, "."); err != nil {
		if bytes.Contains(out, []byte("cgo")) || bytes.Contains(out, []byte("-race")) {
			return nil, fmt.Errorf("%w: %s", ErrNoDetector, out)
		}
		return nil, fmt.Errorf("building the programs: %w\n%s", err, out)
	}
	found := map[int]bool{}
	failed := regexp.MustCompile(`--- FAIL: TestP([0-9]+) `)
	out, err := command(binary, fmt.Sprint("-test.count=", count), "-test.cpu=1,4", "-test.timeout=5m")
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("running the programs: %w", err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		if m := failed.FindStringSubmatch(lines.Text()); m != nil {
			i, err := strconv.Atoi(m[1])
			if err != nil {
				return nil, fmt.Errorf("reading what the race detector says: %w", err)
			}
			found[i] = true
		}
	}
	if bytes.Contains(out, []byte("panic: ")) || bytes.Contains(out, []byte("fatal error: ")) {
		return nil, fmt.Errorf("a program has panicked:\n%s", out)
	}
	r := &suite.Results{Programs: len(programs), Runs: 2 * count * len(programs)}
	for i, p := range programs {
		switch {
		case found[i] && !p.Race:
			r.Differences = append(r.Differences, suite.Difference{Seed: p.Seed, What: "the race detector finds a race", Source: p.Source()})
		case found[i] == p.Race:
			r.Compared++
		default:
			r.Leave("a race that the race detector has not found")
		}
	}
	return r, nil
}
