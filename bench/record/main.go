// Record measures what it costs to record native runs: how long tests take that are built as usual, for the race
// detector, and to be recorded.
//
//	go run ./bench/record                  # the programs in testdata, a table with a row for each
//	go run ./bench/record -run 'Pool'      # those whose name matches
//	go run ./bench/record -dir DIR         # tests of the package in a directory
//
// Each way is run -n times in turn, and the shortest processor time counts, so that other work of
// the computer does not. The last column is how long it takes to write the schedule of a run that
// has been recorded. The race detector needs cgo: without a C compiler its column is empty. The
// table is in docs/schedules.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/recording"
	"github.com/everyway-go/everyway/schedule"
)

func main() {
	o := options{}
	flag.StringVar(&o.dir, "dir", "bench/record/testdata/programs", "the package in `DIR`")
	only := flag.String("run", "", "only tests that match the `regexp`")
	flag.IntVar(&o.times, "n", 5, "run each test `n` times each way")
	flag.Int64Var(&o.size, "size", 4<<30, "record so many `bytes` at most")
	flag.Parse()
	err := error(nil)
	if o.only, err = regexp.Compile(*only); err == nil {
		err = run(context.Background(), o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

// options are those of the command line.
type options struct {
	dir   string
	only  *regexp.Regexp
	times int
	size  int64
}

func run(ctx context.Context, o options) (err error) {
	work, err := os.MkdirTemp("", "bench-record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	plain, err := build(ctx, o.dir, filepath.Join(work, "plain"))
	if err != nil {
		return err
	}
	race, err := build(ctx, o.dir, filepath.Join(work, "race"), "-race")
	if err != nil {
		fmt.Fprintln(os.Stderr, "record: without the race detector:", err)
	}
	session, err := recording.NewSession(runtime.GOROOT(), nil)
	if err != nil {
		return err
	}
	defer session.Close()
	recorded, err := session.Build(ctx, o.dir)
	if err != nil {
		return err
	}
	list, err := command(ctx, o.dir, plain, "-test.list=^Test").Output()
	if err != nil {
		return err
	}
	fmt.Println("| test | as usual | with `-race` | recorded | MB | to its end | schedule |\n|---|---|---|---|---|---|---|")
	for name := range strings.Lines(string(list)) {
		name = strings.TrimSpace(name)
		if !o.only.MatchString(name) {
			continue
		}
		if err := o.measure(ctx, name, plain, race, recorded); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// build builds the tests of the package in a directory, and returns the binary.
func build(ctx context.Context, dir, binary string, flags ...string) (string, error) {
	cmd := command(ctx, dir, "go", append([]string{"test", "-c", "-vet=off", "-o", binary}, append(flags, ".")...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building tests: %w\n%s", err, out)
	}
	return binary, nil
}

func command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	return cmd
}

// measure writes the row of a test.
func (o *options) measure(ctx context.Context, test, plain, race string, recorded *recording.Program) error {
	runs := func(binary string) func() (time.Duration, error) {
		if binary == "" {
			return nil
		}
		return func() (time.Duration, error) {
			cmd := command(ctx, o.dir, binary, "-test.run=^"+test+"$", "-test.count=1")
			err := cmd.Run()
			if err != nil {
				return 0, err
			}
			return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
		}
	}
	var result *recording.Result
	ways := [3]func() (time.Duration, error){runs(plain), runs(race), func() (_ time.Duration, err error) {
		if result != nil {
			if err := result.Close(); err != nil {
				return 0, err
			}
		}
		if result, err = recorded.Record(ctx, test, nil, o.size); err != nil {
			return 0, err
		}
		return result.Processor, nil
	}}
	var best [len(ways)]time.Duration
	for range o.times {
		for i, way := range ways {
			if way == nil {
				continue
			}
			d, err := way()
			if err != nil {
				return err
			}
			if best[i] == 0 || d < best[i] {
				best[i] = d
			}
		}
	}
	defer result.Close()
	table := schedule.NewTable()
	w, err := schedule.NewWriter(io.Discard, schedule.BinaryEncoding, table)
	if err != nil {
		return err
	}
	begin := time.Now()
	sum, err := result.WriteSchedule(w, table, recording.Options{Program: recorded.Binary(), GOROOT: runtime.GOROOT(), Root: o.dir})
	if err != nil {
		return err
	}
	writing := time.Since(begin)
	times := func(d time.Duration) string {
		if d == 0 {
			return ""
		}
		return fmt.Sprintf("%.1f ×", d.Seconds()/best[0].Seconds())
	}
	end := "yes"
	switch {
	case sum.Full:
		end = "no"
	case sum.Cut != nil:
		end = "no: " + sum.Cut.Error()
	}
	fmt.Printf("| %s | %d ms | %s | %s | %.1f | %s | %d events, %d ms |\n", test, best[0].Milliseconds(), times(best[1]), times(best[2]), float64(result.Size)/1e6, end, w.Events(), writing.Milliseconds())
	return nil
}
