package smtlib

import (
	"errors"
	"strconv"

	"github.com/everyway-go/everyway/internal/expr/smtlib/sexpr"
)

// ErrWide is the error of scripts that have bit-vectors of more than 64 bits.
var ErrWide = errors.New("bit-vectors of more than 64 bits")

// sort is the sort of a term: Bool, whose terms are bits, a bit-vector, or an array of
// them.
type sort struct {
	isBool bool
	width  uint8 // of the elements of an array
	index  uint8 // of the indexes of an array, otherwise 0
}

var boolSort = sort{isBool: true, width: 1}

// String returns the sort as SMT-LIB has it.
func (s sort) String() string {
	bits := func(width uint8) string { return "(_ BitVec " + strconv.Itoa(int(width)) + ")" }
	switch {
	case s.isBool:
		return "Bool"
	case s.index > 0:
		return "(Array " + bits(s.index) + " " + bits(s.width) + ")"
	}
	return bits(s.width)
}

// parseSort reads a sort.
func parseSort(e *sexpr.Expr) (sort, error) {
	switch {
	case e.Atom == "Bool":
		return boolSort, nil
	case len(e.List) == 3 && e.Head() == "_" && e.List[1].Atom == "BitVec":
		width, err := e.List[2].Number()
		if err != nil {
			return sort{}, err
		}
		if err := checkWidth(e, width); err != nil {
			return sort{}, err
		}
		return sort{width: uint8(width)}, nil
	case len(e.List) == 3 && e.Head() == "Array":
		index, err := parseSort(e.List[1])
		if err != nil {
			return sort{}, err
		}
		elem, err := parseSort(e.List[2])
		if err != nil {
			return sort{}, err
		}
		if index.isBool || index.index > 0 || elem.isBool || elem.index > 0 {
			return sort{}, e.Errorf("an array of other than bit-vectors is not supported")
		}
		return sort{index: index.width, width: elem.width}, nil
	}
	return sort{}, e.Errorf("a sort that is not supported")
}

// checkWidth checks the width of a bit-vector.
func checkWidth(e *sexpr.Expr, width int) error {
	switch {
	case width < 1:
		return e.Errorf("bad width %d", width)
	case width > 64:
		return e.Errorf("%w", ErrWide)
	}
	return nil
}
