package sexpr

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestNext(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string // with the lines where they begin
	}{
		{"", nil},
		{" ; only a comment", nil},
		{"sat", []string{"1 sat"}},
		{"sat\n( unsat ; so\n)x", []string{"1 sat", "2 (unsat)", "3 x"}},
		{"()(a(b)(c d))", []string{"1 ()", "1 (a (b) (c d))"}},
		{`(x|a ( "b|"c)|d" y)`, []string{`1 (x |a ( "b| "c)|d" y)`}},
		{"|two\nlines| |x;|y;z", []string{"1 |two\nlines|", "2 |x;|", "2 y"}},
		{"(\n\n(a)\r\n\tb)", []string{"1 ((a) b)"}},
	} {
		for name, in := range map[string]io.Reader{
			"whole":       strings.NewReader(test.text),
			"byte":        iotest.OneByteReader(strings.NewReader(test.text)),
			"end at once": iotest.DataErrReader(strings.NewReader(test.text)),
		} {
			r := NewReader(bufio.NewReader(in))
			var got []string
			for {
				e, err := r.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%s: %q: %v", name, test.text, err)
				}
				got = append(got, fmt.Sprint(e.Line, " ", e))
			}
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("%s: %q is read as %q, want %q", name, test.text, got, test.want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		in   io.Reader
		want string
		is   error
	}{
		{strings.NewReader("\n(assert (x)"), "line 2: a parenthesis that is not closed", io.ErrUnexpectedEOF},
		{strings.NewReader("\n)"), "line 2: a parenthesis that is not opened", nil},
		{strings.NewReader("(echo \"\n"), "line 1: a quotation mark that is not closed", io.ErrUnexpectedEOF},
		{strings.NewReader("||"), "line 1: a symbol without characters", nil},
		{strings.NewReader("(" + strings.Repeat("x", 100)), "an expression of more than 100 bytes", nil},
		{strings.NewReader("\"" + strings.Repeat("x", 100)), "an expression of more than 100 bytes", nil},
		{io.MultiReader(strings.NewReader("(a b"), iotest.ErrReader(broken)), "broken", broken},
		{io.MultiReader(strings.NewReader("a"), iotest.ErrReader(broken)), "broken", broken},
	} {
		r := NewReader(bufio.NewReader(test.in))
		r.Limit = 100
		_, err := r.Next()
		if err == nil || !strings.Contains(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// TestNextWaitsForNothing checks that an expression is returned before there is
// anything behind it, as an answer of a process is.
func TestNextWaitsForNothing(t *testing.T) {
	in, out := io.Pipe()
	defer in.Close()
	r := NewReader(bufio.NewReader(in))
	for _, answer := range []string{"sat\n", "((x #b1))", "|a|", "\n(error \"no (\")"} {
		go io.WriteString(out, answer)
		e, err := r.Next()
		if err != nil || e.String() != strings.TrimSpace(answer) {
			t.Errorf("%q is read as %v, %v", answer, e, err)
		}
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "42": 42, "2147483647": 1<<31 - 1, "2147483648": -1, "-1": -1, "x": -1, "(1)": -1} {
		e, err := NewReader(strings.NewReader(text)).Next()
		if err != nil {
			t.Fatal(err)
		}
		n, err := e.Number()
		if want < 0 && err == nil || want >= 0 && (err != nil || n != want) {
			t.Errorf("%s is the number %d, %v", text, n, err)
		}
	}
}
