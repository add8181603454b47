package library

import (
	"fmt"
	"go/format"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Program calls a function of the standard library on symbolic arguments and shows what
// comes of it.
type Program struct {
	Package  string // import path
	Function string // as in documentation: Index, Reader.ReadByte
	Variant  string // what distinguishes the programs of a function: its arguments, as templates
	body     string // Go statements
	vars     []variable
	bytes    string // more bytes for texts
}

// A variable is a text or a word that a program draws.
type variable struct {
	text bool
	name string // of a word: its domain
}

// String returns the name of the function and the arguments.
func (p *Program) String() string {
	return p.Package + "." + p.Function + "(" + p.Variant + ")"
}

// placeholder is what a template has in the place of an argument: $text, or $ and the name of
// a domain of words.
var placeholder = regexp.MustCompile(`\$([a-z]+[0-9]*)`)

// expand replaces the placeholders of a template by draws and returns the result.
func (p *Program) expand(template string) string {
	return placeholder.ReplaceAllStringFunc(template, func(s string) string {
		name := s[1:]
		n := strconv.Itoa(len(p.vars))
		if name == "text" {
			p.vars = append(p.vars, variable{text: true})
			return "text(" + n + ")"
		}
		if _, ok := wordDomains[name]; !ok {
			panic("library: no domain " + name)
		}
		p.vars = append(p.vars, variable{name: name})
		draw := "word(" + n + ")"
		switch name {
		case "bool":
			return "(" + draw + " != 0)"
		case "small", "base", "bits", "month", "day", "year":
			return "int(" + draw + ")"
		case "second":
			return "int64(" + draw + ")"
		}
		return name + "(" + draw + ")"
	})
}

// packageName returns the name by which programs refer to the package with the given path.
func packageName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// known are the packages that programs may use without saying so.
var known = append([]string{"io", "math", "slices"}, Packages...)

// The files of the programs that the machine and the toolchain have in common, and those
// that differ.
const (
	sharedFile  = "programs.go"
	machineFile = "machine.go"
	nativeFile  = "native.go"
)

// machineTag is the build tag of machineFile.
const machineTag = "everywaymachine"

// source returns the files of a module with the programs: P0, P1 and so on.
func source(programs []*Program) (map[string]string, error) {
	var body strings.Builder
	for i, p := range programs {
		fmt.Fprintf(&body, "\n// P%d calls %s.%s.\nfunc P%d() {\n\tdefer caught()\n%s}\n", i, p.Package, p.Function, i, p.body)
	}
	used := map[string]bool{}
	for _, path := range known {
		if regexp.MustCompile(`\b` + packageName(path) + `\.`).MatchString(body.String() + prelude) {
			used[path] = true
		}
	}
	var text strings.Builder
	text.WriteString("package main\n\nimport (\n")
	for _, path := range slices.Sorted(maps.Keys(used)) {
		fmt.Fprintf(&text, "\t%q\n", path)
	}
	text.WriteString(")\n" + prelude + body.String())
	shared, err := format.Source([]byte(text.String()))
	if err != nil {
		return nil, fmt.Errorf("formatting the programs: %w", err)
	}
	var list strings.Builder
	for i := range programs {
		fmt.Fprintf(&list, "P%d, ", i)
	}
	return map[string]string{
		sharedFile:  string(shared),
		machineFile: machineSource,
		nativeFile:  strings.Replace(nativeSource, "PROGRAMS", list.String(), 1),
	}, nil
}

// prelude is what programs show results with. A result is a sequence of words.
const prelude = `
func caught() {
	switch v := recover().(type) {
	case nil:
	case error:
		word64(0xbad)
		bytesOf(v.Error())
	case string:
		word64(0xbad)
		bytesOf(v)
	default:
		word64(0xbad)
	}
}

func show(v uint64) { word64(v) }

func showBool(v bool) {
	if v {
		word64(1)
	} else {
		word64(0)
	}
}

func showString(s string) { bytesOf(s) }

func showFloat(v float64) {
	if v != v {
		word64(0x7ff8000000000001)
		return
	}
	word64(math.Float64bits(v))
}

func showError(err error) {
	if err == nil {
		word64(0)
		return
	}
	word64(1)
	bytesOf(err.Error())
}

func showAny(v any) {
	bytesOf(fmt.Sprintf("%#v", v))
}

// A formatted value shows how it is to be formatted.
type formatted byte

func (v formatted) Format(s fmt.State, verb rune) {
	fmt.Fprintf(s, "%s:%d", fmt.FormatString(s, verb), byte(v))
}

// A sink keeps what is written to it.
type sink struct{ bytes.Buffer }

func (s *sink) Close() error { return nil }

func showTime(t time.Time) {
	name, offset := t.Zone()
	bytesOf(name)
	word64(uint64(offset))
	word64(uint64(t.Unix()))
	word64(uint64(t.Nanosecond()))
}
`

// machineSource declares the primitives of the machine's programs.
const machineSource = `//go:build ` + machineTag + `

package main

func word(i int) uint64

func text(i int) string

func word64(v uint64)

func bytesOf(s string)

func main() {}
`

// nativeSource reads inputs, a line each: the number of a program and the values of its
// variables in order, a text as its length and its bytes. It writes a line for each with what
// the program showed.
const nativeSource = `//go:build !` + machineTag + `

package main

import (
	"bufio"
	"os"
	"strconv"
)

var (
	input  []uint64
	output []byte
)

func word(int) uint64 {
	v := input[0]
	input = input[1:]
	return v
}

func text(i int) string {
	b := make([]byte, word(i))
	for k := range b {
		b[k] = byte(word(i))
	}
	return string(b)
}

func word64(v uint64) { output = append(strconv.AppendUint(output, v, 16), ' ') }

func bytesOf(s string) {
	word64(uint64(len(s)))
	for i := range len(s) {
		word64(uint64(s[i]))
	}
}

var programs = []func(){PROGRAMS}

func main() {
	in := bufio.NewScanner(os.NewFile(3, "inputs"))
	in.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.NewFile(4, "results"))
	for in.Scan() {
		input, output = input[:0], output[:0]
		n := uint64(0)
		for _, c := range append(in.Bytes(), ' ') {
			if c == ' ' {
				input = append(input, n)
				n = 0
			} else {
				n = 10*n + uint64(c-'0')
			}
		}
		all := input
		p := programs[word(0)]
		p()
		input = all
		out.Write(append(output, '\n'))
		out.Flush()
	}
}
`
