package x

import (
	"testing"

	"golang.org/x/mod/modfile"
	modsemver "golang.org/x/mod/semver"
	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/net/http2/hpack"
	"golang.org/x/net/idna"
	"golang.org/x/text/language"
)

func FuzzModSemver(f *testing.F) {
	f.Add("v1.2.3-rc.1+b5", "v1.2.3-rc.2")
	f.Fuzz(func(t *testing.T, v, w string) {
		if modsemver.Compare(v, w) != -modsemver.Compare(w, v) {
			t.Errorf("%q and %q compare as %d both ways", v, w, modsemver.Compare(v, w))
		}
	})
}

func FuzzModfile(f *testing.F) {
	f.Add([]byte("module m\ngo 1.2\n"))
	f.Fuzz(func(t *testing.T, data []byte) { modfile.Parse("go.mod", data, nil) })
}

func FuzzIDNA(f *testing.F) {
	f.Add("xn--bcher-kva.de")
	f.Fuzz(func(t *testing.T, s string) { idna.Punycode.ToUnicode(s) })
}

func FuzzHpack(f *testing.F) {
	f.Add([]byte{0x82, 0x40, 0x01, 'a', 0x81, 0x1f})
	f.Fuzz(func(t *testing.T, data []byte) {
		hpack.NewDecoder(4096, func(hpack.HeaderField) {}).Write(data)
	})
}

func FuzzDNSMessage(f *testing.F) {
	f.Add([]byte("\x00\x01\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01a\x02de\x00\x00\x01\x00\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m dnsmessage.Message
		if m.Unpack(data) == nil {
			m.Pack()
		}
	})
}

func FuzzLanguage(f *testing.F) {
	f.Add("de-Latn-AT")
	f.Fuzz(func(t *testing.T, s string) { language.Parse(s) })
}
