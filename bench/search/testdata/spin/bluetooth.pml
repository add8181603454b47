/* The mended Bluetooth driver: N requests and a stop. See bluetooth in
   internal/oracle/counts/testdata/channels.go. */
short pending = 1;
bool stopping, stopped, idle;

inline leave(zero) {
	atomic { pending--; zero = (pending == 0) }
	if
	:: zero -> idle = true
	:: else
	fi
}

proctype request() {
	bool zero, stop;
	pending++;
	stop = stopping;
	if
	:: !stop -> assert(!stopped)
	:: else
	fi;
	leave(zero)
}

proctype stop() {
	bool zero;
	stopping = true;
	leave(zero);
	idle;
	stopped = true
}

init {
	byte i;
	atomic {
		run stop();
		for (i : 1 .. N) { run request() }
	}
}
