package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPages follows the pages of docs that show how something is done: it writes the files that they show, runs
// the commands, and compares what these print with what the page shows. With -update it writes that.
//
// A page is followed from its beginning to its end, in a directory that is empty at first. Comments say what is to be
// done with the block of code after them:
//
//	<!-- file NAME -->             it is the file NAME
//	<!-- replace FUNC in NAME -->  it is in the place of the function or method FUNC in the file NAME
//	<!-- module NAME -->           nothing: what follows is in another directory, with a go.mod of its own
//
// A block without a language whose first line begins with "$ " has commands, each followed by what it prints.
func TestPages(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the commands are for a shell: ", err)
	}
	for _, name := range []string{"tutorial", "howto", "contexts"} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "tutorial" {
				t.Skip("the tutorial is what is followed with -short")
			}
			t.Parallel()
			page := filepath.Join("..", "..", "docs", name+".md")
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			s := session{t: t}
			s.enter(name, "")
			var got strings.Builder
			for _, p := range pieces(string(text)) {
				got.WriteString(s.follow(p))
			}
			if s.commands == 0 {
				t.Errorf("%s has no commands", page)
			}
			if got.String() == string(text) {
				return
			}
			if !*update {
				t.Fatalf("%s is not what the commands print now; with -update it would be\n%s", page, got.String())
			}
			if err := os.WriteFile(page, []byte(got.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// pieces cuts a page into blocks of code, with their fences, and what is between them.
func pieces(text string) (pieces []string) {
	begin, fenced := 0, false
	end := 0
	for line := range strings.Lines(text) {
		isFence := strings.HasPrefix(line, "```")
		if isFence && !fenced {
			pieces, begin = append(pieces, text[begin:end]), end
		}
		end += len(line)
		if isFence && fenced {
			pieces, begin = append(pieces, text[begin:end]), end
		}
		fenced = fenced != isFence
	}
	return append(pieces, text[begin:])
}

// A session is what someone has who follows a page.
type session struct {
	t         *testing.T
	dir       string
	directive []string // of the block that comes next: file or replace
	commands  int      // that have been run
}

// directives match the comments that TestPages describes.
var directives = regexp.MustCompile(`<!-- (?:(file) (\S+)|(replace) (\w+) in (\S+)|(module) (\S+)) -->`)

// follow does what a piece of a page says, and returns the piece with what commands print.
func (s *session) follow(piece string) string {
	if !strings.HasPrefix(piece, "```") {
		for _, m := range directives.FindAllStringSubmatch(piece, -1) {
			switch {
			case m[6] != "":
				s.enter(m[7], fmt.Sprintf("module example.com/%s\n\ngo 1.26\n", m[7]))
			case m[3] != "":
				s.directive = []string{m[5], m[4]}
			default:
				s.directive = []string{m[2]}
			}
		}
		return piece
	}
	head, rest, _ := strings.Cut(piece, "\n")
	body := strings.TrimSuffix(rest, "```\n")
	if d := s.directive; d != nil {
		s.directive = nil
		s.write(d, body)
		return piece
	}
	if head != "```" || !strings.HasPrefix(body, "$ ") {
		return piece
	}
	var b strings.Builder
	b.WriteString(head + "\n")
	shown := false // that the command before has printed something
	for _, part := range strings.Split("\n"+body, "\n$ ")[1:] {
		if shown {
			b.WriteString("\n")
		}
		command, old, _ := strings.Cut(strings.TrimRight(part, "\n"), "\n")
		b.WriteString("$ " + command + "\n")
		printed := s.run(command, old)
		if shown = printed != ""; shown {
			b.WriteString(printed + "\n")
		}
	}
	b.WriteString("```\n")
	return b.String()
}

// enter goes to a new directory, which has a go.mod unless that is empty.
func (s *session) enter(name, gomod string) {
	s.dir = filepath.Join(s.t.TempDir(), name)
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		s.t.Fatal(err)
	}
	if gomod != "" {
		s.write([]string{"go.mod"}, gomod)
	}
}

// write writes a file, or what replaces a function in a file.
func (s *session) write(directive []string, text string) {
	s.t.Helper()
	file := filepath.Join(s.dir, directive[0])
	if len(directive) == 2 {
		whole, err := os.ReadFile(file)
		if err != nil {
			s.t.Fatal(err)
		}
		function := regexp.MustCompile(`(?ms)^func (\([^)]*\) )?` + directive[1] + `\(.*?^}\n`)
		if n := len(function.FindAll(whole, -1)); n != 1 {
			s.t.Fatalf("%s has %d functions %s", directive[0], n, directive[1])
		}
		text = function.ReplaceAllLiteralString(string(whole), text)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

var (
	// variable is what differs from one run of a command to the next.
	variable = regexp.MustCompile(`\d+(\.\d+)?(µs|ms|s)\b|[\d,]+ runs|\d+ runs|\d+/\d+ branches|native run \d+|[\d,]+ events`)
	// initialisers is a line that a slow computer prints.
	initialisers = regexp.MustCompile(`(?m)^\S+: initialisers took .*\n`)
)

// run runs a command. It returns what the page is to show: what it shows already, if only that differs which differs
// each time.
func (s *session) run(command, old string) string {
	s.t.Helper()
	if strings.Contains(command, "-race") {
		if _, err := exec.LookPath("gcc"); err != nil {
			return old // there is no race detector
		}
	}
	s.commands++
	cmd := exec.CommandContext(s.t.Context(), "sh", "-c", command)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "COLUMNS=90", "PWD="+s.dir, "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if err != nil && !ok || ok && exit.ExitCode() > 1 {
		s.t.Fatalf("%s: %v\n%s", command, err, out)
	}
	got := strings.ReplaceAll(initialisers.ReplaceAllString(string(out), ""), s.dir, "/home/me/"+filepath.Base(s.dir))
	got = strings.TrimRight(got, "\n")
	constant := func(text string) string { return variable.ReplaceAllString(text, "*") }
	if constant(got) == constant(old) {
		return old
	}
	return got
}
