package recording

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

// A frame is a place in the code: a call of a function, of which there are several at one
// instruction if functions are inlined.
type frame struct {
	function, file string
	line           int
}

// symbols finds the places of instructions of a program, with its debug information.
type symbols struct {
	data   *dwarf.Data
	units  []unit
	frames map[uint64][]frame
}

// A unit is a compilation unit, which is a package.
type unit struct {
	low, high uint64
	*contents
}

// The contents of a unit are read when they are needed.
type contents struct {
	entry *dwarf.Entry
	lines []dwarf.LineEntry
	files []*dwarf.LineFile
	calls []call // by where they begin; an inlined one after the one that it is in
}

// A call is the code of a function, or of one that is inlined.
type call struct {
	low, high uint64
	name      string
	inlined   bool
	file      int // inlined: from where
	line      int
}

// checkSymbols returns an error if a program has no debug information.
func checkSymbols(program string) error {
	f, err := elf.Open(program)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, s := range f.Sections {
		if strings.HasSuffix(s.Name, "debug_info") {
			return nil
		}
	}
	return errors.New("the test is built with no debug information, by which places have names: leave -w and -s out of -ldflags")
}

// assembly returns the import paths of the packages of a program that have files in assembly, but
// for those in a directory.
func assembly(program, but string) ([]string, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := f.DWARF()
	if err != nil {
		return nil, fmt.Errorf("reading debug information: %w", err)
	}
	var list []string
	r := data.Reader()
	for {
		e, err := r.Next()
		if err != nil {
			return nil, fmt.Errorf("reading debug information: %w", err)
		}
		if e == nil {
			break
		}
		if e.Val(dwarf.AttrLanguage) == int64(languageGo) {
			lines, err := data.LineReader(e)
			if err != nil {
				return nil, fmt.Errorf("reading debug information: %w", err)
			}
			if lines == nil {
				r.SkipChildren()
				continue
			}
			name, _ := e.Val(dwarf.AttrName).(string)
			for _, file := range lines.Files() {
				if file != nil && strings.HasSuffix(file.Name, ".s") && !strings.HasPrefix(file.Name, but) {
					list = append(list, name)
				}
			}
		}
		r.SkipChildren()
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// languageGo is what says that a compilation unit is in Go, DW_LANG_Go.
const languageGo = 0x16

// readSymbols reads the debug information of a program.
func readSymbols(program string) (*symbols, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := f.DWARF()
	if err != nil {
		return nil, fmt.Errorf("reading debug information: %w", err)
	}
	s := &symbols{data: data, frames: map[uint64][]frame{}}
	r := data.Reader()
	for {
		e, err := r.Next()
		if err != nil {
			return nil, fmt.Errorf("reading debug information: %w", err)
		}
		if e == nil {
			break
		}
		if e.Tag == dwarf.TagCompileUnit {
			ranges, err := data.Ranges(e)
			if err != nil {
				return nil, fmt.Errorf("reading debug information: %w", err)
			}
			c := &contents{entry: e}
			for _, x := range ranges {
				s.units = append(s.units, unit{x[0], x[1], c})
			}
		}
		r.SkipChildren()
	}
	slices.SortFunc(s.units, func(a, b unit) int { return cmp.Compare(a.low, b.low) })
	return s, nil
}

// at returns the places of the instruction before a return address, from the innermost function outwards. There
// are none if it is not known.
func (s *symbols) at(pc uint64) ([]frame, error) {
	if pc == 0 {
		return nil, nil
	}
	if list, ok := s.frames[pc]; ok {
		return list, nil
	}
	list, err := s.find(pc - 1)
	s.frames[pc] = list
	return list, err
}

func (s *symbols) find(pc uint64) ([]frame, error) {
	i := sort.Search(len(s.units), func(i int) bool { return s.units[i].high > pc })
	if i == len(s.units) || s.units[i].low > pc {
		return nil, nil
	}
	c := s.units[i].contents
	if c.lines == nil {
		if err := s.read(c); err != nil {
			return nil, fmt.Errorf("reading debug information: %w", err)
		}
	}
	n := sort.Search(len(c.lines), func(i int) bool { return c.lines[i].Address > pc })
	if n == 0 || c.lines[n-1].EndSequence {
		return nil, nil
	}
	file, line := c.lines[n-1].File.Name, c.lines[n-1].Line
	var calls []call // from the outermost one
	for k := sort.Search(len(c.calls), func(i int) bool { return c.calls[i].low > pc }) - 1; k >= 0; k-- {
		if x := c.calls[k]; pc < x.high {
			calls = append(calls, x)
			if !x.inlined {
				break
			}
		}
	}
	var list []frame
	for _, x := range calls {
		list = append(list, frame{x.name, file, line})
		if x.inlined {
			file, line = "", x.line
			if x.file < len(c.files) && c.files[x.file] != nil {
				file = c.files[x.file].Name
			}
		}
	}
	return list, nil
}

// read reads the contents of a unit.
func (s *symbols) read(c *contents) error {
	lines, err := s.data.LineReader(c.entry)
	if err != nil || lines == nil {
		return cmp.Or(err, errors.New("a package has no lines"))
	}
	for {
		var e dwarf.LineEntry
		if err := lines.Next(&e); err != nil {
			if errors.Is(err, io.EOF) {
				break
			}
			return err
		}
		c.lines = append(c.lines, e)
	}
	// Where two sequences meet, the end of one comes before the other.
	slices.SortStableFunc(c.lines, func(a, b dwarf.LineEntry) int {
		if a.Address == b.Address && a.EndSequence != b.EndSequence {
			if a.EndSequence {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Address, b.Address)
	})
	c.files = lines.Files()
	r := s.data.Reader()
	r.Seek(c.entry.Offset)
	if _, err := r.Next(); err != nil {
		return err
	}
	depth := 1
	for depth > 0 {
		e, err := r.Next()
		if err != nil {
			return err
		}
		if e == nil {
			break
		}
		if e.Tag == 0 {
			depth--
			continue
		}
		switch e.Tag {
		case dwarf.TagSubprogram, dwarf.TagInlinedSubroutine:
			if err := s.addCalls(c, e); err != nil {
				return err
			}
		case dwarf.TagLexDwarfBlock:
		default:
			r.SkipChildren()
			continue
		}
		if e.Children {
			depth++
		}
	}
	slices.SortStableFunc(c.calls, func(a, b call) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(b.high, a.high))
	})
	return nil
}

// addCalls adds the code of a function.
func (s *symbols) addCalls(c *contents, e *dwarf.Entry) error {
	ranges, err := s.data.Ranges(e)
	if err != nil || len(ranges) == 0 {
		return err
	}
	x := call{inlined: e.Tag == dwarf.TagInlinedSubroutine}
	x.name, _ = e.Val(dwarf.AttrName).(string)
	if origin, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset); ok {
		r := s.data.Reader()
		r.Seek(origin)
		abstract, err := r.Next()
		if err != nil {
			return err
		}
		x.name, _ = abstract.Val(dwarf.AttrName).(string)
	}
	if n, ok := e.Val(dwarf.AttrCallFile).(int64); ok {
		x.file = int(n)
	}
	if n, ok := e.Val(dwarf.AttrCallLine).(int64); ok {
		x.line = int(n)
	}
	for _, one := range ranges {
		x.low, x.high = one[0], one[1]
		c.calls = append(c.calls, x)
	}
	return nil
}

// synchronises reports whether the function is of a package that synchronises for others.
func (f *frame) synchronises() bool {
	for _, p := range [...]string{"runtime.", "sync.", "sync/atomic.", "internal/sync.", "internal/runtime/", "internal/race."} {
		if strings.HasPrefix(f.function, p) {
			return true
		}
	}
	return false
}
