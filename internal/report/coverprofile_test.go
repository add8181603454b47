package report

import (
	"bytes"
	"testing"

	"github.com/everyway-go/everyway/internal/verdict"
)

// A block is executed if one of its variants is, by any target; blocks are in the order of files and lines.
func TestCoverProfile(t *testing.T) {
	block := func(file string, line int) verdict.Block {
		return verdict.Block{File: file, Line: line, Column: 2, EndLine: line + 1, EndColumn: 3, Statements: 4}
	}
	d := newCoverProfile(Config{Blocks: []verdict.Block{block("m/b.go", 1), block("m/a.go", 10), block("m/a.go", 9), block("m/a.go", 9)}})
	d.Ended(&verdict.Result{Blocks: []int{3}})
	d.Ended(&verdict.Result{Blocks: []int{0}})
	const want = "mode: set\nm/a.go:9.2,10.3 4 1\nm/a.go:10.2,11.3 4 0\nm/b.go:1.2,2.3 4 1\n"
	var b bytes.Buffer
	if err := d.Encode(&b); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
