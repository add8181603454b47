package modules

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/bench/internal/reasons"
)

// failuresText explains failures, each named by a module, without its version, and a target.
//
//go:embed failures.txt
var failuresText string

// Failures returns what is known of failures, by module and target with a space between: by "example.com/m sub.TestA",
// where the target is named by its package relative to the module and its name.
func Failures() (map[string]string, error) { return parseFailures(failuresText) }

func parseFailures(text string) (map[string]string, error) {
	entries, err := reasons.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("failures.txt: %w", err)
	}
	explained := make(map[string]string)
	for _, e := range entries {
		if len(strings.Fields(e.Name)) != 2 {
			return nil, fmt.Errorf("failures.txt: %q is not a module and a target", e.Name)
		}
		explained[e.Name] = e.Reason
	}
	return explained, nil
}
