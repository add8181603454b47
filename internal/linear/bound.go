package linear

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Bound says how many calls a history has.
type Bound struct {
	Alone      int // calls that are made before there are several goroutines
	Goroutines int
	Calls      int // that each of the goroutines makes
}

// Patience is how long the tests wait for calls that get no further. Those that have not returned then are blocked.
const Patience = time.Hour

// maxHistory is the most calls that a history has. More take longer than anybody waits.
const maxHistory = 12

// ParseBound parses goroutines x calls, such as 2x2, or 1+2x2, in which a call is made before.
func ParseBound(text string) (Bound, error) {
	var b Bound
	rest := text
	wrong := fmt.Errorf("bound %q: give goroutines and calls of each as 2x2, or 1+2x2 with a call that is made before", text)
	if alone, after, ok := strings.Cut(rest, "+"); ok {
		var err error
		if b.Alone, err = strconv.Atoi(alone); err != nil || b.Alone < 0 {
			return b, wrong
		}
		rest = after
	}
	goroutines, calls, ok := strings.Cut(rest, "x")
	var err error
	if b.Goroutines, err = strconv.Atoi(goroutines); !ok || err != nil || b.Goroutines < 1 {
		return b, wrong
	}
	if b.Calls, err = strconv.Atoi(calls); err != nil || b.Calls < 1 {
		return b, wrong
	}
	if b.Goroutines < 2 {
		return b, fmt.Errorf("bound %s: at least 2 goroutines are needed", text)
	}
	if b.Total() > maxHistory {
		return b, fmt.Errorf("bound %s: a history has at most %d calls", text, maxHistory)
	}
	return b, nil
}

// Total is the number of calls of a history.
func (b Bound) Total() int { return b.Alone + b.Goroutines*b.Calls }

// String is the inverse of ParseBound.
func (b Bound) String() string {
	if b.Alone > 0 {
		return fmt.Sprintf("%d+%dx%d", b.Alone, b.Goroutines, b.Calls)
	}
	return fmt.Sprintf("%dx%d", b.Goroutines, b.Calls)
}

// Sentence says what the bound is, as a part of what a verdict is within.
func (b Bound) Sentence() string {
	text := fmt.Sprintf("%d goroutines × %s", b.Goroutines, plural(b.Calls, "call"))
	if b.Alone > 0 {
		text += fmt.Sprintf(" after %s", plural(b.Alone, "call"))
	}
	return text
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// orders names the parameters of the target that choose which calls return before others are made: in turn, which calls are made next, and
// which of those that are made return. The calls that are made last return at the end.
func (b Bound) orders() []string {
	var list []string
	for i := range 2*b.Goroutines*b.Calls - 1 {
		list = append(list, fmt.Sprintf("order%d", i+1))
	}
	return list
}

// Target is the name of the fuzz target of the bound.
func (b Bound) Target() string {
	return "FuzzLinear" + strings.ReplaceAll(b.String(), "+", "plus")
}
