package run

import "github.com/everyway-go/everyway/internal/expr"

// A Wish is a text that the code looked for and could not find, whatever the input's
// bytes are, since it is of another length than what was there. No condition says so:
// lengths are concrete. An input with the wanted text in the place of the bytes that were
// there may go the other way; where they came from is what their symbolic values say.
// This is the input-to-state correspondence of Aschermann et al.: REDQUEEN: Fuzzing with
// Input-to-State Correspondence (NDSS 2019), section III.A.
type Correspondence struct {
	Site SiteID
	// Have are the symbolic values of the bytes that were there, None where a byte is
	// concrete; at least one is symbolic.
	Have []expr.ID
	// Want is what was looked for: its bytes in this run, when they are symbolic too.
	Want []byte
}
