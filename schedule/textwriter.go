package schedule

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/everyway-go/everyway/schedule/internal/lexer"
)

// A textWriter writes the text.
type textWriter struct {
	w     io.Writer
	buf   []byte
	err   error // of writing
	names *Table
	cells cellWriter
	numbering
}

func newTextWriter(w io.Writer, t *Table, about []Property) *textWriter {
	x := &textWriter{w: w, names: t, numbering: newNumbering()}
	x.buf = append(x.buf, textMagic...)
	x.number(Version)
	x.buf = append(x.buf, '\n')
	for _, p := range about {
		x.buf = append(append(x.buf, propertyMark), p.Name...)
		if isPhrase(p.Value) {
			x.word(p.Value)
		} else {
			x.buf = appendName(x.buf, p.Value)
		}
		x.buf = append(x.buf, '\n')
		x.flush(writerBuffer)
	}
	return x
}

func (x *textWriter) close() error {
	x.cells.flush(x)
	x.buf = append(append(append(x.buf, propertyMark), endWord...), '\n')
	return x.flush(0)
}

// flush writes what is in the buffer if that is more than some bytes.
func (x *textWriter) flush(more int) error {
	if len(x.buf) > more {
		if x.err == nil {
			_, x.err = x.w.Write(x.buf)
		}
		x.buf = x.buf[:0]
	}
	return x.err
}

// write writes an event, after the lines of its annotations.
func (x *textWriter) write(e *Event) error {
	if err := x.follow(e); err != nil {
		return err
	}
	if !x.names.has(e) {
		return errors.New("a name or location that is not in the table")
	}
	if x.cells.add(x, e) {
		return x.flush(writerBuffer)
	}
	if e.Location != 0 {
		l := x.names.locations[e.Location]
		x.annotation(locationWord)
		x.name(l.File)
		x.number(int64(l.Line))
		x.number(int64(l.Column))
		x.name(l.Func)
		x.buf = append(x.buf, '\n')
	}
	if e.Time != 0 {
		x.annotation(timeWord)
		x.number(e.Time)
		x.buf = append(x.buf, '\n')
	}
	if len(e.Depends) > 0 {
		x.annotation(dependsWord)
		x.list(e.Depends)
		x.buf = append(x.buf, '\n')
	}
	if len(e.Cases) > 0 && optional[e.Op]&casesBit != 0 {
		x.annotation(casesWord)
		x.cases(e.Cases)
		x.buf = append(x.buf, '\n')
	}
	if e.Try {
		x.annotation(tryWord)
		x.buf = append(x.buf, '\n')
	}
	if e.Implied {
		x.annotation(impliedWord)
		x.buf = append(x.buf, '\n')
	}
	if has := e.notes(); has != 0 {
		x.notes(e, has)
	}
	x.goroutine(e.Goroutine)
	x.buf = append(x.buf, '.')
	x.buf = strconv.AppendInt(x.buf, e.Index, 10)
	x.word(forms[e.Op].name)
	for _, o := range forms[e.Op].operands {
		x.operand(o, e)
	}
	x.buf = append(x.buf, '\n')
	return x.flush(writerBuffer)
}

// notes writes the notes of an event.
func (x *textWriter) notes(e *Event, has notes) {
	if has&cellNote != 0 {
		x.annotation(cellWord)
		x.cell(e.Cell())
		x.buf = append(x.buf, '\n')
	}
	if has&nameNote != 0 {
		x.annotation(nameWord)
		x.name(e.Name)
		x.buf = append(x.buf, '\n')
	}
	if has&allocatorNote != 0 {
		x.annotation(allocatorWord)
		x.name(e.Allocator)
		x.buf = append(x.buf, '\n')
	}
	if has&valuesNote != 0 {
		x.annotation(valuesWord)
		x.buf = e.ReadAs.append(append(x.buf, ' '))
		x.buf = e.WroteAs.append(append(x.buf, ' '))
		x.buf = append(x.buf, '\n')
	}
	if has&sourceNote != 0 {
		x.annotation(sourceWord)
		if e.Source < 0 {
			x.word(noneWord)
		} else {
			x.number(e.Source - 1)
		}
		x.buf = append(x.buf, '\n')
	}
}

func (x *textWriter) operand(o operand, e *Event) {
	switch o {
	case objectOperand, newObject:
		x.buf = append(x.buf, ' ')
		x.object(e.Object)
	case cellOperand:
		x.cell(e.Cell())
	case childOperand, newChild:
		x.buf = append(x.buf, ' ')
		switch e.Child {
		case NoGoroutine:
			x.buf = append(x.buf, noneWord...)
		case AllGoroutines:
			x.buf = append(x.buf, allWord...)
		default:
			x.goroutine(e.Child)
		}
	case valueOperand:
		x.buf = e.Value.append(append(x.buf, ' '))
	case wroteOperand:
		x.buf = Value{e.Value.Kind, e.Wrote}.append(append(x.buf, ' '))
	case resultOperand:
		x.buf = append(x.buf, ' ')
		x.local(e.Result)
	case leftOperand:
		x.buf = append(x.buf, ' ')
		x.local(e.Left)
	case rightOperand:
		x.buf = append(x.buf, ' ')
		x.local(e.Right)
	case listOperand:
		x.list(e.List)
	case caseOperand:
		if e.Case == NoCase {
			x.word(noneWord)
		} else {
			x.number(int64(e.Case))
		}
	case numberOperand:
		x.number(e.Number)
	case truthOperand:
		x.buf = strconv.AppendBool(append(x.buf, ' '), e.Number != 0)
	case countOperand:
		x.number(e.Count)
	case kindOperand:
		x.word(e.Kind.String())
	case lockOperand:
		x.word(e.Lock.String())
	case nameOperand:
		x.name(e.Name)
	case casesOperand:
		x.cases(e.Cases)
	}
}

// cases writes a list of cases.
func (x *textWriter) cases(cases []Case) {
	x.buf = append(x.buf, " <"...)
	for i, c := range cases {
		if i > 0 {
			x.buf = append(x.buf, ' ')
		}
		x.buf = append(x.buf, forms[c.Op].name...)
		switch o, _ := c.Op.ofCase(); o {
		case objectOperand:
			x.buf = append(x.buf, ' ')
			x.object(c.Object)
		case cellOperand:
			x.cell(c.Cell())
		}
	}
	x.buf = append(x.buf, '>')
}

func (x *textWriter) cell(c Cell) {
	x.buf = append(x.buf, ' ')
	x.object(c.Object)
	x.buf = append(x.buf, '.')
	x.buf = strconv.AppendInt(x.buf, c.Offset, 10)
}

func (x *textWriter) word(w string)  { x.buf = append(append(x.buf, ' '), w...) }
func (x *textWriter) number(n int64) { x.buf = strconv.AppendInt(append(x.buf, ' '), n, 10) }

func (x *textWriter) annotation(word string) {
	x.buf = append(append(x.buf, annotateMark), word...)
}

func (x *textWriter) goroutine(g GoroutineID) {
	if g == Timers {
		x.buf = append(x.buf, timerWord...)
		return
	}
	x.buf = strconv.AppendInt(append(x.buf, 'g'), int64(g), 10)
}

func (x *textWriter) object(o ObjectID) {
	if o == 0 {
		x.buf = append(x.buf, noneWord...)
		return
	}
	x.buf = strconv.AppendInt(append(x.buf, 'o'), int64(o), 10)
}

func (x *textWriter) local(l Local) {
	if l == 0 {
		x.buf = append(x.buf, noneWord...)
		return
	}
	x.buf = strconv.AppendInt(append(x.buf, 'v'), int64(l), 10)
}

func (x *textWriter) list(list []Local) {
	x.buf = append(x.buf, " <"...)
	for i, l := range list {
		if i > 0 {
			x.buf = append(x.buf, ' ')
		}
		x.local(l)
	}
	x.buf = append(x.buf, '>')
}

func (x *textWriter) name(id NameID) { x.buf = appendName(x.buf, x.names.names[id]) }

// appendName appends a name after a blank, as it is if no other token begins or ends in it.
func appendName(b []byte, name string) []byte {
	switch b = append(b, ' '); {
	case name == "":
		return append(b, noneWord...)
	case isPlain(name):
		return append(b, name...)
	}
	return strconv.AppendQuote(b, name)
}

// isPhrase reports whether the value of a property can stand in the text as it is, although it has
// several tokens: reading them leads to the same text.
func isPhrase(value string) bool {
	if strings.Contains(value, "  ") || strings.TrimSpace(value) != value ||
		strings.ContainsFunc(value, func(r rune) bool { return !strconv.IsPrint(r) || r == utf8.RuneError }) {
		return false
	}
	x := lexer.New([]byte(value))
	for n := 0; ; n++ {
		t, err := x.Next()
		if err != nil {
			return false
		}
		if len(t.Text) == 0 && !t.Quoted {
			return n > 1
		}
	}
}

// isPlain reports whether a name can stand in the text without quotes.
func isPlain(name string) bool {
	if name == "" || name == noneWord || name == allWord {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c <= ' ', c >= 0x7f, c == '"', c == '<', c == '>':
			return false
		}
	}
	return true
}
