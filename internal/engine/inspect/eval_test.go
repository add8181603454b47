package inspect_test

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/engine/inspect"
)

const evalSource = `package main

import (
	"fmt"
	"math"
)

type inner struct{ deep int }

type outer struct {
	inner
	next *outer
	m    map[string]int
	tags []string
}

const limit = 7

var total uint8 = 250

func main() {
	o := &outer{inner: inner{3}, m: map[string]int{"a": 1, "b": 2}, tags: []string{"x", "y", "z"}}
	o.next = &outer{inner: inner{4}}
	var any1 any = *o
	var err error = fmt.Errorf("bad %d", 5)
	n, u8, f := -5, uint8(200), 2.5
	arr := [3]int{7, 8, 9}
	var none *outer
	text := "héllo"
	fn := func() int { return n }
	ch := make(chan int, 2)
	ch <- 1
	fmt.Println(o, any1, err, n, u8, f, arr, none, text, fn(), len(ch), total, math.MaxInt8)
}
`

// TestEval evaluates expressions at the last line of a function.
func TestEval(t *testing.T) {
	s := openProgram(t, evalSource)
	for i := range s.Len() {
		if p := s.Point(i); p.Kind == inspect.Line && s.Location(p).Line == 33 {
			if err := s.Goto(i); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	f := s.Frames(0)[0]
	if f.Line != 33 {
		t.Fatalf("at line %d", f.Line)
	}
	for _, test := range []struct{ expr, want string }{
		{"n", "-5"},
		{"n + 2*limit", "9"},
		{"n / 2", "-2"},
		{"n % 3", "-2"},
		{"u8 + 100", "44"},
		{"u8 << 1", "144"},
		{"^u8", "55"},
		{"-n", "5"},
		{"total + 10", "4"},
		{"f * 2", "5"},
		{"f > 2 && n < 0", "true"},
		{"n == -5 || none.deep == 1", "true"},
		{"!(n == 3)", "true"},
		{"o.deep", "3"},
		{"o.inner.deep", "3"},
		{"o.next.deep + o.deep", "7"},
		{"(*o).deep", "3"},
		{"o.next != nil", "true"},
		{"none == nil", "true"},
		{"o.next.next == nil", "true"},
		{"o == o", "true"},
		{"o == o.next", "false"},
		{`o.m["b"]`, "2"},
		{"len(o.m)", "2"},
		{"o.tags[1]", `"y"`},
		{"o.tags[1:]", `[]string{"y", "z"}`},
		{"cap(o.tags)", "3"},
		{"arr[n+7]", "9"},
		{"len(arr)", "3"},
		{"text[1:3]", `"é"`},
		{"text[0]", "104"},
		{"len(text)", "6"},
		{`text + "!"`, `"héllo!"`},
		{`text < "i"`, "true"},
		{"any1.(outer).deep", "3"},
		{"any1.deep", "3"},
		{"len(ch)", "1"},
		{"cap(ch)", "2"},
		{"int8(u8)", "-56"},
		{"uint16(n)", "65531"},
		{"int(f)", "2"},
		{"float64(n) / 2", "-2.5"},
		{"string(97)", `"a"`},
		{"math.MaxInt8", "127"},
		{"main", "no variable main here"},
		{"missing", "no variable missing here; there are"},
		{"none.deep", "nil pointer"},
		{"*none", "nil pointer"},
		{"arr[3]", "index 3 out of range: there are 3 elements"},
		{`o.m["c"]`, "the map has no such key"},
		{"n / 0", "division by zero"},
		{"n + u8", "mismatched types int and uint8"},
		{"o.nothing", "*main.outer has no field nothing"},
		{"fn()", "calls are not evaluated"},
		{"len(n)", "int has none"},
		{"<-ch", "a receive would change the channel"},
		{"err.Error", "a method"},
		{"n +", "expected operand"},
		{"any1.(int)", "it is of type main.outer"},
		{"&n", ""}, // captured, so that it is in memory
		{"func() {}", "not supported"},
	} {
		v, err := s.Eval(f, test.expr)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = v.Plain(4)
		}
		if got != test.want && (err == nil && test.want != "" || !strings.Contains(got, test.want)) {
			t.Errorf("%s = %s, want %s", test.expr, got, test.want)
		}
	}
}

// FuzzEval evaluates any text: it may fail, and must not panic.
func FuzzEval(f *testing.F) {
	for _, text := range []string{"n + 2", "o.next.deep", "o.m[text]", "arr[n]", "1 << 9", `"a" + 1`, "!f", "len(o)", "text[2:1]", "-text", "1 / 0.0", "any1.(outer)", "uint8(1 << 70)", "[]int{1}", "o.tags[1:9]"} {
		f.Add(text)
	}
	s := openProgram(f, evalSource)
	if err := s.Goto(s.Len() - 3); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if frames := s.Frames(0); len(frames) > 0 {
			if v, err := s.Eval(frames[inspect.SourceFrame(frames)], text); err == nil {
				_ = v.String()
			}
		}
	})
}
