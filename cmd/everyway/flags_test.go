package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/disk"
)

// Each flag of a group is listed once, below the heading of the group.
func TestFlagGroups(t *testing.T) {
	for command, groups := range map[string][]flagGroup{
		"test":   testGroups,
		"linear": linearGroups,
		"cover":  {goFlags},
		"build":  {goFlags},
		"record": {goFlags},
	} {
		help := helpOf(t, command, "-h")
		_, rest, found := strings.Cut(help, "\nThe flags are:\n")
		if !found {
			t.Errorf("the help of %s has no flags:\n%s", command, help)
		}
		for _, g := range groups {
			before, after, found := strings.Cut(rest, "\n"+g.heading+":\n")
			if !found {
				t.Errorf("the help of %s has no heading %q", command, g.heading)
			}
			for name := range strings.FieldsSeq(g.names) {
				line := "\n  -" + name
				if strings.Count(help, line+"\n")+strings.Count(help, line+" ") != 1 {
					t.Errorf("the help of %s does not list -%s once", command, name)
				}
				if strings.Contains(before, line+"\n") || strings.Contains(before, line+" ") {
					t.Errorf("the help of %s lists -%s before %q", command, name, g.heading)
				}
			}
			rest = after
		}
	}
}

// The help says what the defaults are, whatever other arguments say.
func TestDefaultsInHelp(t *testing.T) {
	if help := helpOf(t, "test", "-budget", "3s", "-k=1", "-h"); help != helpOf(t, "test", "-h") || !strings.Contains(help, "(default 1m0s)") {
		t.Errorf("with other arguments the help is\n%s", help)
	}
}

// helpOf returns what a command prints if its arguments ask for help.
func helpOf(t *testing.T, command string, args ...string) string {
	t.Helper()
	var stdout bytes.Buffer
	if _, err := runCommand(t.Context(), append([]string{command}, args...), &stdout, io.Discard, disk.Host{}); !errors.Is(err, flag.ErrHelp) {
		t.Fatalf("everyway %s %s: %v", command, args, err)
	}
	return stdout.String()
}
