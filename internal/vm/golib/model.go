package golib

import (
	"path/filepath"
	"strings"
)

// IsModel reports whether a source file, as positions name it, is one of a model. There is none in GOROOT.
func IsModel(file string) bool { return strings.HasPrefix(filepath.Base(file), modelPrefix) }
