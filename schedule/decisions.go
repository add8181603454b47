package schedule

import (
	"fmt"
	"strconv"
	"strings"
)

// Timer stands for the name of a goroutine where a timer takes a step.
const Timer = timerWord

// A Decision is one answer of the scheduler: which goroutine takes the next
// step and in which of its ways, or a chosen value.
type Decision struct {
	Value     bool   `json:"value,omitempty"` // Alt is a value that Goroutine asked for
	Goroutine string `json:"g"`               // Timer for a timer
	Alt       int32  `json:"alt,omitempty"`
}

// Decisions are written as words, such as 0.1 for a step of goroutine 0.1, 0.1:2 for one in its way
// 2, and 0.1=2 for the value 2 that it asked for. 0.1*7 stands for 7 decisions in a row that are
// alike.
const (
	altMark    = ":"
	valueMark  = "="
	repeatMark = "*"
)

// decisionsLine is about how many bytes of decisions make up a line.
const decisionsLine = 100

// maxDecisions is how many decisions a run has at most.
const maxDecisions = 1 << 22

// writeDecisions returns the lines that stand for decisions, at least one.
func writeDecisions(list []Decision) []string {
	var lines []string
	var line []byte
	for i := 0; i < len(list); {
		d, n := list[i], 1
		for i+n < len(list) && list[i+n] == d {
			n++
		}
		i += n
		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = append(line, d.Goroutine...)
		switch {
		case d.Value:
			line = strconv.AppendInt(append(line, valueMark...), int64(d.Alt), 10)
		case d.Alt != 0:
			line = strconv.AppendInt(append(line, altMark...), int64(d.Alt), 10)
		}
		if n > 1 {
			line = strconv.AppendInt(append(line, repeatMark...), int64(n), 10)
		}
		if len(line) >= decisionsLine {
			lines, line = append(lines, string(line)), line[:0]
		}
	}
	if len(line) > 0 || len(lines) == 0 {
		lines = append(lines, string(line))
	}
	return lines
}

// readDecisions appends the decisions of a line.
func readDecisions(list []Decision, line string) ([]Decision, error) {
	for word := range strings.SplitSeq(line, " ") {
		if word == "" {
			continue
		}
		d, n, err := readDecision(word)
		if err != nil {
			return nil, err
		}
		if n > maxDecisions-len(list) {
			return nil, fmt.Errorf("more than %d decisions", maxDecisions)
		}
		if len(list) > 0 && list[len(list)-1].Goroutine == d.Goroutine {
			d.Goroutine = list[len(list)-1].Goroutine
		}
		for range n {
			list = append(list, d)
		}
	}
	return list, nil
}

// readDecision returns the decision that a word stands for, and how often it does.
func readDecision(word string) (d Decision, n int, err error) {
	rest, times, ok := strings.Cut(word, repeatMark)
	if n = 1; ok {
		if n, err = strconv.Atoi(times); err != nil || n < 1 {
			return d, 0, fmt.Errorf("%q: %q is no number of decisions", word, times)
		}
	}
	var alt string
	if d.Goroutine, alt, d.Value = strings.Cut(rest, valueMark); !d.Value {
		d.Goroutine, alt, ok = strings.Cut(rest, altMark)
	} else {
		ok = true
	}
	if ok {
		a, err := strconv.ParseInt(alt, 10, 32)
		if err != nil {
			return d, 0, fmt.Errorf("%q: %q is no number of a way or value", word, alt)
		}
		d.Alt = int32(a)
	}
	if d.Goroutine != Timer && !isChain(d.Goroutine) {
		return d, 0, fmt.Errorf("%q names no goroutine, such as 0.1", word)
	}
	return d, n, nil
}

// isChain reports whether a name of a goroutine is a chain of spawns.
func isChain(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if part == "" || strings.Trim(part, "0123456789") != "" {
			return false
		}
	}
	return true
}
