package join

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/schedule"
)

// mixes are what random schedules consist of.
var mixes = []analysistest.Mix{
	{Goroutines: 2, Events: 12, Locks: true},
	{Goroutines: 2, Events: 12, Atomics: true},
	{Goroutines: 2, Events: 14, Locks: true, MoreLocks: true, Handoffs: true},
	{Goroutines: 2, Events: 16, Channels: true},
	{Goroutines: 2, Events: 14, Channels: true, Closes: true, WaitGroup: true},
	{Goroutines: 2, Events: 14, Locks: true, Channels: true, WaitGroup: true, Branches: true, Atomics: true},
	{Goroutines: 3, Events: 12, Locks: true, Channels: true, WaitGroup: true, Atomics: true},
	{Goroutines: 2, Events: 14, Locks: true, Channels: true, Conditions: true, Semaphores: true},
}

// randomText returns the text of a random schedule whose channels have values.
func randomText(t testing.TB, r *rand.Rand, m analysistest.Mix) string {
	t.Helper()
	events := analysistest.Events(t, analysistest.Random(r, m))
	for i := range events {
		e := &events[i]
		if e.Op == schedule.Send {
			e.Value = schedule.Value{Kind: schedule.Int64, Bits: r.Uint64N(2)}
		}
		if e.Op == schedule.Recv && r.IntN(4) > 0 {
			e.Value = events[e.From].Value
		}
	}
	return textOf(t, schedule.NewTable(), events)
}

// textOf returns events as a text.
func textOf(t testing.TB, names *schedule.Table, events []schedule.Event) string {
	t.Helper()
	var b bytes.Buffer
	w, err := schedule.NewWriter(&b, schedule.TextEncoding, names)
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		if err := w.Write(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// split returns the local traces of a text, by goroutine, each a list of events with their annotations.
func split(text string) [][]string {
	byName := map[string]int{}
	var lists [][]string
	note := ""
	for line := range strings.Lines(text) {
		switch line[0] {
		case 'e', '%', '#':
			continue
		case '@':
			note += line
			continue
		}
		name, _, _ := strings.Cut(line, ".")
		n, ok := byName[name]
		if !ok {
			n = len(lists)
			byName[name] = n
			lists = append(lists, nil)
		}
		lists[n] = append(lists[n], note+line)
		note = ""
	}
	return lists
}

// local returns local traces as a text without an order between them.
func local(lists [][]string) string {
	var b strings.Builder
	b.WriteString("everyway schedule 1\n%order local\n")
	for _, list := range lists {
		for _, e := range list {
			b.WriteString(e)
		}
	}
	b.WriteString("%end\n")
	return b.String()
}

var numbered = regexp.MustCompile(`(^|[\s<])([gov])(\d+)`)

// renumber replaces the numbers of goroutines, objects and values.
func renumber(text string, number func(letter byte, n int) int) string {
	return numbered.ReplaceAllStringFunc(text, func(word string) string {
		m := numbered.FindStringSubmatch(word)
		n, _ := strconv.Atoi(m[3])
		return fmt.Sprintf("%s%s%d", m[1], m[2], number(m[2][0], n))
	})
}

// canonical returns local traces with numbers that do not depend on an order between goroutines: those of what is
// mentioned first in a walk from goroutine to goroutine.
func canonical(text string) string {
	byName := map[string][]string{}
	for _, list := range split(text) {
		lines := strings.Split(strings.TrimSpace(list[0]), "\n")
		name, _, _ := strings.Cut(lines[len(lines)-1], ".")
		byName[name] = list
	}
	var b strings.Builder
	queue := []string{"timer", "g0"}
	for len(queue) > 0 {
		for _, e := range byName[queue[0]] {
			b.WriteString(e)
			if f := strings.Fields(e); slices.Contains(f, "fork") {
				queue = append(queue, f[slices.Index(f, "fork")+1])
			}
		}
		queue = queue[1:]
	}
	text = regexp.MustCompile(`fork (g\d+) g\d+`).ReplaceAllString(b.String(), "fork $1 -") // the names are the numbers in the traces
	seen := map[string]int{}
	count := map[byte]int{}
	return renumber(text, func(letter byte, n int) int {
		if letter == 'g' && n == 0 {
			return 0
		}
		key := fmt.Sprintf("%c%d", letter, n)
		if _, ok := seen[key]; !ok {
			count[letter]++
			seen[key] = count[letter]
		}
		return seen[key]
	})
}

// shuffled gives goroutines, objects and values other numbers.
func shuffled(r *rand.Rand, text string) string {
	numbers := map[string]int{}
	used := map[string]bool{}
	return renumber(text, func(letter byte, n int) int {
		if letter == 'g' && n == 0 {
			return 0
		}
		key := fmt.Sprintf("%c%d", letter, n)
		for numbers[key] == 0 {
			m := 1 + r.IntN(100000)
			if other := fmt.Sprintf("%c%d", letter, m); !used[other] {
				used[other], numbers[key] = true, m
			}
		}
		return numbers[key]
	})
}

// traces reads texts.
func traces(t testing.TB, texts ...string) (*Traces, error) {
	t.Helper()
	all := NewTraces()
	for i, text := range texts {
		name := fmt.Sprintf("%d.schedule", i)
		r, err := schedule.NewReader(strings.NewReader(text), name)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := all.Add(name, r); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// joined joins texts, and returns the text of the schedule, which it checks.
func joined(t testing.TB, texts ...string) (string, *Joined, error) {
	t.Helper()
	all, err := traces(t, texts...)
	if err != nil {
		return "", nil, err
	}
	j, err := all.Join(t.Context())
	if err != nil {
		return "", nil, err
	}
	var b bytes.Buffer
	if err := j.Write(&b, schedule.TextEncoding); err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(texts, ""))
	}
	r, err := schedule.NewReader(bytes.NewReader(b.Bytes()), "joined")
	if err != nil {
		t.Fatal(err)
	}
	s := schedule.NewState(r.Table())
	for e, err := range r.Events() {
		if err == nil {
			err = s.Next(e)
		}
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, strings.Join(texts, ""), b.String())
		}
	}
	return b.String(), j, nil
}

// TestRandom splits random schedules, and joins them again.
func TestRandom(t *testing.T) {
	windows, all := 0, 0
	for n, m := range mixes {
		for seed := range sample.Of(1500, 600, 200) {
			r := rand.New(rand.NewPCG(uint64(n), uint64(seed)))
			m.Events = 10 + r.IntN(80)
			m.Goroutines = 1 + r.IntN(5)
			text := randomText(t, r, m)
			traces := shuffled(r, local(split(text)))
			got, j, err := joined(t, traces)
			if err != nil {
				t.Fatalf("%v\n%s\nfrom\n%s", err, traces, text)
			}
			if canonical(got) != canonical(text) {
				t.Fatalf("the traces of\n%s\nare\n%s\nand not\n%s", got, canonical(got), canonical(text))
			}
			all++
			if j.Windows > 0 {
				windows++
			}
		}
	}
	t.Logf("%d of %d needed the solver", windows, all)
}

// TestExistence compares with brute force whether there is a schedule that explains traces, some of
// which have been changed.
func TestExistence(t *testing.T) {
	possible, impossible, windows := 0, 0, 0
	for n, m := range mixes {
		m.Events -= 3
		for seed := range sample.Of(2500, 800, 250) {
			r := rand.New(rand.NewPCG(100+uint64(n), uint64(seed)))
			lists := split(randomText(t, r, m))
			for range r.IntN(3) {
				mutate(r, lists)
			}
			text := local(reindexed(lists))
			_, j, err := joined(t, text)
			var none *NoOrderError
			var wrong *InputError
			if err != nil && !errors.As(err, &wrong) && (!errors.As(err, &none) || !none.Proven) {
				t.Fatalf("%v\n%s", err, text)
			}
			if exists := exists(t, text); exists != (err == nil) {
				t.Fatalf("exists: %v, but: %v\n%s", exists, err, text)
			}
			if err == nil {
				possible++
				windows += j.Windows
			} else {
				impossible++
			}
		}
	}
	t.Logf("%d possible, with %d windows, %d impossible", possible, windows, impossible)
	if possible == 0 || impossible == 0 {
		t.Error("all traces are of one kind")
	}
}

// TestDocumented joins the example of the documentation.
func TestDocumented(t *testing.T) {
	data, err := os.ReadFile("../../docs/schedules.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(data), "```\neveryway schedule 1\n%order local\n")
	example, _, _ = strings.Cut(example, "```\n")
	got, _, err := joined(t, "everyway schedule 1\n%order local\n"+example)
	if err != nil || !strings.Contains(got, "fork g1 worker") || !strings.Contains(got, "%order joined") {
		t.Errorf("%v\n%s", err, got)
	}
}

// mutate changes local traces at random: a value, or the order of two events, or an event is left out.
func mutate(r *rand.Rand, lists [][]string) {
	list := lists[r.IntN(len(lists))]
	i := r.IntN(len(list))
	switch r.IntN(3) {
	case 0:
		list[i] = strings.NewReplacer("i64:0", "i64:1", "i64:1", "i64:2").Replace(list[i])
	case 1:
		if i > 0 {
			list[i-1], list[i] = list[i], list[i-1]
		}
	case 2:
		if !strings.Contains(list[i], "new") && !strings.Contains(list[i], "begin") {
			list[i] = ""
		}
	}
}

// reindexed numbers the events of local traces anew.
func reindexed(lists [][]string) [][]string {
	index := regexp.MustCompile(`(?m)^(g\d+)\.\d+ `)
	for _, list := range lists {
		n := 0
		for i, e := range list {
			if e != "" {
				list[i] = index.ReplaceAllString(e, fmt.Sprintf("$1.%d ", n))
				n++
			}
		}
	}
	return lists
}

// exists reports by brute force whether there is a schedule that explains traces.
func exists(t testing.TB, text string) bool {
	r, err := schedule.NewReader(strings.NewReader(text), "traces")
	if err != nil {
		t.Fatal(err)
	}
	b := &brute{table: r.Table(), seen: map[string]bool{}, added: map[schedule.Cell]int64{}}
	for e, err := range r.Events() {
		if err != nil {
			t.Fatal(err)
		}
		for len(b.threads) <= int(e.Goroutine) {
			b.threads = append(b.threads, nil)
		}
		if e.Op == schedule.WaitGroupAdd {
			b.added[e.Cell()] += e.Number
		}
		b.threads[e.Goroutine] = append(b.threads[e.Goroutine], e.Clone())
	}
	b.at = make([]int, len(b.threads))
	return b.search(nil)
}

// A brute tries all orders.
type brute struct {
	table   *schedule.Table
	threads [][]schedule.Event
	at      []int
	seen    map[string]bool
	added   map[schedule.Cell]int64
}

func (b *brute) search(path []schedule.Event) bool {
	history := map[schedule.Cell][]string{}
	for _, e := range path {
		c := e.Cell()
		history[c] = append(history[c], fmt.Sprint(e.Goroutine, ".", e.Index))
	}
	delete(history, schedule.Cell{})
	key := fmt.Sprint(b.at, history)
	if b.seen[key] {
		return false
	}
	b.seen[key] = true
	if !b.valid(path) {
		return false
	}
	done := true
	for g := range b.threads {
		if b.at[g] == len(b.threads[g]) {
			continue
		}
		done = false
		e := b.threads[g][b.at[g]]
		b.at[g]++
		if b.search(append(path[:len(path):len(path)], e)) {
			return true
		}
		b.at[g]--
	}
	return done
}

// valid reports whether events, renumbered, are a schedule in which wait groups behave.
func (b *brute) valid(path []schedule.Event) bool {
	state := schedule.NewState(b.table)
	counter := map[schedule.Cell]int64{}
	goroutines := map[schedule.GoroutineID]schedule.GoroutineID{0: 0}
	objects := map[schedule.ObjectID]schedule.ObjectID{0: 0}
	locals := map[schedule.Local]schedule.Local{0: 0}
	for _, e := range path {
		e = e.Clone()
		if e.Op == schedule.WaitGroupAdd {
			if counter[e.Cell()] += e.Number; counter[e.Cell()] < 0 && b.added[e.Cell()] >= 0 {
				return false
			}
		}
		switch e.Op {
		case schedule.New:
			if _, ok := objects[e.Object]; ok {
				return false
			}
			objects[e.Object] = schedule.ObjectID(len(objects))
		case schedule.Spawn:
			if _, ok := goroutines[e.Child]; ok {
				return false
			}
			goroutines[e.Child] = schedule.GoroutineID(len(goroutines))
			e.Child = goroutines[e.Child]
		case schedule.CondSignal:
			if e.Child > 0 { // it is known whom it wakes
				g, ok := goroutines[e.Child]
				if !ok {
					return false
				}
				e.Child = g
			}
		}
		known := true
		g, ok := goroutines[e.Goroutine]
		known = known && ok
		o, ok := objects[e.Object]
		known = known && ok
		l, ok := locals[e.Left]
		known = known && ok
		if !known {
			return false
		}
		if e.Result != 0 {
			if _, ok := locals[e.Result]; ok {
				return false
			}
			locals[e.Result] = schedule.Local(len(locals))
			e.Result = locals[e.Result]
		}
		e.Goroutine, e.Object, e.Left = g, o, l
		if state.Next(&e) != nil {
			return false
		}
	}
	return true
}
