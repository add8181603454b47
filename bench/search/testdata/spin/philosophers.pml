/* N philosophers, the lower fork first. See philosophers in
   internal/oracle/counts/testdata/locks.go. */
bool fork[N];

proctype philosopher(byte a; byte b) {
	atomic { !fork[a] -> fork[a] = true }
	atomic { !fork[b] -> fork[b] = true }
	fork[b] = false;
	fork[a] = false
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 2) { run philosopher(i, i + 1) }
		run philosopher(0, N - 1)
	}
}
