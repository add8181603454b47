package contexts

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static/initial"
)

// settingProgram writes a test that sets variables before and after it starts goroutines, which
// read them. Others write some of them, too.
func settingProgram(b *strings.Builder, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 11))
	n := seed
	fmt.Fprintf(b, "type box%d struct{ n, m int }\n\nvar (\n\ta%d, b%d, c%d int\n\td%d bool\n\tp%d = &box%d{}\n\twg%d sync.WaitGroup\n)\n\n", n, n, n, n, n, n, n, n)
	variables := []string{fmt.Sprint("a", n), fmt.Sprint("b", n), fmt.Sprint("c", n), fmt.Sprintf("p%d.n", n), fmt.Sprintf("p%d.m", n)}
	if r.IntN(3) > 0 {
		variables = variables[:3]
	}
	variable := func() string { return variables[r.IntN(len(variables))] }
	fmt.Fprintf(b, "func work%d(x int) int {\n\tdefer wg%d.Done()\n", n, n)
	for i := range 3 {
		fmt.Fprintf(b, "\tv%d := %s\n", i, variable())
		if r.IntN(3) == 0 {
			b.WriteString("\truntime.Gosched()\n")
		}
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(b, "\t%s = x\n", variable())
	}
	b.WriteString("\tif v0 < v1 {\n\t\tx += v2\n\t}\n")
	if r.IntN(3) == 0 {
		fmt.Fprintf(b, "\tif d%d {\n\t\tv0++\n\t}\n", n)
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(b, "\td%d = v0 < v2\n", n)
	}
	if r.IntN(2) == 0 {
		loop := []string{"i := v0; i < v1+2; i++", "i := x - 1; i < 3; i++", "i := v2 - 2; i+1 < x; i++", "i := v1; i < 4 && i > v0-3; i--", "i := int8(125 + v0); i != -127; i++"}
		fmt.Fprintf(b, "\tfor %s {\n\t\tx += int(i)\n\t\truntime.Gosched()\n\t}\n", loop[r.IntN(len(loop))])
	}
	if r.IntN(4) == 0 {
		fmt.Fprintf(b, "\tset%d(v0)\n", n)
	}
	fmt.Fprintf(b, "\treturn x + v0 - %s\n}\n\n", variable())
	begin := []string{"go work%d(%d)", "go func() { work%d(%d) }()", "time.AfterFunc(0, func() { work%d(%d) })", "begin%d(%d)"}
	start := func() string {
		return fmt.Sprintf("wg%d.Add(1)\n\t", n) + fmt.Sprintf(begin[r.IntN(len(begin))], n, r.IntN(4)) + "\n"
	}
	fmt.Fprintf(b, "func begin%d(x int) { go work%d(x) }\n\n", n, n)
	if r.IntN(4) == 0 {
		fmt.Fprintf(b, "func init() { %s = 7 }\n\n", variable())
	}
	fmt.Fprintf(b, "func set%d(x int) {\n\t%s = x\n", n, variable())
	if r.IntN(4) == 0 {
		fmt.Fprintf(b, "\tdefer func() { %s = 6 }()\n", variable())
	}
	if r.IntN(4) == 0 {
		b.WriteString("\t" + start())
	}
	fmt.Fprintf(b, "\t%s++\n}\n\n", variable())
	fmt.Fprintf(b, "func TestSettings%d(t *testing.T) {\n", n)
	if r.IntN(3) == 0 {
		fmt.Fprintf(b, "\tdefer func() { %s = 9 }()\n", variable())
	}
	if r.IntN(6) == 0 {
		fmt.Fprintf(b, "\tdefer set%d(4)\n", n)
	}
	if r.IntN(6) == 0 {
		fmt.Fprintf(b, "\twg%d.Add(1)\n\twork%d(1)\n", n, n)
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(b, "\tt.Cleanup(func() { %s = 8 })\n", variable())
	}
	started := false
	for i := range 3 + r.IntN(4) {
		switch k := r.IntN(9); {
		case k == 8:
			fmt.Fprintf(b, "\td%d = %t\n", n, r.IntN(3) > 0)
		case k < 3 || k < 6 && i < 2:
			fmt.Fprintf(b, "\t%s = %d\n", variable(), r.IntN(4))
		case k == 3:
			fmt.Fprintf(b, "\tset%d(%d)\n", n, r.IntN(4))
		case k == 4:
			fmt.Fprintf(b, "\tfor i := range 2 {\n\t\t%s = i\n\t%s\t}\n", variable(), start())
			started = true
		case k == 5:
			fmt.Fprintf(b, "\tif %s > 1 {\n\t%s\t}\n", variable(), start())
		default:
			b.WriteString("\t" + start())
			started = true
		}
	}
	if !started {
		b.WriteString("\t" + start())
	}
	if r.IntN(6) > 0 {
		fmt.Fprintf(b, "\twg%d.Wait()\n", n)
	}
	b.WriteString("}\n\n")
}

// cleanupProgram is a test with a function that package testing calls while a goroutine is still there.
const cleanupProgram = `
var (
	aCleanup             int
	goOn, hasRun = make(chan bool), make(chan bool)
)

func workCleanup(x int) int {
	defer close(hasRun)
	v := aCleanup
	<-goOn
	if v > 2 {
		x++
	}
	return x + v
}

func TestSettingsCleanup(t *testing.T) {
	aCleanup = 1
	go workCleanup(2)
	t.Cleanup(func() {
		aCleanup = 8
		close(goOn)
		<-hasRun
	})
}
`

// deferringProgram has a function that the goroutine of a test calls before it starts others, and
// when it ends; sharingProgram one that others call, too. listProgram has a loop with a number that
// is never less than the one it begins with, and a pointer to the lock that is held in it.
const (
	deferringProgram = `
var aDeferring int

func setDeferring(x int) int {
	for range 3 {
		runtime.Gosched()
		x += aDeferring
	}
	return x
}

func workDeferring(x int) int {
	runtime.Gosched()
	return x
}

func TestSettingsDeferring(t *testing.T) {
	defer setDeferring(1)
	setDeferring(0)
	go workDeferring(2)
	aDeferring = 3
}
`
	sharingProgram = `
var aSharing int

func setSharing(x int) int {
	for range 3 {
		runtime.Gosched()
		x += aSharing
	}
	return x
}

func workSharing(x int) int { return setSharing(x) + 1 }

func TestSettingsSharing(t *testing.T) {
	setSharing(0)
	go workSharing(1)
	go workSharing(2)
	aSharing = 3
	runtime.Gosched()
}
`
	listProgram = `
type element struct {
	next *element
	n    int
	mu   sync.Mutex
}

func workList(e *element, begin, end int) int {
	x := 0
	for e, i := e, begin; i < end; e, i = e.next, i+1 {
		e.mu.Lock()
		x += e.n
		runtime.Gosched()
		e.mu.Unlock()
		x += begin
	}
	return x
}

func TestSettingsList(t *testing.T) {
	e := &element{n: 1}
	e.next = e
	go workList(e, -5, -2)
	workList(e, -4, 0)
}
`
)

// TestSettings checks contexts of goroutines that read variables which are set before any goroutine
// is started, or later.
func TestSettings(t *testing.T) {
	var text strings.Builder
	text.WriteString("package settings\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _ = time.AfterFunc\n\nfunc init() { runtime.Gosched() }\n\n")
	text.WriteString(cleanupProgram + deferringProgram + sharingProgram + listProgram)
	programs := 0
	for seed := range sample.Of(200, 16, 4) {
		settingProgram(&text, uint64(seed))
		programs++
	}
	dir := t.TempDir()
	if err := suite.Write(dir, "settings", map[string]string{"settings_test.go": text.String()}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	r := rand.New(rand.NewPCG(1, 1))
	contexts, held := 0, 0
	for i := range f.within {
		target := &f.within[i]
		work := target.Func.Pkg.Func("work" + strings.TrimPrefix(target.Func.Name(), "TestSettings"))
		list := instructions(work)
		more := 0
		if strings.TrimRight(work.Name(), "0123456789") == work.Name() { // no generated one
			more = 3 * len(list)
		}
		for range 4 + more {
			places := []ssa.Instruction{list[r.IntN(len(list))]}
			switch r.IntN(5) {
			case 0, 1:
				places = append(places, list[r.IntN(len(list))])
			case 2, 3: // and the goroutine that sets variables
				setting := instructions(target.Func)
				if set := target.Func.Pkg.Func("set" + strings.TrimPrefix(work.Name(), "work")); set != nil && (more > 0 || r.IntN(2) == 0) {
					setting = instructions(set)
				}
				places = append(places, setting[r.IntN(len(setting))])
			}
			if !f.check(t, target, places, r, 6) {
				continue
			}
			contexts++
			c, err := initial.New(t.Context(), f.analysis, [][]ssa.Instruction{places[:1]}, initial.Options{Variables: f.variables})
			if err != nil {
				t.Fatal(err)
			}
			for at := range c.Memory[0][0].Holds {
				if _, ok := at.(*ssa.UnOp); ok {
					held++
				}
			}
		}
	}
	f.report(t, contexts)
	t.Logf("%d reads still hold", held)
	if contexts < programs/16 || held == 0 {
		t.Errorf("%d contexts were reached in %d programs, in which %d reads still hold", contexts, programs, held)
	}
}
