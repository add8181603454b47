package schedule

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/schedule/internal/lexer"
)

// A textReader reads the text.
type textReader struct {
	r      *bufio.Reader
	file   string
	names  *Table
	about  []Property
	lines  []int64 // of the properties
	lineNo int64
	notes  textNotes // of the event that is being read
	cells  cellReader
	long   []byte // a line that is longer than the buffer
	lexer.Lexer
	numbers map[string]Op
	size    int // of the properties, in bytes
}

func newTextReader(r *bufio.Reader, file string) (*textReader, error) {
	x := &textReader{r: r, file: file, names: NewTable(), numbers: make(map[string]Op, NumOps)}
	for op := NoOp + 1; op < NumOps; op++ {
		x.numbers[op.Word()] = op
	}
	if err := x.nextLine(); err != nil {
		return nil, err
	}
	rest, ok := strings.CutPrefix(string(x.Line), textMagic+" ")
	if !ok && strings.HasPrefix(string(x.Line), `{"everyway":`) {
		return nil, x.fail("this is a run file of an old version, which is no schedule: everyway record writes the schedule of its run")
	}
	if !ok {
		return nil, x.fail("this is no schedule: it does not begin with " + strconv.Quote(textMagic))
	}
	version, err := strconv.ParseUint(strings.TrimSpace(rest), 10, 64)
	if err != nil {
		return nil, x.fail(fmt.Sprintf("%q is no version", rest))
	}
	if version == 0 || version > Version {
		return nil, x.fail(wrongVersion(version))
	}
	return x, x.head()
}

func (x *textReader) table() *Table          { return x.names }
func (x *textReader) properties() []Property { return x.about }

// fail implements decoder.
func (x *textReader) fail(what string) error {
	return &SyntaxError{File: x.file, Line: x.lineNo, What: what}
}

// failed returns the error that err is wrong in the line that is being read.
func (x *textReader) failed(err error) error {
	var wrong *SyntaxError
	if err == nil || errors.As(err, &wrong) {
		return err
	}
	return x.fail(err.Error())
}

// nextLine reads the next line that says something.
func (x *textReader) nextLine() error {
	for {
		x.lineNo++
		line, err := x.r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			x.long = append(x.long[:0], line...)
			for errors.Is(err, bufio.ErrBufferFull) && len(x.long) <= maxTextLine {
				line, err = x.r.ReadSlice('\n')
				x.long = append(x.long, line...)
			}
			if line = x.long; len(line) > maxTextLine {
				return x.fail(fmt.Sprintf("a line of more than %d bytes", maxTextLine))
			}
		}
		if errors.Is(err, io.EOF) {
			return x.fail("the file is cut short: its last line, " + string(propertyMark) + endWord + ", is missing")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", x.file, err)
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 0 && line[0] != commentMark {
			x.Lexer = lexer.New(line)
			return nil
		}
	}
}

// head reads the properties, which stand before the first event.
func (x *textReader) head() error {
	for {
		if x.peek() != propertyMark {
			return nil
		}
		next, _ := x.r.Peek(len(endWord) + 2)
		if len(next) == len(endWord)+2 && string(next[1:len(next)-1]) == endWord && next[len(next)-1] <= ' ' {
			return nil
		}
		if err := x.nextLine(); err != nil {
			return err
		}
		if err := x.property(); err != nil {
			return x.failed(err)
		}
	}
}

// peek returns the first byte of the next line that says something, having skipped the others.
func (x *textReader) peek() byte {
	for {
		c, err := x.r.Peek(1)
		if err != nil {
			return 0 // nextLine says what is wrong
		}
		if c[0] != commentMark && c[0] != '\n' && c[0] != '\r' {
			return c[0]
		}
		for {
			_, err := x.r.ReadSlice('\n')
			if err == nil {
				x.lineNo++
				break
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				return 0
			}
		}
	}
}

// property reads the line of a property.
func (x *textReader) property() error {
	x.Pos++ // the mark
	name, err := x.Want("the name of a property")
	if err != nil {
		return err
	}
	if !isPlain(string(name)) || string(name) == endWord {
		return fmt.Errorf("%q is no name of a property", name)
	}
	phrase := bytes.TrimSpace(x.Line[x.Pos:])
	value, err := x.name("the value of a property")
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		t, err := x.Next()
		if err != nil {
			return err
		}
		if len(t.Text) == 0 && !t.Quoted {
			break
		}
		value = phrase
	}
	p := Property{string(name), string(value)}
	if len(x.about) == maxProperties {
		return fmt.Errorf("more than %d properties", maxProperties)
	}
	if x.size += p.size(); x.size > maxPropertyBytes || !p.fits() {
		return errors.New("the properties are too long")
	}
	x.about, x.lines = append(x.about, p), append(x.lines, x.lineNo)
	return nil
}

// failProperty implements decoder.
func (x *textReader) failProperty(i int, what string) error {
	return &SyntaxError{File: x.file, Line: x.lines[i], What: what}
}

// textNotes are annotations of the next event, until it is known which operation that has.
type textNotes struct {
	cell Cell
	name NameID
}

// read implements decoder.
func (x *textReader) read(e *Event) error {
	if x.cells.alike > 0 {
		return x.failed(x.cells.next(e))
	}
	x.notes = textNotes{}
	for lines := 0; ; lines++ {
		if err := x.nextLine(); err != nil {
			return err
		}
		switch {
		case x.Line[0] == annotateMark && lines < maxAnnotation:
			if err := x.annotation(e); err != nil {
				return x.failed(err)
			}
		case x.Line[0] == propertyMark && lines == 0:
			return x.finish()
		case x.Line[0] == cellMark && lines == 0:
			return x.failed(x.cells.read(x, e))
		default:
			err := x.event(e)
			x.cells.follow(e)
			return x.failed(err)
		}
	}
}

// finish reads the last line, and checks that nothing comes after it.
func (x *textReader) finish() error {
	if string(bytes.TrimRight(x.Line[1:], " \t")) != endWord {
		return x.fail("a property after the first event")
	}
	_, err := x.r.Peek(1)
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	if err != nil {
		return fmt.Errorf("%s: %w", x.file, err)
	}
	x.lineNo++
	return x.fail("something comes after the end of the schedule")
}

// annotation reads an annotation. Those that are not known are ignored.
func (x *textReader) annotation(e *Event) (err error) {
	x.Pos++ // the mark
	word, err := x.Want("the name of an annotation")
	if err != nil {
		return err
	}
	switch string(word) {
	case locationWord:
		return x.location(e)
	case timeWord:
		if e.Time, err = x.Number("a time", 64); err != nil {
			return err
		}
	case dependsWord:
		if e.Depends, err = x.list(e.Depends[:0]); err != nil {
			return err
		}
	case casesWord:
		if err = x.cases(e); err != nil {
			return err
		}
		if len(e.Cases) == 0 {
			return errors.New("a select without cases")
		}
	case tryWord:
		e.Try = true
	case impliedWord:
		e.Implied = true
	case cellWord, nameWord, allocatorWord, valuesWord, sourceWord:
		if err = x.note(e, string(word)); err != nil {
			return err
		}
	default:
		return nil
	}
	return x.End()
}

// note reads a note.
func (x *textReader) note(e *Event, word string) error {
	switch word {
	case nameWord, allocatorWord:
		to := &x.notes.name
		if word == allocatorWord {
			to = &e.Allocator
		}
		name, err := x.name("a name")
		if err != nil {
			return err
		}
		*to, err = x.names.nameOf(name)
		return err
	case cellWord:
		text, err := x.Want("a cell")
		if err != nil {
			return err
		}
		if x.notes.cell, err = parseCell(text); err != nil {
			return err
		}
		if x.notes.cell.Object == 0 {
			return fmt.Errorf("%q is no cell of an object", text)
		}
		return nil
	case valuesWord:
		for _, to := range [...]*Value{&e.ReadAs, &e.WroteAs} {
			text, err := x.Want("a value")
			if err != nil {
				return err
			}
			if *to, err = parseValue(text); err != nil {
				return err
			}
		}
		return nil
	}
	text, err := x.Want("an event")
	if err != nil {
		return err
	}
	if e.Source = -1; string(text) != noneWord {
		n, err := strconv.ParseUint(string(text), 10, 62)
		if err != nil {
			return fmt.Errorf("%q is no number of an event in the file", text)
		}
		e.Source = int64(n) + 1
	}
	return nil
}

// location reads the annotation of a location.
func (x *textReader) location(e *Event) error {
	var l Location
	file, err := x.name("a file")
	if err != nil {
		return err
	}
	if l.File, err = x.names.nameOf(file); err != nil {
		return err
	}
	line, err := x.Number("a line", 32)
	if err != nil {
		return err
	}
	column, err := x.Number("a column", 32)
	if err != nil {
		return err
	}
	if line < 0 || column < 0 {
		return fmt.Errorf("line %d, column %d", line, column)
	}
	l.Line, l.Column = int32(line), int32(column)
	function, err := x.name("a function")
	if err != nil {
		return err
	}
	if l.Func, err = x.names.nameOf(function); err != nil {
		return err
	}
	if e.Location, err = x.names.LocationID(l); err != nil {
		return err
	}
	return x.End()
}

// name returns the next token as a name, which is empty if it is -.
func (x *textReader) name(what string) ([]byte, error) {
	t, err := x.Next()
	switch {
	case err != nil:
		return nil, err
	case t.Quoted:
		return t.Text, nil
	case len(t.Text) == 0:
		return nil, fmt.Errorf("the line ends where %s is expected", what)
	case t.Is("<") || t.Is(">"):
		return nil, fmt.Errorf("%q in the place of %s", t.Text, what)
	case t.Is(noneWord):
		return nil, nil
	}
	return t.Text, nil
}

// event reads the line of an event.
func (x *textReader) event(e *Event) error {
	id, err := x.Want("an event")
	if err != nil {
		return err
	}
	g, index, ok := bytes.Cut(id, []byte{'.'})
	if !ok {
		return fmt.Errorf("%q in the place of the goroutine and number of an event, such as g0.3", id)
	}
	if string(g) == timerWord {
		e.Goroutine = Timers
	} else if e.Goroutine, err = parseGoroutine(g); err != nil {
		return err
	}
	if e.Index, err = strconv.ParseInt(string(index), 10, 64); err != nil || e.Index < 0 {
		return fmt.Errorf("%q is no number of an event", index)
	}
	word, err := x.Want("an operation")
	if err != nil {
		return err
	}
	if e.Op, ok = x.numbers[string(word)]; !ok {
		return fmt.Errorf("there is no operation %q", word)
	}
	if len(e.Cases) > 0 && optional[e.Op]&casesBit == 0 {
		return fmt.Errorf("%q is no case of a select", word)
	}
	has := notesOf(e.Op)
	if has&cellNote != 0 {
		e.Object, e.Offset = x.notes.cell.Object, x.notes.cell.Offset
	}
	if has&nameNote != 0 {
		e.Name = x.notes.name
	}
	if has&allocatorNote == 0 {
		e.Allocator = 0
	}
	for _, o := range forms[e.Op].operands {
		if err := x.operand(o, e); err != nil {
			return err
		}
	}
	return x.End()
}

// parseGoroutine returns the goroutine that a word names.
func parseGoroutine(word []byte) (GoroutineID, error) {
	g, ok := lexer.Numbered(word, 'g', maxGoroutines-1)
	if !ok {
		return 0, fmt.Errorf("%q in the place of a goroutine, such as g0", word)
	}
	return GoroutineID(g), nil
}

// operand reads an operand of an event.
func (x *textReader) operand(o operand, e *Event) (err error) {
	switch o {
	case listOperand:
		e.List, err = x.list(e.List)
		return err
	case casesOperand:
		return x.cases(e)
	case nameOperand:
		name, err := x.name("a name")
		if err != nil {
			return err
		}
		e.Name, err = x.names.nameOf(name)
		return err
	case numberOperand:
		e.Number, err = x.Number("a number", 64)
		return err
	case countOperand:
		if e.Count, err = x.Number("a count", 64); err == nil && e.Count < 0 {
			err = errors.New("a negative count")
		}
		return err
	}
	word, err := x.Want(operandName(o))
	if err != nil {
		return err
	}
	none := string(word) == noneWord
	switch o {
	case objectOperand, newObject:
		if !none || o == newObject {
			e.Object, err = parseObject(word)
		}
	case cellOperand:
		var c Cell
		c, err = parseCell(word)
		e.Object, e.Offset = c.Object, c.Offset
	case childOperand, newChild:
		switch {
		case none && e.Op != Spawn:
			e.Child = NoGoroutine
		case string(word) == allWord && o == childOperand:
			e.Child = AllGoroutines
		default:
			e.Child, err = parseGoroutine(word)
		}
	case valueOperand:
		e.Value, err = parseValue(word)
	case wroteOperand:
		var v Value
		if v, err = parseValue(word); err == nil && v.Kind != e.Value.Kind {
			err = fmt.Errorf("a value of kind %v is replaced by one of kind %v", e.Value.Kind, v.Kind)
		}
		e.Wrote = v.Bits
	case resultOperand:
		e.Result, err = parseLocal(word)
	case leftOperand:
		e.Left, err = parseLocal(word)
	case rightOperand:
		e.Right, err = parseLocal(word)
	case caseOperand:
		if e.Case = NoCase; !none {
			var n uint64
			n, err = strconv.ParseUint(string(word), 10, 31)
			e.Case = int32(n)
		}
	case truthOperand:
		var truth bool
		switch truth, err = string(word) == "true", nil; {
		case truth:
			e.Number = 1
		case string(word) != "false":
			err = fmt.Errorf("%q is neither true nor false", word)
		}
	case kindOperand:
		for e.Kind = 0; e.Kind < numObjectKinds && e.Kind.String() != string(word); e.Kind++ {
		}
		if e.Kind == numObjectKinds {
			err = fmt.Errorf("there is no kind %q of objects", word)
		}
	case lockOperand:
		for e.Lock = 0; e.Lock < numLockKinds && e.Lock.String() != string(word); e.Lock++ {
		}
		if e.Lock == numLockKinds {
			err = fmt.Errorf("there is no kind %q of locks", word)
		}
	}
	return err
}

// operandName says what an operand is, in messages.
func operandName(o operand) string {
	switch o {
	case objectOperand, newObject:
		return "an object, such as o3"
	case cellOperand:
		return "a cell, such as o3.0"
	case childOperand, newChild:
		return "a goroutine, such as g1"
	case valueOperand, wroteOperand:
		return "a value, such as i64:-5"
	case resultOperand, leftOperand, rightOperand:
		return "a symbolic value, such as v12"
	case caseOperand:
		return "a case of a select"
	case truthOperand:
		return "true or false"
	case kindOperand:
		return "a kind of object"
	}
	return "a kind of lock"
}

// parseObject returns the object that a word names.
func parseObject(word []byte) (ObjectID, error) {
	n, ok := lexer.Numbered(word, 'o', maxObjects)
	if !ok || n == 0 {
		return 0, fmt.Errorf("%q in the place of an object, such as o3", word)
	}
	return ObjectID(n), nil
}

// parseCell returns the cell that a word names.
func parseCell(word []byte) (c Cell, err error) {
	name, offset, ok := bytes.Cut(word, []byte{'.'})
	if !ok {
		return c, fmt.Errorf("%q in the place of a cell, such as o3.0", word)
	}
	if string(name) != noneWord {
		if c.Object, err = parseObject(name); err != nil {
			return c, err
		}
	}
	if c.Offset, err = strconv.ParseInt(string(offset), 10, 62); err != nil {
		return c, fmt.Errorf("%q is no offset", offset)
	}
	return c, nil
}

// cases reads a list of cases.
func (x *textReader) cases(e *Event) error {
	t, err := x.Next()
	if err == nil && !t.Is("<") {
		err = fmt.Errorf("%q in the place of a list of cases, such as <receive o3>", t.Text)
	}
	if err != nil {
		return err
	}
	e.Cases = e.Cases[:0]
	for {
		t, err := x.Next()
		switch {
		case err != nil:
			return err
		case t.Is(">"):
			return nil
		case len(t.Text) == 0 || t.Quoted:
			return errors.New("a list without an end")
		case len(e.Cases) == maxList:
			return fmt.Errorf("a list of more than %d cases", maxList)
		}
		c, err := x.oneCase(t.Text)
		if err != nil {
			return err
		}
		e.Cases = append(e.Cases, c)
	}
}

// oneCase reads the rest of a case of the operation that a word names.
func (x *textReader) oneCase(word []byte) (c Case, err error) {
	c.Op = x.numbers[string(word)]
	o, ok := c.Op.ofCase()
	if !ok {
		return c, fmt.Errorf("%q is no operation of a case", word)
	}
	if o == noOperand {
		return c, nil
	}
	operand, err := x.Want(operandName(o))
	if err != nil {
		return c, err
	}
	switch {
	case o == cellOperand:
		var cell Cell
		cell, err = parseCell(operand)
		c.Object, c.Offset = cell.Object, cell.Offset
	case string(operand) != noneWord:
		c.Object, err = parseObject(operand)
	}
	return c, err
}

// parseLocal returns the symbolic value that a word names, 0 if that is -.
func parseLocal(word []byte) (Local, error) {
	if string(word) == noneWord {
		return 0, nil
	}
	n, ok := lexer.Numbered(word, 'v', maxLocals)
	if !ok || n == 0 {
		return 0, fmt.Errorf("%q in the place of a symbolic value, such as v12", word)
	}
	return Local(n), nil
}

// list reads a list of symbolic values.
func (x *textReader) list(list []Local) ([]Local, error) {
	t, err := x.Next()
	if err == nil && !t.Is("<") {
		err = fmt.Errorf("%q in the place of a list, such as <v1 v2>", t.Text)
	}
	if err != nil {
		return nil, err
	}
	for {
		t, err := x.Next()
		switch {
		case err != nil:
			return nil, err
		case t.Is(">"):
			return list, nil
		case len(t.Text) == 0 || t.Quoted:
			return nil, errors.New("a list without an end")
		case len(list) == maxList:
			return nil, fmt.Errorf("a list of more than %d values", maxList)
		}
		l, err := parseLocal(t.Text)
		if err != nil {
			return nil, err
		}
		list = append(list, l)
	}
}
