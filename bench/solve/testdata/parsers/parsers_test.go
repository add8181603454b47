package parsers

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"mime"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// text makes a fuzz target of a condition on a string.
func text(f *testing.F, met func(s string) bool, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if met(s) {
			t.Errorf("%q", s)
		}
	})
}

// The last day of a leap year in the next century.
func FuzzDate(f *testing.F) {
	text(f, func(s string) bool {
		d, err := time.Parse("2006-01-02", s)
		return err == nil && d.Year() > 2100 && d.YearDay() == 366
	}, "2001-01-01")
}

func FuzzAddr(f *testing.F) {
	text(f, func(s string) bool {
		a, err := netip.ParseAddr(s)
		return err == nil && a == netip.AddrFrom4([4]byte{10, 0, 0, 77})
	}, "1.2.3.4")
}

func FuzzInt(f *testing.F) {
	text(f, func(s string) bool {
		n, err := strconv.ParseInt(s, 0, 64)
		return err == nil && n == -31337
	})
}

func FuzzPair(f *testing.F) {
	text(f, func(s string) bool {
		key, value, err := pair(s)
		if err != nil || key != "id" {
			return false
		}
		n, err := strconv.Atoi(value)
		return err == nil && n == 4711
	})
}

func FuzzBase64(f *testing.F) {
	text(f, func(s string) bool {
		b, err := base64.StdEncoding.DecodeString(s)
		return err == nil && string(b) == "key:"
	})
}

func FuzzJSON(f *testing.F) {
	text(f, func(s string) bool {
		var v struct {
			A int `json:"a"`
		}
		return json.Unmarshal([]byte(s), &v) == nil && v.A == 77
	}, `{"a":1}`)
}

func FuzzDuration(f *testing.F) {
	text(f, func(s string) bool {
		d, err := time.ParseDuration(s)
		return err == nil && d == 90*time.Minute
	})
}

// A release candidate of version 1.26.
func FuzzSemver(f *testing.F) {
	text(f, func(s string) bool {
		v, err := semver(s)
		return err == nil && v.major == 1 && v.minor == 26 && v.pre == "rc1"
	}, "v1.2.3-beta")
}

// A grey that is not one of the 16 with equal digits.
func FuzzColour(f *testing.F) {
	text(f, func(s string) bool {
		c, err := hexColour(s)
		return err == nil && c[0] == c[1] && c[1] == c[2] && c[0] > 0x80 && c[0]%0x11 == 5
	}, "#a0b1c2")
}

func FuzzHex(f *testing.F) {
	text(f, func(s string) bool {
		b, err := hex.DecodeString(s)
		return err == nil && len(b) == 4 && binary.BigEndian.Uint32(b) == 0xdeadbeef
	}, "00ff")
}

func FuzzURL(f *testing.F) {
	text(f, func(s string) bool {
		u, err := url.Parse(s)
		return err == nil && u.Scheme == "ftp" && u.Port() == "2121"
	}, "http://go.dev:80/")
}

func FuzzQuery(f *testing.F) {
	text(f, func(s string) bool {
		q, err := url.ParseQuery(s)
		return err == nil && q.Get("role") == "root"
	}, "name=a%20b&x=1")
}

// An escaped character that is quoted.
func FuzzUnquote(f *testing.F) {
	text(f, func(s string) bool {
		u, err := strconv.Unquote(s)
		return err == nil && u == "\x1b[K"
	}, `"a\n"`)
}

func FuzzCalculate(f *testing.F) {
	text(f, func(s string) bool {
		n, err := calculate(s)
		return err == nil && n == 4242 && s[0] == '('
	}, "1+2*(3-4)")
}

func FuzzCSV(f *testing.F) {
	text(f, func(s string) bool {
		rows, err := csv.NewReader(strings.NewReader(s)).ReadAll()
		return err == nil && len(rows) == 2 && len(rows[0]) == 2 && rows[1][0] == "sum" && rows[1][1] == "0"
	}, "a,b\nc,d\n")
}

func FuzzRoman(f *testing.F) {
	text(f, func(s string) bool {
		n, err := roman(s)
		return err == nil && n == 1994
	}, "MMXXVI")
}

// A random UUID, version 4, of a family of its own.
func FuzzUUID(f *testing.F) {
	text(f, func(s string) bool {
		id, err := uuid(s)
		return err == nil && id[6]>>4 == 4 && id[8]>>6 == 2 && binary.BigEndian.Uint32(id[:]) == 0xcafef00d
	}, "01234567-89ab-cdef-0123-456789abcdef")
}

func FuzzMediaType(f *testing.F) {
	text(f, func(s string) bool {
		kind, params, err := mime.ParseMediaType(s)
		return err == nil && kind == "text/xml" && params["v"] == "1"
	}, "text/csv; q=0")
}

func FuzzConfig(f *testing.F) {
	text(f, func(s string) bool {
		c, err := configLine(s)
		return err == nil && c == setting{"burst", 512}
	}, "allow 10 # x")
}

func FuzzRange(f *testing.F) {
	text(f, func(s string) bool {
		first, last, err := byteRange(s)
		return err == nil && last-first == 4095 && first%4096 == 1
	}, "bytes=1000-1999")
}

// A card number of one issuer, with the right check digit.
func FuzzCard(f *testing.F) {
	text(f, func(s string) bool {
		return len(s) == 16 && luhn(s) && strings.HasPrefix(s, "4026") && strings.HasSuffix(s, "7")
	}, "0000000000000000")
}

func FuzzRecords(f *testing.F) {
	f.Add([]byte{1, 1, 0, 2, 2, 0, 0, 3, 1, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := records(b)
		if err == nil && len(list) == 3 && list[1].typ == 7 && string(list[1].value) == "go" {
			t.Errorf("%v", b)
		}
	})
}
