package doclist

import (
	"bytes"
	"os"
	"slices"
	"testing"
)

// Check checks that the page at path has want between the comments
//
//	<!-- name: written by go generate pkg -->
//	<!-- end of name -->
//
// If update is set, it writes it there instead. It returns the page.
func Check(t *testing.T, path, name, pkg string, want []byte, update bool) []byte {
	t.Helper()
	begin := []byte("<!-- " + name + ": written by go generate " + pkg + " -->\n\n")
	end := []byte("\n<!-- end of " + name + " -->\n")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, hasBegin := bytes.Cut(page, begin)
	list, after, hasEnd := bytes.Cut(rest, end)
	if !hasBegin || !hasEnd {
		t.Fatalf("%s has no place for the list of %s", path, name)
	}
	if bytes.Equal(list, want) {
		return page
	}
	if !update {
		t.Fatalf("%s lists\n%s\nrun go generate for\n%s", path, list, want)
	}
	page = slices.Concat(before, begin, want, end, after)
	if err := os.WriteFile(path, page, 0o666); err != nil {
		t.Fatal(err)
	}
	return page
}
