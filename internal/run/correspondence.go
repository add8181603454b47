package run

import "github.com/everyway-go/everyway/internal/expr"

// A Correspondence relates bytes of the input to a text that the code compared them with
// and could not find, whatever their values, because the text has another length. No
// condition says so, as lengths are concrete. An input that has the text in the place of
// those bytes may take the other branch; their symbolic values say which place that is.
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
