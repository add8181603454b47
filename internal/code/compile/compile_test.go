package compile_test

import (
	"context"
	"sync"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
)

// loadStandard loads packages of GOROOT, once for all tests.
var loadStandard = sync.OnceValues(func() (*load.Result, error) {
	return load.Load(context.Background(), load.Config{Patterns: []string{"fmt", "strings", "sort", "encoding/json", "sync", "unicode/utf8"}})
})

func standard(t testing.TB) *load.Result {
	t.Helper()
	r, err := loadStandard()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSanityOfStandardLibrary(t *testing.T) {
	r := standard(t)
	p := compile.NewProgram(r.Prog, r.Sizes, func(*ssa.Package) bool { return true }, nil)
	for _, pkg := range r.Packages {
		n := 0
		for _, fn := range codetest.Functions(r, pkg) {
			f := p.Func(fn)
			if err := code.Sanity(f); err != nil {
				t.Errorf("%v\n%v", err, f)
				return
			}
			n += len(f.Code)
		}
		t.Logf("%s: %d instructions", pkg.Path, n)
	}
}

// TestGolden compiles the functions of testdata/golden/*.go and compares
// what WriteTo prints.
func TestGolden(t *testing.T) {
	codetest.Golden(t, "testdata/golden", func(_ *code.Program, f *code.Func) string { return f.String() })
}

func TestBranches(t *testing.T) {
	p, pkg := codetest.Compile(t, `package p

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
`)
	f := p.Func(pkg.SSA.Func("abs"))
	if len(p.Branches) != 2 || !p.Branches[0].Then || p.Branches[1].Then || p.Branches[0].Func != f {
		t.Fatalf("branches: %+v", p.Branches)
	}
	if pos := p.SSA.Fset.Position(p.Branches[0].Pos); pos.Line != 4 || pos.Column != 7 {
		t.Errorf("the branch is at %v", pos)
	}
	covers := 0
	for _, in := range f.Code {
		if in.Op == code.Cover {
			covers++
		}
	}
	if covers != 2 {
		t.Errorf("%d Cover instructions in\n%v", covers, f)
	}
}

func TestRefused(t *testing.T) {
	p, pkg := codetest.Compile(t, `package p

func huge(p *[100000]int) [100000]int { return *p }
`)
	f := p.Func(pkg.SSA.Func("huge"))
	if err := code.Sanity(f); err != nil {
		t.Error(err)
	}
	if len(f.Code) != 1 || f.Code[0].Op != code.Unsupported || f.Messages[0] != "a value of 100000 words in registers" {
		t.Errorf("code:\n%v", f)
	}
}

// BenchmarkCompile compiles all functions of encoding/json.
func BenchmarkCompile(b *testing.B) {
	r := standard(b)
	fns := codetest.Functions(r, r.Packages[0])
	n := 0
	for b.Loop() {
		p := compile.NewProgram(r.Prog, r.Sizes, nil, nil)
		n = 0
		for _, fn := range fns {
			n += len(p.Func(fn).Code)
		}
	}
	b.ReportMetric(float64(n), "instructions")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/instruction")
}
