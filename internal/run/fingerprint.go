package run

// A Fingerprint identifies what a run can do from a scheduling point on: two runs of one
// machine, of plans that are alike, that come to points with equal fingerprints can continue
// in the same ways, with the same findings. Plans are alike if they differ at most in their
// prefix.
//
// Limits do not count, nor does what only tells how long a run has been going: a run that
// has come to the point in fewer steps, or with less memory, may go on where the other one
// exceeds a limit, and says so.
type Fingerprint [2]uint64
