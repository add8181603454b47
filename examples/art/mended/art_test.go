package art

import "testing"

func FuzzArt2(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b byte) { run(t, a, b) })
}

func FuzzArt3(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b, c byte) { run(t, a, b, c) })
}

func FuzzArt4(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b, c, d byte) { run(t, a, b, c, d) })
}

func FuzzArt5(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b, c, d, e byte) { run(t, a, b, c, d, e) })
}

func run(t *testing.T, keys ...byte) {
	Relay(func(err error) { t.Error(err) }, keys...)
}
