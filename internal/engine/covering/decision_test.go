package covering

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/program/programtest"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestEveryDecision makes runs with all inputs of generated programs of which the sets know no
// inputs: each branch that depends on one is decided as the program runs. What a run does is what
// the set has for the outcomes that it has.
func TestEveryDecision(t *testing.T) {
	p, names, texts := generated(t, "decided", sample.Of(96, 2, 2))
	refused, whole, epochs, decisions, passed := 0, 0, 0, 0, 0
	for _, name := range names {
		s, err := searched(t, p, name, Config{Unknown: true, MaxSchedules: 100, MaxEpochs: 100})
		if unsupported := (*UnsupportedError)(nil); errors.As(err, &unsupported) {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, texts[name])
		}
		epochs += len(s.Set().Epochs)
		decisions += len(s.Set().Decisions)
		passed += checkEpochs(t, s, []string{"x", "y", "z"})
		if s.Set().Searched() {
			whole++
		}
		if t.Failed() {
			t.Fatalf("%s:\n%s", name, texts[name])
		}
	}
	if decisions == 0 || passed == 0 {
		t.Errorf("%d programs have %d decisions, and runs pass %d epochs", len(names), decisions, passed)
	}
	t.Logf("%d programs, of which %d are refused, %d decisions and %d epochs, which runs passed %d times, and %d programs with all of these searched", len(names), refused, decisions, epochs, passed, whole)
}

// TestEveryAbstraction is TestEveryInput with what loops compute, which inputs have go round,
// decided as the program runs.
func TestEveryAbstraction(t *testing.T) {
	p, names, texts := generated(t, "abstracted", sample.Of(96, 2, 2))
	refused, decisions, passed := 0, 0, 0
	for _, name := range names {
		s, err := searched(t, p, name, Config{Abstract: true, MaxSchedules: 200, MaxEpochs: 100})
		if unsupported := (*UnsupportedError)(nil); errors.As(err, &unsupported) {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, texts[name])
		}
		decisions += len(s.Set().Decisions)
		passed += checkEpochs(t, s, []string{"x", "y", "z"})
		if t.Failed() {
			t.Fatalf("%s:\n%s", name, texts[name])
		}
	}
	if passed == 0 || refused > len(names)/2 {
		t.Errorf("%d programs, of which %d are refused: runs pass %d epochs", len(names), refused, passed)
	}
	t.Logf("%d programs, of which %d are refused, %d decisions, and runs passed %d epochs", len(names), refused, decisions, passed)
}

// TestAbstractions has programs whose loops and functions that call themselves go round as often as
// an input says, without a bound.
func TestAbstractions(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar locks [2]sync.Mutex\n\n"
	const search = "func main() {\n\tx := sym.Int(\"x\")\n\tn := 0\n\tfor k := x; k > 1; n++ {\n\t\tif k%2 == 0 {\n\t\t\tk /= 2\n\t\t} else {\n\t\t\tk = 3*k + 1\n\t\t}\n\t}\n"
	for name, c := range map[string]struct {
		text, want string
		schedules  int
	}{
		"loop":      {head + search + "\tif n == 3 {\n\t\tlocks[0].Lock()\n\t}\n}\n", "", 2},
		"recursion": {head + "func steps(k int) int {\n\tif k <= 1 {\n\t\treturn 0\n\t}\n\tif k%2 == 0 {\n\t\treturn 1 + steps(k/2)\n\t}\n\treturn 1 + steps(3*k+1)\n}\n\nfunc main() {\n\tif steps(sym.Int(\"x\")) == 3 {\n\t\tlocks[0].Lock()\n\t}\n}\n", "", 2},
		// What is not computed in the loop is an input as before.
		"both": {head + search + "\tif x == 8 {\n\t\tlocks[1].Lock()\n\t}\n\tif n == 3 {\n\t\tlocks[0].Lock()\n\t}\n}\n", "", 4},
		// A loop of which it is known how often it goes round.
		"bounded": {head + "func main() {\n\tx := sym.Range(\"x\", 0, 3)\n\tfor range 3 {\n\t\tx *= 5\n\t}\n\tif x == 125 {\n\t\tlocks[0].Lock()\n\t}\n}\n", "", 2},
		"index":   {head + search + "\tlocks[n%2].Lock()\n}\n", "which operations of synchronisation there are depends on how often a loop goes round, which is no input", 0},
		"inside":  {head + "func main() {\n\tfor k := sym.Int(\"x\"); k > 1; k = k * 5 / 3 {\n\t\tif k == 7 {\n\t\t\tlocks[0].Lock()\n\t\t\treturn\n\t\t}\n\t}\n}\n", "which operations of synchronisation there are depends on how often a loop goes round, which is no input", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := searched(t, programtest.Load(t, nil, map[string]string{name: c.text}), name, Config{Abstract: true})
			if c.want != "" {
				if unsupported := (*UnsupportedError)(nil); !errors.As(err, &unsupported) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("the error is %v, want %s", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if sum := s.Set().Summary(); sum.Schedules != c.schedules || !s.Set().Complete() || (len(s.Set().Decisions) == 0) != (name == "bounded") {
				t.Errorf("%d decisions, %+v", len(s.Set().Decisions), sum)
			}
			m, err := s.machine(t.Context(), s.Set().Epochs[0])
			if err != nil {
				t.Fatal(err)
			}
			for x := range uint64(10) {
				j, err := m.travel(t.Context(), run.Input{"x": x}, maxPassed, true)
				if err == nil {
					err = s.verify(j)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestDecisions has programs in which files and arguments decide branches.
func TestDecisions(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"os\"\n\t\"path/filepath\"\n\t\"runtime\"\n\t\"strings\"\n\t\"sync\"\n\t\"unsafe\"\n)\n\nvar m, n sync.Mutex\n\nvar _, _, _, _ = strings.Cut, os.Exit, runtime.GC, filepath.Join\n\nvar _ unsafe.Pointer\n\nfunc main() {\n"
	const read = "\tdata, ok := strings.CutPrefix(os.Args[0], \"-\")\n\tif !ok {\n\t\tn.Lock()\n\t\tn.Unlock()\n\t\treturn\n\t}\n"
	texts := make(map[string]string)
	type want struct {
		decisions, epochs, schedules int
		refused                      bool
	}
	wants := make(map[string]want)
	add := func(name, body string, w want) {
		texts[name], wants[name] = head+body, w
	}
	add("argument", "\tif len(os.Args) > 1 {\n\t\tm.Lock()\n\t}\n}\n", want{1, 1, 2, false})
	// What the file has is not there when it is said to be: what comes of that decides nothing.
	add("content", read+"\tif data[1000] == 'a' {\n\t\tm.Lock()\n\t}\n}\n", want{2, 1, 3, false})
	// A loop that does not synchronise is taken as a whole.
	add("counts", read+"\tlines := 0\n\tfor _, b := range []byte(data) {\n\t\tif b == '\\n' {\n\t\t\tlines++\n\t\t}\n\t}\n\tif lines > 3 {\n\t\tm.Lock()\n\t}\n}\n", want{2, 1, 3, false})
	// So is a function.
	add("function", "\tif first(os.Args) == 'a' {\n\t\tm.Lock()\n\t}\n}\n\nfunc first(list []string) byte {\n\tfor _, s := range list {\n\t\tif s != \"\" {\n\t\t\treturn s[0]\n\t\t}\n\t}\n\treturn 0\n}\n",
		want{1, 1, 2, false})
	// What a decision decides can decide something in turn.
	add("follows", "\tk := 0\n\tif len(os.Args) > 1 {\n\t\tk = 1\n\t}\n\tm.Lock()\n\tif k == 1 {\n\t\tn.Lock()\n\t}\n}\n", want{1, 1, 2, false})
	add("loop", "\tfor range os.Args {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}\n}\n", want{1, 2, 4, false})
	// There is no file when it is said to be a directory.
	add("method", "\tfor _, name := range os.Args[1:] {\n\t\tinfo, err := os.Stat(name)\n\t\tif err != nil {\n\t\t\tcontinue\n\t\t}\n\t\tm.Lock()\n\t\tm.Unlock()\n\t\tif info.IsDir() {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n}\n",
		want{3, 2, 8, false})
	add("called", "\tvar size func() int64\n\tif info, err := os.Stat(os.Args[0]); err == nil {\n\t\tsize = info.Size\n\t}\n\tif size() > 100 {\n\t\tm.Lock()\n\t}\n}\n", want{1, 1, 2, false})
	// Which of several cases it is decides only whether the process ends.
	add("cases", "\tk := 0\n\tswitch os.Args[0] {\n\tcase \"a\":\n\t\tk = 1\n\tcase \"b\", \"c\":\n\t\tk = 2\n\tcase \"d\":\n\t\tos.Exit(3)\n\tdefault:\n\t\tk = len(os.Args)\n\t\tif k > 3 {\n\t\t\tos.Exit(4)\n\t\t}\n\t}\n\tm.Lock()\n\tprintln(k)\n}\n", want{0, 1, 1, false})
	// Two branches with one condition, or with the opposite one, are one decision, unless something
	// may have written what it is about.
	add("repeats", "\tif len(os.Args) > 2 {\n\t\tm.Lock()\n\t}\n\tif 2 >= len(os.Args) {\n\t\tn.Lock()\n\t}\n}\n", want{2, 1, 2, false})
	add("changes", "\tk := len(os.Args)\n\tless := func() { k-- }\n\tif k > 2 {\n\t\tm.Lock()\n\t}\n\tif less(); k > 2 {\n\t\tn.Lock()\n\t}\n}\n", want{2, 1, 4, false})
	// Which element is printed, or is set, makes no difference: how far the loop has come does.
	add("index", "\tlist := make([]int, 100)\n\tfor i, s := range os.Args {\n\t\tm.Lock()\n\t\tlist[i]++\n\t\tprintln(s, list[i], os.Args[i])\n\t\tif i%2 == 0 {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t\tm.Unlock()\n\t}\n}\n", want{1, 2, 6, false})
	add("past", "\tfor i, s := range os.Args {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t\tif println(s); i > 2 {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n}\n", want{1, 2, 6, false})
	// A function of the program calls what it is given in a loop, which has a marker.
	add("each", "\teach(os.Args, func(s string) {\n\t\tm.Lock()\n\t\tprintln(s)\n\t\tm.Unlock()\n\t})\n}\n\nfunc each(list []string, f func(string)) {\n\tfor _, s := range list {\n\t\tf(s)\n\t}\n}\n", want{1, 2, 4, false})
	// What walks a file tree is a loop of the program, too.
	add("walks", "\t_ = filepath.Walk(os.Args[0], func(path string, info os.FileInfo, err error) error {\n\t\tif err != nil || info.IsDir() {\n\t\t\treturn nil\n\t\t}\n\t\tm.Lock()\n\t\tm.Unlock()\n\t\treturn nil\n\t})\n}\n", want{3, 2, 6, false})
	// The process ends early, unless the argument is another one.
	add("exits", "\tif len(os.Args) > 1 {\n\t\tm.Lock()\n\t}\n\tif len(os.Args) < 100 {\n\t\tos.Exit(1)\n\t}\n\tn.Lock()\n}\n", want{1, 1, 2, false})
	// How many processors there are is no input.
	add("processors", "\tif runtime.NumCPU() == 4 {\n\t\tm.Lock()\n\t}\n\tif runtime.GOMAXPROCS(0) == 4 {\n\t\tn.Lock()\n\t}\n}\n", want{2, 1, 4, false})
	add("address", "\tif uintptr(unsafe.Pointer(new(int)))%64 == 0 {\n\t\tm.Lock()\n\t}\n}\n", want{1, 1, 2, false})
	// It is more than a branch.
	add("which", "\tlist := []*sync.Mutex{&m, &n}\n\tlist[len(os.Args)%2].Lock()\n}\n", want{refused: true})
	add("adds", "\tvar wg sync.WaitGroup\n\twg.Add(len(os.Args))\n\tif len(os.Args) > 1 {\n\t\tm.Lock()\n\t}\n}\n", want{refused: true})
	add("panics", "\tdefer m.Lock()\n\tlist := []int{1}\n\tif list[len(os.Args)-1] == 1 {\n\t\tn.Lock()\n\t}\n}\n", want{1, 1, 2, false})
	p := programtest.Load(t, nil, texts)
	for name, w := range wants {
		s, err := searched(t, p, name, Config{})
		if unsupported := (*UnsupportedError)(nil); w.refused && errors.As(err, &unsupported) {
			continue
		}
		if err != nil || w.refused {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sum := s.Set().Summary()
		if got := (want{len(s.Set().Decisions), sum.Epochs, sum.Schedules, false}); got != w || !s.Set().Searched() {
			t.Errorf("%s: %+v, want %+v; open: %d", name, got, w, sum.Open)
			for i, e := range s.Set().Epochs {
				t.Log(i, e.Open)
			}
		}
		if passed := checkEpochs(t, s, nil); passed == 0 {
			t.Errorf("%s: a run passes no epoch", name)
		}
	}
}

// TestProcessors has programs that know how many processors there are: those that ask for it, and
// may not set it otherwise, need no decision.
func TestProcessors(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"os\"\n\t\"runtime\"\n\t\"sync\"\n)\n\nvar m sync.Mutex\n\nvar _ = os.Args\n\nvar workers = runtime.NumCPU()\n\nfunc main() {\n"
	const pool = "\tvar wg sync.WaitGroup\n\tfor i := 0; i < %s; i++ {\n\t\twg.Add(1)\n\t\tgo func() {\n\t\t\tm.Lock()\n\t\t\tm.Unlock()\n\t\t\twg.Done()\n\t\t}()\n\t}\n\twg.Wait()\n}\n"
	const asks = "\tif runtime.GOMAXPROCS(0) == 3 {\n\t\tm.Lock()\n\t}\n}\n"
	texts := map[string]string{
		"variable":  head + fmt.Sprintf(pool, "workers"),
		"maximum":   head + "\truntime.GOMAXPROCS(runtime.NumCPU())\n" + fmt.Sprintf(pool, "runtime.GOMAXPROCS(-1)"),
		"value":     head + "\tcount := runtime.NumCPU\n" + fmt.Sprintf(pool, "count()"),
		"sets":      head + "\truntime.GOMAXPROCS(2)\n" + asks,
		"given":     head + "\truntime.GOMAXPROCS(len(os.Args))\n" + asks,
		"default":   head + "\truntime.SetDefaultGOMAXPROCS()\n" + asks,
		"elsewhere": head + "\tset := []func(int) int{runtime.GOMAXPROCS}\n\tset[0](2)\n" + asks,
	}
	p := programtest.Load(t, nil, texts)
	for name := range texts {
		s := search(t, p, name, Config{Processors: 3})
		decided := name == "sets" || name == "given" || name == "default" || name == "elsewhere"
		if n := len(s.Set().Decisions); (n > 0) != decided || !s.Set().Complete() || s.Set().Processors != 3 {
			t.Errorf("%s: %d decisions, complete: %t", name, n, s.Set().Complete())
		}
		starts := 0
		for _, n := range s.Set().Epochs[0].Schedules[0].Nodes {
			if n.Child >= 0 {
				starts++
			}
		}
		if !decided && (len(s.Set().Epochs) != 1 || len(s.Set().Epochs[0].Schedules) != 1 || starts != 3) {
			t.Errorf("%s: %d epochs, %d goroutines are started in the first one", name, len(s.Set().Epochs), starts)
		}
	}
}

// TestFlags has programs that are started with flags that are known: what these decide needs no
// decision, unless the program may change what they are.
func TestFlags(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"flag\"\n\t\"os\"\n\t\"reflect\"\n\t\"sync\"\n)\n\nvar m sync.Mutex\n\nvar _, _ = os.Args, reflect.TypeFor[int]\n\nvar n = flag.Int(\"n\", 1, \"\")\n\nfunc main() {\n"
	const lock = "\tflag.Parse()\n\tfor i := 0; i < *n; i++ {\n\t\tgo func() {\n\t\t\tm.Lock()\n\t\t\tm.Unlock()\n\t\t}()\n\t}\n}\n"
	const asks = "\tif *n == 2 {\n\t\tm.Lock()\n\t}\n}\n"
	texts := map[string]string{
		"pool":     head + lock,
		"variable": head + "\tvar v string\n\tflag.StringVar(&v, \"v\", \"\", \"\")\n\tflag.Parse()\n\tif v == \"a\" && *n == 2 {\n\t\tm.Lock()\n\t}\n\tprintln(len(flag.Args()))\n}\n",
		// Printing the arguments, by reflection, changes none of them.
		"printed": strings.Replace(head, "\"flag\"", "\"flag\"\n\t\"fmt\"", 1) + "\tflag.Parse()\n\tfmt.Println(flag.Args())\n" + asks,
		// What follows here may all have other values.
		"unsafe":   strings.Replace(head, "\"sync\"", "\"sync\"\n\t\"unsafe\"", 1) + "\targs := os.Args\n\t(*struct{ s string })(unsafe.Pointer(&args[1])).s = args[0]\n\tflag.Parse()\n" + asks,
		"setter":   head + "\tflag.Parse()\n\treflect.ValueOf(os.Args).Index(1).SetString(os.Args[0])\n" + asks,
		"sorted":   strings.Replace(head, "\"sync\"", "\"slices\"\n\t\"sync\"", 1) + "\tslices.Sort(os.Args)\n\tflag.Parse()\n" + asks,
		"set":      head + "\tflag.Parse()\n\tflag.Set(\"n\", os.Args[0])\n" + asks,
		"element":  head + "\targs := os.Args\n\targs[1] = args[0]\n\tflag.Parse()\n" + asks,
		"assigned": head + "\tos.Args = os.Args[1:]\n\tflag.Parse()\n" + asks,
		"given":    head + "\tflag.CommandLine.Parse(os.Args[2:])\n" + asks,
		"value":    head + "\tflag.Parse()\n\tflag.Lookup(\"n\").Value.Set(os.Args[0])\n" + asks,
		"bound":    head + "\tflag.Parse()\n\tset := []func(string) error{flag.Lookup(\"n\").Value.Set}\n\tset[0](os.Args[0])\n" + asks,
		"method":   head + "\tflag.Parse()\n\tset := []func(flag.Value, string) error{flag.Value.Set}\n\tset[0](flag.Lookup(\"n\").Value, os.Args[0])\n" + asks,
		"perhaps":  head + "\tif len(os.Args) > 3 {\n\t\tflag.Parse()\n\t}\n" + asks,
		"continue": head + "\tflag.CommandLine.Init(\"\", flag.ContinueOnError)\n\tflag.Parse()\n" + asks,
		"another":  head + "\tflag.CommandLine = flag.NewFlagSet(\"\", flag.ContinueOnError)\n\tn = flag.Int(\"n\", 1, \"\")\n\tflag.Parse()\n" + asks,
		"copied":   head + "\t*flag.CommandLine = *flag.NewFlagSet(\"\", flag.ContinueOnError)\n\tn = flag.Int(\"n\", 1, \"\")\n\tflag.Parse()\n" + asks,
		"reflect":  head + "\tflag.Parse()\n\treflect.ValueOf(flag.Lookup(\"n\").Value).MethodByName(\"Set\").Call([]reflect.Value{reflect.ValueOf(os.Args[0])})\n" + asks,
	}
	names := slices.Sorted(maps.Keys(texts))
	p := programtest.Load(t, nil, texts)
	for _, name := range sample.From(names, 2, 2) {
		given := name == "pool" || name == "variable" || name == "printed"
		flags := []string{"-n=2"}
		if name == "variable" {
			flags = append(flags, "-v=a")
		}
		s, err := searched(t, p, name, Config{Flags: flags})
		if unsupported := (*UnsupportedError)(nil); !given && errors.As(err, &unsupported) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := len(s.Set().Decisions); (n == 0) != given || given && (!s.Set().Complete() || len(s.Set().Epochs) != 1 || len(s.Set().Epochs[0].Schedules) != 1) {
			t.Errorf("%s: %d decisions, complete: %t", name, n, s.Set().Complete())
		}
		if !slices.Equal(s.Set().Flags, flags) {
			t.Errorf("%s: the set has the flags %q", name, s.Set().Flags)
		}
	}
}

// TestFlagsRefused has flags with which the program does not start.
func TestFlagsRefused(t *testing.T) {
	p := programtest.Load(t, nil, map[string]string{"refused": "package main\n\nimport (\n\t\"flag\"\n\t\"sync\"\n)\n\nvar m sync.Mutex\n\nfunc main() {\n\tn := flag.Int(\"n\", 1, \"\")\n\tflag.Parse()\n\tif *n > 1 {\n\t\tm.Lock()\n\t}\n}\n"})
	for flag, want := range map[string]string{
		"-m=2":  "flag provided but not defined: -m",
		"-n=a":  "invalid value \"a\" for flag -n: parse error",
		"-h=no": "flag.Parse ends it",
	} {
		_, err := searched(t, p, "refused", Config{Flags: cover.Flags{flag}})
		if unsupported := (*UnsupportedError)(nil); !errors.As(err, &unsupported) || err.Error() != "the program does not start with the flags "+flag+": "+want {
			t.Errorf("%s: %v, want %s", flag, err, want)
		}
	}
}

// TestWaiters has goroutines at one place that wait for a condition: which one is woken does not
// depend on how a run has come there.
func TestWaiters(t *testing.T) {
	p := programtest.Load(t, nil, map[string]string{"waiters": `package main

import (
	"sync"

	"github.com/everyway-go/everyway/sym"
)

var (
	m           sync.Mutex
	c           = sync.NewCond(&m)
	ready, done int
)

func main() {
	x, y, z := sym.Range("x", 0, 2), sym.Range("y", 0, 2), sym.Range("z", 0, 2)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for {
				if !get() {
					return
				}
				if z == 1 {
					m.Lock()
					m.Unlock()
				}
			}
		})
	}
	for i := 0; i < x+y+z; i++ {
		m.Lock()
		ready++
		c.Signal()
		m.Unlock()
	}
	m.Lock()
	done = 1
	c.Broadcast()
	m.Unlock()
	wg.Wait()
}

func get() bool {
	m.Lock()
	defer m.Unlock()
	for ready == 0 && done == 0 {
		c.Wait()
	}
	if ready == 0 {
		return false
	}
	ready--
	return true
}
`})
	s := search(t, p, "waiters", Config{Unknown: true})
	if passed := checkEpochs(t, s, []string{"x", "y", "z"}); passed < 4*27 || !s.Set().Searched() {
		t.Errorf("runs have passed %d epochs; all searched: %t", passed, s.Set().Searched())
	}
}

// TestNamesOfDecisions has decisions that a program could take for another condition, if they had
// its position for a name.
func TestNamesOfDecisions(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"os\"\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar m sync.Mutex\n\nvar _ = sym.Int\n\n"
	texts, wants := make(map[string]string), make(map[string][]string)
	add := func(name, body string, names ...string) { texts[name], wants[name] = head+body, names }
	// A loop over a string has no position of its own.
	add("string", "func main() {\n\tx := sym.Int(\"x\")\n\tfor range os.Args[0] {\n\t\tif x == 3 {\n\t\t\tm.Lock()\n\t\t\tm.Unlock()\n\t\t}\n\t}\n}\n", "17:8'")
	// One instance of a generic function has the argument, the other one an input.
	add("generic", "func do[T int | int64](x T) {\n\tif x == 3 {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}\n}\n\nfunc main() {\n\tdo(sym.Int64(\"x\"))\n\tdo(len(os.Args))\n}\n", "15:7'")
	// What the inner loop ranges over is computed in the body of the outer one.
	add("nested", "func main() {\n\tlist := []*sync.Mutex{&m, &m}\n\tfor range os.Args {\n\t\tfor _, p := range list[:] {\n\t\t\tp.Lock()\n\t\t\tp.Unlock()\n\t\t}\n\t}\n}\n", "16:2")
	add("condition", "func main() {\n\tif !(len(os.Args) < 3) {\n\t\tm.Lock()\n\t}\n}\n", "15:20")
	p := programtest.Load(t, nil, texts)
	for name, want := range wants {
		s, err := searched(t, p, name, Config{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, d := range s.Set().Decisions {
			_, at, _ := strings.Cut(d.Position, ":")
			got = append(got, at)
			if strings.HasSuffix(d.Place(), "'") || !strings.HasPrefix(d.Position, d.Place()) {
				t.Errorf("%s: %s is at %s", name, d.Position, d.Place())
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: decisions at %q, want %q", name, got, want)
		}
	}
}

// TestDeciders has decisions that depend on values which have come through memory and channels:
// what decides is named as the program has it.
func TestDeciders(t *testing.T) {
	p := programtest.Load(t, nil, map[string]string{"deciders": `package main

import (
	"os"
	"sync"
)

type settings struct{ debug bool }

type item struct {
	path string
	settings
}

var m sync.Mutex

func main() {
	c := make(chan item, 1)
	_, debug := os.LookupEnv("DEBUG")
	path, _ := os.Executable()
	c <- item{path, settings{debug}}
	if x := <-c; x.debug {
		m.Lock()
		m.Unlock()
	}
	y := &settings{}
	fill(y)
	if y.debug {
		m.Lock()
	}
	try(os.Getwd)
	try(os.Hostname)
}

var failed error

func try(f func() (string, error)) {
	_, err := f()
	if err != nil {
		m.Lock()
		func() { failed = err }()
		m.Unlock()
	}
}

func fill(s *settings) {
	if wd, err := os.Getwd(); err == nil {
		s.debug = wd == ""
	}
}
`})
	s := search(t, p, "deciders", Config{})
	var got []string
	for _, d := range s.Set().Decisions {
		got = append(got, d.Why)
	}
	if want := []string{"what os.Executable returns or what os.LookupEnv returns", "what os.Getwd returns", "what a function value returns"}; !slices.Equal(got, want) {
		t.Errorf("decided by %q, want %q", got, want)
	}
}
