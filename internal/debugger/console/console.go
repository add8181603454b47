package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/debugger"
	"github.com/everyway-go/everyway/internal/engine/inspect"
)

// A Reader reads the lines of commands.
type Reader interface {
	// ReadLine returns the next line, or io.EOF after the last.
	ReadLine() (string, error)
}

// Options say how a console behaves.
type Options struct {
	// Dir is the directory to which paths are relative that are printed.
	Dir string
	// Echo prints each command: somebody else will read what is printed, and has not typed it.
	Echo bool
	// Repeat makes an empty line repeat the last command, if that moves.
	Repeat bool
	// Interrupted reports whether the command that is being carried out is to stop; it may be nil.
	Interrupted func() bool
}

// Prompt is printed before each command.
const Prompt = "(everyway) "

// A console carries out commands.
type console struct {
	d    *debugger.Debugger
	s    *inspect.Session
	out  io.Writer
	opts Options
	last string // the last command that moved
	// listed is the last line that list has shown, in a file.
	listed int
	file   string
}

// errQuit ends the console.
var errQuit = errors.New("quit")

// Run reads commands and carries them out, until there are no more. The session stands at its first
// point then, or where a caller has put it.
func Run(ctx context.Context, s *inspect.Session, in Reader, out io.Writer, opts Options) error {
	c := &console{s: s, out: out, opts: opts}
	c.d = debugger.New(s, func() bool { return ctx.Err() != nil || opts.Interrupted != nil && opts.Interrupted() })
	if err := c.greet(); err != nil {
		return err
	}
	for ctx.Err() == nil {
		line, err := in.ReadLine()
		if err == io.EOF {
			if !opts.Echo {
				fmt.Fprintln(out)
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading commands: %w", err)
		}
		if opts.Echo && strings.TrimSpace(line) != "" {
			fmt.Fprintf(out, "%s%s\n", Prompt, line)
		}
		if err := c.command(line); err == errQuit {
			return nil
		} else if err != nil {
			fmt.Fprintf(out, "%v\n", err)
		}
	}
	return nil
}

// greet says what there is to be seen.
func (c *console) greet() error {
	s := c.s
	fmt.Fprintf(c.out, "%s: %s of the schedule, %s\n", s.Target(), count(s.Steps(), "step"), count(s.NumGoroutines(), "goroutine"))
	if f := s.Finding(); f != nil {
		fmt.Fprintln(c.out, debugger.FindingText(f))
		if f.Pos != "" {
			fmt.Fprintf(c.out, "    goroutine %s at %s\n", f.Goroutine, f.Pos)
		}
	} else {
		fmt.Fprintln(c.out, "nothing is wrong with the run")
	}
	switch {
	case s.Lost() != "":
		fmt.Fprintf(c.out, "the program is not the one that was recorded: %s, so that the run ends there\n", s.Lost())
	case s.Changed() && !s.Same():
		fmt.Fprintln(c.out, "the run was recorded with other sources or another toolchain, and ends differently")
	case s.Changed():
		fmt.Fprintln(c.out, "the run was recorded with other sources or another toolchain, and ends in the same way")
	}
	if err := c.d.GotoStart(); err != nil {
		return err
	}
	c.where()
	return nil
}

// count returns a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// command carries out a line.
func (c *console) command(line string) error {
	line = strings.TrimSpace(line)
	if line == "" {
		if !c.opts.Repeat || c.last == "" {
			return nil
		}
		line = c.last
	}
	if strings.HasPrefix(line, "#") {
		return nil
	}
	name, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if name == "info" && rest != "" { // as gdb has it: info locals
		name, rest, _ = strings.Cut(rest, " ")
		rest = strings.TrimSpace(rest)
	}
	cmd := find(name)
	if cmd == nil {
		if near := nearest(name); near != "" {
			return fmt.Errorf("no command %s; is it %s? help lists them", name, near)
		}
		return fmt.Errorf("no command %s; help lists them", name)
	}
	if rest != "" && cmd.args == "" {
		return fmt.Errorf("%s takes no arguments", cmd.names[0])
	}
	if cmd.moves {
		c.last = line
	} else {
		c.last = ""
	}
	return cmd.run(c, rest)
}

// where prints the point at which the session stands, as the selected call sees it.
func (c *console) where() {
	p := c.s.Point(c.s.At())
	c.listed, c.file = 0, ""
	fmt.Fprintf(c.out, "%s\n", c.pointText(p))
	f, ok := c.d.Current()
	if !ok || f.File == "" {
		return
	}
	if text, ok := c.s.Line(f.File, f.Line); ok {
		fmt.Fprintf(c.out, "%d\t%s\n", f.Line, text)
	}
}

// pointText says where a point is.
func (c *console) pointText(p inspect.Point) string {
	steps := fmt.Sprintf("step %d of %d", p.Step, c.s.Steps())
	if p.Kind == inspect.End {
		text := "the end of the run"
		if f, ok := c.d.Current(); ok {
			text += "; goroutine " + c.s.Name(c.d.Goroutine) + " at " + c.place(f.Location)
		}
		return text
	}
	who := "goroutine " + c.s.Name(p.Goroutine)
	if p.Goroutine < 0 {
		who = "a timer"
	}
	if l := c.s.Location(p); l.File != "" {
		who += " at " + c.place(l)
		if fn := shortFunc(l.Func); fn != "" {
			who += " in " + fn
		}
	}
	if p.Kind == inspect.Step {
		who += ", about to " + p.Op.String()
	}
	return who + " (" + steps + ")"
}

// place returns a location as file:line, the file relative to the directory.
func (c *console) place(l inspect.Location) string {
	if l.File == "" {
		return shortFunc(l.Func)
	}
	if l.Standard {
		file, _, _ := strings.Cut(l.Pos, ":")
		return fmt.Sprintf("%s:%d", file, l.Line)
	}
	return fmt.Sprintf("%s:%d", c.relative(l.File), l.Line)
}

func (c *console) relative(file string) string {
	if rel, err := filepath.Rel(c.opts.Dir, file); err == nil && len(rel) < len(file) {
		return rel
	}
	return file
}

// shortFunc returns the name of a function without the directories of its package.
func shortFunc(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// nearest returns the command with a name most like one, "" if there is none like it.
func nearest(name string) string {
	for _, cmd := range commands {
		for _, n := range cmd.names {
			if len(name) > 1 && (strings.HasPrefix(n, name) || strings.HasPrefix(name, n) && len(n) > 2) {
				return n
			}
		}
	}
	return ""
}

// find returns the command with a name, nil if there is none.
func find(name string) *command {
	for i := range commands {
		if slices.Contains(commands[i].names, name) {
			return &commands[i]
		}
	}
	return nil
}

// Names returns the names of all commands, for completion.
func Names() (list []string) {
	for _, cmd := range commands {
		list = append(list, cmd.names...)
	}
	return list
}

// Has reports whether there is a command with a name.
func Has(name string) bool { return find(name) != nil }

// Do carries out a command for a debugger, and prints to out.
func Do(d *debugger.Debugger, line string, out io.Writer) error {
	c := &console{d: d, s: d.Session, out: out}
	if err := c.command(line); err != errQuit {
		return err
	}
	return nil
}
