package counts

// A Program is a function in testdata and what is known about it.
type Program struct {
	Name string
	Rows []Row
}

// A Row says how many executions a program has.
type Row struct {
	N          int // the parameter
	Executions int
}

// Table returns the programs. Their figures are GenMC's expected figures (its
// tests, under sequential consistency), but for stack and circular: those are
// what Nidhugg is reported to run, and orders of critical sections, C(2n, n).
func Table() []Program {
	factorials := []Row{{2, 2}, {3, 6}, {4, 24}, {5, 120}, {6, 720}, {7, 5040}}
	squares := []Row{{2, 4}, {3, 36}, {4, 576}}
	return []Program{
		{"readers", []Row{{2, 4}, {8, 256}, {13, 8192}}},
		{"ainc", factorials},
		{"binc", squares},
		{"cinc", []Row{{2, 8}, {3, 216}, {4, 13824}}},
		{"inc", squares},
		{"rw", squares},
		{"wainc", []Row{{2, 6}, {3, 24}, {4, 120}}},
		{"writers", []Row{{4, 720}}},
		{"cas", []Row{{2, 2}, {3, 3}, {4, 4}, {5, 5}}},
		{"casrot", []Row{{2, 2}, {3, 5}, {4, 14}, {5, 43}, {6, 144}, {7, 523}, {8, 2048}, {9, 8597}}},
		{"casw", []Row{{2, 6}, {3, 66}, {4, 1200}, {5, 32880}}},
		{"wcas", []Row{{2, 5}, {3, 13}, {4, 33}, {5, 81}, {6, 193}, {7, 449}, {8, 1025}, {9, 2305}}},
		{"lockinc", factorials},
		{"lock2inc", factorials},
		{"lastzero", []Row{{5, 64}, {10, 3328}, {15, 147456}}},
		{"indexer", []Row{{11, 1}, {12, 8}, {15, 4096}}},
		{"local", []Row{{1, 4}, {10, 4}}},
		{"coa", []Row{{1, 4}, {2, 15}, {3, 130}, {4, 2028}, {5, 49776}}},
		{"fib", []Row{{5, 218243}}},
		{"stack", []Row{{2, 6}, {3, 20}, {4, 70}, {10, 184756}}},
		{"circular", []Row{{2, 6}, {3, 20}, {7, 3432}}},
	}
}
