package binary

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/covering"
	"github.com/everyway-go/everyway/internal/engine/covering/coveringtest"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestEpochs builds generated programs from sets of several epochs that cover all inputs, and runs
// them with all of these: none comes to a state without a schedule, or leaves its schedule, so that
// each condition has been about the value that it had when the set was made.
func TestEpochs(t *testing.T) {
	built, refused, open := 0, 0, 0
	for seed := range sample.Of(96, 2, 2) {
		source := coveringtest.Generate(uint64(seed))
		dir, output, err := covers(t, source, covering.Config{MaxEpochs: 100})
		switch {
		case dir == "":
			open++
			continue
		case err != nil:
			if !strings.Contains(err.Error(), "has no name in the source") {
				t.Errorf("program %d: %v\n%s", seed, err, source)
			}
			t.Logf("program %d: %v", seed, err)
			refused++
			continue
		}
		built++
		for i := range 27 {
			cmd := exec.Command(output)
			cmd.Env = append(os.Environ(), fmt.Sprintf("EVERYWAY_INPUT=x=%d y=%d z=%d", i%3, i/3%3, i/9))
			out, err := cmd.CombinedOutput()
			if err != nil && !strings.HasPrefix(string(out), "panic: early\n") && !strings.HasPrefix(string(out), "panic: early [recovered, repanicked]\n") {
				t.Fatalf("program %d with %s: %v\n%s\n%s", seed, cmd.Env[len(cmd.Env)-1], err, out, source)
			}
		}
	}
	t.Logf("%d programs were built, %d refused, and %d sets are open", built, refused, open)
	if built+refused > 10 && refused > built/4 || built+refused > 4 && built == 0 {
		t.Errorf("%d programs were built, and %d refused", built, refused)
	}
}

// decided returns the program of a seed whose goroutines synchronise as conditions of statements
// say. What it prints does not depend on its schedule.
func decided(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 5))}
	g.line("package main\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n")
	g.line("var (\n\tm, n sync.Mutex\n\ttotal, other int\n\tcount atomic.Int64\n\tc = make(chan int, 100)\n\tready = sync.NewCond(&n)\n\tnames sync.Map\n\tfirst = sync.OnceFunc(func() {\n\t\tm.Lock()\n\t\ttotal += 10\n\t\tm.Unlock()\n\t})\n)\n")
	fresh := 0
	var body func(depth, number int)
	condition := func() string {
		if g.IntN(3) == 0 {
			return fmt.Sprintf("x == %d && y != z || u > %d", g.IntN(3), g.IntN(4))
		}
		return fmt.Sprintf("%s %s %d", []string{"x", "y", "z", "u", "add(u, z)"}[g.IntN(5)], []string{"==", "<", "!="}[g.IntN(3)], g.IntN(3))
	}
	body = func(depth, number int) {
		for range number {
			switch k := g.IntN(10); {
			case k == 8:
				g.line("first()")
			case k == 9:
				g.line("if _, loaded := names.LoadOrStore(%s, u); !loaded {\nn.Lock()\nother += 100\nn.Unlock()\n}", []string{"x", "y", "z", "u"}[g.IntN(4)])
			case k == 0:
				g.line("m.Lock()\ntotal += u\nm.Unlock()")
			case k == 1:
				g.line("n.Lock()\nother += x\nready.Broadcast()\nn.Unlock()")
			case k == 2:
				g.line("count.Add(int64(z))")
			case k == 3:
				g.line("c <- y")
			case k == 4:
				g.line("u += %s", []string{"x", "y", "z", "1"}[g.IntN(4)])
			case depth < 2 && k < 7:
				g.line("if %s {", condition())
				body(depth+1, 1+g.IntN(2))
				if g.IntN(2) == 0 {
					g.line("} else {")
					body(depth+1, 1)
				}
				g.line("}")
			case depth < 2:
				fresh++
				if g.IntN(2) == 0 {
					g.line("for i%d := 0; i%d < %s; i%d++ {", fresh, fresh, []string{"x", "y", "z"}[g.IntN(3)], fresh)
				} else {
					g.line("for _, i%d := range make([]int, %s) {\n_ = i%d", fresh, []string{"x", "y", "z"}[g.IntN(3)], fresh)
				}
				body(depth+1, 1)
				g.line("}")
			}
		}
	}
	g.line("func add(a, b int) int { return a + b }\n")
	for id := range 2 {
		g.line("func work%d(x, y, z int) {\nu := y", id)
		body(0, 2+g.IntN(2))
		g.line("_ = u\n}\n")
	}
	g.line("func main() {\nx, y, z := sym.Range(\"x\", 0, 2), sym.Range(\"y\", 0, 2), sym.Range(\"z\", 0, 2)\nu := z\nvar wg sync.WaitGroup")
	g.line("wg.Go(func() { work0(x, y, z) })\nwg.Go(func() { work1(z, x, y) })")
	body(0, 2)
	g.line("wg.Wait()\nprintln(total, other, count.Load(), len(c), u)\n}")
	return strings.Replace(g.String(), "len(c), ", "", 1)
}

// TestDecided builds generated programs from sets that know no inputs, so that what depends on one
// is decided as the program runs. With all inputs, they do the same as without a set, and none
// leaves its schedules.
func TestDecided(t *testing.T) {
	built, refused, open, epochs := 0, 0, 0, 0
	for seed := range sample.Of(48, 2, 2) {
		source := decided(uint64(seed))
		dir := directory(t, source)
		set := enumerate(t, dir, source, covering.Config{Unknown: true, MaxSchedules: 60, MaxEpochs: 100})
		if set == nil || !set.Complete() || len(set.Decisions) == 0 {
			open++
			continue
		}
		write(t, dir, set)
		kept, plain := filepath.Join(dir, "kept"), filepath.Join(dir, "plain")
		if _, err := Build(t.Context(), Config{Dir: dir, Pattern: ".", Set: dir, Output: kept}); err != nil {
			refused++
			t.Logf("program %d: %v", seed, err)
			continue
		}
		buildPlain(t, dir, plain)
		built++
		log := filepath.Join(dir, "log")
		for i := range 27 {
			env := []string{fmt.Sprintf("EVERYWAY_INPUT=x=%d y=%d z=%d", i%3, i/3%3, i/9), "EVERYWAY_COVER=" + log}
			if with, without := does(t, kept, env), does(t, plain, env); with != without {
				t.Fatalf("program %d with input %d does\n%s, and without a set\n%s\n%s", seed, i, with, without, source)
			}
			text, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			epochs += strings.Count(string(text), "epoch ")
		}
	}
	t.Logf("%d programs were built, of which runs pass %d epochs, %d refused, and %d sets are open or have no decisions", built, epochs, refused, open)
	if built+refused > 10 && (refused > built/4 || open > built) || built+refused > 4 && built == 0 {
		t.Errorf("%d programs were built, %d refused, and %d sets are open", built, refused, open)
	}
}

// covers makes a set for a program, and builds it. The directory is empty if the set is open or has deadlocks.
func covers(t *testing.T, source string, cfg covering.Config) (dir, output string, err error) {
	t.Helper()
	dir = directory(t, source)
	set := enumerate(t, dir, source, cfg)
	if set == nil || !set.Complete() || set.Deadlocks() > 0 {
		return "", "", nil
	}
	write(t, dir, set)
	output = filepath.Join(dir, "program")
	_, err = Build(context.Background(), Config{Dir: dir, Pattern: ".", Set: dir, Output: output})
	return dir, output, err
}

// buildPlain builds the program in a directory as usual.
func buildPlain(t *testing.T, dir, output string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-o", output, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// does runs a program in an environment, with arguments, and returns what it prints and how it
// ends. One that waits for ever is ended.
func does(t *testing.T, binary string, env []string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return fmt.Sprintf("%s%v", out, err)
}

// TestArguments has programs whose arguments decide what synchronises, in loops and functions in
// which one condition could be taken for another: they do the same as without a set, whatever their
// arguments are, or are refused.
func TestArguments(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar (\n\tm, n sync.Mutex\n\twg   sync.WaitGroup\n)\n\nvar _, _ = sym.Int, fmt.Sprint\n\n"
	const begin = "\twg.Add(1)\n\tgo func() {\n\t\tdefer wg.Done()\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}()\n"
	const lock = "\t\tm.Lock()\n\t\tm.Unlock()\n"
	const end = "\twg.Wait()\n\tfmt.Println(\"done\")\n}\n"
	texts := map[string]string{
		"nested":  "func main() {\n" + begin + "\tps := []*sync.Mutex{&m, &n}\n\tfor _, s := range os.Args[1:] {\n\t\tfor _, p := range ps[:] {\n\t\t\tp.Lock()\n\t\t\tfmt.Println(s)\n\t\t\tp.Unlock()\n\t\t}\n\t}\n" + end,
		"labels":  "func main() {\n" + begin + "\ts := os.Args[1:]\nouter:\n\tfor i := range s {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t\tfor _, l := range s[i:] {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t\tif l == \"b\" {\n\t\t\t\tcontinue outer\n\t\t\t}\n\t\t\tif l == \"c\" {\n\t\t\t\tbreak outer\n\t\t\t}\n\t\t}\n\t}\n" + end,
		"string":  "func main() {\n" + begin + "\tx := sym.Int(\"x\")\n\tfor range os.Args[len(os.Args)-1] {\n\t\tif x == 3 {\n\t\t\tm.Lock()\n\t\t\tm.Unlock()\n\t\t} else {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n" + end,
		"generic": "func do[T int | int64](x T) {\n\tif x == 3 {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}\n}\n\nfunc main() {\n" + begin + "\tdo(sym.Int64(\"x\"))\n\tdo(len(os.Args))\n" + end,
		// How far the loop has come decides, and not which element that is.
		"index": "func main() {\n" + begin + "\tlist := make([]int, 100)\n\tfor i, s := range os.Args[1:] {\n\t\tif list[i]++; i%2 == 0 {\n" + lock + "\t\t}\n\t\tif fmt.Println(s, list[i]); i > 2 {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n" + end,
		// How many elements a channel has follows from what was sent and received; one without a buffer has none.
		"lengths": "func fill(c chan<- int, none chan bool) {\n\tdefer wg.Done()\n\tfor len(c) < cap(c)-len(none) {\n\t\tc <- len(c)\n\t}\n}\n\nfunc main() {\n" + begin + "\tvar none chan bool\n\tc := make(chan int, 3)\n\tfor range os.Args[1:] {\n\t\twg.Add(1)\n\t\tgo fill(c, none)\n\t\twg.Wait()\n" +
			"\t\tif len(c) == 3 {\n\t\t\tfor len(c) > 0 {\n\t\t\t\tfmt.Println(<-c, len(c), len(none), len(make(chan int)))\n\t\t\t}\n\t\t}\n\t}\n\tif len(os.Args) > cap(c) {\n" + lock + "\t}\n" + end,
		// Variables that were set elsewhere, in conditions and in cases, and where a pointer leads.
		"variables": "func main() {\n" + begin + "\ts := os.Args[1:]\n\tlong, ok := len(s) > 2, len(s) > 0 && s[0] == \"a\"\n\tflag := &long\n\tif !ok || long {\n" + lock + "\t}\n\tok = ok && len(s) > 1\n" +
			"\tswitch {\n\tcase ok && !long, len(s) == 4:\n" + lock + lock + "\tcase !ok:\n" + lock + "\tcase long:\n" + lock + lock + lock + "\t}\n\tif *flag {\n" + lock + "\t}\n\tset := func() { ok = !ok }\n\tif set(); ok {\n" + lock + "\t}\n" + end,
		// A goroutine that waits in a loop over a channel whose body is decided by a variable, too.
		"received": "func main() {\n" + begin + "\tx := sym.Range(\"x\", 0, 2)\n\tlines := make(chan string, 3)\n\tgo func() {\n\t\tfor _, l := range os.Args[1:] {\n\t\t\tif l == \"c\" || (x == 1 && l == \"b\") {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tlines <- l\n\t\t}\n\t\tclose(lines)\n\t}()\n" +
			"\tfor l := range lines {\n\t\tif x == 2 && l == \"b\" {\n\t\t\tpanic(l)\n\t\t}\n\t\tfmt.Println(l)\n\t}\n" + end,
		// Variables that are mentioned twice before the branch.
		"mentioned": "func main() {\n" + begin + "\ts := os.Args[1:]\n\tlong := len(s) > 2\n" +
			"\tif x := long; x && len(s) < 5 {\n" + lock + "\t}\n\tif n, found := map[string]int{\"a\": 1}[s0(s)]; found || n > 0 {\n" + lock + "\t}\n" + end + "\nfunc s0(s []string) string {\n\tif len(s) == 0 {\n\t\treturn \"\"\n\t}\n\treturn s[0]\n}\n",
	}
	refused := map[string]bool{"string": true, "generic": true}
	for _, name := range sample.From(slices.Sorted(maps.Keys(texts)), 2, 1) {
		t.Run(name, func(t *testing.T) {
			dir, output, err := covers(t, head+texts[name], covering.Config{})
			if dir == "" {
				t.Fatal("the set is open")
			}
			if refused[name] {
				if err == nil || !strings.Contains(err.Error(), "decides there what synchronises, and is not the condition of a statement") {
					t.Errorf("it is not refused: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			plain := filepath.Join(dir, "plain")
			buildPlain(t, dir, plain)
			for _, args := range [][]string{nil, {"a"}, {"a", "b"}, {"a", "a", "c", "a"}, {"b", "a", "a", "b", "a"}} {
				if with, without := does(t, output, nil, args...), does(t, plain, nil, args...); with != without || !strings.HasSuffix(without, "done\n<nil>") {
					t.Errorf("with arguments %q it does\n%s\nand without a set\n%s", args, with, without)
				}
			}
		})
	}
}

// TestWalks has a pool of workers that are sent the files of a tree by a function that
// filepath.Walk calls, or filepath.WalkDir: it says the same as without a set.
func TestWalks(t *testing.T) {
	const text = "package main\n\nimport (\n\t\"fmt\"\n\t\"io/fs\"\n\t\"os\"\n\tfp \"path/filepath\"\n)\n\nfunc main() {\n\tpaths, results := make(chan string, 8), make(chan int, 2)\n\tfor range 2 {\n\t\tgo func() {\n\t\t\tsum := 0\n\t\t\tfor path := range paths {\n\t\t\t\tif data, err := os.ReadFile(path); err == nil {\n\t\t\t\t\tsum += 100 + len(data)\n\t\t\t\t}\n\t\t\t}\n\t\t\tresults <- sum\n\t\t}()\n\t}\n\tfor _, root := range os.Args[1:] {\n\t\tWALK\n\t\t\tif err == nil && info.IsDir() && info.Name() == \"skipped\" {\n\t\t\t\treturn fp.SkipDir\n\t\t\t}\n\t\t\tif err == nil && !info.IsDir() {\n\t\t\t\tpaths <- path\n\t\t\t}\n\t\t\treturn nil\n\t\t})\n\t}\n\tclose(paths)\n\tfmt.Println(\"sum\", <-results+<-results)\n}\n\nvar _ fs.DirEntry\n"
	tree := t.TempDir()
	for i := range 9 {
		dir := filepath.Join(tree, []string{"a", "b/c", "skipped"}[i%3])
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), bytes.Repeat([]byte{byte(i * 20)}, i), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	calls := map[string]string{
		"Walk":    "_ = fp.Walk(root, func(path string, info os.FileInfo, err error) error {",
		"WalkDir": "_ = fp.WalkDir(root, func(path string, info fs.DirEntry, err error) error {",
	}
	for _, name := range sample.From(slices.Sorted(maps.Keys(calls)), 2, 1) {
		t.Run(name, func(t *testing.T) {
			dir, output, err := covers(t, strings.ReplaceAll(text, "WALK", calls[name]), covering.Config{Ahead: 1})
			if err != nil || dir == "" {
				t.Fatalf("%v, or the set is open", err)
			}
			plain := filepath.Join(dir, "plain")
			buildPlain(t, dir, plain)
			for _, args := range [][]string{nil, {tree}, {filepath.Join(tree, "a", "0"), filepath.Join(tree, "missing"), tree}} {
				if with, without := does(t, output, nil, args...), does(t, plain, nil, args...); with != without || len(args) > 0 && !strings.Contains(without, "21\n") {
					t.Errorf("with arguments %q it does\n%s\nand without a set\n%s", args, with, without)
				}
			}
		})
	}
}

// TestTimes has a program that measures the time of each turn of a loop, as benchmarks do: it is no
// matter of what synchronises.
func TestTimes(t *testing.T) {
	const source = `package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/everyway-go/everyway/sym"
)

func main() {
	x := sym.Range("x", 0, 2)
	var m sync.Mutex
	var total time.Duration
	turns := 0
	for range x {
		start := time.Now()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				m.Lock()
				defer m.Unlock()
				turns++
			})
		}
		wg.Wait()
		if took := time.Since(start); took > 0 {
			total += took
		}
	}
	fmt.Println(turns, total >= 0)
}
`
	dir, output, err := covers(t, source, covering.Config{})
	if err != nil || dir == "" {
		t.Fatalf("%v, or the set is open", err)
	}
	for x := range 3 {
		if got, want := does(t, output, []string{fmt.Sprint("EVERYWAY_INPUT=x=", x)}), fmt.Sprintf("%d true\n<nil>", 2*x); got != want {
			t.Errorf("x = %d: it says %q, want %q", x, got, want)
		}
	}
}

// TestOnces has goroutines that call what sync.OnceFunc, OnceValue and OnceValues return, one of
// which calls another one, and one panics: programs say the same as without a set.
func TestOnces(t *testing.T) {
	const text = `package main

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/everyway-go/everyway/sym"
)

var (
	m     sync.Mutex
	calls int
	size  = sync.OnceValue(func() int {
		m.Lock()
		defer m.Unlock()
		calls++
		return len(os.Args)
	})
	first = sync.OnceValues(func() (string, error) {
		if size() < 2 {
			return "", errors.New("no argument")
		}
		return os.Args[1], nil
	})
)

func main() {
	x := sym.Range("x", 0, 1)
	var wg sync.WaitGroup
	said := sync.OnceFunc(func() { fmt.Println("said") })
	again := sync.OnceFunc
	fails := again(func() {
		m.Lock()
		panic(fmt.Sprint("x = ", x))
	})
	results := make(chan string, 3)
	for i := range 3 {
		wg.Go(func() {
			said()
			s, err := first()
			if i == 2 && x == 1 {
				fails()
			}
			results <- fmt.Sprint(s, err)
		})
	}
	wg.Wait()
	close(results)
	for r := range results {
		fmt.Println(r)
	}
	fmt.Println(calls)
}
`
	dir, output, err := covers(t, text, covering.Config{})
	if err != nil || dir == "" {
		t.Fatalf("%v, or the set is open", err)
	}
	plain := filepath.Join(dir, "plain")
	buildPlain(t, dir, plain)
	for i := range 8 {
		args, env := slices.Repeat([]string{"a"}, i%4), []string{fmt.Sprintf("EVERYWAY_INPUT=x=%d", i/4)}
		with, _, _ := strings.Cut(does(t, output, env, args...), "goroutine ")
		without, _, _ := strings.Cut(does(t, plain, env, args...), "goroutine ")
		if with != without || strings.Contains(without, "panic: x = 1") != (i >= 4) {
			t.Errorf("with arguments %q and x = %d it says\n%s\nand without a set\n%s", args, i/4, with, without)
		}
	}
}

// TestMaps has goroutines that share a sync.Map and a sync.Pool: programs say the same as without a set.
func TestMaps(t *testing.T) {
	const text = `package main

import (
	"fmt"
	"os"
	"sort"
	"sync"

	"github.com/everyway-go/everyway/sym"
)

var (
	seen    sync.Map
	buffers = sync.Pool{New: func() any { return new([]byte) }}
	total   sync.Mutex
	unique  int
)

func isNew(m *sync.Map, name string) bool {
	_, loaded := m.LoadOrStore(name, len(name))
	return !loaded
}

func main() {
	x := sym.Range("x", 0, 2)
	var numbers sync.Map
	jobs := make(chan string)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			numbers.Store(i, x)
			for name := range jobs {
				b := buffers.Get().(*[]byte)
				*b = append((*b)[:0], name...)
				if isNew(&seen, string(*b)) {
					total.Lock()
					unique++
					total.Unlock()
				}
				buffers.Put(b)
			}
			if n, _ := numbers.Load(0); n == 2 && numbers.CompareAndSwap(1, 2, 3) {
				total.Lock()
				unique += 100
				total.Unlock()
			}
		})
	}
	for _, name := range os.Args[1:] {
		jobs <- name
	}
	close(jobs)
	wg.Wait()
	var list []string
	seen.Range(func(key, value any) bool {
		list = append(list, fmt.Sprint(key, value))
		return true
	})
	sort.Strings(list)
	n, ok := numbers.LoadAndDelete(1)
	fmt.Println(unique, list, n, ok)
}
`
	dir, output, err := covers(t, text, covering.Config{})
	if err != nil || dir == "" {
		t.Fatalf("%v, or the set is open", err)
	}
	plain := filepath.Join(dir, "plain")
	buildPlain(t, dir, plain)
	for i := range 9 {
		args, env := [][]string{nil, {"a", "a"}, {"a", "b", "a", "c", "c"}}[i%3], []string{fmt.Sprintf("EVERYWAY_INPUT=x=%d", i/3)}
		if with, without := does(t, output, env, args...), does(t, plain, env, args...); with != without || !strings.HasSuffix(without, "true\n<nil>") {
			t.Errorf("with arguments %q and x = %d it says\n%s\nand without a set\n%s", args, i/3, with, without)
		}
	}
}

// TestEmbedded has a program that cannot have another type in the place of sync.Map, since it
// mentions the name of a field that comes from it: it is not covered, and builds.
func TestEmbedded(t *testing.T) {
	const source = "package main\n\nimport \"sync\"\n\ntype names struct{ sync.Map }\n\nfunc main() {\n\tvar n names\n\tn.Map.Store(1, 2)\n}\n"
	p, err := program.LoadNamed(t.Context(), directory(t, source), []string{"."}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := p.Select(program.Selection{Func: "main"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := covering.New(t.Context(), p, &targets[0], covering.Config{}); err == nil || !strings.Contains(err.Error(), "main.go:9:13: (*sync.Map).Store is not covered") {
		t.Errorf("the error is %v", err)
	}
}

// TestMistaken has a program that does not build, and of which another part does not build with
// other types: what is wrong with it is said only.
func TestMistaken(t *testing.T) {
	const source = "package main\n\nimport \"sync\"\n\ntype names struct{ sync.Map }\n\nfunc main() {\n\tvar n names\n\tn.Map.Store(1, 2)\n\tn = sync.Map{}\n}\n"
	_, err := program.LoadNamed(t.Context(), directory(t, source), []string{"."}, nil, false)
	if want := "main.go:10:6: cannot use sync.Map{} (value of struct type sync.Map) as names value in assignment"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// TestAhead has a goroutine that reads as many lines as there are, and another one that takes some
// of them: what is read ahead is in many states, unless the first one waits.
func TestAhead(t *testing.T) {
	const text = `package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	lines := make(chan string, 100)
	go func() {
		scanner := bufio.NewScanner(strings.NewReader(strings.Join(os.Args[1:], "\n")))
		for scanner.Scan() {
			lines <- scanner.Text()
		}
		close(lines)
	}()
	results := make(chan string, 100)
	go func() {
		for line := range lines {
			if line == "skip" {
				continue
			}
			results <- line
		}
		close(results)
	}()
	n := 0
	for line := range results {
		n += len(line)
		if line == "two" {
			<-results
		}
	}
	fmt.Println(n)
}
`
	dir, output, err := covers(t, text, covering.Config{Ahead: 1})
	if err != nil || dir == "" {
		t.Fatalf("%v, or the set is open", err)
	}
	plain := filepath.Join(dir, "plain")
	buildPlain(t, dir, plain)
	for _, args := range [][]string{nil, {"a"}, {"skip"}, {"two", "three", "four"}, slices.Repeat([]string{"a", "skip", "two"}, 60), slices.Repeat([]string{"skip"}, 300)} {
		if with, without := does(t, output, nil, args...), does(t, plain, nil, args...); with != without || !strings.HasSuffix(without, "<nil>") {
			t.Errorf("with %d arguments it does\n%s\nand without a set\n%s", len(args), with, without)
		}
	}
}

// TestConservative has goroutines that use locks which an input chooses, with what is decided
// before and after that: schedules have the orders of several inputs, those that differ in a
// decision the same ones up to there, and programs do what they do without a set.
func TestConservative(t *testing.T) {
	const source = `package main

import (
	"fmt"
	"os"
	"sync"

	"github.com/everyway-go/everyway/sym"
)

func main() {
	var a, b, c sync.Mutex
	n := sym.Range("n", 0, 2)
	p := &a
	switch n {
	case 1:
		p = &b
	case 2:
		p = &c
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		b.Lock()
		b.Unlock()
		if len(os.Args) > 1 {
			c.Lock()
			c.Unlock()
		}
	})
	wg.Go(func() {
		c.Lock()
		c.Unlock()
		if len(os.Args) > 2 {
			a.Lock()
			a.Unlock()
		}
	})
	wg.Go(func() {
		p.Lock()
		p.Unlock()
		if len(os.Args) > 3 {
			p.Lock()
			p.Unlock()
			if n == 1 {
				b.Lock()
				b.Unlock()
			}
		}
		p.Lock()
		p.Unlock()
	})
	wg.Wait()
	fmt.Println(n, len(os.Args))
}
`
	dir := directory(t, source)
	set := enumerate(t, dir, source, covering.Config{})
	if set == nil || !set.Complete() {
		t.Fatal("the set is not complete")
	}
	list := set.Epochs[0].Schedules
	if len(list) != 12 {
		t.Errorf("there are %d schedules, want 12", len(list))
	}
	write(t, dir, set)
	output := filepath.Join(dir, "kept")
	if _, err := Build(t.Context(), Config{Dir: dir, Pattern: ".", Set: dir, Output: output}); err != nil {
		t.Fatal(err)
	}
	for i := range 3 * 5 {
		n, args := i%3, make([]string, i/3)
		if got, want := does(t, output, []string{fmt.Sprint("EVERYWAY_INPUT=n=", n)}, args...), fmt.Sprintf("%d %d\n<nil>", n, len(args)+1); got != want {
			t.Errorf("with %d and %d arguments it does\n%s", n, len(args), got)
		}
	}
}

// TestAbstractions has a program that looks something up in a tree which inputs make, and steps of
// a loop that nothing bounds: what that yields is decided as it runs.
func TestAbstractions(t *testing.T) {
	const source = `package main

import (
	"fmt"
	"sync"

	"github.com/everyway-go/everyway/sym"
)

type tree struct {
	left, right *tree
	x           int
}

func (t *tree) add(x int) *tree {
	switch {
	case t == nil:
		return &tree{x: x}
	case x < t.x:
		t.left = t.left.add(x)
	default:
		t.right = t.right.add(x)
	}
	return t
}

func find(t *tree, x int) *tree {
	for t != nil && t.x != x {
		if x < t.x {
			t = t.left
		} else {
			t = t.right
		}
	}
	return t
}

func main() {
	x, y := sym.Int("x"), sym.Int("y")
	var root *tree
	n := 0
	for k := x; k > 1; n++ {
		root = root.add(k % 20)
		if k%2 == 0 {
			k /= 2
		} else {
			k = 3*k + 1
		}
	}
	var m sync.Mutex
	var wg sync.WaitGroup
	total := 0
	for range 2 {
		wg.Go(func() {
			if find(root, y) != nil {
				m.Lock()
				total++
				m.Unlock()
			}
		})
	}
	if n%3 == 1 {
		m.Lock()
		total += 10
		m.Unlock()
	}
	wg.Wait()
	fmt.Println(n, total)
}
`
	dir, output, err := covers(t, source, covering.Config{Abstract: true})
	if err != nil || dir == "" {
		t.Fatalf("%v, or the set is open", err)
	}
	plain := filepath.Join(dir, "plain")
	buildPlain(t, dir, plain)
	for i := range 60 {
		env := []string{fmt.Sprintf("EVERYWAY_INPUT=x=%d y=%d", i*i, i%7)}
		if with, without := does(t, output, env), does(t, plain, env); with != without || !strings.HasSuffix(without, "<nil>") {
			t.Errorf("with %s it does\n%s\nand without a set\n%s", env[0], with, without)
		}
	}
}

// TestProcessors has a program that asks how many processors there are: it has as many as its set says.
func TestProcessors(t *testing.T) {
	dir, output, err := covers(t, `package main

import (
	. "runtime"
	"sync"
)

var workers, most = NumCPU(), GOMAXPROCS(0)

var m sync.Mutex

func main() {
	count := []func() int{NumCPU}
	for i := 0; i < NumCPU(); i++ {
		m.Lock()
		m.Unlock()
	}
	println(workers, most, NumCPU(), GOMAXPROCS(NumCPU()), count[0](), GOMAXPROCS(-1))
}
`, covering.Config{Processors: 7})
	if dir == "" || err != nil {
		t.Fatal(err)
	}
	if got, want := does(t, output, nil), "7 7 7 7 7 7\n<nil>"; got != want {
		t.Errorf("it prints %q, and not %q", got, want)
	}
}

// TestValues has conditions about values that have no variable of their own in the source: programs
// find them, and do the same as without a set.
func TestValues(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar m, n sync.Mutex\n\nvar total int\n\nfunc main() {\n\tx, y := sym.Range(\"x\", 0, 2), sym.Range(\"y\", 0, 2)\n"
	const turn = "\t\tm.Lock()\n\t\ttotal = total*3 + 1\n\t\tm.Unlock()\n"
	const foot = "\tif y == total {\n\t\tn.Lock()\n\t}\n\tprintln(total)\n}\n"
	texts := map[string]string{
		// A loop without a variable, over a variable that others have, and that changes.
		"captured": head + "\tdone := make(chan bool)\n\tgo func() {\n\t\tdefer close(done)\n\t\tfor range x {\n" + turn + "\t\t\tx = 5\n\t\t}\n\t}()\n\tfor range done {\n\t}\n" + foot,
		// A variable that has been given to another one, and changes.
		"given": head + "\tz := x\n\tx = 7\n\tfor range z {\n" + turn + "\t\tx++\n\t}\n" + foot,
		// A variable that is there again in each iteration, and changes before and after.
		"again": head + "\tlast := 0\n\tfor i := 0; i < x; i++ {\n" + turn + "\t\tif last == y {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t\tlast = i + y\n\t}\n" + foot,
		// Elements, and how many of them have been passed.
		"elements": head + "\tfor _, z := range []int{x, 1, y} {\n" + turn + "\t\tif z == 1 {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n" + foot,
		"array":    head + "\tvar list [3]int\n\tlist[x] = y\n\tfor _, z := range list {\n" + turn + "\t\tif z == 1 {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n" + foot,
		// What a literal makes, and where a variable leads.
		"made": head + "\ta := &struct{ k, l int }{x, y}\n\tb := new(int)\n\t*b = x\n\tfor range 2 {\n" + turn + "\t}\n\tif a.k == a.l {\n\t\tn.Lock()\n\t\tn.Unlock()\n\t}\n\tif *b == 1 {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}\n" + foot,
		// Results of a call, and of a receive, after markers.
		"results": head + "\tp, ok := func() (int, bool) { return x + y, x > y }()\n\tfor range 2 {\n" + turn + "\t}\n\tif ok {\n\t\tn.Lock()\n\t\tn.Unlock()\n\t} else if p == 2 {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}\n" + foot,
		"receive": head + "\tc := make(chan string, 2)\n\tif x > 0 {\n\t\tc <- \"a\"\n\t}\n\tclose(c)\n\ts, ok := <-c\n\tfor i := 0; i < y; i++ {\n" + turn + "\t}\n\tif ok {\n\t\tn.Lock()\n\t\tn.Unlock()\n\t\tprintln(s)\n\t}\n" + foot,
		// A loop that does nothing but wait for a number.
		"spins": "package main\n\nimport (\n\t\"sync/atomic\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nfunc main() {\n\tx := sym.Range(\"x\", 0, 2)\n\tvar at atomic.Int64\n\tgo func() {\n\t\tfor i := 0; i < x; i++ {\n\t\t\tat.Add(1)\n\t\t}\n\t}()\n\tfor at.Load() < int64(x) {\n\t}\n\tprintln(at.Load())\n}\n",
		// A loop over a channel whose variable is there after it, and keeps what was received last.
		"assigned": head + "\tc := make(chan int)\n\tgo func() {\n\t\tfor i := range x {\n\t\t\tc <- i + 1\n\t\t}\n\t\tclose(c)\n\t}()\n\tz := 7\n\tfor z = range c {\n\t}\n\tif z == y {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}\n\ttotal = z\n" + foot,
		// A variable that decides what a goroutine does that waits in a loop over a channel, and
		// that the loop changes after its marker: an epoch begins while it waits, since what it
		// waits for is at another marker.
		"waits": head + "\tc := make(chan int, 1)\n\tgo func() {\n\t\tfor i := range x {\n\t\t\tc <- i\n\t\t}\n\t\tfor range 2 {\n\t\t\tm.Lock()\n\t\t\tm.Unlock()\n\t\t}\n\t\tclose(c)\n\t}()\n\tfor z := range c {\n\t\ty += z + 1\n\t\ttotal++\n\t}\n" + foot,
		// What is in a channel, of which the first place has been used twice.
		"buffered": head + "\ttype pair struct {\n\t\tk int8\n\t\tl int\n\t}\n\tc := make(chan pair, 3)\n\tc <- pair{1, x}\n\tc <- pair{int8(x), y}\n\tc <- pair{2, y - x}\n\tgive := func(c chan<- pair, p pair) { c <- p }\n\ttotal = (<-c).l\n\tgive(c, pair{int8(y), x})\n\tfor range 2 {\n" + turn + "\t}\n" +
			"\tif p := <-c; p.k == 1 && p.l < 2 {\n\t\tn.Lock()\n\t\tn.Unlock()\n\t}\n\tfor range 2 {\n" + turn + "\t}\n\tif p := <-c; p.l == 1 {\n\t\tn.Lock()\n\t\tn.Unlock()\n\t} else if q := <-c; q.k > int8(q.l) {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}\n" + foot,
		// A part of what a loop over a channel has received, which the program keeps in memory in the loop.
		"message": head + "\ttype message struct{ k, l int }\n\tc := make(chan message)\n\tgo func() {\n\t\tfor i := range 3 {\n\t\t\tc <- message{x + i, y}\n\t\t}\n\t\tclose(c)\n\t}()\n\tfor z := range c {\n\t\tif z.k == 2 {\n\t\t\tm.Lock()\n\t\t\ttotal += z.l\n\t\t\tm.Unlock()\n\t\t}\n\t}\n" + foot,
		// A condition of a type of the program's.
		"typed": head + "\tfor less(&y, x) {\n\t}\n\ty = 1\n" + foot + "\ntype answer bool\n\nfunc less(p *int, x int) answer {\n" + turn + "\t*p++\n\treturn *p < x\n}\n",
		// Locks in what the cases of a select send, and in their channels.
		"selects": head + "\tc, d := make(chan int, 1), make(chan int)\n\tfor range x {\n\t\tselect {\n\t\tcase d <- turn(1):\n\t\tcase pick(c) <- turn(y):\n\t\t}\n\t\ty = <-c\n\t}\n" + foot +
			"\nfunc turn(z int) int {\n" + turn + "\treturn total + z\n}\n\nfunc pick(c chan int) chan int {\n\tn.Lock()\n\tn.Unlock()\n\treturn c\n}\n",
		// A lock in what is sent on a channel that a literal has captured, which is loaded after that.
		"operands": head + "\tc := make(chan int, 3)\n\tfunc() {\n\t\tdefer close(c)\n\t\tfor range x {\n\t\t\tc <- turn(y)\n\t\t}\n\t}()\n\tfor z := range c {\n\t\ty += z\n\t}\n" + foot +
			"\nfunc turn(z int) int {\n" + turn + "\treturn total + z\n}\n",
		// Variables that only a function literal uses.
		"closure": head + "\tf := func() bool {\n\t\tif x == 1 {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t\tx++\n\t\treturn x > 3\n\t}\n\tfor range 3 {\n" + turn + "\t\tif f() {\n\t\t\ttotal++\n\t\t}\n\t}\n" + foot,
		// Variables of a loop in which goroutines wait with a send.
		"sends": head + "\tstream := func(n int) <-chan int {\n\t\tc := make(chan int)\n\t\tgo func() {\n\t\t\tfor i := range n {\n\t\t\t\tc <- i\n\t\t\t}\n\t\t\tclose(c)\n\t\t}()\n\t\treturn c\n\t}\n" +
			"\ta, b := stream(x), stream(y+1)\n\tfor a != nil || b != nil {\n\t\tselect {\n\t\tcase z, ok := <-a:\n\t\t\tif !ok {\n\t\t\t\ta = nil\n\t\t\t}\n\t\t\ttotal += z\n\t\tcase z, ok := <-b:\n\t\t\tif !ok {\n\t\t\t\tb = nil\n\t\t\t}\n\t\t\ttotal += 2 * z\n\t\t}\n\t}\n\tprintln(total)\n}\n",
		// A loop over a constant in another loop, of which a function literal has the variable.
		"constant": head + "\tvar wg sync.WaitGroup\n\tfor range x {\n\t\tfor i := range 3 {\n\t\t\twg.Go(func() {\n\t\t\t\tm.Lock()\n\t\t\t\ttotal += i\n\t\t\t\tm.Unlock()\n\t\t\t})\n\t\t\tif wg.Wait(); i == y {\n\t\t\t\tn.Lock()\n\t\t\t\tn.Unlock()\n\t\t\t}\n\t\t}\n\t}\n" + foot,
		// A variable that counts what its loop does, and has no value of its own when the body begins.
		"counts": head + "\tcount := 0\n\tfor range x {\n" + turn + "\t\tif count++; count == y {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n" + foot,
		// A loop over a channel whose body declares a variable of the name of its own.
		"again declared": head + "\tc := make(chan int)\n\tgo func() {\n\t\tfor i := range x {\n\t\t\tc <- i + 1\n\t\t}\n\t\tclose(c)\n\t}()\n\tfor z := range c {\n\t\tz := z * y\n\t\tif z > 1 {\n\t\t\tm.Lock()\n\t\t\tm.Unlock()\n\t\t}\n\t\ttotal += z\n\t}\n" + foot,
		// Variables of a loop that are not its own, which it sets when the body begins.
		"outer":   head + "\tvar i, z int\n\tfor i, z = range []int{5, 6}[:x] {\n\t\tf := func() int { return i + z - 5 }\n" + turn + "\t\tif f() == y {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n" + foot,
		"package": head + "\tfor last = range x {\n" + turn + "\t\tif last == y {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n" + foot + "\nvar last int\n",
		"handed":  head + "\tc, d := make(chan int), make(chan int)\n\tgo func() {\n\t\tfor range c {\n\t\t\tif last == y {\n\t\t\t\tn.Lock()\n\t\t\t\tn.Unlock()\n\t\t\t}\n\t\t\td <- last + 1\n\t\t}\n\t}()\n\tfor last = range x {\n\t\tc <- 0\n\t\ttotal += <-d\n\t}\n" + foot + "\nvar last int\n",
		// Two variables of one name.
		"widths": head + "\tfor i := range x {\n" + turn + "\t\tif i == y {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n\tfor i := range int16(x) {\n" + turn + "\t\tif i == 1 {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n" + foot,
	}
	for _, name := range sample.From(slices.Sorted(maps.Keys(texts)), 2, 2) {
		t.Run(name, func(t *testing.T) {
			dir, output, err := covers(t, texts[name], covering.Config{})
			if err != nil || dir == "" {
				t.Fatalf("%v, or the set is open\n%s", err, texts[name])
			}
			plain := filepath.Join(dir, "plain")
			buildPlain(t, dir, plain)
			for i := range 9 {
				env := []string{fmt.Sprintf("EVERYWAY_INPUT=x=%d y=%d", i%3, i/3)}
				with, without := does(t, output, env), does(t, plain, env)
				if with != without || strings.HasSuffix(without, "exit status 2") {
					t.Fatalf("x = %d, y = %d: the program says\n%s\nand kept to the set\n%s", i%3, i/3, without, with)
				}
			}
		})
	}
}

// TestOldLoops has files of versions in which the variable of a loop over a channel is one for all
// iterations, or not, as the module or the file itself says.
func TestOldLoops(t *testing.T) {
	const source = `package main

import (
	"fmt"
	"os"
	"sync"
)

func main() {
	c := make(chan string)
	go func() {
		for i := 1; i < len(os.Args); i++ {
			c <- os.Args[i]
		}
		close(c)
	}()
	var m sync.Mutex
	var list []func() string
	for a := range c {
		m.Lock()
		list = append(list, func() string { return a })
		m.Unlock()
	}
	for _, f := range list {
		fmt.Println(f())
	}
}
`
	for _, c := range []struct {
		module, constraint string
		one                bool // variable
	}{
		{"1.20", "", true},
		{"1.20", "//go:build go1.22\n\n", false},
		{"1.26", "//go:build go1.21\n\n", true},
	} {
		t.Run(c.module+" "+strings.TrimSpace(c.constraint), func(t *testing.T) {
			dir := t.TempDir()
			put(t, filepath.Join(dir, "go.mod"), "module example.com/old\n\ngo "+c.module+"\n")
			put(t, filepath.Join(dir, "main.go"), c.constraint+source)
			set := enumerate(t, dir, source, covering.Config{})
			if !set.Complete() {
				t.Fatalf("the set is open: %+v", set.Summary())
			}
			write(t, dir, set)
			output, plain := filepath.Join(dir, "program"), filepath.Join(dir, "plain")
			if _, err := Build(t.Context(), Config{Dir: dir, Pattern: ".", Set: dir, Output: output}); err != nil {
				t.Fatal(err)
			}
			buildPlain(t, dir, plain)
			for _, args := range [][]string{nil, {"a"}, {"a", "b", "c"}} {
				with, without := does(t, output, nil, args...), does(t, plain, nil, args...)
				if with != without || len(args) == 3 && strings.Contains(without, "a\nb") == c.one {
					t.Errorf("with arguments %q it says\n%s\nand without a set\n%s", args, with, without)
				}
			}
		})
	}
}

// TestDies has operations that end the program by a panic, or come after one that does: programs
// say the same as without a set, and do not wait.
func TestDies(t *testing.T) {
	const source = `package main

import (
	"sync"

	"github.com/everyway-go/everyway/sym"
)

func main() {
	x := sym.Range("x", 0, 7)
	var m sync.Mutex
	cond := sync.Cond{L: &m}
	cond.Signal()
	var wg sync.WaitGroup
	c, d := make(chan int), make(chan int, 1)
	list := make([]int, 3)
	wg.Add(1)
	go func() {
		m.Lock()
		close(c)
		m.Unlock()
		switch x {
		case 1:
			close(c)
		case 2:
			c <- 1
		case 3:
			d <- list[x]
		case 4:
			m.Unlock()
		case 5:
			wg.Add(-2)
		case 6:
			other := cond // which go vet reports, too
			other.Signal()
		case 7:
			other := cond
			m.Lock()
			other.Wait()
		}
		wg.Done()
	}()
	<-c
	wg.Wait()
}
`
	dir, output, err := covers(t, source, covering.Config{})
	if err != nil || dir == "" {
		t.Fatalf("%v, or the set is open", err)
	}
	for x, want := range []string{
		"", "panic: close of closed channel\n", "panic: send on closed channel\n", "panic: runtime error: index out of range [3] with length 3\n",
		"fatal error: sync: unlock of unlocked mutex\n", "panic: sync: negative WaitGroup counter\n",
		"panic: sync.Cond is copied\n", "panic: sync.Cond is copied\n",
	} {
		cmd := exec.Command(output)
		cmd.Env = append(os.Environ(), fmt.Sprintf("EVERYWAY_INPUT=x=%d", x))
		out, err := cmd.CombinedOutput()
		if !strings.HasPrefix(string(out), want) || (err == nil) != (want == "") {
			t.Errorf("x = %d: %v, want %q\n%s", x, err, want, out)
		}
	}
}
