package main

// published is a row of Tables 5.2, 5.3 and 5.4 of the thesis: by how many percent summaries reduce
// the time, construction included, the constraints that are solved, and the reads and writes of
// memory.
type published struct {
	container, op                 string
	time, queries, reads, written float64
}

// tables5 are the functions of these tables.
var tables5 = []published{
	{"skiplist", "Insert", -47.0, -57.9, -8.3, -5.3},
	{"skiplist", "Search", -14.8, -37.5, -1.9, -1.4},
	{"unrolled", "Insert", -91.9, -90.4, -88.0, -46.9},
	{"unrolled", "Delete", -71.3, -95.6, -86.1, -66.5},
	{"unrolled", "Search", -75.1, -95.7, -81.1, -52.9},
	{"pqueue", "Insert", 59.5, 18.6, -24.6, -2.6},
	{"pqueue", "Remove", -64.1, -94.4, -36.7, -3.2},
	{"avl", "Insert", -53.7, -98.3, -48.0, -74.4},
	{"avl", "Delete", -41.7, -92.3, -2.5, -23.0},
}
