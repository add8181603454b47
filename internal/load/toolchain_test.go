package load

import "testing"

func TestUntested(t *testing.T) {
	const tested = "; everyway is tested with go1.26 on linux/amd64"
	for _, test := range []struct{ version, os, arch, want string }{
		{"go1.26", "linux", "amd64", ""},
		{"go1.26.8", "linux", "amd64", ""},
		{"go1.26.8", "linux", "arm64", "this is go1.26.8 on linux/arm64" + tested},
		{"go1.26.8", "darwin", "amd64", "this is go1.26.8 on darwin/amd64" + tested},
		{"go1.27", "linux", "amd64", "this is go1.27 on linux/amd64" + tested},
		{"go1.26rc1", "linux", "amd64", "this is go1.26rc1 on linux/amd64" + tested},
		{"", "linux", "amd64", "this is an unreleased Go on linux/amd64" + tested},
	} {
		toolchain := Toolchain{Version: test.version, GOOS: test.os, GOARCH: test.arch}
		if got := toolchain.Untested(); got != test.want {
			t.Errorf("%s on %s/%s: %q, want %q", test.version, test.os, test.arch, got, test.want)
		}
	}
}
