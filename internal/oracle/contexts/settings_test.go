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

// settingProgram writes a test that sets variables before and after it starts goroutines, which read them. Others write some of them, too.
func settingProgram(b *strings.Builder, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 11))
	n := seed
	fmt.Fprintf(b, "type box%d struct{ n, m int }\n\nvar (\n\ta%d, b%d, c%d int\n\tp%d = &box%d{}\n\twg%d sync.WaitGroup\n)\n\n", n, n, n, n, n, n, n)
	variables := []string{fmt.Sprint("a", n), fmt.Sprint("b", n), fmt.Sprint("c", n), fmt.Sprintf("p%d.n", n), fmt.Sprintf("p%d.m", n)}
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
	if r.IntN(4) == 0 {
		fmt.Fprintf(b, "\tset%d(v0)\n", n)
	}
	fmt.Fprintf(b, "\treturn x + v0 - %s\n}\n\n", variable())
	begin := []string{"go work%d(%d)", "go func() { work%d(%d) }()", "time.AfterFunc(0, func() { work%d(%d) })", "begin%d(%d)"}
	start := func() string {
		return fmt.Sprintf("wg%d.Add(1)\n\t", n) + fmt.Sprintf(begin[r.IntN(len(begin))], n, r.IntN(4)) + "\n"
	}
	fmt.Fprintf(b, "func begin%d(x int) { go work%d(x) }\n\n", n, n)
	fmt.Fprintf(b, "func set%d(x int) {\n\t%s = x\n", n, variable())
	if r.IntN(4) == 0 {
		b.WriteString("\t" + start())
	}
	fmt.Fprintf(b, "\t%s++\n}\n\n", variable())
	fmt.Fprintf(b, "func TestSettings%d(t *testing.T) {\n", n)
	if r.IntN(3) == 0 {
		fmt.Fprintf(b, "\tdefer func() { %s = 9 }()\n", variable())
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(b, "\tt.Cleanup(func() { %s = 8 })\n", variable())
	}
	started := false
	for i := range 3 + r.IntN(4) {
		switch k := r.IntN(8); {
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

// TestSettings checks contexts of goroutines that read variables which are set before any goroutine is started, or later.
func TestSettings(t *testing.T) {
	var text strings.Builder
	text.WriteString("package settings\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _ = time.AfterFunc\n\nfunc init() { runtime.Gosched() }\n\n")
	text.WriteString(cleanupProgram)
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
		for range 4 + len(list)*strings.Count(work.Name(), "Cleanup") {
			places := []ssa.Instruction{list[r.IntN(len(list))]}
			if r.IntN(2) == 0 {
				places = append(places, list[r.IntN(len(list))])
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
