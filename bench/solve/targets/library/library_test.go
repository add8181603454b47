package library

import (
	"bytes"
	"encoding/ascii85"
	"encoding/asn1"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/xml"
	"go/scanner"
	"go/token"
	"io"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"net/url"
	"path"
	"regexp/syntax"
	"strconv"
	"strings"
	"testing"
	"text/template/parse"
	"time"
	"unicode/utf8"

	"bufio"
)

func FuzzParseInt(f *testing.F) {
	f.Add("-0x1f", 0)
	f.Fuzz(func(t *testing.T, s string, base int) {
		n, err := strconv.ParseInt(s, base, 64)
		if err != nil {
			return
		}
		if again, err := strconv.ParseInt(strconv.FormatInt(n, 10), 10, 64); err != nil || again != n {
			t.Errorf("%d is read back as %d: %v", n, again, err)
		}
	})
}

func FuzzParseFloat(f *testing.F) {
	f.Add("1.5e3")
	f.Fuzz(func(t *testing.T, s string) {
		x, err := strconv.ParseFloat(s, 64)
		if err == nil && x < 0 && !strings.HasPrefix(s, "-") {
			t.Errorf("%q is %v", s, x)
		}
	})
}

func FuzzUnquote(f *testing.F) {
	f.Add(`"\u00e4\n"`)
	f.Fuzz(func(t *testing.T, s string) {
		text, err := strconv.Unquote(s)
		if err != nil {
			return
		}
		if again, err := strconv.Unquote(strconv.Quote(text)); err != nil || again != text {
			t.Errorf("%q is read back as %q: %v", text, again, err)
		}
	})
}

func FuzzParseMediaType(f *testing.F) {
	f.Add(`text/html; charset="utf-8"`)
	f.Fuzz(func(t *testing.T, s string) {
		kind, params, err := mime.ParseMediaType(s)
		if err != nil {
			return
		}
		if text := mime.FormatMediaType(kind, params); text != "" {
			if again, _, err := mime.ParseMediaType(text); err != nil || again != kind {
				t.Errorf("%q is read back as %q: %v", text, again, err)
			}
		}
	})
}

func FuzzWordDecoder(f *testing.F) {
	f.Add("=?UTF-8?Q?a=C3=A9?=")
	f.Fuzz(func(t *testing.T, s string) {
		new(mime.WordDecoder).DecodeHeader(s)
	})
}

func FuzzQuotedPrintable(f *testing.F) {
	f.Add([]byte("a=3D=\r\nb"))
	f.Fuzz(func(t *testing.T, data []byte) {
		io.Copy(io.Discard, quotedprintable.NewReader(bytes.NewReader(data)))
	})
}

func FuzzURL(f *testing.F) {
	f.Add("http://u:p@h:80/a%20b?q=1#f")
	f.Fuzz(func(t *testing.T, s string) {
		u, err := url.Parse(s)
		if err != nil {
			return
		}
		if _, err := url.Parse(u.String()); err != nil {
			t.Errorf("%q: %v", u, err)
		}
	})
}

func FuzzQuery(f *testing.F) {
	f.Add("a=1&b=%41+c")
	f.Fuzz(func(t *testing.T, s string) {
		values, err := url.ParseQuery(s)
		if err != nil {
			return
		}
		if _, err := url.ParseQuery(values.Encode()); err != nil {
			t.Errorf("%q: %v", values.Encode(), err)
		}
	})
}

func FuzzTemplate(f *testing.F) {
	f.Add("{{if .A}}x{{end}}")
	f.Fuzz(func(t *testing.T, s string) {
		parse.Parse("t", s, "", "", map[string]any{"len": true})
	})
}

func FuzzScanner(f *testing.F) {
	f.Add([]byte("x := 0x1p-2 // c"))
	f.Fuzz(func(t *testing.T, src []byte) {
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile("x.go", -1, len(src)), src, nil, scanner.ScanComments)
		for {
			if _, tok, _ := s.Scan(); tok == token.EOF {
				return
			}
		}
	})
}

func FuzzRegexp(f *testing.F) {
	f.Add("(a|[b-d]+)*x{2,3}")
	f.Fuzz(func(t *testing.T, s string) {
		re, err := syntax.Parse(s, syntax.Perl)
		if err != nil {
			return
		}
		if _, err := syntax.Parse(re.String(), syntax.Perl); err != nil {
			t.Errorf("%q: %v", re, err)
		}
	})
}

func FuzzBase64(f *testing.F) {
	f.Add("aGVsbG8=")
	f.Fuzz(func(t *testing.T, s string) {
		data, err := base64.StdEncoding.Strict().DecodeString(s)
		if err != nil {
			return
		}
		if again := base64.StdEncoding.EncodeToString(data); again != strings.NewReplacer("\r", "", "\n", "").Replace(s) {
			t.Errorf("%q is written back as %q", s, again)
		}
	})
}

func FuzzBase32(f *testing.F) {
	f.Add("NBSWY3DP")
	f.Fuzz(func(t *testing.T, s string) { base32.StdEncoding.DecodeString(s) })
}

func FuzzHex(f *testing.F) {
	f.Add("00ffA9")
	f.Fuzz(func(t *testing.T, s string) {
		data, err := hex.DecodeString(s)
		if err == nil && !strings.EqualFold(hex.EncodeToString(data), s) {
			t.Errorf("%q is written back as %x", s, data)
		}
	})
}

func FuzzASCII85(f *testing.F) {
	f.Add([]byte("87cURz!!"))
	f.Fuzz(func(t *testing.T, data []byte) {
		ascii85.Decode(make([]byte, 4*len(data)), data, true)
	})
}

func FuzzUvarint(f *testing.F) {
	f.Add([]byte{0x80, 0x80, 0x01})
	f.Fuzz(func(t *testing.T, data []byte) {
		v, n := binary.Uvarint(data)
		if n > 0 && len(binary.AppendUvarint(nil, v)) > n {
			t.Errorf("%x is %d, which is longer", data, v)
		}
	})
}

func FuzzASN1(f *testing.F) {
	f.Add([]byte{0x30, 0x06, 0x02, 0x01, 0x05, 0x0c, 0x01, 'a'})
	f.Fuzz(func(t *testing.T, data []byte) {
		var v struct {
			N int
			S string
		}
		asn1.Unmarshal(data, &v)
	})
}

func FuzzXML(f *testing.F) {
	f.Add([]byte(`<a b="c">&lt;</a>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for d := xml.NewDecoder(bytes.NewReader(data)); ; {
			if _, err := d.RawToken(); err != nil {
				return
			}
		}
	})
}

func FuzzMailAddress(f *testing.F) {
	f.Add(`"A B" <a.b@c.de>`)
	f.Fuzz(func(t *testing.T, s string) {
		a, err := mail.ParseAddress(s)
		if err != nil {
			return
		}
		if _, err := mail.ParseAddress(a.String()); err != nil {
			t.Errorf("%q: %v", a, err)
		}
	})
}

func FuzzMIMEHeader(f *testing.F) {
	f.Add([]byte("a: b\r\nc:\r\n d\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		textproto.NewReader(bufio.NewReader(bytes.NewReader(data))).ReadMIMEHeader()
	})
}

func FuzzDuration(f *testing.F) {
	f.Add("1h2m3.5s")
	f.Fuzz(func(t *testing.T, s string) {
		d, err := time.ParseDuration(s)
		if err != nil {
			return
		}
		if again, err := time.ParseDuration(d.String()); err != nil || again != d {
			t.Errorf("%v is read back as %v: %v", d, again, err)
		}
	})
}

func FuzzTime(f *testing.F) {
	f.Add("2024-02-29T23:59:60Z")
	f.Fuzz(func(t *testing.T, s string) {
		at, err := time.Parse(time.RFC3339, s)
		if err == nil && at.Month() == time.February && at.Day() == 29 && at.Year()%4 != 0 {
			t.Errorf("%v", at)
		}
	})
}

func FuzzDate(f *testing.F) {
	f.Add(2024, 2, 29)
	f.Fuzz(func(t *testing.T, year, month, day int) {
		if year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 28 {
			return
		}
		at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if at.Day() != day || at.Year() != year {
			t.Errorf("%d-%d-%d is %v", year, month, day, at)
		}
	})
}

func FuzzPath(f *testing.F) {
	f.Add("a/../b//c/.")
	f.Fuzz(func(t *testing.T, s string) {
		if clean := path.Clean(s); path.Clean(clean) != clean {
			t.Errorf("%q becomes %q", clean, path.Clean(clean))
		}
	})
}

func FuzzMatch(f *testing.F) {
	f.Add("a[b-d]*?", "abcde")
	f.Fuzz(func(t *testing.T, pattern, name string) { path.Match(pattern, name) })
}

func FuzzRunes(f *testing.F) {
	f.Add([]byte("aä\xff€😀"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		for rest := data; len(rest) > 0; n++ {
			_, size := utf8.DecodeRune(rest)
			rest = rest[size:]
		}
		if n != utf8.RuneCount(data) {
			t.Errorf("%q has %d runes", data, n)
		}
	})
}
