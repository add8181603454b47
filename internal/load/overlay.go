package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// overlayFile returns the file that the flag -overlay names in build flags, of which the last
// one counts; empty if none does.
func overlayFile(flags []string) string {
	file := ""
	for _, f := range flags {
		if name, value, ok := strings.Cut(strings.TrimPrefix(f, "-"), "="); ok && strings.TrimPrefix(name, "-") == "overlay" {
			file = value
		}
	}
	return file
}

// readOverlay returns the texts of the files that the go command reads in the place of others
// when it is run in dir with the flag -overlay: by the absolute paths of the others. Those that
// it takes for absent are none.
func readOverlay(dir, file string) (map[string][]byte, error) {
	failed := func(err error) error { return fmt.Errorf("-overlay %s: %w", file, err) }
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, failed(err)
	}
	text, err := readRegular(inDir(dir, file))
	if err != nil {
		return nil, failed(err)
	}
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &overlay); err != nil {
		return nil, failed(err)
	}
	texts := make(map[string][]byte)
	for name, by := range overlay.Replace {
		if by == "" {
			continue
		}
		text, err := readRegular(inDir(dir, by))
		if err != nil {
			return nil, failed(err)
		}
		texts[inDir(dir, name)] = text
	}
	return texts, nil
}

// inDir returns the path of a file that is named in a directory.
func inDir(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// readRegular reads a file that is no named pipe or device.
func readRegular(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	return os.ReadFile(name)
}
