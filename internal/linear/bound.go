package linear

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Bound says how many calls a history has.
type Bound struct {
	Alone      int // calls that are made before there are several goroutines
	Goroutines int
	Calls      int // that each of the goroutines makes
	// Methods is the most methods that the goroutines of one history call; 0 means any number. So
	// all pairs of methods are searched in a fraction of the runs that all histories need, of which
	// there are as many as combinations of calls.
	Methods int
}

// Patience is how long the tests wait for calls that get no further. Those that have not returned then are blocked.
const Patience = time.Hour

// maxHistory is the most calls that a history has. More take longer than anybody waits.
const maxHistory = 12

// ParseBound parses goroutines x calls, such as 2x2, or 1+2x2, in which a call is made before, or
// 2x2/2, in which goroutines call 2 methods at most.
func ParseBound(text string) (Bound, error) {
	var b Bound
	wrong := fmt.Errorf("bound %q: give goroutines and calls of each as 2x2, as 1+2x2 with a call that is made before, or as 2x2/2 with 2 methods at most", text)
	rest, methods, limited := strings.Cut(text, "/")
	if limited {
		var err error
		if b.Methods, err = strconv.Atoi(methods); err != nil || b.Methods < 1 {
			return b, wrong
		}
	}
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
	text := fmt.Sprintf("%dx%d", b.Goroutines, b.Calls)
	if b.Alone > 0 {
		text = fmt.Sprintf("%d+%s", b.Alone, text)
	}
	if b.Methods > 0 {
		text += fmt.Sprintf("/%d", b.Methods)
	}
	return text
}

// Distinct returns bounds without those that are the same for a type with a number of methods:
// where a history has as many, it makes no difference how many it may have.
func Distinct(bounds []Bound, methods int) []Bound {
	var list []Bound
	for _, b := range bounds {
		if b.Methods >= min(methods, b.Goroutines*b.Calls) {
			b.Methods = 0
		}
		if !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	return list
}

// Sentence says what the bound is, as a part of what a verdict is within.
func (b Bound) Sentence() string {
	text := fmt.Sprintf("%d goroutines × %s", b.Goroutines, plural(b.Calls, "call"))
	if b.Alone > 0 {
		text += fmt.Sprintf(" after %s", plural(b.Alone, "call"))
	}
	if b.Methods > 0 {
		text += fmt.Sprintf(", of any %s,", plural(b.Methods, "method"))
	}
	return text
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// orders names the parameters of the target that choose which calls return before others are made:
// in turn, which calls are made next, and which of those that are made return. The calls that are
// made last return at the end. If the orders are known before, one chooses among them.
func (b Bound) orders(known bool) []string {
	n := 2*b.Goroutines*b.Calls - 1
	if known {
		n = 1
	}
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("order%d", i+1))
	}
	return list
}

// ordersKnown reports whether package driver lists all orders in time of the calls of a history before it makes one.
func (b Bound) ordersKnown() bool {
	return b.Goroutines == 2 && b.Calls <= 3 || b.Calls == 1 && b.Goroutines <= 4
}

// Target is the name of the fuzz target of the bound.
func (b Bound) Target() string {
	return "FuzzLinear" + strings.NewReplacer("+", "plus", "/", "of").Replace(b.String())
}
