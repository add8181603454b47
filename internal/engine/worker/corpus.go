package worker

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
)

// writeCorpus writes a seed to where go test and go test -fuzz look for those of a target, and
// returns its path, which is empty if the package is not one to write to. The name is a hash of
// the contents, as theirs are. The file is not made in their directory, where one that is not
// complete would be a seed.
func writeCorpus(prog *program.Program, t *load.Target, entry []byte) (string, error) {
	file, ok := prog.Seed(t, fmt.Sprintf("%x", sha256.Sum256(entry))[:16])
	if !ok {
		return "", nil
	}
	err := file.WriteBy(path.Dir(path.Dir(file.Name)), func(to io.Writer) error {
		_, err := to.Write(entry)
		return err
	})
	if err != nil {
		return "", err
	}
	return file.String(), nil
}

// ReadCorpus returns the seeds of a fuzz test that lie in testdata/fuzz below the package's
// directory. A file that is no seed, or cannot be read, is in the list, with what is wrong
// with it; so is the directory.
func ReadCorpus(prog *program.Program, t *load.Target) ([]run.CorpusEntry, error) {
	if t.Kind != load.TargetFuzz {
		return nil, nil
	}
	files, root, err := prog.CorpusFiles(t)
	if err != nil {
		return nil, fmt.Errorf("reading the corpus: %w", err)
	}
	dir := path.Join("testdata", "fuzz", t.Name)
	found, err := fs.ReadDir(files, path.Join(root, dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, program.ErrOutside) {
		return nil, outside(dir)
	}
	if err != nil {
		return []run.CorpusEntry{{Name: dir, Err: "reading seed corpus from testdata: " + innermost(err)}}, nil
	}
	var entries []run.CorpusEntry
	for _, file := range found {
		if file.IsDir() {
			continue
		}
		name := path.Join(dir, file.Name())
		e := run.CorpusEntry{Name: name}
		data, err := fs.ReadFile(files, path.Join(root, name))
		if errors.Is(err, program.ErrOutside) {
			return nil, outside(name)
		}
		if err != nil {
			e.Err = "failed to read corpus file: " + innermost(err)
		} else if e.Values, err = parseSeed(string(data)); err != nil {
			e.Err = "unmarshal: " + err.Error()
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// outside says that seeds cannot be read that go test reads.
func outside(name string) error {
	return &UnsupportedError{fmt.Sprintf("not supported: seeds outside of the module, to which %s leads by a symbolic link", name)}
}

// innermost returns why a file could not be read, without its path.
func innermost(err error) string {
	if wrong, ok := errors.AsType[*fs.PathError](err); ok {
		return wrong.Err.Error()
	}
	return err.Error()
}

// seedOf returns a seed as an input: the values of the parameters, to begin with, or, if
// it is too long to be drawn, the choice to run it as it is.
func seedOf(e *run.CorpusEntry, params []run.Param, maxLen int) run.Input {
	in := run.Input{}
	for i, p := range params {
		v := &e.Values[i]
		if len(v.Text) > maxLen {
			return run.Input{e.Name: 1}
		}
		if p.Type != "string" && p.Type != "[]uint8" {
			in[p.Name] = v.Bits
			continue
		}
		in["len("+p.Name+")"] = uint64(len(v.Text))
		for k := range len(v.Text) {
			in[fmt.Sprintf("%s[%d]", p.Name, k)] = uint64(v.Text[k])
		}
	}
	return in
}
