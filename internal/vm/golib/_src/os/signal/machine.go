package signal

// No signal ever comes from outside.

func signal_disable(uint32) {}

func signal_enable(uint32) {}

func signal_ignore(uint32) {}

func signal_ignored(uint32) bool { return false }

func signalWaitUntilIdle() {}

// loop would wait for signals.
func loop() {}
