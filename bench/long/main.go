// Long measures the detectors of everyway race on long schedules: those of a server under load, of
// about a million and ten million events, recorded in everyway's machine and natively.
//
//	go run ./bench/long                            # all
//	go run ./bench/long -run 1M                    # the shorter ones
//	go run ./bench/long -detectors huang,wcp       # some detectors
//	go run ./bench/long -limit 10m                 # for so much processor time each
//
// A row has the processor time and the memory of everyway race with one detector: with the default
// window, and with the whole schedule as one, if that makes a difference. What is not done after
// -limit, or needs more than -memory, is said to be so. The table is in docs/schedules.md. The
// machine records without symbols: with them, accesses that goroutines share are steps, of which a
// run has 100,000 at most.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/table"
)

// options are those of the command line.
type options struct {
	only      regexp.Regexp
	detectors []string
	limit     time.Duration
	memory    string
}

func main() {
	var o options
	flag.TextVar(&o.only, "run", regexp.MustCompile("."), "only schedules whose name matches the `regexp`")
	detectors := flag.String("detectors", "happensbefore,lockset,shb,wcp,syncp,osr,m2,strict,said,huang,loose,deadlock,misuse,leak", "comma-separated `names`")
	flag.DurationVar(&o.limit, "limit", 2*time.Minute, "end a detector after this processor `time`")
	flag.StringVar(&o.memory, "memory", "3GiB", "end a detector that needs more than this `size`")
	flag.Parse()
	o.detectors = strings.Split(*detectors, ",")
	table.Main(command.With(o.run))
}

func (o *options) run(ctx context.Context, built command.Everyway, work string) error {
	everyway := string(built)
	for _, title := range []string{"Machine1M", "Native1M", "Machine10M", "Native10M"} {
		if !o.only.MatchString(title) {
			continue
		}
		file := filepath.Join(work, "long.schedule")
		args := []string{"record", "-o", file, "-run", "^Test" + title + "$"}
		if strings.HasPrefix(title, "Native") {
			args = append(args, "-native")
		} else {
			args = append(args, "-concrete")
		}
		recorded, out, err := measure(ctx, 15*time.Minute, everyway, append(args, "./bench/long/testdata/server")...)
		if err != nil {
			fmt.Printf("%s: not recorded: %v\n%s\n", title, err, out)
			continue
		}
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		_, out, err = measure(ctx, 15*time.Minute, everyway, "race", "-detector", "happensbefore", file)
		if err != nil {
			return fmt.Errorf("%s: %w", title, err)
		}
		_, events, _ := strings.Cut(lastLine(out), ": ")
		fmt.Printf("\n%s: %s, %d MB, recorded in %s\n\n| | windows | whole |\n|---|---|---|\n", title, events, info.Size()>>20, recorded)
		for _, d := range o.detectors {
			fmt.Printf("| `%s` |", d)
			windows := [][]string{nil, {"-window", "1000000000"}}
			if slices.Contains(windowless, d) {
				windows = windows[:1]
			}
			for _, window := range windows {
				args := append([]string{"race", "-q", "-memory", o.memory, "-detector", d}, window...)
				took, out, err := measure(ctx, o.limit, everyway, append(args, file)...)
				switch {
				case err != nil:
					fmt.Printf(" %v |", err)
				case bytes.Contains(out, []byte("more is needed than -memory")):
					fmt.Printf(" more than %s |", o.memory)
				default:
					fmt.Printf(" %s |", took)
				}
			}
			fmt.Println(strings.Repeat(" |", 2-len(windows)))
		}
	}
	return ctx.Err()
}

// windowless are the detectors to which windows make no difference.
var windowless = []string{"happensbefore", "lockset", "shb", "syncp", "osr"}

// measure runs the command for some processor time at most. It returns what it took and what it
// printed. That it has findings, or not enough memory, is no error.
func measure(ctx context.Context, limit time.Duration, everyway string, args ...string) (took string, out []byte, err error) {
	shell := []string{"-c", `ulimit -t "$0" && exec "$@"`, strconv.Itoa(int(limit.Seconds())), everyway}
	cmd := exec.CommandContext(ctx, "sh", append(shell, args...)...)
	var buffer bytes.Buffer
	cmd.Stdout, cmd.Stderr = &buffer, &buffer
	err = cmd.Run()
	exit := (*exec.ExitError)(nil)
	if errors.As(err, &exit) {
		switch code := exit.ExitCode(); {
		case code < 0 && ctx.Err() == nil:
			return "", nil, fmt.Errorf("not done after %v", limit)
		case code == 1 || code == 3:
			err = nil
		}
	}
	if cmd.ProcessState != nil {
		took = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(100 * time.Millisecond).String()
		took += fmt.Sprintf(", %.1f GB", float64(command.Peak(cmd.ProcessState))/(1<<30))
	}
	return took, buffer.Bytes(), err
}

// lastLine returns the last line of a text.
func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}
