package version

import (
	"testing"

	"github.com/Masterminds/semver/v3"
	"github.com/dustin/go-humanize"
	"github.com/google/uuid"
	"github.com/hashicorp/go-version"
	"github.com/oklog/ulid/v2"
)

func FuzzUUID(f *testing.F) {
	f.Add("urn:uuid:f47ac10b-58cc-0372-8567-0e02b2c3d479")
	f.Fuzz(func(t *testing.T, s string) {
		u, err := uuid.Parse(s)
		if err != nil {
			return
		}
		if again, err := uuid.Parse(u.String()); err != nil || again != u {
			t.Errorf("%v is read back as %v: %v", u, again, err)
		}
	})
}

func FuzzULID(f *testing.F) {
	f.Add("01ARZ3NDEKTSV4RRFFQ69G5FAV")
	f.Fuzz(func(t *testing.T, s string) {
		var u, again ulid.ULID
		if u.UnmarshalText([]byte(s)) != nil {
			return
		}
		if err := again.UnmarshalText([]byte(u.String())); err != nil || again != u {
			t.Errorf("%v is read back as %v: %v", u, again, err)
		}
	})
}

func FuzzSemver(f *testing.F) {
	f.Add("1.2.3-beta.1+b", "1.x")
	f.Fuzz(func(t *testing.T, v, w string) {
		a, err := semver.NewVersion(v)
		if err != nil {
			return
		}
		if b, err := semver.NewVersion(w); err == nil && a.Compare(b) != -b.Compare(a) {
			t.Errorf("%v and %v compare as %d both ways", a, b, a.Compare(b))
		}
	})
}

func FuzzVersion(f *testing.F) {
	f.Add("1.2.3-rc1+m")
	f.Fuzz(func(t *testing.T, s string) { version.NewVersion(s) })
}

func FuzzHumanize(f *testing.F) {
	f.Add("42 MiB")
	f.Fuzz(func(t *testing.T, s string) { humanize.ParseBytes(s) })
}
