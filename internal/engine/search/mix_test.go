package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/guided"
)

// withoutPlaces returns the strategies that need no places to lead to.
func withoutPlaces() []strategy.Info {
	return slices.DeleteFunc(Strategies(), func(info strategy.Info) bool { return info.Name == guided.Info.Name })
}

// TestUnknownStrategy checks that a name that no strategy has is refused with the list of
// those that there are, and that each of these is taken.
func TestUnknownStrategy(t *testing.T) {
	var names []string
	for _, info := range Strategies() {
		names = append(names, info.Name)
		if err := (Config{Strategy: info.Name, Reach: new(Reach)}).Check(); err != nil {
			t.Errorf("%s: %v", info.Name, err)
		}
	}
	want := fmt.Sprintf("unknown strategy %q (want one of %s)", "magic", strings.Join(names, ", "))
	if err := (Config{Strategy: "magic"}).Check(); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
