package registry

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

var update = flag.Bool("update", false, "rewrite the list of strategies in the documentation")

// TestStrategies checks that each strategy is described and can begin a search.
func TestStrategies(t *testing.T) {
	seen := map[string]bool{}
	for _, info := range Strategies() {
		if info.Name == "" || seen[info.Name] {
			t.Errorf("the name %q is empty or that of two strategies", info.Name)
		}
		seen[info.Name] = true
		if info.Doc == "" {
			t.Errorf("%s has no description", info.Name)
		}
		st, err := info.New(strategy.Config{Names: run.NewNames(), Seeds: []run.Input{{"n": 1}}})
		if err != nil {
			t.Errorf("%s: %v", info.Name, err)
			continue
		}
		if job, err := st.Next(t.Context()); job == nil || err != nil {
			t.Errorf("%s has no first run: %v, %v", info.Name, job, err)
		}
	}
}

// TestDocs checks that the documentation lists the strategies as they are.
func TestDocs(t *testing.T) {
	const (
		path  = "../../../docs/strategies.md"
		begin = "<!-- strategies: written by go generate ./internal/strategy/registry -->\n\n"
		end   = "\n<!-- end of strategies -->\n"
	)
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := bytes.Cut(doc, []byte(begin))
	list, after, ok2 := bytes.Cut(rest, []byte(end))
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for the list of strategies", path)
	}
	var want bytes.Buffer
	fmt.Fprintln(&want, "| `-strategy` | what it does | what a finished search has shown |")
	fmt.Fprintln(&want, "|---|---|---|")
	for _, info := range Strategies() {
		fmt.Fprintf(&want, "| `%s` | %s | %s |\n", info.Name, info.Doc, cmp.Or(info.Proves, "nothing"))
	}
	if bytes.Equal(list, want.Bytes()) {
		return
	}
	if !*update {
		t.Fatalf("%s lists\n%s\nrun go generate for\n%s", path, list, want.Bytes())
	}
	doc = slices.Concat(before, []byte(begin), want.Bytes(), []byte(end), after)
	if err := os.WriteFile(path, doc, 0o666); err != nil {
		t.Fatal(err)
	}
}
