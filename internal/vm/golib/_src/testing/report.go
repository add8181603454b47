package testing

// reportFailure tells that the test of that name has failed, with a message that
// is empty for Fail and FailNow. Then again says that it had failed before, or a subtest of it.
func reportFailure(name, message string, again bool)

// reportExample is reportFailure for an example, whose function is f.
func reportExample(f func(), name, message string)

// reportSkip tells that the test of that name was skipped.
func reportSkip(name, message string)

// reportStart tells that the goroutine started last runs the next of several tests.
func reportStart()

// reportSubtest tells that the goroutine started last runs the subtest of that name.
func reportSubtest(name string)

// selected reports whether the machine's user wants the subtest of that name to be run.
func selected(name string) bool

// reportParallel tells that a test that the target started has called T.Parallel.
func reportParallel()

// failures returns how many failures have been reported.
func failures() int

// markHelper marks the function that calls Helper as a test helper.
func markHelper()

// callSite returns the place in the test that calls, as "file.go:12: ". Calls in
// this package are passed over, and those in functions that have called Helper.
func callSite() string

// logsHidden reports whether writing to the log of a test is no visible operation.
func logsHidden() bool

// endLog sets over, of a test that is done. Later logs are compared with it.
func endLog(over *bool)

// logEnded returns whether the test is done, of which over says that, for somebody who writes to its log. Logs
// matter if it is, or if nothing orders the log with the end.
func logEnded(over *bool) bool

// logLine writes to the test's log.
func logLine(line string)

// panicking reports whether the goroutine is unwinding because of a panic.
func panicking() bool

// testsRan tells that M.Run has run the target: if TestMain exits then, the target has returned.
func testsRan()

// mainExited tells that TestMain has called runtime.Goexit: natively the process crashes when
// nothing else can run.
func mainExited()

// settled returns args with the numbers and texts in them concrete: they are
// only printed, so a line of log does not multiply the paths to explore.
func settled(args []any) []any
