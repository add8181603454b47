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

// Table returns the programs. The figures up to fib are GenMC's expected figures
// (its tests, under sequential consistency); those of stack and circular are what
// Nidhugg is reported to run. The others follow from an argument:
//
//   - stack, circular, kernel: the orders of the critical sections of k goroutines,
//     n each: (kn)! / (n!)^k.
//   - philosophers: who is first at each fork, but for the two ways in which each is
//     before its neighbour all around the table: 2^n - 2.
//   - rwlock: each reader is before the writer, after it, or in when the writer
//     comes: 3^n.
//   - queue: the orders of the sends times those of the receives: C(2n, n)^2.
//   - meetings: who meets whom: n!.
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
		{"kernel", []Row{{1, 6}, {2, 90}, {3, 1680}, {5, 756756}}},
		{"philosophers", []Row{{3, 6}, {5, 30}, {8, 254}, {10, 1022}}},
		{"rwlock", []Row{{1, 3}, {3, 27}, {5, 243}, {7, 2187}}},
		{"queue", []Row{{1, 4}, {2, 36}, {3, 400}, {4, 4900}}},
		{"meetings", []Row{{1, 1}, {2, 2}, {3, 6}, {4, 24}, {5, 120}, {6, 720}, {7, 5040}}},
	}
}
