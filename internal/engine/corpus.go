package engine

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/types"
	"os"
	"path/filepath"

	"github.com/everyway-go/everyway/schedule"
)

// corpusVersion is the first line of a seed file of go test's fuzzing.
const corpusVersion = "go test fuzz v1"

// corpusEntry returns a seed file in the format of go test -fuzz: a line for
// each argument of the fuzz callback after the *testing.T. Arguments that the
// run did not draw are zero.
func corpusEntry(params []*types.Var, input []schedule.Input) []byte {
	vars := map[string]schedule.Variable{}
	for _, v := range schedule.Variables(input) {
		vars[v.Name] = v
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, corpusVersion)
	for _, p := range params {
		typ := typeName(p.Type())
		text := zeroLiteral(typ)
		if v, ok := vars[p.Name()]; ok {
			text = v.Text
		}
		if v, ok := vars[p.Name()]; ok && v.Type == typ && typ == "[]byte" {
			fmt.Fprintln(&b, text)
			continue
		}
		fmt.Fprintf(&b, "%s(%s)\n", typ, text)
	}
	return b.Bytes()
}

func zeroLiteral(typ string) string {
	switch typ {
	case "string", "[]byte":
		return `""`
	case "bool":
		return "false"
	}
	return "0"
}

// writeCorpus writes a seed to testdata/fuzz/target below the package's
// directory, where go test and go test -fuzz look for it, and returns its path.
// The name is a hash of the contents, as theirs are.
func writeCorpus(dir, target string, entry []byte) (string, error) {
	dir = filepath.Join(dir, "testdata", "fuzz", target)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("saving the input: %w", err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%x", sha256.Sum256(entry))[:16])
	if err := os.WriteFile(path, entry, 0o666); err != nil {
		return "", fmt.Errorf("saving the input: %w", err)
	}
	return path, nil
}
