package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

// A refusedFlag is flags of go test and go build that everyway does not have, and what it
// says to who gives one of them.
type refusedFlag struct {
	names   string // separated by spaces
	instead string // completes "-name: "
}

// refusedFlags are those of 'go help test', 'go help testflag' and 'go help build' that
// everyway test does not take.
var refusedFlags = []refusedFlag{
	{"bench benchmem benchtime", "benchmarks are not searched; name what one calls with -func"},
	{"c exec", "no test binary is built: the code runs on a machine of everyway's own"},
	{"cover", "the verdict says how many branches were taken; -coverprofile FILE writes which statements were executed"},
	{"covermode", "a profile of -coverprofile says whether statements were executed, not how often: leave it out"},
	{"coverpkg", "-coverprofile is about the packages that are named: name more of them"},
	{"cpu", "-processors n says how many processors the program is told there are; every interleaving is searched in any case"},
	{"parallel p", "use -workers N for how many runs are made at the same time"},
	{"shuffle", "every target is searched from the start of the program, so there is no order: leave it out"},
	{"fuzztime", "use -budget D, the time for each target, or -runs N"},
	{"fuzzminimizetime", "findings are made as small as possible in any case: leave it out"},
	{"vet", "go vet is not run: leave it out, or run go vet"},
	{"fullpath", "positions are relative to the current directory: leave it out"},
	{"artifacts outputdir", "what a test writes goes to no disk; use -o DIR for where run files go"},
	{"blockprofile blockprofilerate cpuprofile memprofile memprofilerate mutexprofile mutexprofilefraction trace", "-profile FILE writes where the search spends its runs and its time, and the run file of a finding has every event of the run"},
	{"a n work x", "nothing is compiled: leave it out"},
	{"asan msan", "there is no C, and unsafe code is checked in any case: leave it out"},
	{"asmflags gccgoflags gcflags ldflags toolexec", "nothing is compiled or linked: choose another file with -tags instead"},
	{"buildmode buildvcs compiler installsuffix linkshared pgo pkgdir trimpath", "nothing is compiled or linked: leave it out"},
}

// refuse says what to use in the place of a flag of Go's that everyway does not have. It
// returns nil for names that Go does not have either.
func refuse(name string) error {
	for _, r := range refusedFlags {
		for n := range strings.FieldsSeq(r.names) {
			if n == name {
				return fmt.Errorf("-%s: %s", name, r.instead)
			}
		}
	}
	return nil
}

// buildFlags are flags that are passed on to the go command when it lists the packages.
type buildFlags []string

// register adds those of Go's build flags that say which files a program consists of.
func (b *buildFlags) register(fs *flag.FlagSet) {
	pass := func(name, usage string) {
		fs.Func(name, usage, func(value string) error {
			*b = append(*b, "-"+name+"="+value)
			return nil
		})
	}
	pass("tags", "comma-separated `list` of build tags")
	pass("mod", "module download `mode`: readonly, vendor or mod")
	pass("modfile", "read `file` in place of go.mod")
	pass("overlay", "JSON `file` that names files to read in place of others")
	fs.BoolFunc("modcacherw", "leave new directories in the module cache writable", func(value string) error {
		*b = append(*b, "-modcacherw="+value)
		return nil
	})
}

// registerChdir adds the flag -C.
func registerChdir(fs *flag.FlagSet) *string {
	return fs.String("C", "", "change to `directory` first")
}

// changeDir changes to the directory of -C, if that was given.
func changeDir(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.Chdir(dir); err != nil {
		return usagef("-C: %w", err)
	}
	return nil
}

// enterDir changes to the directory of -C, if that was given, and returns the current directory.
func enterDir(chdir string) (string, error) {
	if err := changeDir(chdir); err != nil {
		return "", err
	}
	return workDir()
}

// workDir returns the current directory.
func workDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("finding the current directory: %w", err)
	}
	return dir, nil
}

// parseInterspersed parses args, in which flags may come after other arguments too, as for
// go test, and may have its prefix "test."; "-" is no flag. It returns the arguments that are no flags.
func parseInterspersed(fs *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for len(args) > 0 {
		for i, a := range args {
			if name, ok := strings.CutPrefix(a, "-test."); ok {
				args = append(append(args[:i:i], "-"+name), args[i+1:]...)
			}
		}
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		n := fs.NArg()
		ended := n < len(args) && args[len(args)-n-1] == "--"
		args = args[len(args)-n:]
		i := 0
		for i < n && (ended || args[i] == "-" || !strings.HasPrefix(args[i], "-")) {
			i++
		}
		rest, args = append(rest, args[:i]...), args[i:]
	}
	return rest, nil
}
