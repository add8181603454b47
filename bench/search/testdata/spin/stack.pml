/* A stack of N elements under a lock: one pushes N times, one pops N times. See
   stack in internal/oracle/counts/testdata/locks.go. */
bool mu;
byte elems[N];
byte top;

proctype push() {
	byte i;
	for (i : 0 .. N - 1) {
		atomic { !mu -> mu = true }
		assert(top < N);
		elems[top] = i;
		top++;
		mu = false
	}
}

proctype pop() {
	byte i;
	for (i : 0 .. N - 1) {
		atomic { !mu -> mu = true }
		if
		:: top > 0 -> top--
		:: else
		fi;
		mu = false
	}
}

init { atomic { run push(); run pop() } }
