package run

// A CorpusEntry is a file of the seed corpus of a fuzz test.
type CorpusEntry struct {
	Name   string // its path in the package's directory
	Values []CorpusValue
	Err    string // what is wrong with the file, empty if nothing is
}

// A CorpusValue is an argument in a CorpusEntry.
type CorpusValue struct {
	Type string // as package reflect names it
	Text string // of a string or []byte
	Bits uint64 // of any other value, zero-extended
}

// A Param is a parameter of the function that a fuzz test passes to F.Fuzz.
type Param struct {
	Name string // that of its input variable
	Type string // as package reflect names it
}
