package main

import (
	"flag"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestGoFlags checks that each flag of go test is taken, or is refused with what to use
// instead.
func TestGoFlags(t *testing.T) {
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	new(testFlags).register(fs)
	documented := regexp.MustCompile(`(?m)^\t-([a-zA-Z]+)`)
	var names []string
	for _, topic := range []string{"test", "testflag", "build"} {
		text, err := exec.Command("go", "help", topic).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range documented.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	if len(names) < 60 {
		t.Fatalf("go help documents %d flags: %s", len(names), strings.Join(names, " "))
	}
	for _, name := range names {
		if name == "args" {
			continue // not of the flag set: it ends the flags
		}
		taken, refused := fs.Lookup(name) != nil, refuse(name) != nil
		if taken == refused {
			t.Errorf("-%s: taken: %t, refused: %t", name, taken, refused)
		}
	}
}

func TestParseInterspersed(t *testing.T) {
	for _, test := range []struct {
		args, rest string
		run        string
		v          bool
	}{
		{"", "", "", false},
		{"./a ./b", "./a ./b", "", false},
		{"./a -run X -v", "./a", "X", true},
		{"-run X ./a -v ./b", "./a ./b", "X", true},
		{"-v ./... -run=X", "./...", "X", true},
		{"-test.v -test.run X ./a", "./a", "X", true},
		{"- -v ./a -", "- ./a -", "", true},
		{"./a -v -- -run", "./a -run", "", true},
	} {
		fs := flag.NewFlagSet("test", flag.ContinueOnError)
		run, v := fs.String("run", "", ""), fs.Bool("v", false, "")
		rest, err := parseInterspersed(fs, strings.Fields(test.args))
		if err != nil || strings.Join(rest, " ") != test.rest || *run != test.run || *v != test.v {
			t.Errorf("%s: %q, -run %s, -v=%t, %v", test.args, rest, *run, *v, err)
		}
	}
}
