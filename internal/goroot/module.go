package goroot

import (
	"os"
	"path/filepath"
)

// copyTo copies Go files into a new module, changed.
func copyTo(dir, module string, files []string, change func([]byte) []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+module+"\n\ngo 1.26\n"), 0o666); err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), change(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
