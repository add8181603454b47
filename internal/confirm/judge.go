package confirm

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// places relates the places of a run file with those of a native run.
type places struct {
	root   string            // of the module
	goroot string            // of the native toolchain
	copies map[string]string // files and directories of the native run, and what they are copies of
}

// recorded returns the place of a position of the run file: that of the innermost frame in which
// the developer's code or that of a module is. It is in the standard library if there is none.
func (p *places) recorded(f *schedule.Finding) site {
	pos := f.Pos
	for _, frame := range f.Stack {
		if !strings.HasPrefix(frame.Pos, "$GOROOT") {
			pos = frame.Pos
			break
		}
	}
	return p.position(pos)
}

// position returns the place of a position, file:line:column, of the run file.
func (p *places) position(pos string) site {
	rest := pos[:max(0, strings.LastIndexByte(pos, ':'))]
	i := max(0, strings.LastIndexByte(rest, ':'))
	file := rest[:i]
	line, _ := strconv.Atoi(strings.TrimPrefix(rest[i:], ":"))
	switch inside, ok := strings.CutPrefix(file, "$GOROOT/"); {
	case ok:
		file = filepath.Join(p.goroot, filepath.FromSlash(inside))
	case !filepath.IsAbs(file):
		file = filepath.Join(p.root, filepath.FromSlash(file))
	}
	return site{filepath.Clean(filepath.FromSlash(file)), line}
}

// original returns the place that a place of a native run stands for.
func (p *places) original(at site) site {
	at.file = filepath.Clean(filepath.FromSlash(at.file))
	if from, ok := p.copies[at.file]; ok {
		at.file = from
		return at
	}
	for to, from := range p.copies {
		if inside, ok := strings.CutPrefix(at.file, to+string(filepath.Separator)); ok {
			at.file = filepath.Join(from, inside)
			break
		}
	}
	return at
}

// native returns the place of a stack of a native run, as recorded does.
func (p *places) native(frames []site) site {
	inside := p.goroot + string(filepath.Separator)
	for _, at := range frames {
		// Wrappers that the compiler makes have no file.
		if at := p.original(at); filepath.IsAbs(at.file) && !strings.HasPrefix(at.file, inside) {
			return at
		}
	}
	for _, at := range frames {
		if !strings.Contains(at.file, "/runtime/") {
			return p.original(at)
		}
	}
	return site{}
}

// name returns a place as it is told to the user.
func (p *places) name(at site) string {
	if at.file == "" {
		return "an unknown place"
	}
	file := at.file
	if rel, err := filepath.Rel(p.root, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(file), at.line)
}

// judge says why the output of a native run does not show the finding, "" if it does: if it fails
// in the same way, at the same place or places, with the same message.
func (p *places) judge(r *schedule.Run, output string, code int) string {
	switch f := r.Finding; f.Kind {
	case "panic":
		return p.judgeCrash(f, output, "panic: ", "does not panic", "panics")
	case "fatal error":
		return p.judgeCrash(f, output, "fatal error: ", "has no fatal error", "has a fatal error")
	case "test failure", "not linearizable":
		return p.judgeFailure(r, output, code)
	case "data race":
		return p.judgeRace(r, output)
	case "deadlock":
		dump, ok := section(output, "everyway: stuck")
		if !ok {
			if dump, ok = section(output, "fatal error: all goroutines are asleep"); !ok {
				return "the native run does not get stuck" + state(output)
			}
		}
		return p.judgeStuck(f, dump)
	case "leak":
		dump, ok := section(output, "everyway: returned")
		if !ok {
			return "the target does not return natively"
		}
		return p.judgeStuck(f, dump)
	default:
		return "a " + f.Kind + " does not show in a native run"
	}
}

// judgeCrash compares the messages, and the places of the goroutines that end the program, which
// come first in its dump.
func (p *places) judgeCrash(f *schedule.Finding, output, mark, never, otherwise string) string {
	message, dump, ok := crash(output, mark)
	if !ok {
		return "the native run " + never + state(output)
	}
	if got, want := same(message), same(f.Message); outOfRange(got) != outOfRange(want) {
		got, _, _ = strings.Cut(strings.TrimPrefix(got, mark), "\n")
		return "the native run " + otherwise + " with another message: " + got
	}
	var at site
	if list := goroutines(dump); len(list) > 0 {
		at = p.native(list[0].frames)
	}
	if want := p.recorded(f); at != want {
		return "the native run " + otherwise + " at " + p.name(at) + ", not at " + p.name(want)
	}
	return ""
}

var rangeError = regexp.MustCompile(`((?:index|slice bounds) out of range) \[.*`)

// outOfRange returns a message without which index is out of range: of several in a statement, the
// compiler chooses which is looked at first.
func outOfRange(message string) string { return rangeError.ReplaceAllString(message, "$1") }

var exitMessage = regexp.MustCompile(`^exit status (\d+)$`)

// judgeFailure looks for the message of a failed test, or for the exit status.
func (p *places) judgeFailure(r *schedule.Run, output string, code int) string {
	f := r.Finding
	test := r.Target
	if f.Test != "" {
		test = f.Test
	}
	failed := regexp.MustCompile(`(?m)^\s*--- FAIL: ` + regexp.QuoteMeta(test) + `[ /]`).MatchString(output)
	if m := exitMessage.FindStringSubmatch(f.Message); m != nil {
		switch {
		case strings.Contains(output, "\npanic: ") || regexp.MustCompile(`(?m)^(--- )?FAIL`).MatchString(output):
			return "the test fails otherwise natively, not by its exit status"
		case strconv.Itoa(code) != m[1]:
			return fmt.Sprintf("the native run ends with exit status %d, not %s", code, m[1]) + state(output)
		}
		return ""
	}
	if code == 0 {
		return "the test does not fail natively" + state(output)
	}
	want, message := p.position(f.Pos), same(f.Message)
	there := ""
	for at, text := range logged(output) {
		if p.original(at) != want {
			continue
		}
		there = same(text)
		if there == message || there == "" && message == test+" failed" {
			return ""
		}
	}
	switch {
	case there != "":
		there, _, _ = strings.Cut(there, "\n")
		return "the test fails with another message natively: " + there
	case message == test+" failed" && failed:
		return "" // by t.Fail, which says nothing
	case !failed:
		return "the test does not fail natively" + state(output)
	}
	return "the test does not fail at " + p.name(want) + " natively, but elsewhere"
}

// judgeStuck looks for a blocked goroutine for each one of the finding.
func (p *places) judgeStuck(f *schedule.Finding, dump string) string {
	blocked := map[site]int{}
	for _, g := range goroutines(dump) {
		switch g.state {
		case "running", "runnable", "syscall", "sleep", "IO wait", "preempted", "copystack":
			continue
		}
		// A control point has it wait for one case of a select: otherwise it might go on.
		if strings.Contains(dump, "everyway: forced: "+g.number+"\n") {
			continue
		}
		blocked[p.native(g.frames)]++
	}
	for one := range f.All() {
		at := p.recorded(one)
		if blocked[at] == 0 {
			return "no goroutine, or one less, is blocked at " + p.name(at) + " natively"
		}
		blocked[at]--
	}
	return ""
}

// section returns the output from a mark on.
func section(output, mark string) (string, bool) {
	_, rest, ok := strings.Cut(output, mark)
	rest, _, _ = strings.Cut(rest, "\neveryway: end\n")
	return rest, ok
}

// line returns the rest of the line behind a mark.
func line(output, mark string) string {
	_, rest, _ := strings.Cut(output, mark)
	rest, _, _ = strings.Cut(rest, "\n")
	return rest
}

// state says how far the schedule was followed, as far as the control points said it.
func state(output string) string {
	for _, what := range []string{"stuck", "returned"} {
		if s := line(output, "everyway: "+what+": "); s != "" && strings.Contains(output, "everyway: "+what+": ") {
			return " (" + what + ": " + s + ")"
		}
	}
	return ""
}
