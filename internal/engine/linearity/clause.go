package linearity

import (
	"fmt"
	"go/parser"
	"go/token"
)

// packageClause returns the text of a file that is of the same package as another one, and has nothing in it.
func packageClause(name string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly)
	if err != nil {
		return "", fmt.Errorf("reading the tests of the package: %w", err)
	}
	return "package " + f.Name.Name + "\n", nil
}
