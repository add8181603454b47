package report

import (
	"fmt"
	"io"
	"time"

	"github.com/everyway-go/everyway/internal/profile"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A costProfile is a document that go tool pprof reads: where in the program the searches have spent their
// runs and their time.
type costProfile struct {
	verdict.Quiet
	now     func() time.Time // nil if times are not to be said
	began   time.Time
	targets []profile.Target
	// missing has, for targets whose search has ended, what is not in their profiles.
	missing []string
}

func newCostProfile(c Config) Document {
	p := &costProfile{now: c.Now}
	if p.now != nil {
		p.began = p.now()
	}
	return p
}

// NotBuilt implements Document.
func (p *costProfile) NotBuilt(*NotBuilt) {}

// Found implements verdict.Observer.
func (p *costProfile) Found(r *verdict.Result, _ *verdict.Counterexample) { p.set(r) }

// Ended implements verdict.Observer.
func (p *costProfile) Ended(r *verdict.Result) {
	p.set(r)
	if n := r.Runs - int(r.Profile.Total().Runs); n > 0 {
		p.missing = append(p.missing, fmt.Sprintf("%s.%s: %d of %d runs were made before without -profile, and are not in it", r.Package, r.Target, n, r.Runs))
	}
}

// set takes the profile of a search as far as it has come.
func (p *costProfile) set(r *verdict.Result) {
	t := profile.Target{Package: r.Package, Name: r.Target, Profile: r.Profile}
	for i := range p.targets {
		if was := &p.targets[i]; was.Package == t.Package && was.Name == t.Name {
			*was = t
			return
		}
	}
	p.targets = append(p.targets, t)
}

// Encode implements Document.
func (p *costProfile) Encode(w io.Writer) error {
	f := profile.File{Targets: p.targets, Comments: p.missing, Began: p.began}
	if p.now != nil {
		f.Elapsed = p.now().Sub(p.began)
	}
	if err := profile.Write(w, &f); err != nil {
		return fmt.Errorf("writing the profile: %w", err)
	}
	return nil
}
