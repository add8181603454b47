package time_test

// Sleepers wake exactly when they want to.
func init() { haveHighResSleep = true }
