package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// copyTrie writes a module with copies of the files of sync.Map and internal/sync.HashTrieMap, in
// which what only GOROOT can import is replaced: the hash of a key is that of a number.
func copyTrie(dir string) error {
	src := filepath.Join(runtime.GOROOT(), "src")
	for _, f := range []struct {
		from, to string
		replace  []string
	}{
		{"internal/sync/hashtriemap.go", "hashtriemap.go", []string{
			"package sync\n", "package trie\n",
			"\t\"internal/abi\"\n\t\"internal/goarch\"\n\t\"sync/atomic\"\n", "\t\"sync\"\n\t\"sync/atomic\"\n",
			"type hashFunc func", "type Mutex = sync.Mutex\n\ntype hashFunc func",
			"\tvar m map[K]V\n\tmapType := abi.TypeOf(m).MapType()\n", "",
			"mapType.Hasher", "func(p unsafe.Pointer, seed uintptr) uintptr { return uintptr(any(*(*K)(p)).(int)) * 0x9e3779b97f4a7c15 }",
			"mapType.Elem.Equal", "func(p, q unsafe.Pointer) bool { return any(*(*V)(p)) == any(*(*V)(q)) }",
			"uintptr(runtime_rand())", "0",
			"goarch.PtrSize", "8",
			"abi.NoEscape", "",
			"//go:linkname runtime_rand runtime.rand\nfunc runtime_rand() uint64\n", "",
		}},
		{"sync/map.go", "map.go", []string{
			"package sync\n", "package trie\n",
			"\tisync \"internal/sync\"\n", "",
			"import (\n)\n", "",
			"\t_ noCopy\n", "",
			"isync.HashTrieMap", "HashTrieMap",
		}},
	} {
		text, err := os.ReadFile(filepath.Join(src, filepath.FromSlash(f.from)))
		if err != nil {
			return fmt.Errorf("copying sync.Map: %w", err)
		}
		copied := strings.NewReplacer(f.replace...).Replace(string(text))
		if err := os.WriteFile(filepath.Join(dir, f.to), []byte(copied), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+trie+"\n\ngo 1.26\n"), 0o666)
}
