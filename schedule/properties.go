package schedule

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Names of the properties that a Header has.
const (
	packageProperty       = "package"
	targetProperty        = "target"
	kindProperty          = "kind"
	dirProperty           = "dir"
	binaryProperty        = "binary"
	fileProperty          = "file"
	buildProperty         = "build"
	optionProperty        = "option"
	readProperty          = "read"
	initialisersProperty  = "initialisers"
	togetherProperty      = "together"
	inputProperty         = "input"
	findingProperty       = "finding"
	otherProperty         = "other"
	messageProperty       = "message"
	subtestProperty       = "subtest"
	goroutineProperty     = "goroutine"
	positionProperty      = "position"
	stallProperty         = "stall"
	frameProperty         = "frame"
	visibleSiteProperty   = "visiblesite"
	visibleObjectProperty = "visibleobject"
	incompleteProperty    = "incomplete"
	decisionsProperty     = "decisions"

	choiceWord = "choice"
)

// messageLine is how many bytes of a message make up a property.
const messageLine = 1 << 15

// A headerWriter collects the properties of a header.
type headerWriter struct{ list []Property }

// put adds a property that consists of words or, if there is only one, of any text.
func (w *headerWriter) put(name string, words ...string) {
	value := words[0]
	if len(words) > 1 {
		var b []byte
		for _, word := range words {
			b = appendName(b, word)
		}
		value = string(b[1:])
	}
	w.list = append(w.list, Property{name, value})
}

// add is put unless the text is empty.
func (w *headerWriter) add(name, text string) {
	if text != "" {
		w.put(name, text)
	}
}

// Properties returns what h says as properties of a schedule, without the decisions.
func (h *Header) Properties() []Property {
	w := new(headerWriter)
	w.add(ToolProperty, h.Tool)
	w.add(packageProperty, h.Package)
	w.add(targetProperty, h.Target)
	w.add(kindProperty, h.Kind)
	w.add(dirProperty, h.Dir)
	w.add(binaryProperty, h.Binary)
	for _, f := range h.Files {
		w.put(fileProperty, f)
	}
	w.add(buildProperty, h.Build)
	w.options(&h.Options)
	for _, path := range slices.Sorted(maps.Keys(h.Read)) {
		w.put(readProperty, path, h.Read[path])
	}
	if h.Initialisers != 0 {
		w.put(initialisersProperty, strconv.Itoa(h.Initialisers))
	}
	for _, t := range h.Tests {
		w.put(togetherProperty, t.Package, t.Name, t.Goroutine)
	}
	for _, v := range h.Input {
		words := []string{v.Name, v.Type, strconv.Itoa(int(v.Width)), strconv.FormatUint(v.Value, 10)}
		if v.Choice {
			words = append(words, choiceWord)
		}
		w.put(inputProperty, words...)
	}
	if h.Finding != nil {
		w.finding(findingProperty, h.Finding)
		for i := range h.Finding.Others {
			w.finding(otherProperty, &h.Finding.Others[i])
		}
	}
	if h.Visible != nil {
		for _, p := range h.Visible.Sites {
			w.put(visibleSiteProperty, p.Func, strconv.Itoa(int(p.Instr)))
		}
		for _, o := range h.Visible.Objects {
			w.put(visibleObjectProperty, o.Goroutine, strconv.Itoa(int(o.Count)))
		}
	}
	w.add(incompleteProperty, h.Incomplete)
	return w.list
}

// finding writes a finding, without the others that it has.
func (w *headerWriter) finding(name string, f *Finding) {
	w.put(name, f.Kind)
	for rest := f.Message; rest != ""; {
		n := min(len(rest), messageLine)
		w.put(messageProperty, rest[:n])
		rest = rest[n:]
	}
	w.add(subtestProperty, f.Test)
	w.add(goroutineProperty, f.Goroutine)
	w.add(positionProperty, f.Pos)
	if f.Stall != 0 {
		w.put(stallProperty, durationText(f.Stall))
	}
	for _, frame := range f.Stack {
		w.put(frameProperty, frame.Func, frame.Pos)
	}
}

// durationText returns a duration as time.ParseDuration reads it, in ASCII.
func durationText(d time.Duration) string { return strings.ReplaceAll(d.String(), "µ", "u") }

// options writes options.
func (w *headerWriter) options(o *Options) {
	put := func(name, value string) { w.put(optionProperty, name, value) }
	for _, n := range [...]struct {
		name  string
		value string
	}{{"maxlen", strconv.Itoa(o.MaxLen)}, {"instructions", strconv.FormatUint(o.Instructions, 10)}, {"memory", strconv.FormatInt(o.Memory, 10)}, {"signals", strconv.Itoa(o.Signals)}} {
		if n.value != "0" {
			put(n.name, n.value)
		}
	}
	if o.Stall != 0 {
		put("stall", durationText(o.Stall))
	}
	if o.Short {
		put("short", "true")
	}
	for _, t := range [...]struct{ name, value string }{{"network", o.Network}, {"run", o.Run}, {"skip", o.Skip}} {
		if t.value != "" {
			put(t.name, t.value)
		}
	}
	for _, l := range [...]struct {
		name string
		list []string
	}{{"tag", o.Tags}, {"arg", o.Args}, {"flag", o.Flags}} {
		for _, value := range l.list {
			put(l.name, value)
		}
	}
}

// Header returns what the properties say of the run that the schedule is of. What they do not say
// has its zero value; so does everything if they say nothing.
func (r *Reader) Header() (*Header, error) {
	h := headerReader{header: new(Header)}
	for i, p := range r.Properties() {
		if err := h.property(p); err != nil {
			if wrong := (*strconv.NumError)(nil); errors.As(err, &wrong) {
				err = fmt.Errorf("%q is no number that is expected here", wrong.Num)
			}
			return nil, r.dec.failProperty(i, fmt.Sprintf("the property %q: %v", p.Name, err))
		}
	}
	if h.header.Version == 0 {
		h.header.Version = Version
	}
	return h.header, nil
}

// A headerReader makes a header of properties, one after another.
type headerReader struct {
	header  *Header
	finding *Finding // that properties describe
}

// property takes the next property into account. One that it does not know is ignored.
func (r *headerReader) property(p Property) (err error) {
	h := r.header
	switch p.Name {
	case ToolProperty:
		h.Tool = p.Value
	case packageProperty:
		h.Package = p.Value
	case targetProperty:
		h.Target = p.Value
	case kindProperty:
		h.Kind = p.Value
	case dirProperty:
		h.Dir = p.Value
	case binaryProperty:
		h.Binary = p.Value
	case fileProperty:
		h.Files = append(h.Files, p.Value)
	case buildProperty:
		h.Build = p.Value
	case initialisersProperty:
		h.Initialisers, err = strconv.Atoi(p.Value)
	case incompleteProperty:
		h.Incomplete = p.Value
	case decisionsProperty:
		h.Decisions, err = readDecisions(h.Decisions, p.Value)
	case findingProperty:
		h.Finding = &Finding{Kind: p.Value}
		r.finding = h.Finding
	case otherProperty:
		if h.Finding == nil {
			return fmt.Errorf("there is no %q before it", findingProperty)
		}
		h.Finding.Others = append(h.Finding.Others, Finding{Kind: p.Value})
		r.finding = &h.Finding.Others[len(h.Finding.Others)-1]
	case messageProperty, subtestProperty, goroutineProperty, positionProperty, stallProperty, frameProperty:
		if r.finding == nil {
			return fmt.Errorf("there is no %q before it", findingProperty)
		}
		err = r.ofFinding(p)
	case optionProperty, readProperty, togetherProperty, inputProperty, visibleSiteProperty, visibleObjectProperty:
		var words []string
		if words, err = splitNames(p.Value); err == nil {
			err = r.words(p.Name, words)
		}
	case oldHeaderProperty:
		h.Version, err = readOldHeader(h, p.Value)
	}
	return err
}

// ofFinding reads a property of a finding.
func (r *headerReader) ofFinding(p Property) (err error) {
	f := r.finding
	switch p.Name {
	case messageProperty:
		f.Message += p.Value
	case subtestProperty:
		f.Test = p.Value
	case goroutineProperty:
		f.Goroutine = p.Value
	case positionProperty:
		f.Pos = p.Value
	case stallProperty:
		f.Stall, err = time.ParseDuration(p.Value)
	case frameProperty:
		words, err := splitNames(p.Value)
		if err == nil {
			err = wantWords(words, 2, "a function and a position")
		}
		if err != nil {
			return err
		}
		f.Stack = append(f.Stack, Frame{words[0], words[1]})
	}
	return err
}

// wantWords checks the number of words of a property.
func wantWords(words []string, n int, what string) error {
	if len(words) != n {
		return fmt.Errorf("%d words in the place of %s", len(words), what)
	}
	return nil
}

// words reads a property that consists of words.
func (r *headerReader) words(name string, words []string) error {
	h := r.header
	switch name {
	case optionProperty:
		if err := wantWords(words, 2, "a name and a value"); err != nil {
			return err
		}
		return h.Options.set(words[0], words[1])
	case readProperty:
		if err := wantWords(words, 2, "a file and its hash"); err != nil {
			return err
		}
		if h.Read == nil {
			h.Read = map[string]string{}
		}
		h.Read[words[0]] = words[1]
	case togetherProperty:
		if err := wantWords(words, 3, "a package, a test and a goroutine"); err != nil {
			return err
		}
		h.Tests = append(h.Tests, Test{words[0], words[1], words[2]})
	case inputProperty:
		return r.input(words)
	case visibleSiteProperty, visibleObjectProperty:
		if err := wantWords(words, 2, "a name and a number"); err != nil {
			return err
		}
		n, err := strconv.ParseInt(words[1], 10, 32)
		if err != nil {
			return err
		}
		if h.Visible == nil {
			h.Visible = new(Visible)
		}
		if name == visibleSiteProperty {
			h.Visible.Sites = append(h.Visible.Sites, Place{words[0], int32(n)})
		} else {
			h.Visible.Objects = append(h.Visible.Objects, Object{words[0], int32(n)})
		}
	}
	return nil
}

// input reads an input.
func (r *headerReader) input(words []string) error {
	v := Input{Choice: len(words) == 5 && words[4] == choiceWord}
	if v.Choice {
		words = words[:4]
	}
	if err := wantWords(words, 4, "a name, a type, a width and a value"); err != nil {
		return err
	}
	width, err := strconv.ParseUint(words[2], 10, 8)
	if err == nil {
		v.Value, err = strconv.ParseUint(words[3], 10, 64)
	}
	v.Name, v.Type, v.Width = words[0], words[1], uint8(width)
	r.header.Input = append(r.header.Input, v)
	return err
}

// set sets the option with a name. One that is not known is an error: the run depends on it.
func (o *Options) set(name, value string) (err error) {
	switch name {
	case "maxlen":
		o.MaxLen, err = strconv.Atoi(value)
	case "instructions":
		o.Instructions, err = strconv.ParseUint(value, 10, 64)
	case "memory":
		o.Memory, err = strconv.ParseInt(value, 10, 64)
	case "signals":
		o.Signals, err = strconv.Atoi(value)
	case "stall":
		o.Stall, err = time.ParseDuration(value)
	case "short":
		o.Short, err = strconv.ParseBool(value)
	case "network":
		o.Network = value
	case "run":
		o.Run = value
	case "skip":
		o.Skip = value
	case "tag":
		o.Tags = append(o.Tags, value)
	case "arg":
		o.Args = append(o.Args, value)
	case "flag":
		o.Flags = append(o.Flags, value)
	default:
		return fmt.Errorf("there is no option %q", name)
	}
	return err
}
