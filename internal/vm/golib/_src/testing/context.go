package testing

// everywayContext starts n goroutines in the middle of functions. It returns when all of them have ended.
func everywayContext(name string, n int) {
	for i := range n {
		prepareGoroutine(preparation(i))
	}
	awaitContext()
}

// prepareGoroutine calls the code that prepares the frames of a goroutine, and starts it. What panics there has
// panicked before the goroutine came to where it is, so that it is not there.
func prepareGoroutine(prepare func()) {
	defer func() {
		if recover() != nil {
			rejectContext()
		}
	}()
	prepare()
}

// preparation returns the code that prepares the frames of a goroutine.
func preparation(i int) func()

// prepareStep carries out a step of such code.
func prepareStep(i int)

// rejectContext ends a run that begins in a state in which no run is.
func rejectContext()

// awaitContext waits until there is no other goroutine.
func awaitContext()
