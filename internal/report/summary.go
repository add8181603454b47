package report

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/verdict"
)

// A Summary says what the searches of several targets ended with.
type Summary struct {
	Targets int // that were searched
	Holds   int `json:",omitempty"`
	Open    int `json:",omitempty"`
	Fails   int `json:",omitempty"`
	Skipped int `json:",omitempty"`
	Reached int `json:",omitempty"`
	// Unreachable counts targets in which nothing leads to the places of -reach.
	Unreachable int `json:",omitempty"`
	// Possible counts searches that began in the middle of the program and found something from there.
	Possible  int     `json:",omitempty"`
	Cached    int     `json:",omitempty"` // targets whose verdict was known before
	Undecided []Cause `json:",omitempty"` // why targets are open, what most of them have in common first

	Unbegun  []Target `json:",omitempty"` // that were not searched
	NotBuilt []string `json:",omitempty"` // packages whose tests could not be built
}

// A Target is named by its package and its test.
type Target struct {
	Package string
	Test    string
}

// A Cause is why targets are open.
type Cause struct {
	Reason    string   // without what is particular to a target
	Positions []string `json:",omitempty"` // at which it was met, file:line:column
	Targets   []OpenTarget

	root  string // that files of Positions are relative to
	saved bool   // a search with it can be resumed
}

// An OpenTarget is a target that is open for some reason.
type OpenTarget struct {
	Target
	Share  string `json:",omitempty"` // how far the search has come, if it has not come to its end
	Budget int    `json:",omitempty"` // the seconds that the search would take, as far as that can be estimated
}

// summary makes a Summary of the results that it is given.
type summary struct {
	loaded  int // targets to be searched
	results []verdict.Result
	unbegun []Target
	broken  []string // packages
}

func (s *summary) add(r *verdict.Result) {
	s.results = append(s.results, verdict.Result{Package: r.Package, Target: r.Target, Root: r.Root, Elapsed: r.Elapsed, Totals: r.Totals})
}

func (s *summary) addNotBuilt(pkg string) { s.broken = append(s.broken, pkg) }

func (s *summary) addUnbegun(pkg, target string) {
	s.unbegun = append(s.unbegun, Target{pkg, target})
}

// several reports whether there are several targets: the verdict of one needs no summary.
func (s *summary) several() bool { return s.loaded > 1 || len(s.results) > 1 }

// make sums up.
func (s *summary) make() Summary {
	sum := Summary{Targets: len(s.results), Unbegun: s.unbegun, NotBuilt: s.broken}
	causes := map[string]*Cause{}
	for i := range s.results {
		r := &s.results[i]
		if r.Cached {
			sum.Cached++
		}
		switch r.Verdict {
		case verdict.Holds:
			sum.Holds++
		case verdict.Fails:
			sum.Fails++
		case verdict.Skipped:
			sum.Skipped++
		case verdict.Reached:
			sum.Reached++
		case verdict.Unreachable:
			sum.Unreachable++
		case verdict.Possible:
			sum.Possible++
		case verdict.Open:
			sum.Open++
			addCauses(causes, r)
		}
	}
	for _, c := range causes {
		sum.Undecided = append(sum.Undecided, *c)
	}
	slices.SortFunc(sum.Undecided, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(len(b.Targets), len(a.Targets)), strings.Compare(a.Reason, b.Reason))
	})
	return sum
}

// addCauses adds to causes, by their reasons, those of a result that is open.
func addCauses(causes map[string]*Cause, r *verdict.Result) {
	for _, why := range r.Open {
		reason, pos, unfinished := splitReason(why)
		c := causes[reason]
		if c == nil {
			c = &Cause{Reason: reason, root: r.Root}
			causes[reason] = c
		}
		if pos != "" && !slices.Contains(c.Positions, pos) {
			c.Positions = append(c.Positions, pos)
		}
		c.saved = c.saved || !strings.Contains(why, " (and cannot be resumed: ")
		t := OpenTarget{Target: Target{r.Package, r.Target}}
		if unfinished {
			t.Share = r.Share()
			if r.Runs > 0 && r.Estimate > r.Runs {
				t.Budget = int(math.Ceil(r.Elapsed.Seconds() * float64(r.Estimate) / float64(r.Runs)))
			}
		}
		if !slices.Contains(c.Targets, t) {
			c.Targets = append(c.Targets, t)
		}
	}
}

var (
	// position is that at the beginning of a reason.
	position = regexp.MustCompile(`^(\S+\.\w+:\d+(?::\d+)?): `)
	// unique is what the reason of a search that did not come to its end says of this
	// search alone.
	unique = regexp.MustCompile(`(, after [\d,]+ of about [\d,]+ runs, [\d.]+%)?(; -resume goes on| \(and cannot be resumed: .*\))$`)
)

// splitReason splits why a target is open into what it may have in common with others, and the
// position where it was met. unfinished says that the search could go on.
func splitReason(why string) (reason, pos string, unfinished bool) {
	reason, _, _ = strings.Cut(why, "\n")
	if m := position.FindStringSubmatch(reason); m != nil {
		reason, pos = reason[len(m[0]):], m[1]
	}
	if m := unique.FindStringIndex(reason); m != nil {
		reason, unfinished = reason[:m[0]], true
	}
	return reason, pos, unfinished || strings.HasSuffix(reason, " is spent")
}

// line is the summary in one line.
func (s *Summary) line(elapsed time.Duration) string {
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{
		{s.Holds, "holds", "hold"},
		{s.Open, "open", "open"},
		{s.Fails, "fails", "fail"},
		{s.Skipped, "skipped", "skipped"},
		{s.Reached, "reached", "reached"},
		{s.Unreachable, "unreachable", "unreachable"},
		{s.Possible, "possible", "possible"},
		{len(s.Unbegun), "not searched", "not searched"},
	} {
		switch p.n {
		case 0:
		case 1:
			parts = append(parts, "1 "+p.one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.many))
		}
	}
	cached := ""
	if s.Cached > 0 {
		cached = fmt.Sprintf(" (%d cached)", s.Cached)
	}
	return fmt.Sprintf("%s%s: %s; %s", Count(s.Targets+len(s.Unbegun), "target"), cached, strings.Join(parts, ", "),
		elapsed.Round(roundTo(elapsed)))
}

// roundTo returns what a duration is rounded to when it is shown.
func roundTo(d time.Duration) time.Duration {
	if d < time.Minute {
		return 10 * time.Millisecond
	}
	return time.Second
}

// maxListed bounds the targets that are listed with a cause.
const maxListed = 8

// text returns the cause in one line. Positions are shown as the function says, and packages
// without the beginning that all have in common.
func (c *Cause) text(show func(root, pos string) string, common string) string {
	var b strings.Builder
	if len(c.Positions) > 0 {
		b.WriteString(show(c.root, c.Positions[0]))
		switch n := len(c.Positions) - 1; n {
		case 0:
		case 1:
			b.WriteString(" and 1 more place")
		default:
			fmt.Fprintf(&b, " and %d more places", n)
		}
		b.WriteString(": ")
	}
	b.WriteString(c.Reason)
	for _, a := range answers {
		if strings.HasPrefix(c.Reason, a.reason) {
			answer := a.answer
			if !c.saved {
				answer = strings.TrimPrefix(strings.TrimPrefix(answer, "-resume"), ", or ")
			}
			if answer != "" {
				b.WriteString(" (" + answer + ")")
			}
			break
		}
	}
	b.WriteString(": ")
	list(&b, len(c.Targets), func(i int) string { return c.Targets[i].text(common) })
	return b.String()
}

// unbegunText names the targets that were not searched.
func (s *Summary) unbegunText(common string) string {
	var b strings.Builder
	b.WriteString("not searched: ")
	list(&b, len(s.Unbegun), func(i int) string { return s.Unbegun[i].text(common) })
	return b.String()
}

// notBuiltText names the packages that could not be built.
func (s *Summary) notBuiltText() string {
	var b strings.Builder
	b.WriteString("not built: ")
	list(&b, len(s.NotBuilt), func(i int) string { return s.NotBuilt[i] })
	return b.String()
}

// list writes the first of n texts.
func list(b *strings.Builder, n int, text func(i int) string) {
	for i := range min(n, maxListed) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(text(i))
	}
	if n > maxListed {
		fmt.Fprintf(b, ", and %d more", n-maxListed)
	}
}

// answers are what to do about reasons, by their beginnings.
var answers = []struct{ reason, answer string }{
	{"the budget of ", "-resume, or a longer -budget"},
	{"the total of ", "-resume, or a longer -total"},
	{"the bound of ", "-resume, or more -runs"},
	{"interrupted", "-resume"},
}

// maxBudget is the longest budget that is proposed, in seconds.
const maxBudget = 24 * 60 * 60

func (t *Target) text(common string) string {
	return strings.TrimPrefix(t.Package, common) + "." + t.Test
}

func (t *OpenTarget) text(common string) string {
	name := t.Target.text(common)
	switch {
	case t.Share == "":
		return name
	case t.Budget > 0 && t.Budget <= maxBudget:
		return fmt.Sprintf("%s (%s, about -budget %s)", name, t.Share, roundBudget(t.Budget))
	}
	return fmt.Sprintf("%s (%s)", name, t.Share)
}

// roundBudget returns a budget of so many seconds in the form that -budget takes, rounded up.
func roundBudget(seconds int) string {
	switch {
	case seconds > 2*60*60:
		return fmt.Sprintf("%dh", (seconds+60*60-1)/(60*60))
	case seconds > 2*60:
		return fmt.Sprintf("%dm", (seconds+60-1)/60)
	}
	return fmt.Sprintf("%ds", seconds)
}

// version matches the element of a path that is the major version of a module.
var version = regexp.MustCompile(`^v[0-9]+(/|$)`)

// commonPackages returns the path, with a slash at its end, below which the packages of all
// targets are. What it leaves of a package has a name, and is not only a version.
func (s *summary) commonPackages() string {
	var packages []string
	for i := range s.results {
		packages = append(packages, s.results[i].Package)
	}
	for _, t := range s.unbegun {
		packages = append(packages, t.Package)
	}
	if len(packages) == 0 {
		return ""
	}
	common := packages[0]
	for _, pkg := range packages {
		for !strings.HasPrefix(pkg, common) {
			common = common[:len(common)-1]
		}
	}
	end := strings.LastIndexByte(common, '/')
	if version.MatchString(packages[0][end+1:]) {
		end = strings.LastIndexByte(common[:max(end, 0)], '/')
	}
	return common[:end+1]
}

// Count says how many there are of something: 1 run, 2 runs.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
