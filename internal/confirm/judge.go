package confirm

import (
	"path"
	"regexp"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// judge says why the output of a native run does not show the finding, "" if it does.
func judge(r *schedule.Run, output string, code int) string {
	f := r.Finding
	failed := regexp.MustCompile(`(?m)^\s*--- FAIL`).MatchString(output)
	message, _, _ := strings.Cut(strings.TrimSpace(f.Message), "\n")
	message = strings.TrimPrefix(strings.TrimPrefix(message, "panic: "), "fatal error: ")
	switch f.Kind {
	case "panic":
		if !strings.Contains(output, "panic: ") {
			return "the native run does not panic" + state(output)
		}
		if !strings.Contains(output, message) && !hasSite(output, f) {
			return "the native run panics otherwise: " + line(output, "panic: ")
		}
		return ""
	case "fatal error":
		if !strings.Contains(output, "fatal error: ") {
			return "the native run has no fatal error" + state(output)
		}
		if !strings.Contains(output, message) {
			return "the native run has another fatal error: " + line(output, "fatal error: ")
		}
		return ""
	case "test failure":
		if code == 0 || !failed && !strings.Contains(message, "exit") {
			return "the test does not fail natively" + state(output)
		}
		if !strings.Contains(output, message) && !hasSite(output, f) {
			return "the test fails otherwise natively"
		}
		return ""
	case "data race":
		return judgeRace(f, output)
	case "deadlock":
		dump, ok := section(output, "everyway: stuck")
		if !ok {
			if dump, ok = section(output, "fatal error: all goroutines are asleep"); !ok {
				return "the native run does not get stuck" + state(output)
			}
		}
		return judgeStuck(f, dump)
	case "leak":
		dump, ok := section(output, "everyway: returned")
		if !ok {
			return "the target does not return natively"
		}
		return judgeStuck(f, dump)
	}
	return "a " + f.Kind + " does not show in a native run"
}

// judgeRace looks for a report of the race detector with the two accesses.
func judgeRace(f *schedule.Finding, output string) string {
	reports := strings.Split(output, "WARNING: DATA RACE")
	for _, report := range reports[1:] {
		report, _, _ = strings.Cut(report, "==================")
		all := true
		for one := range f.All() {
			all = all && hasSite(report, one)
		}
		if all {
			return ""
		}
	}
	if len(reports) > 1 {
		return "the race detector reports another race"
	}
	return "the race detector reports no race" + state(output)
}

// judgeStuck looks for a blocked goroutine for each one of the finding.
func judgeStuck(f *schedule.Finding, dump string) string {
	goroutines := strings.Split(dump, "\n\n")
	for one := range f.All() {
		found := false
		for _, g := range goroutines {
			found = found || hasSite(g, one) && !strings.Contains(g, "[running") && !strings.Contains(g, "everyway/control.At(")
		}
		if !found {
			return "no goroutine is blocked at " + userSite(one) + " natively"
		}
	}
	return ""
}

// section returns the output from a mark on.
func section(output, mark string) (string, bool) {
	_, rest, ok := strings.Cut(output, mark)
	rest, _, _ = strings.Cut(rest, "\neveryway: end\n")
	return rest, ok
}

// userSite returns the position of the innermost frame that is not of the standard library.
func userSite(f *schedule.Finding) string {
	for _, frame := range f.Stack {
		if !strings.HasPrefix(frame.Pos, "$GOROOT") {
			return frame.Pos
		}
	}
	return f.Pos
}

// hasSite reports whether a text names the file and line of the finding.
func hasSite(text string, f *schedule.Finding) bool {
	site := userSite(f)
	if i := strings.LastIndexByte(site, ':'); i >= 0 {
		site = site[:i]
	}
	base := path.Base(strings.ReplaceAll(site, `\`, "/"))
	return regexp.MustCompile(`(^|[\s/])` + regexp.QuoteMeta(base) + `\b`).MatchString(text)
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
