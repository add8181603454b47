package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// A flagGroup is flags that the help of a command lists below a heading of their own.
type flagGroup struct {
	heading string
	names   string // separated by spaces
}

// goFlags are the flags that are passed on to the go command.
var goFlags = flagGroup{"Flags of go build", "mod modcacherw modfile overlay tags"}

// parseFlags parses args, and returns those that are no flags; -h prints the help of the
// command to stdout. The flags in none of the groups are listed first.
func parseFlags(fs *flag.FlagSet, args []string, stdout io.Writer, help string, groups ...flagGroup) ([]string, error) {
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	rest, err := parseInterspersed(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, strings.TrimLeft(help, "\n"))
		printFlags(fs, stdout, groups)
		return nil, err
	}
	if err != nil {
		if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok && refuse(name) != nil {
			return nil, usageError{refuse(name)}
		}
		return nil, usagef("%v; run 'everyway help %s'", err, fs.Name())
	}
	return rest, nil
}

// printFlags prints the flags of fs, those of each group below its heading.
func printFlags(fs *flag.FlagSet, stdout io.Writer, groups []flagGroup) {
	headings := []string{"The flags are"}
	sets := map[string]*flag.FlagSet{}
	of := map[string]string{} // the heading of a flag's group
	for _, g := range groups {
		headings = append(headings, g.heading)
		for name := range strings.FieldsSeq(g.names) {
			of[name] = g.heading
		}
	}
	fs.VisitAll(func(f *flag.Flag) {
		heading := cmp.Or(of[f.Name], headings[0])
		if sets[heading] == nil {
			sets[heading] = flag.NewFlagSet("", flag.ContinueOnError)
			sets[heading].SetOutput(stdout)
		}
		sets[heading].Var(f.Value, f.Name, f.Usage)
		sets[heading].Lookup(f.Name).DefValue = f.DefValue // not what an argument has set
	})
	for _, heading := range headings {
		if set := sets[heading]; set != nil {
			fmt.Fprintf(stdout, "\n%s:\n\n", heading)
			set.PrintDefaults()
		}
	}
}
