package drbg

// Testing reports whether a test has replaced the source of random bytes.
func Testing() bool { return testingReader != nil }
