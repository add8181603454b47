package driver

import (
	"fmt"
	"slices"
	"strings"
)

// describe says what is wrong with a history: that nothing explains it, or that blocked is blocked, if that is not negative.
func (l *linearTest[O]) describe(make int, h *linearHistory, blocked int, e linearExplanation) string {
	var b strings.Builder
	name := func(op int) string { return l.calls[h.ops[op].index].name }
	texts := l.texts(h)
	switch {
	case blocked >= 0:
		fmt.Fprintf(&b, "not linearizable: %s blocks for ever, and no order of the calls made one at a time ends there\n", name(blocked))
	case l.model != nil:
		b.WriteString("not linearizable: the model allows no order of the calls\n")
	default:
		b.WriteString("not linearizable: no order of the calls made one at a time gives these results\n")
	}
	fmt.Fprintf(&b, "    x := %s\n", l.makes[make].name)
	b.WriteString(l.bars(h, texts))
	if len(e.longest) > 0 {
		b.WriteString("    alone         ")
		for i, op := range e.longest {
			if i == len(e.longest)-1 {
				b.WriteString("then " + e.instead)
				if e.instead == "the model does not allow it" {
					b.WriteString(": " + name(op) + texts[op])
				}
				continue
			}
			b.WriteString(name(op) + texts[op] + "; ")
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// describeRepeat says that a call gives one thing when calls are made on a value, and another thing on another one.
func (l *linearTest[O]) describeRepeat(make int, h *linearHistory, at int, first, second string) string {
	list := []string{"x := " + l.makes[make].name}
	for i := range max(at, 0) {
		list = append(list, l.calls[h.ops[i].index].name)
	}
	last := "it"
	if at >= 0 {
		last = l.calls[h.ops[at].index].name
	}
	return fmt.Sprintf("not deterministic: after %s, %s%s the first time, and the second time it%s", strings.Join(list, "; "), last, first, second)
}

// bars draws the calls as bars in time, a line for each goroutine. Two bars are above each other if the calls overlap.
func (l *linearTest[O]) bars(h *linearHistory, texts []string) string {
	n := len(h.ops)
	from, to := make([]int, n), make([]int, n)
	// The sets of calls that had returned when others were made are one in the other, so that their sizes are points in time.
	var sizes []int
	size := func(op int) int {
		k := 0
		for i, before := range h.ops[op].before {
			if before && h.ops[i].goroutine >= 0 {
				k++
			}
		}
		return k
	}
	for i := range h.ops {
		if h.ops[i].returned && h.ops[i].goroutine >= 0 {
			sizes = append(sizes, size(i))
		}
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	columns := max(len(sizes), 1)
	for i := range h.ops {
		to[i] = columns - 1
		if h.ops[i].returned {
			from[i] = max(slices.Index(sizes, size(i)), 0)
		}
	}
	pending := h.pending()
	for _, p := range pending { // when it was made is not known
		from[p] = 0
	}
	for i := range h.ops {
		for j := range h.ops {
			if h.ops[i].returned && h.ops[j].returned && h.ops[j].before[i] {
				to[i] = min(to[i], from[j]-1)
			}
		}
	}
	for _, p := range pending {
		if p > 0 && h.ops[p-1].goroutine == h.ops[p].goroutine {
			if from[p] = to[p-1] + 1; from[p] >= columns {
				columns++
			}
		}
	}
	for _, p := range pending {
		to[p] = columns - 1
	}
	label := func(op int) string {
		text := l.calls[h.ops[op].index].name + texts[op]
		if !h.ops[op].returned {
			return text + " blocks"
		}
		return text
	}
	width := make([]int, columns)
	for span := 1; span <= columns; span++ { // the short ones first, so that the long ones need little more
		for i := range h.ops {
			if h.ops[i].goroutine < 0 || to[i]-from[i]+1 != span || !h.ops[i].returned && !slices.Contains(pending, i) {
				continue
			}
			have := 0
			for c := from[i]; c <= to[i]; c++ {
				have += width[c]
			}
			if more := len([]rune(label(i))) + 3 - have; more > 0 {
				width[to[i]] += more
			}
		}
	}
	start := make([]int, columns+1)
	for c := range columns {
		start[c+1] = start[c] + width[c]
	}
	var b strings.Builder
	for i := range h.alone {
		fmt.Fprintf(&b, "    before        %s\n", label(i))
	}
	for g := range len(h.first) - 1 {
		line := fmt.Sprintf("    goroutine #%-2d ", g+1)
		begin := len([]rune(line))
		for i := h.first[g]; i < h.first[g+1]; i++ {
			if !h.ops[i].returned && !slices.Contains(pending, i) {
				break
			}
			line += strings.Repeat(" ", max(begin+start[from[i]]-len([]rune(line)), 0))
			end := "]"
			if !h.ops[i].returned {
				end = "…"
			}
			text := label(i)
			line += "[" + text + strings.Repeat("-", max(start[to[i]+1]-start[from[i]]-3-len([]rune(text)), 0)) + end
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
