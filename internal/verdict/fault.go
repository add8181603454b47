package verdict

// A Fault is an error that has ended the search of a target before its time.
type Fault struct {
	Package string `json:"-"`
	Target  string `json:"-"`
	Message string
	// Report is the path of a file for the user to send, "" if there is none.
	Report string `json:",omitempty"`
	// Text is the report if the file could not be written.
	Text string `json:",omitempty"`
}
