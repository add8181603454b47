/* Two processes send N messages each into a buffer of two, two others receive N
   each. See queue in internal/oracle/counts/testdata/channels.go. */
chan c = [2] of { byte };

proctype sender(byte id) {
	byte i;
	for (i : 1 .. N) { c ! id }
}

proctype receiver() {
	byte i, m;
	for (i : 1 .. N) { c ? m }
}

init { atomic { run sender(0); run receiver(); run sender(2); run receiver() } }
