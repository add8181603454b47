package schedule

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/everyway-go/everyway/schedule/internal/field"
	"github.com/everyway-go/everyway/schedule/internal/lexer"
)

// Names of properties of a Header that are not those of fields.
const (
	optionProperty        = "option"
	readProperty          = "read"
	togetherProperty      = "together"
	inputProperty         = "input"
	findingProperty       = "finding"
	otherProperty         = "other"
	messageProperty       = "message"
	whyProperty           = "why"
	frameProperty         = "frame"
	visibleSiteProperty   = "visiblesite"
	visibleObjectProperty = "visibleobject"
	visibleAtomicProperty = "visibleatomic"
	visibleStopProperty   = "visiblestop"
	goalProperty          = "goal"
	decisionsProperty     = "decisions"
	generatedProperty     = "generated"
	generatedTextProperty = "generatedtext"

	choiceWord = "choice"
	anyWord    = "any"
	driverWord = "driver"
	waitsWord  = "waits"
)

func (h *Header) fields() []field.Field {
	return []field.Field{
		field.Of(ToolProperty, &h.Tool), field.Of("package", &h.Package), field.Of("target", &h.Target), field.Of("kind", &h.Kind), field.Of("dir", &h.Dir), field.Of("binary", &h.Binary),
		field.Of("file", &h.Files), field.Of("build", &h.Build), field.Of("initialisers", &h.Initialisers), field.Of("incomplete", &h.Incomplete), field.Of("nologs", &h.NoLogs), field.Of("noatomics", &h.NoAtomics), field.Of("noadds", &h.NoAdds),
	}
}

func (o *Options) fields() []field.Field {
	return []field.Field{
		field.Of("maxlen", &o.MaxLen), field.Of("maxobjects", &o.MaxObjects), field.Of("maxchain", &o.MaxChain),
		field.Of("instructions", &o.Instructions), field.Of("memory", &o.Memory), field.Of("stall", &o.Stall), field.Of("signals", &o.Signals), field.Of("processors", &o.Processors),
		field.Of("network", &o.Network), field.Of("short", &o.Short), field.Of("run", &o.Run), field.Of("skip", &o.Skip), field.Of("tag", &o.Tags), field.Of("global", &o.Globals), field.Of("arg", &o.Args), field.Of("flag", &o.Flags),
	}
}

func (f *Finding) fields() []field.Field {
	return []field.Field{field.Of("subtest", &f.Test), field.Of("goroutine", &f.Goroutine), field.Of("position", &f.Pos), field.Of("stall", &f.Stall), field.Of("always", &f.Always)}
}

// messageLine is how many bytes of a message make up a property.
const messageLine = 1 << 15

// A headerWriter collects the properties of a header.
type headerWriter struct{ list []Property }

// put adds a property that consists of words.
func (w *headerWriter) put(name string, words ...string) {
	var b []byte
	for _, word := range words {
		b = appendName(b, word)
	}
	w.list = append(w.list, Property{name, string(b[1:])})
}

// fields adds a property for each text of fields.
func (w *headerWriter) fields(fields []field.Field) {
	for _, f := range fields {
		for _, text := range f.Texts() {
			w.list = append(w.list, Property{f.Name, text})
		}
	}
}

// Properties returns what h says as properties of a schedule, without the decisions.
func (h *Header) Properties() []Property {
	w := new(headerWriter)
	w.fields(h.fields())
	for _, f := range h.Options.fields() {
		for _, text := range f.Texts() {
			w.put(optionProperty, f.Name, text)
		}
	}
	for _, f := range h.Options.Generated {
		words := []string{f.Name}
		if f.Driver {
			words = append(words, driverWord)
		}
		w.put(generatedProperty, words...)
		for part := range slices.Chunk([]byte(f.Text), messageLine) {
			w.list = append(w.list, Property{generatedTextProperty, string(part)})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(h.Read)) {
		w.put(readProperty, path, h.Read[path])
	}
	for _, t := range h.Tests {
		w.put(togetherProperty, t.Package, t.Name, t.Goroutine)
	}
	for _, v := range h.Input {
		words := []string{v.Name, v.Type, strconv.Itoa(int(v.Width)), strconv.FormatUint(v.Value, 10)}
		if v.Choice {
			words = append(words, choiceWord)
		}
		if v.Any {
			words = append(words, anyWord)
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
		places := h.Visible.places()
		for _, name := range slices.Sorted(maps.Keys(places)) {
			for _, p := range *places[name] {
				w.put(name, p.Func, strconv.Itoa(int(p.Instr)))
			}
		}
		for _, o := range h.Visible.Objects {
			w.put(visibleObjectProperty, o.Goroutine, strconv.Itoa(int(o.Count)))
		}
	}
	for _, g := range h.Goal {
		words := []string{g.Func, strconv.Itoa(int(g.Instr)), strconv.Itoa(g.Of)}
		if g.Waits {
			words = append(words, waitsWord)
		}
		w.put(goalProperty, words...)
	}
	return w.list
}

// finding writes a finding, without the others that it has.
func (w *headerWriter) finding(name string, f *Finding) {
	w.list = append(w.list, Property{name, f.Kind})
	for part := range slices.Chunk([]byte(f.Message), messageLine) {
		w.list = append(w.list, Property{messageProperty, string(part)})
	}
	w.fields(f.fields())
	if f.Why != nil {
		w.put(whyProperty, f.Why.words()...)
	}
	for _, frame := range f.Stack {
		w.put(frameProperty, frame.Func, frame.Pos)
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
	case decisionsProperty:
		h.Decisions, err = readDecisions(h.Decisions, p.Value)
	case findingProperty:
		h.Finding = &Finding{Kind: p.Value}
		r.finding = h.Finding
	case otherProperty:
		if h.Finding == nil {
			return errNoFinding
		}
		h.Finding.Others = append(h.Finding.Others, Finding{Kind: p.Value})
		r.finding = &h.Finding.Others[len(h.Finding.Others)-1]
	case oldHeaderProperty:
		h.Version, err = readOldHeader(h, p.Value)
	case messageProperty:
		if r.finding == nil {
			return errNoFinding
		}
		r.finding.Message += p.Value
	case generatedTextProperty:
		last := len(h.Options.Generated) - 1
		if last < 0 {
			return fmt.Errorf("there is no %q before it", generatedProperty)
		}
		h.Options.Generated[last].Text += p.Value
	case whyProperty, frameProperty, optionProperty, generatedProperty, readProperty, togetherProperty, inputProperty,
		visibleSiteProperty, visibleObjectProperty, visibleAtomicProperty, visibleStopProperty, goalProperty:
		words, err := lexer.Names(p.Value, noneWord)
		if err != nil {
			return err
		}
		return r.words(p.Name, words)
	default:
		if ok, err := field.Set(h.fields(), p.Name, p.Value); ok {
			return err
		}
		if ok, err := field.Set(new(Finding).fields(), p.Name, p.Value); !ok || err != nil {
			return err
		}
		if r.finding == nil {
			return errNoFinding
		}
		_, err = field.Set(r.finding.fields(), p.Name, p.Value)
	}
	return err
}

var errNoFinding = fmt.Errorf("there is no %q before it", findingProperty)

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
	case whyProperty:
		if r.finding == nil {
			return errNoFinding
		}
		var err error
		r.finding.Why, err = readWhy(words)
		return err
	case frameProperty:
		if r.finding == nil {
			return errNoFinding
		}
		if err := wantWords(words, 2, "a function and a position"); err != nil {
			return err
		}
		r.finding.Stack = append(r.finding.Stack, Frame{words[0], words[1]})
	case optionProperty:
		if err := wantWords(words, 2, "a name and a value"); err != nil {
			return err
		}
		if ok, err := field.Set(h.Options.fields(), words[0], words[1]); ok {
			return err
		}
		return fmt.Errorf("there is no option %q", words[0]) // the run depends on it
	case readProperty:
		if err := wantWords(words, 2, "a file and its hash"); err != nil {
			return err
		}
		if h.Read == nil {
			h.Read = map[string]string{}
		}
		h.Read[words[0]] = words[1]
	case generatedProperty:
		var f File
		if last := len(words) - 1; last > 0 && words[last] == driverWord {
			words, f.Driver = words[:last], true
		}
		if err := wantWords(words, 1, "the name of a file"); err != nil {
			return err
		}
		f.Name = words[0]
		h.Options.Generated = append(h.Options.Generated, f)
	case togetherProperty:
		if err := wantWords(words, 3, "a package, a test and a goroutine"); err != nil {
			return err
		}
		h.Tests = append(h.Tests, Test{words[0], words[1], words[2]})
	case inputProperty:
		return r.input(words)
	case goalProperty:
		words = append(words, "", "", "", "") // what is missing is no number
		instr, err := strconv.ParseInt(words[1], 10, 32)
		of, wrong := strconv.ParseUint(words[2], 10, 8)
		h.Goal = append(h.Goal, GoalSite{Place{words[0], int32(instr)}, int(of), words[3] == waitsWord})
		return errors.Join(err, wrong)
	case visibleSiteProperty, visibleObjectProperty, visibleAtomicProperty, visibleStopProperty:
		if err := wantWords(words, 2, "a name and a number"); err != nil {
			return err
		}
		n, err := strconv.ParseInt(words[1], 10, 32)
		h.Visible = cmp.Or(h.Visible, new(Visible))
		if list := h.Visible.places()[name]; list != nil {
			*list = append(*list, Place{words[0], int32(n)})
		} else {
			h.Visible.Objects = append(h.Visible.Objects, Object{words[0], int32(n)})
		}
		return err
	}
	return nil
}

// places returns the lists of places, by the names of their properties.
func (v *Visible) places() map[string]*[]Place {
	return map[string]*[]Place{visibleSiteProperty: &v.Sites, visibleAtomicProperty: &v.Atomics, visibleStopProperty: &v.Stops}
}

// input reads an input.
func (r *headerReader) input(words []string) error {
	var v Input
	for _, mark := range []struct {
		word string
		to   *bool
	}{{anyWord, &v.Any}, {choiceWord, &v.Choice}} {
		if last := len(words) - 1; last > 3 && words[last] == mark.word {
			words, *mark.to = words[:last], true
		}
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
