package run

import "github.com/everyway-go/everyway/internal/expr"

// A Correspondence relates bytes of the input to a text that the code compared them
// with. The comparison failed whatever the values of the bytes are, because the text has
// another length; the path condition does not show this, since lengths are concrete. An
// input that has the text in place of those bytes may take the other branch, and the
// symbolic values of the bytes show where in the input they come from.
//
// This is the input-to-state correspondence of Aschermann et al.: REDQUEEN: Fuzzing with
// Input-to-State Correspondence (NDSS 2019), section III.A.
type Correspondence struct {
	Site SiteID
	// Have holds the symbolic values of the bytes that were compared, None where a byte
	// is concrete; at least one is symbolic.
	Have []expr.ID
	// Want is the text that they were compared with. If it is symbolic too, these are its
	// bytes in this run.
	Want []byte
}
