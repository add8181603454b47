package memory

import (
	"errors"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

func TestSize(t *testing.T) {
	for _, test := range []struct {
		text string
		want Size // 0 if it is refused
		as   string
	}{
		{"1", 1, "1B"},
		{"512MiB", 512 << 20, "512MiB"},
		{"512mib", 512 << 20, "512MiB"},
		{"1.5GiB", 3 << 29, "1536MiB"},
		{"2GB", 2_000_000_000, "1.9GiB"},
		{"2G", 2_000_000_000, "1.9GiB"},
		{"4TiB", 4 << 40, "4TiB"},
		{"18446744073709551615", 0, ""},
		{"0", 0, ""},
		{"-1GiB", 0, ""},
		{"1GX", 0, ""},
		{"much", 0, ""},
		{"", 0, ""},
	} {
		got, err := ParseSize(test.text)
		if got != test.want || (err != nil) != (test.want == 0) {
			t.Errorf("ParseSize(%q) = %d, %v", test.text, got, err)
		}
		if err == nil && got.String() != test.as {
			t.Errorf("%q is printed as %v, not %s", test.text, got, test.as)
		}
	}
}

func TestAvailable(t *testing.T) {
	none := func() (uint64, error) { return 0, errors.New("not known") }
	for _, test := range []struct {
		system, group memlimit.Provider
		want          Size
	}{
		{memlimit.Limit(8 << 30), none, 6 << 30},
		{memlimit.Limit(8 << 30), memlimit.Limit(4 << 30), 3 << 30},
		{none, memlimit.Limit(4 << 30), 3 << 30},
		{none, none, leastDefault},
	} {
		if got := available(test.system, test.group); got != test.want {
			t.Errorf("available is %v, not %v", got, test.want)
		}
	}
}
