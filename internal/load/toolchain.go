package load

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Toolchain says what the user's go command builds with.
type Toolchain struct {
	GOROOT, GOOS, GOARCH  string
	Compiler              string
	ToolTags, ReleaseTags []string // build tags that hold, beside those of the user
	BuildTags             []string // the user's, by GOFLAGS
	Cgo                   bool     // it builds what uses cgo
	Version               string   // of Go; empty when GOROOT is no release
}

// What everyway is tested with, and what the models of the standard library are made for.
const (
	testedRelease  = "go1.26"
	testedPlatform = "linux/amd64"
)

// Untested says in a sentence that everyway is not tested with the toolchain. It is empty
// when everyway is.
func (t *Toolchain) Untested() string {
	minor, isPatch := strings.CutPrefix(t.Version, testedRelease)
	platform := t.GOOS + "/" + t.GOARCH
	if isPatch && (minor == "" || minor[0] == '.') && platform == testedPlatform {
		return ""
	}
	return fmt.Sprintf("this is %s on %s; everyway is tested with %s on %s",
		cmp.Or(t.Version, "an unreleased Go"), platform, testedRelease, testedPlatform)
}

// FindToolchain asks the go command what it builds with when it is run in dir.
func FindToolchain(ctx context.Context, dir string) (*Toolchain, error) {
	const separator = "\n"
	cmd := exec.CommandContext(ctx, "go", "list", "-f", strings.Join([]string{
		"{{context.GOROOT}}", "{{context.GOOS}}", "{{context.GOARCH}}", "{{context.Compiler}}",
		"{{join context.ToolTags ` `}}", "{{join context.BuildTags ` `}}", "{{join context.ReleaseTags ` `}}",
		"{{context.CgoEnabled}}",
	}, separator), "unsafe")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("asking the go command what it builds with: %w", err)
	}
	f := strings.Split(strings.TrimSuffix(string(out), separator), separator)
	if len(f) != 8 {
		return nil, fmt.Errorf("asking the go command what it builds with: it says %q", out)
	}
	t := &Toolchain{
		GOROOT: f[0], GOOS: f[1], GOARCH: f[2], Compiler: f[3], ToolTags: strings.Fields(f[4]),
		BuildTags: strings.Fields(f[5]), ReleaseTags: strings.Fields(f[6]), Cgo: f[7] == "true",
	}
	version, err := os.ReadFile(filepath.Join(t.GOROOT, "VERSION"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("looking for the version of Go: %w", err)
	}
	t.Version, _, _ = strings.Cut(string(version), "\n")
	return t, nil
}

// EnvironmentFlags returns those flags of GOFLAGS that say which files a program consists of,
// when the go command is run in dir, but for build tags: [Toolchain] has them.
func (t *Toolchain) EnvironmentFlags(ctx context.Context, dir string) ([]string, error) {
	text := os.Getenv(flagsVariable)
	if text == "" && t.flagsInFile() {
		cmd := exec.CommandContext(ctx, "go", "env", flagsVariable)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("asking the go command for its flags: %w", err)
		}
		text = string(out)
	}
	var list []string
	for _, f := range strings.Fields(text) {
		if n := len(f); n > 1 && (f[0] == '\'' || f[0] == '"') && f[n-1] == f[0] {
			f = f[1 : n-1]
		}
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if slices.Contains([]string{"mod", "modfile", "modcacherw", "overlay"}, name) {
			list = append(list, f)
		}
	}
	return list, nil
}

// flagsVariable is the variable with flags of the go command, in the environment or in one of the
// files that stand for it.
const flagsVariable = "GOFLAGS"

// flagsInFile reports whether one of the files in which the go command looks for variables may have
// flags.
func (t *Toolchain) flagsInFile() bool {
	files := []string{filepath.Join(t.GOROOT, "go.env")}
	switch user := os.Getenv("GOENV"); user {
	case "off":
	case "":
		if dir, err := os.UserConfigDir(); err == nil {
			files = append(files, filepath.Join(dir, "go", "env"))
		}
	default:
		files = append(files, user)
	}
	for _, name := range files {
		if !filepath.IsAbs(name) {
			return true
		}
		text, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) || bytes.Contains(text, []byte(flagsVariable)) {
			return true
		}
	}
	return false
}
