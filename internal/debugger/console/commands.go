package console

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/debugger"
	"github.com/everyway-go/everyway/internal/engine/inspect"
)

// A command is one of the console.
type command struct {
	group string
	names []string // the first is the one that help lists
	args  string   // as help has them; "" for none
	short string
	moves bool // to another point
	run   func(c *console, args string) error
}

// commands lists the commands, by groups. It is set by init, since help lists them.
var commands []command

func init() {
	step := func(mode debugger.Mode, dir debugger.Direction) func(*console, string) error {
		return func(c *console, args string) error {
			n := 1
			if args != "" {
				var err error
				if n, err = strconv.Atoi(args); err != nil || n < 1 {
					return fmt.Errorf("%s: not a number of times", args)
				}
			}
			return c.move(func() (stop debugger.Stop, err error) {
				for range n {
					if stop, err = c.d.Step(mode, dir); err != nil || stop.Reason != "step" {
						return stop, err
					}
				}
				return stop, nil
			})
		}
	}
	const f, b = debugger.Forwards, debugger.Backwards
	commands = []command{
		{"Go forwards", []string{"step", "s"}, "[n]", "go to the next line of the goroutine, into calls", true, step(debugger.Into, f)},
		{"", []string{"next", "n"}, "[n]", "go to the next line of the goroutine, over calls", true, step(debugger.Over, f)},
		{"", []string{"finish", "stepout", "so", "fin"}, "[n]", "go on until the function has returned", true, step(debugger.Out, f)},
		{"", []string{"stepi", "si"}, "[n]", "go to the next point of the run, of whatever goroutine", true, step(debugger.Point, f)},
		{"", []string{"continue", "c"}, "", "go on to the next breakpoint", true, goOn(f)},
		{"Go backwards", []string{"back", "rstep", "rs", "reverse-step"}, "[n]", "go to the line of the goroutine before, into calls", true, step(debugger.Into, b)},
		{"", []string{"rnext", "rn", "reverse-next"}, "[n]", "go to the line before, over calls", true, step(debugger.Over, b)},
		{"", []string{"rfinish", "reverse-finish"}, "[n]", "go back to where the function was called", true, step(debugger.Out, b)},
		{"", []string{"rstepi", "rsi", "reverse-stepi"}, "[n]", "go to the point of the run before", true, step(debugger.Point, b)},
		{"", []string{"rcontinue", "rc", "reverse-continue", "rewind"}, "", "go back to the breakpoint before", true, goOn(b)},
		{"Go elsewhere", []string{"finding"}, "", "go to where what is wrong shows", true, (*console).finding},
		{"", []string{"goto"}, "step", "go to a step of the schedule, or to start or end", true, (*console).goTo},
		{"", []string{"switch"}, "goroutine", "let another goroutine take the next step, and see what happens", true, (*console).switchTo},
		{"", []string{"return"}, "", "come back to the recorded run after switch", true, (*console).comeBack},
		{"Breakpoints", []string{"break", "b"}, "where [if cond]", "stop at file:line, line, a function, goroutine N, or lock [EXPR]", false, (*console).breakAt},
		{"", []string{"watch", "w"}, "expr", "stop when the value of an expression has changed", false, (*console).watch},
		{"", []string{"breakpoints", "bp"}, "", "list the breakpoints", false, (*console).list},
		{"", []string{"clear", "delete", "d"}, "[n]", "remove a breakpoint, or all", false, (*console).clear},
		{"Look", []string{"locals", "args"}, "", "print the variables of the selected call", false, (*console).locals},
		{"", []string{"print", "p"}, "expr", "evaluate a Go expression", false, (*console).print},
		{"", []string{"vars", "globals"}, "[name]", "print the variables of the package, or those whose names begin so", false, (*console).vars},
		{"", []string{"stack", "bt", "where", "backtrace"}, "[goroutine]", "print the calls of a goroutine", false, (*console).stack},
		{"", []string{"frame", "f"}, "[n]", "select a call, by its number in the stack", false, (*console).frame},
		{"", []string{"up"}, "", "select the caller", false, func(c *console, _ string) error { return c.selectFrame(c.d.Frame + 1) }},
		{"", []string{"down"}, "", "select what the call has called", false, func(c *console, _ string) error { return c.selectFrame(c.d.Frame - 1) }},
		{"", []string{"goroutines", "grs", "threads"}, "", "list the goroutines", false, (*console).goroutines},
		{"", []string{"goroutine", "gr"}, "[name]", "select a goroutine, such as 0.1", false, (*console).goroutine},
		{"", []string{"waits"}, "", "say who waits for what, and for whom", false, (*console).waits},
		{"", []string{"locks"}, "", "say who holds which lock", false, (*console).locks},
		{"", []string{"list", "l", "ls"}, "[line | file:line]", "print the source", false, (*console).source},
		{"", []string{"events"}, "[n]", "print the events of the run around here", false, (*console).events},
		{"", []string{"output"}, "", "print what the run has printed so far", false, (*console).output},
		{"", []string{"time"}, "", "print how much virtual time has passed", false, func(c *console, _ string) error {
			fmt.Fprintln(c.out, c.s.Now())
			return nil
		}},
		{"Others", []string{"help", "h", "?"}, "[command]", "list the commands, or describe one", false, (*console).help},
		{"", []string{"quit", "q", "exit"}, "", "end the debugger", false, func(*console, string) error { return errQuit }},
	}
}

// move moves and prints where that has led.
func (c *console) move(do func() (debugger.Stop, error)) error {
	stop, err := do()
	if err != nil {
		return err
	}
	c.stopped(stop)
	c.where()
	return nil
}

// stopped says why the debugger has stopped, if that is not clear.
func (c *console) stopped(stop debugger.Stop) {
	var list []string
	for _, n := range stop.Breakpoints {
		list = append(list, strconv.Itoa(n))
	}
	switch stop.Reason {
	case "step":
		return
	case "breakpoint":
		fmt.Fprintf(c.out, "breakpoint %s\n", strings.Join(list, ", "))
	case "watch":
		fmt.Fprintf(c.out, "watch %s: %s\n", strings.Join(list, ", "), stop.Text)
	case "end", "start":
		if stop.Text != "the end of the run" {
			fmt.Fprintln(c.out, stop.Text)
		}
	case "finding", "ended":
		fmt.Fprintln(c.out, stop.Text)
	default:
		fmt.Fprintln(c.out, strings.TrimSpace(stop.Reason+" "+stop.Text))
	}
}

func goOn(dir debugger.Direction) func(*console, string) error {
	return func(c *console, _ string) error {
		return c.move(func() (debugger.Stop, error) { return c.d.Continue(dir) })
	}
}

func (c *console) finding(string) error { return c.move(c.d.GotoFinding) }

func (c *console) goTo(args string) error {
	at := -1
	switch args {
	case "start":
		return c.move(func() (debugger.Stop, error) { return debugger.Stop{Reason: "step"}, c.d.GotoStart() })
	case "end":
		at = c.s.Len() - 1
	default:
		step, err := strconv.Atoi(args)
		if err != nil {
			return errors.New("goto takes the number of a step, start or end")
		}
		if step < 1 || step > c.s.Steps() {
			return fmt.Errorf("the schedule has the steps 1 to %d", c.s.Steps())
		}
		for i := range c.s.Len() {
			if p := c.s.Point(i); p.Kind == inspect.Step && int(p.Step) == step {
				at = i
				break
			}
		}
	}
	if at < 0 {
		return fmt.Errorf("no step %s", args)
	}
	return c.move(func() (debugger.Stop, error) { return debugger.Stop{Reason: "step"}, c.d.Goto(at) })
}

func (c *console) switchTo(args string) error {
	g, err := c.s.Lookup(args)
	if err != nil {
		return err
	}
	if err := c.d.Switch(g); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "goroutine %s takes the next step instead; the schedule after that is a fair one\n", args)
	if f := c.s.Finding(); f != nil {
		fmt.Fprintf(c.out, "%s\n    goroutine %s at %s\n", debugger.FindingText(f), f.Goroutine, f.Pos)
	} else {
		fmt.Fprintln(c.out, "nothing is wrong with this run")
	}
	fmt.Fprintln(c.out, "return comes back to the recorded run")
	c.where()
	return nil
}

func (c *console) comeBack(string) error {
	if err := c.d.Return(); err != nil {
		return err
	}
	c.where()
	return nil
}

func (c *console) breakAt(args string) error {
	where, condition, _ := strings.Cut(args, " if ")
	where, condition = strings.TrimSpace(where), strings.TrimSpace(condition)
	var b *debugger.Breakpoint
	var err error
	word, rest, _ := strings.Cut(where, " ")
	switch {
	case where == "":
		return errors.New("break takes file:line, a line of this file, a function, goroutine N, or lock")
	case word == "goroutine":
		g, err := c.s.Lookup(strings.TrimSpace(rest))
		if err != nil {
			return err
		}
		b = c.d.BreakGoroutine(g)
	case word == "lock":
		b, err = c.d.BreakLock(strings.TrimSpace(rest))
	default:
		file, line, ok := c.lineOf(where)
		switch {
		case ok && file == "":
			return errors.New("the selected call has no source; name the file")
		case ok:
			b, err = c.d.BreakLine(file, line, condition)
		default:
			b, err = c.d.BreakFunction(where, condition)
		}
	}
	if err != nil {
		return err
	}
	c.describe(b)
	return nil
}

// lineOf returns the file and line that file:line or a line alone stands for.
func (c *console) lineOf(text string) (file string, line int, ok bool) {
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		line, err := strconv.Atoi(text[i+1:])
		return text[:i], line, err == nil
	}
	line, err := strconv.Atoi(text)
	if f, current := c.d.Current(); current {
		file = f.File
	}
	return file, line, err == nil
}

func (c *console) describe(b *debugger.Breakpoint) {
	text := fmt.Sprintf("%d\t%s", b.Number, b.Text)
	if b.Condition != "" {
		text += " if " + b.Condition
	}
	switch b.Reached {
	case -1:
	case 0:
		text += ", not reached in this run"
	case 1:
		text += ", reached once in this run"
	default:
		text += fmt.Sprintf(", reached %d times in this run", b.Reached)
	}
	fmt.Fprintln(c.out, text)
}

func (c *console) watch(args string) error {
	if args == "" {
		return errors.New("watch takes an expression")
	}
	b, err := c.d.Watch(args)
	if err != nil {
		return err
	}
	c.describe(b)
	return nil
}

func (c *console) list(string) error {
	if len(c.d.Breakpoints()) == 0 {
		fmt.Fprintln(c.out, "no breakpoints")
	}
	for _, b := range c.d.Breakpoints() {
		c.describe(b)
	}
	return nil
}

func (c *console) clear(args string) error {
	if args == "" {
		for len(c.d.Breakpoints()) > 0 {
			c.d.Clear(c.d.Breakpoints()[0].Number)
		}
		return nil
	}
	n, err := strconv.Atoi(args)
	if err != nil || !c.d.Clear(n) {
		return fmt.Errorf("no breakpoint %s", args)
	}
	return nil
}

func (c *console) help(args string) error {
	if args != "" {
		cmd := find(args)
		if cmd == nil {
			return fmt.Errorf("no command %s", args)
		}
		fmt.Fprintf(c.out, "%s %s\n    %s\n", strings.Join(cmd.names, ", "), cmd.args, cmd.short)
		return nil
	}
	for _, cmd := range commands {
		if cmd.group != "" {
			fmt.Fprintf(c.out, "%s:\n", cmd.group)
		}
		name := cmd.names[0]
		if len(cmd.names) > 1 {
			name += " (" + cmd.names[1] + ")"
		}
		fmt.Fprintf(c.out, "    %-34s %s\n", strings.TrimSpace(name+" "+cmd.args), cmd.short)
	}
	return nil
}
