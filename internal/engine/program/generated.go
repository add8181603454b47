package program

import (
	"context"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/schedule"
)

// A Generated is a file that a program has and that is on no disk.
type Generated struct {
	Text   []byte
	Driver bool // it only drives what is tested: see schedule.File
}

// LoadGenerated loads what LoadConfig has said with files, by their absolute paths, in the place of
// others or beside them. Run files have their text.
func LoadGenerated(ctx context.Context, cfg load.Config, files map[string]Generated) (*Program, error) {
	if len(files) > 0 {
		cfg.Overlay = make(map[string][]byte)
	}
	for name, f := range files {
		cfg.Overlay[name] = f.Text
	}
	p, err := newProgram(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if p.Generated == nil {
		p.Generated = make(map[string]Generated)
	}
	maps.Copy(p.Generated, files)
	return p, nil
}

// isGenerated reports whether a position is in a file that is on no disk.
func (p *Program) isGenerated(pos token.Pos) bool {
	_, ok := p.Generated[p.Fset.PositionFor(pos, false).Filename]
	return ok
}

// RecordGenerated returns the files of the program that are on no disk, as run files of a target have them.
func (p *Program) RecordGenerated(t *load.Target) []schedule.File {
	var list []schedule.File
	for _, name := range slices.Sorted(maps.Keys(p.Generated)) {
		f := p.Generated[name]
		list = append(list, schedule.File{Name: filepath.ToSlash(p.Shorten(t, name)), Text: string(f.Text), Driver: f.Driver})
	}
	return list
}

// readGenerated is the inverse of RecordGenerated, for a module with a root directory.
func readGenerated(root, goroot string, list []schedule.File) map[string]Generated {
	files := make(map[string]Generated)
	for _, f := range list {
		name := inRoot(root, f.Name)
		if rest, ok := strings.CutPrefix(f.Name, "$GOROOT/"); ok {
			name = filepath.Join(goroot, filepath.FromSlash(rest))
		}
		files[name] = Generated{[]byte(f.Text), f.Driver}
	}
	return files
}
