package main

// published is a row of Table 4.4 of the thesis.
type published struct {
	container, op string
	paths, races  [3]int // of AFL++, Cloud9 and SSRD
}

// table44 is Table 4.4: "Data Race Detection Effectiveness".
var table44 = []published{
	{"skiplist", "Insert", [3]int{3, 52, 3779}, [3]int{2, 2, 8}},
	{"skiplist", "Search", [3]int{6, 13, 1479}, [3]int{0, 0, 2}},
	{"unrolled", "Insert", [3]int{3, 10, 321}, [3]int{7, 10, 15}},
	{"unrolled", "Delete", [3]int{16, 13, 78}, [3]int{2, 1, 4}},
	{"unrolled", "Search", [3]int{16, 16, 93}, [3]int{0, 0, 3}},
	{"pqueue", "Insert", [3]int{2, 22, 31}, [3]int{0, 5, 5}},
	{"pqueue", "Remove", [3]int{2, 16, 1479}, [3]int{0, 11, 19}},
	{"avl", "Insert", [3]int{1, 7942, 16329}, [3]int{0, 4, 6}},
	{"avl", "Delete", [3]int{1, 285, 1322}, [3]int{0, 1, 12}},
	{container: "stack", op: "Push"},
	{container: "stack", op: "Pop"},
	{container: "queue", op: "Put"},
	{container: "queue", op: "Take"},
}
