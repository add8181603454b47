package console

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/engine/inspect"
	"github.com/everyway-go/everyway/schedule"
)

// current returns the selected call.
func (c *console) current() (inspect.Frame, error) {
	f, ok := c.d.Current()
	if ok {
		return f, nil
	}
	if g, started := c.s.Goroutine(c.d.Goroutine); started && g.Status == inspect.Ended {
		return f, fmt.Errorf("goroutine %s has ended", g.Name)
	}
	return f, fmt.Errorf("goroutine %s is in no call", c.s.Name(c.d.Goroutine))
}

func (c *console) locals(args string) error {
	f, err := c.current()
	if err != nil {
		return err
	}
	vars := c.s.Variables(f)
	if len(vars) == 0 {
		fmt.Fprintf(c.out, "no variables in scope in %s\n", shortFunc(f.Func))
	}
	for _, v := range vars {
		name := v.Name
		if v.Shadowed {
			name = "(" + name + ")"
		}
		fmt.Fprintf(c.out, "%s = %s\n", name, v.Value)
	}
	return nil
}

func (c *console) print(args string) error {
	if args == "" {
		return errors.New("print takes an expression")
	}
	f, err := c.current()
	if err != nil {
		return err
	}
	v, err := c.s.Eval(f, args)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, v.Full(6))
	return nil
}

func (c *console) vars(args string) error {
	f, err := c.current()
	if err != nil {
		return err
	}
	for _, v := range c.s.Package(f) {
		if strings.HasPrefix(v.Name, args) {
			fmt.Fprintf(c.out, "%s = %s\n", v.Name, v.Value)
		}
	}
	return nil
}

func (c *console) stack(args string) error {
	g := c.d.Goroutine
	if args != "" {
		var err error
		if g, err = c.s.Lookup(args); err != nil {
			return err
		}
	}
	if _, ok := c.s.Goroutine(g); !ok {
		return fmt.Errorf("goroutine %s has not been started yet", c.s.Name(g))
	}
	frames := c.s.Frames(g)
	if len(frames) == 0 {
		fmt.Fprintf(c.out, "goroutine %s has ended\n", c.s.Name(g))
	}
	for i, f := range frames {
		mark := " "
		if g == c.d.Goroutine && i == c.d.Frame {
			mark = ">"
		}
		fmt.Fprintf(c.out, "%s %d  %s\n      %s\n", mark, i, shortFunc(f.Func), c.place(f.Location))
	}
	return nil
}

func (c *console) frame(args string) error {
	n := c.d.Frame
	if args != "" {
		var err error
		if n, err = strconv.Atoi(args); err != nil {
			return fmt.Errorf("%s: not the number of a call; stack lists them", args)
		}
	}
	return c.selectFrame(n)
}

func (c *console) selectFrame(n int) error {
	frames := c.s.Frames(c.d.Goroutine)
	if n < 0 || n >= len(frames) {
		return fmt.Errorf("goroutine %s has the calls 0 to %d", c.s.Name(c.d.Goroutine), len(frames)-1)
	}
	c.d.Frame = n
	c.listed, c.file = 0, ""
	f := frames[n]
	fmt.Fprintf(c.out, "%d  %s at %s\n", n, shortFunc(f.Func), c.place(f.Location))
	if text, ok := c.s.Line(f.File, f.Line); ok {
		fmt.Fprintf(c.out, "%d\t%s\n", f.Line, text)
	}
	return nil
}

func (c *console) goroutines(string) error {
	for _, g := range c.s.Goroutines() {
		mark := " "
		if g.ID == c.d.Goroutine {
			mark = "*"
		}
		at := ""
		if frames := c.s.Frames(g.ID); len(frames) > 0 {
			f := frames[inspect.SourceFrame(frames)]
			at = " at " + c.place(f.Location) + " in " + shortFunc(f.Func)
		}
		status := string(g.Status)
		if g.Wait != nil {
			status += " (" + g.Wait.String() + ")"
		}
		fmt.Fprintf(c.out, "%s %s %s%s\n", mark, g.Name, status, at)
		if g.Created.File != "" && g.Status != inspect.Ended {
			fmt.Fprintf(c.out, "      started at %s\n", c.place(g.Created))
		}
	}
	return nil
}

func (c *console) goroutine(args string) error {
	if args == "" {
		args = c.s.Name(c.d.Goroutine)
	}
	g, err := c.s.Lookup(args)
	if err != nil {
		return err
	}
	if !c.d.Select(g) {
		return fmt.Errorf("goroutine %s has not been started yet", args)
	}
	f, err := c.current()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "goroutine %s at %s in %s\n", args, c.place(f.Location), shortFunc(f.Func))
	if text, ok := c.s.Line(f.File, f.Line); ok {
		fmt.Fprintf(c.out, "%d\t%s\n", f.Line, text)
	}
	return nil
}

func (c *console) waits(string) error {
	n := 0
	for _, g := range c.s.Goroutines() {
		if g.Wait == nil {
			continue
		}
		n++
		at := ""
		if frames := c.s.Frames(g.ID); len(frames) > 0 {
			at = " at " + c.place(frames[inspect.SourceFrame(frames)].Location)
		}
		fmt.Fprintf(c.out, "%s waits for %s%s\n", g.Name, g.Wait, at)
	}
	if n == 0 {
		fmt.Fprintln(c.out, "no goroutine waits")
	}
	return nil
}

func (c *console) locks(string) error {
	locks := c.s.Locks()
	if len(locks) == 0 {
		fmt.Fprintln(c.out, "no lock is held")
	}
	for _, l := range locks {
		text := l.Name
		if l.Writer != nil {
			text += ": held by " + l.Writer.Goroutine + " since " + withoutColumn(l.Writer.Pos)
		}
		for _, r := range l.Readers {
			text += ": read by " + r.Goroutine + " since " + withoutColumn(r.Pos)
		}
		if len(l.Waiting) > 0 {
			text += "; waited for by " + strings.Join(l.Waiting, ", ")
		}
		fmt.Fprintln(c.out, text)
	}
	return nil
}

// withoutColumn returns a position without its column.
func withoutColumn(pos string) string {
	if i := strings.LastIndexByte(pos, ':'); i > 0 {
		return pos[:i]
	}
	return pos
}

// around is the number of lines that list shows before and after one.
const around = 5

func (c *console) source(args string) error {
	f, err := c.current()
	if err != nil && args == "" {
		return err
	}
	file, line := f.File, f.Line
	here := line
	if args != "" {
		name, n, ok := c.lineOf(args)
		if !ok {
			return fmt.Errorf("%s: neither a line nor file:line", args)
		}
		if line = n; name != file {
			if file, _, err = c.d.SourceLines(name); err != nil {
				return err
			}
			here = 0
		}
	} else if c.listed > 0 && c.file == file {
		line = c.listed + around + 1
	}
	shown := 0
	for n := max(1, line-around); n <= line+around; n++ {
		text, ok := c.s.Line(file, n)
		if !ok {
			continue
		}
		shown++
		mark := "  "
		if n == here && (file == f.File) {
			mark = "=>"
		}
		fmt.Fprintf(c.out, "%s %4d\t%s\n", mark, n, text)
	}
	if shown == 0 {
		return fmt.Errorf("%s has no line %d", filepath.Base(file), line)
	}
	c.listed, c.file = line+around, file
	return nil
}

func (c *console) events(args string) error {
	n := 5
	if args != "" {
		var err error
		if n, err = strconv.Atoi(args); err != nil || n < 1 {
			return fmt.Errorf("%s: not a number of events", args)
		}
	}
	at := int(c.s.Point(c.s.At()).Events)
	for i := max(0, at-n); i < min(c.s.NumEvents(), at+n); i++ {
		mark := "  "
		if i == at {
			mark = "=>"
		}
		e := c.s.Event(i)
		fmt.Fprintf(c.out, "%s %4d  %s\n", mark, i, eventText(&e))
	}
	if at >= c.s.NumEvents() {
		fmt.Fprintln(c.out, "=> the end")
	}
	return nil
}

// eventText returns an event on one line.
func eventText(e *schedule.RunEvent) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s %s", e.Goroutine, e.Op)
	if e.Child != "" {
		fmt.Fprintf(&b, " %s", e.Child)
	}
	if e.Object != nil {
		if e.Object.Goroutine == "" {
			fmt.Fprintf(&b, " variable %d", e.Object.Count)
		} else {
			fmt.Fprintf(&b, " %s#%d", e.Object.Goroutine, e.Object.Count)
		}
		if e.Offset > 0 {
			fmt.Fprintf(&b, "+%d", e.Offset)
		}
	}
	if e.Read != "" {
		fmt.Fprintf(&b, " reads %s", e.Read)
	}
	if e.Wrote != "" {
		fmt.Fprintf(&b, " writes %s", e.Wrote)
	}
	if e.Pos != "" {
		fmt.Fprintf(&b, "  %s", withoutColumn(e.Pos))
	}
	return b.String()
}

func (c *console) output(string) error {
	text := c.s.Output()
	if text == "" {
		fmt.Fprintln(c.out, "nothing has been printed")
		return nil
	}
	fmt.Fprint(c.out, text)
	if !strings.HasSuffix(text, "\n") {
		fmt.Fprintln(c.out)
	}
	return nil
}
