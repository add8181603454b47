package load_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// BenchmarkLoad loads a test that uses fmt, strings, sync and testing: as package
// engine does, with the models as an overlay, and with GOROOT as it is.
func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\n\ngo 1.26\n",
		"m_test.go": "package m\n\nimport (\n\t_ \"fmt\"\n\t_ \"strings\"\n\t_ \"sync\"\n\t_ \"testing\"\n)\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	toolchain, err := load.FindToolchain(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	models, err := golib.Overlay(toolchain.GOROOT)
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name string
		cfg  load.Config
	}{
		{"library", load.Config{Library: golib.Library{}, Toolchain: toolchain, Lazy: true}},
		{"models", load.Config{Overlay: models}},
		{"goroot", load.Config{}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			bench.cfg.Dir, bench.cfg.Tests = dir, true
			for b.Loop() {
				r, err := load.Load(b.Context(), bench.cfg)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(r.All)), "packages")
			}
		})
	}
}
