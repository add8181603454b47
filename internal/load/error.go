package load

import (
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A CompileError says that packages do not compile.
type CompileError struct {
	Lines []string // "file:line:col: message", in the order of compilation
}

func (e *CompileError) Error() string { return strings.Join(e.Lines, "\n") }

// A NotFoundError says that a pattern or import names no package.
type NotFoundError struct {
	Pattern  string
	Importer string // "file:line:col: " of the import; empty for a pattern
	Reason   string // in the words of the go command
}

func (e *NotFoundError) Error() string {
	if e.Importer != "" {
		return e.Importer + e.Reason
	}
	return e.Pattern + ": " + e.Reason
}

// A CgoError says that a package cannot be run because part of it is C.
type CgoError struct {
	Package string
	File    string // the first one that imports "C"
}

func (e *CgoError) Error() string {
	return fmt.Sprintf("package %s needs cgo (%s): code in C cannot be run, see github.com/everyway-go/everyway/blob/main/docs/supported.md", e.Package, e.File)
}

// listError turns what the go command reported about a package into an error, nil if it is
// nothing.
func listError(dir string, p *packages.Package) error {
	if len(p.Errors) == 0 {
		return nil
	}
	if err := cgoIn(p); err != nil {
		return err
	}
	var lines []string
	for _, e := range p.Errors {
		at := listPosition(dir, e.Pos)
		if len(p.GoFiles) == 0 && e.Kind == packages.ListError {
			if at != "" {
				return &NotFoundError{Pattern: p.PkgPath, Importer: at, Reason: e.Msg}
			}
			return &NotFoundError{Pattern: p.PkgPath, Reason: reason(e.Msg, p.PkgPath)}
		}
		lines = append(lines, at+e.Msg)
	}
	return &CompileError{Lines: lines}
}

// listPosition returns a position in the words of the go command as position does.
func listPosition(dir, text string) string {
	file, rest, ok := strings.Cut(text, ":")
	if !ok {
		return ""
	}
	pos := token.Position{Filename: file}
	line, col, _ := strings.Cut(rest, ":")
	pos.Line, _ = strconv.Atoi(line)
	pos.Column, _ = strconv.Atoi(col)
	return position(dir, pos)
}

// reason drops from a message of the go command what the error says already.
func reason(msg, path string) string {
	msg = strings.TrimPrefix(msg, "package "+path+": ")
	msg = strings.TrimPrefix(msg, "package "+path+" ")
	msg = strings.TrimPrefix(msg, "pattern "+path+": ")
	return strings.TrimPrefix(msg, path+": ")
}

// cgoIn returns an error when p, which does not compile without cgo, has a file
// that would be built with it and imports "C".
func cgoIn(p *packages.Package) error {
	withCgo := build.Default
	withCgo.CgoEnabled = true
	for _, file := range p.IgnoredFiles {
		if match, err := withCgo.MatchFile(filepath.Split(file)); !match || err != nil || !strings.HasSuffix(file, ".go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			continue // reported as what it is, if it matters
		}
		if usesCgo(f) {
			return &CgoError{Package: p.PkgPath, File: file}
		}
	}
	return nil
}
