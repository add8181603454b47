package testing

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
)

// TB is what T, B and F have in common.
type TB interface {
	ArtifactDir() string
	Attr(key, value string)
	Cleanup(func())
	Error(args ...any)
	Errorf(format string, args ...any)
	Fail()
	FailNow()
	Failed() bool
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Helper()
	Log(args ...any)
	Logf(format string, args ...any)
	Name() string
	Setenv(key, value string)
	Chdir(dir string)
	Skip(args ...any)
	SkipNow()
	Skipf(format string, args ...any)
	Skipped() bool
	TempDir() string
	Context() context.Context
	Output() io.Writer

	private()
}

var (
	_ TB = (*T)(nil)
	_ TB = (*B)(nil)
	_ TB = (*F)(nil)
)

// common is the state of a test, benchmark or fuzz test.
type common struct {
	name   string
	parent *common
	level  int  // as match.go has it
	isFuzz bool // of an F

	// status holds the bits below. It is one atomic word, so that any goroutine
	// can fail the test or log by a single visible operation.
	status atomic.Uint32
	over   bool // as the bit done, if logs are hidden: see complete

	mu        sync.Mutex // guards what follows
	cleanups  []func()
	cleaning  bool // the cleanups are being called
	ctx       context.Context
	cancel    context.CancelFunc
	cancelled bool // the context is cancelled, as soon as somebody asks for it
	tempDir   string
	tempDirs  int
	artifacts string
}

// The bits of common.status.
const (
	failed   = 1 << iota
	skipped  // by Skip
	finished // the function has returned, or exited as FailNow and SkipNow do
	done     // cleanups and subtests too
	fuzzing  // the callback of the fuzz test is running
)

func (c *common) private() {}

// has reports whether a bit of the status is set.
func (c *common) has(bit uint32) bool { return c.status.Load()&bit != 0 }

// complete marks the test as done, with its cleanups and subtests.
func (c *common) complete() {
	if logsHidden() {
		endLog(&c.over)
	}
	c.status.Or(done)
}

// isComplete is has(done), for somebody who writes to the log. That no log comes after the end is
// a matter of happens-before, if logs are hidden: there is nothing to be seen of their order otherwise.
func (c *common) isComplete() bool {
	if logsHidden() {
		return logEnded(&c.over)
	}
	return c.has(done)
}

// check panics when the callback of a fuzz test uses its F in the place of its T.
func (c *common) check(method string) {
	if c.isFuzz && c.has(fuzzing) {
		panic(fmt.Sprintf("testing: f.%s was called inside the fuzz target, use t.%s instead", method, method))
	}
}

// Name returns the name of the test, with those of its parents before it.
func (c *common) Name() string { return c.name }

// Helper marks the calling function as one that failures are not attributed to.
func (c *common) Helper() { markHelper() }

// mark marks the test and its parents as failed. It reports whether the test has
// not failed before.
func (c *common) mark() (first bool) {
	if c.parent != nil {
		c.parent.mark()
	}
	before := c.status.Or(failed)
	if before&done != 0 {
		panic("Fail in goroutine after " + c.name + " has completed")
	}
	return before&failed == 0
}

// fail fails the test with a message.
func (c *common) fail(message string) {
	c.log(message)
	if c.runs() {
		reportFailure(c.name, strings.TrimSuffix(message, "\n"), false)
	}
	c.mark()
}

// Fail marks the test as failed. After another failure, of a subtest for example,
// it says nothing new unless that is accepted.
func (c *common) Fail() {
	c.check("Fail")
	first := c.mark()
	if c.runs() {
		reportFailure(c.name, "", !first)
	}
}

// runs reports whether c is that of a test that runs, and so has a name, rather than of one that
// the program has made itself to see what fails it.
func (c *common) runs() bool { return c.name != "" }

// Failed reports whether the test has failed.
func (c *common) Failed() bool { return c.has(failed) }

// FailNow fails the test and ends its goroutine.
func (c *common) FailNow() {
	c.Fail()
	c.exit()
}

// exit ends the goroutine of the test.
func (c *common) exit() {
	c.status.Or(finished)
	runtime.Goexit()
}

// log writes a message to the log.
func (c *common) log(message string) {
	for p := c; p.isComplete(); p = p.parent {
		if p.parent == nil {
			panic("Log in goroutine after " + c.name + " has completed: " + message)
		}
	}
	if silent {
		return
	}
	message = strings.TrimSuffix(message, "\n")
	logLine("    " + callSite() + strings.ReplaceAll(message, "\n", "\n        ") + "\n")
}

// Log writes its arguments to the log, as fmt.Println prints them.
func (c *common) Log(args ...any) {
	c.check("Log")
	c.log(fmt.Sprintln(settled(args)...))
}

// Logf writes to the log, as fmt.Printf prints.
func (c *common) Logf(format string, args ...any) {
	c.check("Logf")
	c.log(fmt.Sprintf(format, settled(args)...))
}

// Error is Log and Fail.
func (c *common) Error(args ...any) {
	c.check("Error")
	c.fail(fmt.Sprintln(settled(args)...))
}

// Errorf is Logf and Fail.
func (c *common) Errorf(format string, args ...any) {
	c.check("Errorf")
	c.fail(fmt.Sprintf(format, settled(args)...))
}

// Fatal is Log and FailNow.
func (c *common) Fatal(args ...any) {
	c.check("Fatal")
	c.fail(fmt.Sprintln(settled(args)...))
	c.exit()
}

// Fatalf is Logf and FailNow.
func (c *common) Fatalf(format string, args ...any) {
	c.check("Fatalf")
	c.fail(fmt.Sprintf(format, settled(args)...))
	c.exit()
}

// skip skips the test with a message.
func (c *common) skip(message string) {
	reportSkip(c.name, strings.TrimSuffix(message, "\n"))
	c.status.Or(skipped)
	c.exit()
}

// Skip is Log and SkipNow.
func (c *common) Skip(args ...any) {
	c.check("Skip")
	message := fmt.Sprintln(settled(args)...)
	c.log(message)
	c.skip(message)
}

// Skipf is Logf and SkipNow.
func (c *common) Skipf(format string, args ...any) {
	c.check("Skipf")
	message := fmt.Sprintf(format, settled(args)...)
	c.log(message)
	c.skip(message)
}

// SkipNow marks the test as skipped and ends its goroutine.
func (c *common) SkipNow() {
	c.check("SkipNow")
	c.skip("")
}

// Skipped reports whether the test was skipped.
func (c *common) Skipped() bool {
	c.check("Skipped")
	return c.has(skipped)
}

// Cleanup has f called when the test and its subtests are done, after those that
// are registered later.
func (c *common) Cleanup(f func()) {
	c.check("Cleanup")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cleanups = append(c.cleanups, f)
}

// cleanup calls the cleanups, the remaining ones also when one panics or exits.
func (c *common) cleanup() {
	defer func() {
		c.mu.Lock()
		again := len(c.cleanups) > 0
		c.cleaning = again
		c.mu.Unlock()
		if again {
			c.cleanup()
		}
	}()
	c.mu.Lock()
	c.cleaning, c.cancelled = true, true
	cancel := c.cancel
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	for {
		f := c.nextCleanup()
		if f == nil {
			return
		}
		f()
	}
}

// nextCleanup removes the cleanup registered last, nil when there is none.
func (c *common) nextCleanup() func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.cleanups)
	if n == 0 {
		return nil
	}
	f := c.cleanups[n-1]
	c.cleanups = c.cleanups[:n-1]
	return f
}

// inCleanup reports whether the cleanups are being called.
func (c *common) inCleanup() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cleaning
}

// Context returns a context that is cancelled just before the cleanups.
func (c *common) Context() context.Context {
	c.check("Context")
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil {
		c.ctx, c.cancel = context.WithCancel(context.Background())
		if c.cancelled {
			c.cancel()
		}
	}
	return c.ctx
}

// Output returns a writer to the log.
func (c *common) Output() io.Writer {
	c.check("Output")
	return logWriter{c}
}

// A logWriter writes lines to the log of a test.
type logWriter struct{ c *common }

func (w logWriter) Write(p []byte) (int, error) {
	if w.c.isComplete() {
		panic("Write called after " + w.c.name + " has completed")
	}
	if text := strings.TrimSuffix(string(p), "\n"); text != "" {
		logLine("    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n")
	}
	return len(p), nil
}

// Attr writes an attribute of the test to the log.
func (c *common) Attr(key, value string) {
	switch {
	case strings.ContainsFunc(key, unicode.IsSpace):
		c.Errorf("disallowed whitespace in attribute key %q", key)
	case strings.ContainsAny(value, "\r\n"):
		c.Errorf("disallowed newline in attribute value %q", value)
	default:
		logLine("=== ATTR  " + c.name + " " + key + " " + value + "\n")
	}
}

// TempDir returns a new directory that is removed after the test.
func (c *common) TempDir() string {
	c.check("TempDir")
	dir, err := c.newTempDir()
	if err != nil {
		c.Fatalf("TempDir: %v", err)
	}
	return dir
}

func (c *common) newTempDir() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tempDir == "" {
		pattern := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune("!#$%&()+,-.=@^_{}~ ", r) {
				return r
			}
			return -1
		}, c.name[:min(len(c.name), 64)])
		dir, err := os.MkdirTemp(os.Getenv("GOTMPDIR"), pattern)
		if err != nil {
			return "", err
		}
		c.tempDir = dir
		c.cleanups = append(c.cleanups, func() {
			if err := os.RemoveAll(dir); err != nil {
				c.Errorf("TempDir RemoveAll cleanup: %v", err)
			}
		})
	}
	c.tempDirs++
	dir := fmt.Sprintf("%s/%03d", c.tempDir, c.tempDirs)
	return dir, os.Mkdir(dir, 0o777)
}

// ArtifactDir returns the directory for files that the test wants to keep. None
// are kept: it is a temporary one.
func (c *common) ArtifactDir() string {
	c.check("ArtifactDir")
	c.mu.Lock()
	dir := c.artifacts
	c.mu.Unlock()
	if dir != "" {
		return dir
	}
	dir, err := c.newTempDir()
	if err != nil {
		c.Fatalf("ArtifactDir: %v", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.artifacts = dir
	return dir
}

// Setenv sets an environment variable until the test is done.
func (c *common) Setenv(key, value string) {
	c.check("Setenv")
	before, had := os.LookupEnv(key)
	if err := os.Setenv(key, value); err != nil {
		c.Fatalf("cannot set environment variable: %v", err)
	}
	c.Cleanup(func() {
		if had {
			os.Setenv(key, before)
		} else {
			os.Unsetenv(key)
		}
	})
}

// Chdir changes the working directory until the test is done.
func (c *common) Chdir(dir string) {
	c.check("Chdir")
	before, err := os.Getwd()
	if err != nil {
		c.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		c.Fatal(err)
	}
	if !filepath.IsAbs(dir) {
		if dir, err = os.Getwd(); err != nil {
			c.Fatal(err)
		}
	}
	c.Setenv("PWD", dir)
	c.Cleanup(func() {
		if err := os.Chdir(before); err != nil {
			panic("testing.Chdir: " + err.Error())
		}
	})
}
