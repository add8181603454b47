package search

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy"
)

// TestMutatedFiles reads search files of which bytes were changed, cut out, doubled or swapped,
// and fields were given other numbers: each is refused.
func TestMutatedFiles(t *testing.T) {
	dir := t.TempDir()
	f := &file{
		path:   disk.Path{Dir: disk.Dir{System: disk.Host{}, Path: dir}, Name: "x.search"},
		header: header{Version: fileVersion, Package: "example.com/m", Target: "TestX"},
		seen:   func() ([]program.Seen, error) { return nil, nil },
	}
	base := &strategy.Base{From: &strategy.Base{Data: []byte{7}}, Data: []byte{8}}
	item := func(data ...byte) strategy.Item { return strategy.Item{Base: base, Data: data, Size: 3} }
	st := &state{Phase: 1, Round: 3, Numbered: 7, Degree: -1, Frontier: []strategy.Item{item(1, 2, 3), item(4, 5)}, Left: []strategy.Item{{Data: []byte{9}}}}
	f.write(st)
	if f.err != nil {
		t.Fatal(f.err)
	}
	path := filepath.Join(dir, "x.search")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.read(); err != nil {
		t.Fatal(err)
	}
	for i := range sample.Of(2000, 500, 100) {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		text := mutate(r, bytes.Clone(whole))
		if bytes.Equal(text, whole) {
			continue
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.read(); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("mutation %d: the error is %v, want one line\n%s", i, err, text)
		}
	}
}

// mutate changes a text of JSON lines.
func mutate(r *rand.Rand, text []byte) []byte {
	at := r.IntN(len(text))
	end := min(len(text), at+1+r.IntN(20))
	switch r.IntN(6) {
	case 0:
		text[at] ^= 1 << r.IntN(8)
		return text
	case 1:
		return append(text[:at:at], text[end:]...)
	case 2:
		return append(text[:end:end], text[at:]...)
	case 3:
		return text[:at]
	}
	// The value of a field is another one.
	var colons []int
	for i, c := range text {
		if c == ':' {
			colons = append(colons, i)
		}
	}
	i := colons[r.IntN(len(colons))] + 1
	n := bytes.IndexAny(text[i:], ",}\n")
	values := []string{"-1", "0", "9223372036854775807", "1e400", "null", `""`, "[]", "{}", `["AQ=="]`, "true"}
	return append(append(text[:i:i], values[r.IntN(len(values))]...), text[i+n:]...)
}
