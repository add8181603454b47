package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// parseFlags parses args, and returns those that are no flags; -h prints the help of the
// command to stdout.
func parseFlags(fs *flag.FlagSet, args []string, stdout io.Writer, help string) ([]string, error) {
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	rest, err := parseInterspersed(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, strings.TrimLeft(help, "\n"))
		flags := 0
		fs.VisitAll(func(*flag.Flag) { flags++ })
		if flags > 0 {
			fmt.Fprint(stdout, "\nThe flags are:\n\n")
			fs.SetOutput(stdout)
			fs.PrintDefaults()
		}
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
