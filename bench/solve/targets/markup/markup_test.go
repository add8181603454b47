package markup

import (
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/yuin/goldmark"
	"golang.org/x/net/html"
)

func FuzzHTML(f *testing.F) {
	f.Add(`<a href="b">c</a>`)
	f.Fuzz(func(t *testing.T, s string) {
		for z := html.NewTokenizer(strings.NewReader(s)); z.Next() != html.ErrorToken; {
			z.Token()
		}
	})
}

func FuzzRuneWidth(f *testing.F) {
	f.Add("aä€世")
	f.Fuzz(func(t *testing.T, s string) {
		if n := runewidth.StringWidth(s); n < 0 {
			t.Errorf("%q is %d wide", s, n)
		}
	})
}

func FuzzMarkdown(f *testing.F) {
	f.Add([]byte("# a\n*b* [c](d)\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		goldmark.Convert(data, new(strings.Builder))
	})
}
