package config

import (
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/units"
	"github.com/kballard/go-shellquote"
	gotoml "github.com/pelletier/go-toml/v2"
	"github.com/robfig/cron/v3"
	"gopkg.in/yaml.v3"
)

func FuzzTOML(f *testing.F) {
	f.Add("a = [1, \"b\"]\n[c]\nd=1979-05-27")
	f.Fuzz(func(t *testing.T, s string) {
		var v map[string]any
		toml.Decode(s, &v)
	})
}

func FuzzGoTOML(f *testing.F) {
	f.Add([]byte("a = [1, \"b\"]\n[c]\nd=1979-05-27"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v map[string]any
		gotoml.Unmarshal(data, &v)
	})
}

func FuzzYAML(f *testing.F) {
	f.Add([]byte("a: [1, b]\nc: {d: e}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var n yaml.Node
		yaml.Unmarshal(data, &n)
	})
}

func FuzzCron(f *testing.F) {
	f.Add("*/15 0-6 1,15 * MON")
	f.Fuzz(func(t *testing.T, s string) { cron.ParseStandard(s) })
}

func FuzzUnits(f *testing.F) {
	f.Add("1GB500MB")
	f.Fuzz(func(t *testing.T, s string) { units.ParseMetricBytes(s) })
}

func FuzzShellQuote(f *testing.F) {
	f.Add(`a 'b c' "d\"e"`)
	f.Fuzz(func(t *testing.T, s string) {
		words, err := shellquote.Split(s)
		if err != nil {
			return
		}
		if again, err := shellquote.Split(shellquote.Join(words...)); err != nil || len(again) != len(words) {
			t.Errorf("%q is read back as %q: %v", words, again, err)
		}
	})
}
