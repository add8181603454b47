package host

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
)

// seedPrimitives returns the primitives by which the model of package testing reads the
// seed corpus of a fuzz test. An entry is given by its number, a value by that of the
// entry and its own:
//
//	func checkCorpus(fn any) string // what is wrong with the corpus for the function fn
//	func corpusName(entry int) string // empty if there are no more
//	func corpusText(entry, i int) string
//	func corpusWord(entry, i int) uint64
//	func maxLen() int // of a string or slice that is drawn
func seedPrimitives() []exec.Primitive {
	value := func(c *exec.Call) *run.CorpusValue { return &c.Machine.Corpus[c.Int(0)].Values[c.Int(1)] }
	return []exec.Primitive{
		{Name: "testing.checkCorpus", Run: checkCorpus},
		{Name: "testing.corpusName", Run: func(c *exec.Call) {
			name := ""
			if i := int(c.Int(0)); i < len(c.Machine.Corpus) {
				name = c.Machine.Corpus[i].Name
			}
			c.SetText(0, name)
		}},
		{Name: "testing.corpusText", Run: func(c *exec.Call) { c.SetText(0, value(c).Text) }},
		{Name: "testing.corpusWord", Run: func(c *exec.Call) { c.Set(0, value(c).Bits) }},
		{Name: "testing.maxLen", Run: func(c *exec.Call) { c.Set(0, uint64(c.Machine.MaxLen)) }},
	}
}

// checkCorpus notes the parameters of the function that a fuzz test passes to F.Fuzz, and
// compares the corpus with them.
func checkCorpus(c *exec.Call) {
	var params []run.Param
	var names []string
	if f := c.Window[1].P; f != nil {
		fn := c.Machine.Funcs[f.Func].SSA
		for i, p := range fn.Params {
			if i > 0 {
				params = append(params, run.Param{Name: parameterName(fn, i), Type: reflectName(p.Type())})
				names = append(names, params[i-1].Type)
			}
		}
	}
	c.Machine.Trace.Params = params
	var wrong []string
	for i := range c.Machine.Corpus {
		if err := checkEntry(&c.Machine.Corpus[i], names); err != "" {
			wrong = append(wrong, fmt.Sprintf("%q: %s", c.Machine.Corpus[i].Name, err))
		}
	}
	c.SetText(0, strings.Join(wrong, "\n"))
}

// checkEntry returns what go test says of a seed for parameters of the given types, an
// empty text if it takes it.
func checkEntry(e *run.CorpusEntry, types []string) string {
	if e.Err != "" {
		return e.Err
	}
	if len(e.Values) != len(types) {
		return fmt.Sprintf("wrong number of values in corpus entry: %d, want %d", len(e.Values), len(types))
	}
	var got []string
	for _, v := range e.Values {
		got = append(got, v.Type)
	}
	if g, w := strings.Join(got, " "), strings.Join(types, " "); g != w {
		return fmt.Sprintf("mismatched types in corpus entry: [%s], want [%s]", g, w)
	}
	return ""
}

// reflectName returns a type that a fuzz test can have as package reflect names it.
func reflectName(t types.Type) string {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return types.Typ[b.Kind()].Name() // of byte and rune, not the alias
	}
	return "[]uint8"
}
