package confirm

import (
	"iter"
	"regexp"
	"strconv"
	"strings"
)

// A site is a line of a source file, of which the path is absolute.
type site struct {
	file string
	line int
}

// A goroutine is one in a dump of the runtime's.
type goroutine struct {
	number string
	state  string // that the runtime gives, such as "chan receive"
	frames []site // innermost first, without the statement that started it
}

var (
	goroutineLine = regexp.MustCompile(`^goroutine (\d+)(?: gp=\S+ m=\S+(?: mp=\S+)?)? \[([^\],]*)`)
	frameLine     = regexp.MustCompile(`^\s+(.+):(\d+)(?: \+0x[0-9a-f]+)?(?: .*)?$`)
	logLine       = regexp.MustCompile(`^(\s*)(\S.*):(\d+): ?(.*)$`)
	address       = regexp.MustCompile(`\b0x[0-9a-f]+\b`)
	recovered     = regexp.MustCompile(` \[recovered(?:, repanicked)?\]$`)
)

// goroutines returns the goroutines of a dump, in its order.
func goroutines(dump string) []goroutine {
	var list []goroutine
	var g *goroutine
	started := false // the next frame is the one of the go statement
	for line := range strings.Lines(dump) {
		line = strings.TrimRight(line, "\r\n")
		if m := goroutineLine.FindStringSubmatch(line); m != nil {
			list = append(list, goroutine{number: m[1], state: m[2]})
			g, started = &list[len(list)-1], false
			continue
		}
		switch {
		case line == "":
			g = nil
		case g == nil:
		case strings.HasPrefix(line, "created by "):
			started = true
		case !started:
			if at, ok := frame(line); ok {
				g.frames = append(g.frames, at)
			}
		}
	}
	return list
}

// frame returns the place in the second line of a frame.
func frame(line string) (site, bool) {
	m := frameLine.FindStringSubmatch(line)
	if m == nil {
		return site{}, false
	}
	n, err := strconv.Atoi(m[2])
	return site{m[1], n}, err == nil
}

// An access is one of the two in a report of the race detector.
type access struct {
	frames  []site
	names   []string // of their functions
	write   bool
	created site // the statement that started the goroutine, if it is known
}

var (
	byLine      = regexp.MustCompile(`^(?:Previous )?(?i:atomic )?(?i:read|(write)) at 0x[0-9a-f]+ by (.*):$`)
	createdLine = regexp.MustCompile(`^(Goroutine \d+) \(\w+\) created at:$`)
)

// races returns the accesses in each report of the race detector.
func races(output string) [][]access {
	var list [][]access
	reports := strings.Split(output, "WARNING: DATA RACE")
	for _, report := range reports[1:] {
		report, _, _ = strings.Cut(report, "==================")
		var accesses []access
		var goroutines []string // of the accesses
		inside, creator := false, ""
		for line := range strings.Lines(report) {
			line = strings.TrimRight(line, "\r\n")
			if m := byLine.FindStringSubmatch(line); m != nil {
				accesses = append(accesses, access{write: m[1] != ""})
				goroutines = append(goroutines, m[2])
				inside = true
				continue
			}
			if m := createdLine.FindStringSubmatch(line); m != nil {
				creator = strings.ToLower(m[1])
				continue
			}
			at, ok := frame(line)
			switch {
			case line == "":
				inside, creator = false, ""
			case inside && ok:
				last := &accesses[len(accesses)-1]
				last.frames = append(last.frames, at)
			case inside:
				last := &accesses[len(accesses)-1]
				last.names = append(last.names, strings.TrimSuffix(strings.TrimSpace(line), "()"))
			case creator != "" && ok:
				for i := range accesses {
					if goroutines[i] == creator {
						accesses[i].created = at
					}
				}
				creator = ""
			}
		}
		list = append(list, accesses)
	}
	return list
}

// logged returns what a test has logged, with the place that each message is attributed to.
func logged(output string) iter.Seq2[site, string] {
	return func(yield func(site, string) bool) {
		lines := strings.Split(output, "\n")
		for i, line := range lines {
			m := logLine.FindStringSubmatch(strings.TrimRight(line, "\r"))
			if m == nil {
				continue
			}
			n, err := strconv.Atoi(m[3])
			if err != nil {
				continue
			}
			message := []string{m[4]}
			for _, next := range lines[i+1:] {
				rest, ok := strings.CutPrefix(next, m[1]+"    ")
				if !ok {
					break
				}
				message = append(message, rest)
			}
			if !yield(site{m[2], n}, strings.Join(message, "\n")) {
				return
			}
		}
	}
}

// crash returns the message of a panic or of a fatal error, which begins with mark, and the dump
// that follows.
func crash(output, mark string) (message, dump string, ok bool) {
	rest := output
	if !strings.HasPrefix(output, mark) {
		i := strings.Index(output, "\n"+mark)
		if i < 0 {
			return "", "", false
		}
		rest = output[i+1:]
	}
	i := strings.Index(rest, "\ngoroutine ")
	if i < 0 {
		return rest, "", true
	}
	return rest[:i], rest[i+1:], true
}

// same returns a message without what is another in each process, and without what surrounds it.
func same(message string) string {
	var lines []string
	for line := range strings.Lines(message) {
		line = strings.TrimRight(line, " \t\r\n")
		line = recovered.ReplaceAllString(line, "")
		if line == "" || strings.HasPrefix(line, "[signal ") {
			continue
		}
		lines = append(lines, address.ReplaceAllString(line, "0x"))
	}
	return strings.Join(lines, "\n")
}
