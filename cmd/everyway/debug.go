package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"

	"golang.org/x/term"

	"github.com/everyway-go/everyway/internal/debugger/console"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/inspect"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/memory"
)

const debugHelp = `
usage: everyway debug [flags] file.run

Debug shows a recorded run from within: it steps by lines, forwards and
backwards, stops at breakpoints, and prints variables, stacks, locks and who
waits for whom, at any point of the run. The run is the same each time.

The commands have the names that they have in gdb and delve; help lists them.
They are read from the standard input, with line editing if that is a terminal;
otherwise they are printed, too. The exit code is 0 whatever the run shows, and
2 if it cannot be opened.

	everyway debug .everyway/pool/TestPool-deadlock.run
	printf 'finding\nlocals\nwaits\n' | everyway debug FILE.run
`

func runDebug(ctx context.Context, args []string, stdout, stderr io.Writer, _ disk.System) (int, error) {
	fs := flag.NewFlagSet("debug", flag.ContinueOnError)
	chdir := registerChdir(fs)
	library := fs.Bool("library", false, "stop in the standard library, too, and show its variables")
	files, err := parseFlags(fs, args, stdout, debugHelp)
	if err != nil {
		return 0, err
	}
	if len(files) != 1 {
		return 0, usagef("debug takes one run file; run 'everyway help debug'")
	}
	dir, err := enterDir(*chdir)
	if err != nil {
		return 0, err
	}
	ctx, share := limitMemory(ctx, 0).Begin(ctx)
	defer share.End()
	session, err := openSession(ctx, dir, files[0], inspect.Options{Library: *library}, stderr)
	if err != nil {
		return 0, err
	}
	defer session.Close()
	opts := console.Options{Dir: dir, Echo: true}
	var in console.Reader = scriptReader{bufio.NewScanner(os.Stdin)}
	if fd := int(os.Stdin.Fd()); term.IsTerminal(fd) {
		interrupts, stop := newInterrupts()
		defer stop()
		opts = console.Options{Dir: dir, Repeat: true, Interrupted: interrupts.taken}
		in = newCommandLine(fd, interrupts)
	}
	if err := console.Run(ctx, session, in, stdout, opts); err != nil {
		return 0, memory.Reason(ctx, err)
	}
	return exitOK, nil
}

// openSession opens a run file, seen from a directory.
func openSession(ctx context.Context, dir, path string, opts inspect.Options, stderr io.Writer) (*inspect.Session, error) {
	recorded, err := readRun(ctx, path)
	if err != nil {
		return nil, err
	}
	prog, target, err := program.LoadRecordedNamed(ctx, dir, recorded)
	if err != nil {
		return nil, usageError{memory.Reason(ctx, err)}
	}
	warnUntested(stderr, prog.Toolchain)
	session, err := inspect.Open(ctx, prog, target, recorded, opts)
	if err != nil {
		return nil, memory.Reason(ctx, err)
	}
	return session, nil
}

// A scriptReader reads commands from a file or a pipe.
type scriptReader struct{ *bufio.Scanner }

// ReadLine implements console.Reader.
func (r scriptReader) ReadLine() (string, error) {
	if r.Scan() {
		return r.Text(), nil
	}
	if err := r.Err(); err != nil {
		return "", err
	}
	return "", io.EOF
}

// interrupts notes that the user wants the command to stop that is being carried out.
type interrupts struct{ pending atomic.Bool }

// newInterrupts makes interrupts stop commands and not the process, until stop is called.
func newInterrupts() (in *interrupts, stop func()) {
	in = new(interrupts)
	signal.Ignore(os.Interrupt) // as main has asked for it
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-c:
				in.pending.Store(true)
			case <-done:
				return
			}
		}
	}()
	return in, func() {
		signal.Stop(c)
		close(done)
	}
}

// taken reports whether there was an interrupt since it was called last.
func (in *interrupts) taken() bool { return in.pending.Swap(false) }

// A commandLine reads commands with line editing, and completes their names.
type commandLine struct {
	fd         int
	term       *term.Terminal
	interrupts *interrupts
	ended      bool
}

func newCommandLine(fd int, in *interrupts) *commandLine {
	t := &commandLine{fd: fd, interrupts: in}
	t.term = term.NewTerminal(t, console.Prompt)
	t.term.AutoCompleteCallback = complete
	return t
}

// ctrlD is what a terminal sends for this key when it does not interpret it.
const ctrlD = 4

// Read reads what is typed.
func (t *commandLine) Read(p []byte) (int, error) {
	n, err := os.Stdin.Read(p)
	for _, b := range p[:n] {
		t.ended = b == ctrlD
	}
	return n, err
}

func (t *commandLine) Write(p []byte) (int, error) { return os.Stdout.Write(p) }

// ReadLine implements console.Reader. The key control-C discards the line.
func (t *commandLine) ReadLine() (string, error) {
	t.interrupts.taken()
	old, err := term.MakeRaw(t.fd)
	if err != nil {
		return "", fmt.Errorf("setting the terminal: %w", err)
	}
	defer term.Restore(t.fd, old)
	if width, height, err := term.GetSize(t.fd); err == nil && width > 0 {
		_ = t.term.SetSize(width, height)
	}
	line, err := t.term.ReadLine()
	if err == io.EOF && !t.ended { // control-C
		fmt.Fprint(os.Stdout, "^C\r\n")
		t.term = term.NewTerminal(t, console.Prompt)
		t.term.AutoCompleteCallback = complete
		return "#", nil
	}
	return line, err
}

// complete completes the name of a command.
func complete(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' || strings.Contains(line[:pos], " ") {
		return "", 0, false
	}
	var found []string
	for _, name := range console.Names() {
		if strings.HasPrefix(name, line[:pos]) && len(name) > 2 {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return "", 0, false
	}
	common := found[0]
	for _, name := range found[1:] {
		for !strings.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
	}
	if len(found) == 1 {
		common += " "
	}
	return common + line[pos:], len(common), true
}
