package covered

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/sample"
)

// conditions makes random conditions on three variables.
type conditions struct {
	*rand.Rand
	a *expr.Arena
}

var widths = map[string]uint8{"x": 64, "y": 64, "z": 8}

// value returns an expression of a width.
func (g *conditions) value(width uint8, depth int) expr.ID {
	a := g.a
	if depth == 0 || g.IntN(8) == 0 {
		if g.IntN(2) == 0 {
			return a.Const([]uint64{0, 1, 2, 3, 7, 1 << 63, ^uint64(0), g.Uint64()}[g.IntN(8)]&mask(width), width)
		}
		if width == 8 {
			return a.Var("z", 8)
		}
		if width == 64 {
			return a.Var([]string{"x", "y"}[g.IntN(2)], 64)
		}
	}
	depth = max(depth-1, 0)
	x := func() expr.ID { return g.value(width, depth) }
	switch g.IntN(20) {
	case 0:
		return a.Add(x(), x())
	case 1:
		return a.Sub(x(), x())
	case 2:
		return a.Mul(x(), x())
	case 3:
		return a.UDiv(x(), x())
	case 4:
		return a.SDiv(x(), x())
	case 5:
		return a.URem(x(), x())
	case 6:
		return a.SRem(x(), x())
	case 7:
		return a.And(x(), x())
	case 8:
		return a.Or(x(), x())
	case 9:
		return a.Xor(x(), x())
	case 10:
		return a.Not(x())
	case 11:
		return a.Neg(x())
	case 12:
		return a.Shl(x(), x())
	case 13:
		return a.LShr(x(), x())
	case 14:
		return a.AShr(x(), x())
	case 15:
		return a.Ite(g.condition(depth), x(), x())
	case 16:
		return a.UMulHi(x(), x())
	case 17:
		if width > 8 {
			return a.SExt(g.value(8, depth), width)
		}
	case 18:
		if width > 8 {
			return a.ZExt(g.value(8, depth), width)
		}
	case 19:
		if width == 64 {
			return a.Concat(g.value(8, depth), a.Extract(g.value(64, depth), uint8(g.IntN(8)), 56))
		}
	}
	if width == 8 {
		return a.Extract(g.value(64, depth), uint8(g.IntN(57)), 8)
	}
	return x()
}

func mask(width uint8) uint64 { return ^uint64(0) >> (64 - width) }

func (g *conditions) condition(depth int) expr.ID {
	a := g.a
	width := []uint8{8, 64}[g.IntN(2)]
	x, y := g.value(width, depth), g.value(width, depth)
	switch g.IntN(7) {
	case 0:
		return a.Eq(x, y)
	case 1:
		return a.Ult(x, y)
	case 2:
		return a.Ule(x, y)
	case 3:
		return a.Slt(x, y)
	case 4:
		return a.Sle(x, y)
	case 5:
		return a.Not(a.Slt(x, y))
	}
	if depth == 0 {
		return a.Eq(x, y)
	}
	return a.And(g.condition(depth-1), g.condition(depth-1))
}

// choices is a program that prints which plan each epoch has for the environment.
const choices = `package main

import (
	"fmt"
	"unsafe"
)

type goroutine struct{ values []unsafe.Pointer }

var globals [1]unsafe.Pointer

func main() {
	c := &chooser{}
	for i := range epochs {
		c.epoch = &epochs[i]
		list := c.choose()
		if len(list) != 1 {
			list = []int32{none}
		}
		fmt.Println(list[0])
	}
}
`

// TestTrees compares what decision trees choose natively with the conditions of the sets.
func TestTrees(t *testing.T) {
	set := cover.New()
	g := &conditions{rand.New(rand.NewPCG(1, 2)), set.Arena}
	for range sample.Size(2000, 150, 50) {
		e := &cover.Epoch{Goroutines: []cover.Start{{Kind: cover.Entry}}, Ready: true}
		for _, name := range []string{"x", "y", "z"} {
			e.Inputs = append(e.Inputs, cover.Input{Name: name, Width: widths[name], Root: cover.Root{Kind: cover.Sym, Name: name}})
		}
		var atoms []expr.ID
		for range 1 + g.IntN(4) {
			atoms = append(atoms, g.condition(g.IntN(4)))
		}
		for range 1 + g.IntN(5) {
			sc := &cover.Schedule{}
			for range 1 + g.IntN(2) {
				var conj []expr.ID
				for range 1 + g.IntN(3) {
					c := atoms[g.IntN(len(atoms))]
					if g.IntN(2) == 0 {
						c = set.Arena.Not(c)
					}
					conj = append(conj, c)
				}
				sc.When = append(sc.When, conj)
			}
			e.Schedules = append(e.Schedules, sc)
		}
		set.Epochs = append(set.Epochs, e)
	}
	dir := t.TempDir()
	p := &program{Program: &Program{}, set: set}
	if err := p.variables(); err != nil {
		t.Fatal(err)
	}
	data, _, err := p.tables(Options{})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"go.mod": "module example.com/trees\n\ngo 1.26\n", "main.go": choices, "data.go": string(data)}
	for _, name := range []string{"select.go", "tables.go"} {
		text, err := sources.ReadFile("_src/cover/" + name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	for name, text := range texts {
		write(t, filepath.Join(dir, name), []byte(strings.Replace(text, "package cover\n", "package main\n", 1)))
	}
	program := filepath.Join(dir, "trees.exe")
	cmd := exec.Command("go", "build", "-o", program, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	chosen := map[string]int{}
	for range sample.Size(100, 20, 5) {
		values := map[string]uint64{"x": g.Uint64N(5), "y": g.Uint64() >> g.IntN(64), "z": g.Uint64N(256)}
		if g.IntN(3) == 0 {
			values["x"] = -values["x"]
		}
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), fmt.Sprintf("EVERYWAY_INPUT=x=%d y=%d z=%d", values["x"], int64(values["y"]), values["z"]))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
			want := none
			for k, sc := range set.Epochs[i].Schedules {
				if want == none && set.Holds(sc, func(name string) uint64 { return values[name] }) {
					want = k
				}
			}
			if line != fmt.Sprint(want) {
				t.Fatalf("epoch %d: with %v the schedule is %s, want %d", i, values, line, want)
			}
			chosen[line]++
		}
	}
	if len(chosen) < 4 {
		t.Errorf("chosen were %v only", chosen)
	}
}
