package covering

import (
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/internal/cover"
)

// A Config says how schedules are enumerated.
type Config struct {
	// Unroll is how many markers a goroutine passes in an epoch before it ends at one (section 3.5): at least 0.
	Unroll int
	// MinLength is how many instructions a goroutine executes in an epoch at least, before it ends
	// at a marker (section 3.5).
	MinLength uint64
	// Ahead is how many elements the buffer of a channel has when a goroutine waits with a send
	// while others go on, also if there is room for it; 0 means that it does not wait then.
	Ahead int
	// MaxSchedules bounds the schedules of an epoch; 0 means DefaultMaxSchedules.
	MaxSchedules int
	// MaxEpochs bounds the epochs that are searched; 0 means DefaultMaxEpochs.
	MaxEpochs int
	// MaxGoroutines bounds the goroutines that are alive at the same time; 0 means DefaultMaxGoroutines.
	MaxGoroutines int
	// MaxInstructions bounds those of a run; 0 means DefaultMaxInstructions.
	MaxInstructions uint64
	// Processors is how many processors the program has; 0 means that it is not known, and decided
	// where something depends on it.
	Processors int
	// Flags are those that the program is started with, such as -n=3, before all other arguments;
	// with none, it is not known what flags there are.
	Flags cover.Flags
	// Abstract has what loops compute that do not synchronise, and that go round as often as an
	// input says, be decided as the program runs (section 3.4.2), and functions that call
	// themselves likewise.
	Abstract bool
	// Without switches off optimisations, for measurements.
	Without Optimisations
	// Unknown has what package sym draws be no input, for tests: all that depends on it is decided as the program runs.
	Unknown bool
}

// What bounds a Config has by default.
const (
	DefaultMaxSchedules    = 100_000
	DefaultMaxEpochs       = 10_000
	DefaultMaxGoroutines   = 64
	DefaultMaxInstructions = 20_000_000
)

// Optimisations are those of sections 3.3.1 and 3.4.
type Optimisations struct {
	Trivial  bool // loops that only wait, or only start goroutines, have no markers
	Covered  bool // a loop that passes another marker has none of its own
	Prefixes bool // a run that ends the process early has a beginning of another one's schedule
	Symbolic bool // goroutines of an epoch have no names: equal places are exchangeable
	Merging  bool // schedules that are equal are one (section 3.4.1.4)
	// Schedules are one whose operations are equal, and in another order only as they are on other
	// objects (section 3.4.1.5).
	Conservative bool
}

// names are those of the optimisations.
func (o *Optimisations) names() []struct {
	name string
	on   *bool
} {
	return []struct {
		name string
		on   *bool
	}{
		{"trivial", &o.Trivial}, {"covered", &o.Covered}, {"prefixes", &o.Prefixes}, {"symbolic", &o.Symbolic}, {"merging", &o.Merging},
		{"conservative", &o.Conservative},
	}
}

// ParseOptimisations returns the optimisations that a list names, separated by commas.
func ParseOptimisations(list string) (Optimisations, error) {
	var o Optimisations
	for name := range strings.SplitSeq(list, ",") {
		found := false
		var known []string
		for _, n := range o.names() {
			known = append(known, n.name)
			if n.name == name {
				*n.on, found = true, true
			}
		}
		if !found {
			return o, fmt.Errorf("%q is none of %s", name, strings.Join(known, ", "))
		}
	}
	return o, nil
}

// options returns what of the configuration changes the set, as on the command line, apart from
// what the set has itself.
func (c *Config) options() []string {
	var list []string
	if c.Unroll > 0 {
		list = append(list, fmt.Sprintf("-unroll=%d", c.Unroll))
	}
	if c.MinLength > 0 {
		list = append(list, fmt.Sprintf("-length=%d", c.MinLength))
	}
	if c.Ahead > 0 {
		list = append(list, fmt.Sprintf("-ahead=%d", c.Ahead))
	}
	if c.Abstract {
		list = append(list, "-abstract")
	}
	// A set that a bound has left open is not gone on with under another one.
	bound := func(name string, n, usual uint64) {
		if n != 0 && n != usual {
			list = append(list, fmt.Sprintf("-%s=%d", name, n))
		}
	}
	bound("schedules", uint64(c.MaxSchedules), DefaultMaxSchedules)
	bound("epochs", uint64(c.MaxEpochs), DefaultMaxEpochs)
	bound("instructions", c.MaxInstructions, DefaultMaxInstructions)
	var without []string
	for _, n := range c.Without.names() {
		if *n.on {
			without = append(without, n.name)
		}
	}
	if len(without) > 0 {
		list = append(list, "-without="+strings.Join(without, ","))
	}
	return list
}
