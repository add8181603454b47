package strategy

import "github.com/everyway-go/everyway/internal/run"

// A Location is an instruction of the program, by its number in a [Guide].
type Location int32

// NoLocation is no instruction.
const NoLocation Location = -1

// A Side is a way out of a conditional branch.
type Side uint8

// The sides.
const (
	AnySide Side = iota
	Then         // the condition holds
	Else         // it does not
)

// A Dependence is a branch on whose outcome it depends whether an instruction is reached.
type Dependence struct {
	Branch Location
	Side   Side
}

// A Suspect has places at which something may go wrong when goroutines are there at the same time,
// a different one at each.
type Suspect struct {
	Places [][]Location
	// Checks says that it goes wrong only with some values: a place is reached in vain if its check
	// succeeds, and what it reads was to be different.
	Checks bool
}

// A Guide says what static analysis knows of the program that a search is to lead to some places.
// It names the instructions of the program, but for those of the standard library, by numbers that
// are the same for all who search the target. The methods have the names of the functions in
// section 4.1 of Rungta, Mercer and Visser (see package guided) where those have one.
type Guide interface {
	// Places are what is to be reached: a place is reached if a goroutine is at one of its locations.
	Places() [][]Location
	// Suspects are what static analysis warns of, each with its places, if the search is to find
	// out what comes of that; the most promising one comes first. There are no Places then. Decided
	// reports whether one needs no more runs.
	Suspects() []Suspect
	Decided(suspect int) bool
	// Starts are the first instructions of the functions with which goroutines begin, as far as it follows from
	// the code, and of those that the standard library calls.
	Starts() []Location
	// Start returns the first instruction of the function that l is in.
	Start(l Location) Location
	// Callers returns the calls, other than go statements, of the function that starts at l.
	Callers(start Location) []Location
	// Class returns the type of which the function that l is in is a method, or of a pointer to
	// which, as inputs name it; "" if it is none.
	Class(l Location) string
	// IsCall reports whether l is a call, and IsBranch whether it is a conditional branch.
	IsCall(l Location) bool
	IsBranch(l Location) bool
	// Path reports whether a path in the control flow of a function leads from l to m.
	Path(l, m Location) bool
	// Followers returns the locations in a set that come first on the paths from l in the control flow of its function.
	Followers(l Location, set func(Location) bool) []Location
	// Dependences returns the nearest branches on which it depends whether l is reached.
	Dependences(l Location) []Dependence
	// Definitions returns where, in its function, what the condition of a branch reads may have been written last.
	Definitions(branch Location) []Location
	// Reads returns the instructions that read from memory what the condition of a branch is
	// computed from, or a check depends on.
	Reads(branch Location) []Location
	// Redefinitions returns where that is written anywhere.
	Redefinitions(branch Location) []Location
	// Acquisitions returns where, in its function, a lock is taken on the way to l, and Releases where a lock that is
	// taken at l is given back.
	Acquisitions(l Location) []Location
	Releases(l Location) []Location
	// AfterWrite returns what comes directly after l if l writes memory, and otherwise NoLocation.
	AfterWrite(l Location) Location
	// SameLock reports whether the locks taken at two locations may be the same.
	SameLock(l, m Location) bool
	// Distance returns the least number of instructions from before one location, or from after it
	// if it has been passed, to another, calls, returns and go statements included, -1 if there is
	// no way.
	Distance(from Location, passed bool, to Location) int
	// Near returns the least number of instructions from a site, which may be in the standard
	// library, to one of the places, or to one of a suspect; -1 if there is no way.
	Near(run.SiteID) int
	// Position says where l is, and Condition what is asked at a branch, for people.
	Position(l Location) string
	Condition(branch Location) string

	// Site returns the site of l in the machine of the worker that searches, NoSite if l has no
	// code, and At the locations of one: several if they begin with the same instruction of the
	// machine. Inverted says of a branch that the machine jumps if the condition does not hold.
	Site(l Location) run.SiteID
	At(run.SiteID) []Location
	Inverted(l Location) bool
}
