package registry

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"testing"

	"github.com/everyway-go/everyway/internal/doclist"
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
	var want bytes.Buffer
	fmt.Fprintln(&want, "| `-strategy` | what it does | what a finished search has shown |")
	fmt.Fprintln(&want, "|---|---|---|")
	for _, info := range Strategies() {
		fmt.Fprintf(&want, "| `%s` | %s | %s |\n", info.Name, info.Doc, cmp.Or(info.Proves, "nothing"))
	}
	doclist.Check(t, "../../../docs/strategies.md", "strategies", "./internal/strategy/registry", want.Bytes(), *update)
}
