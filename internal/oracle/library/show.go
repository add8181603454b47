package library

import (
	"fmt"
	"go/types"
	"strings"
)

// shown are statements that show a value v, by type.
var shown = map[string]string{
	"error":             "showError(v)",
	"any":               "showAny(v)",
	"time.Time":         "showTime(v)",
	"*time.Time":        "showTime(*v)",
	"*time.Location":    "showString(v.String())",
	"netip.Addr":        "showString(v.String())",
	"netip.AddrPort":    "showString(v.String())",
	"netip.Prefix":      "showString(v.String())",
	"*netip.Addr":       "showString(v.String())",
	"*netip.AddrPort":   "showString(v.String())",
	"*netip.Prefix":     "showString(v.String())",
	"*url.URL":          "if v != nil {\n\tshowString(v.String())\n\tshowString(v.Path)\n\tshowString(v.RawPath)\n\tshowString(v.Host)\n\tshowString(v.RawQuery)\n\tshowString(v.Fragment)\n}",
	"*url.Userinfo":     "showString(v.String())",
	"url.Values":        "showString(v.Encode())",
	"*strings.Builder":  "showString(v.String())",
	"*bytes.Buffer":     "showString(v.String())",
	"*strings.Reader":   "rest, _ := io.ReadAll(v)\nshowString(string(rest))",
	"*bytes.Reader":     "rest, _ := io.ReadAll(v)\nshowString(string(rest))",
	"*strings.Replacer": "showString(v.Replace(\"abak\"))",
	"io.Reader":         "rest, err := io.ReadAll(v)\nshowString(string(rest))\nshowError(err)",
	"*base64.Encoding":  "showString(v.EncodeToString([]byte(\"ab\\xff?>\")))",
	"*base32.Encoding":  "showString(v.EncodeToString([]byte(\"ab\\xff\")))",
	"base64.Encoding":   "showString(v.EncodeToString([]byte(\"ab\\xff?>\")))",
	"base32.Encoding":   "showString(v.EncodeToString([]byte(\"ab\\xff\")))",
	"io.Writer":         "if s, ok := v.(*sink); ok {\n\tshowString(s.String())\n}",
	"map[string]string": "showAny(v)",
	"xml.Token":         "showAny(v)",
}

// A writer writes statements that show values.
type writer struct {
	to   *strings.Builder
	vars int
}

// maxDepth bounds the nesting of types that are shown.
const maxDepth = 4

// show writes statements that show the value of a variable or a field.
func (w *writer) show(name string, t types.Type, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("to show a %s", typeName(t))
	}
	if s := shown[typeName(t)]; s != "" {
		fmt.Fprintf(w.to, "\t{\n\tv := %s\n%s\n\t}\n", name, s)
		return nil
	}
	w.vars++
	v := fmt.Sprintf("v%d", w.vars)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			fmt.Fprintf(w.to, "\tshowBool(bool(%s))\n", name)
		case info&types.IsInteger != 0:
			fmt.Fprintf(w.to, "\tshow(uint64(%s))\n", name)
		case info&types.IsFloat != 0:
			fmt.Fprintf(w.to, "\tshowFloat(float64(%s))\n", name)
		case info&types.IsComplex != 0:
			fmt.Fprintf(w.to, "\tshowFloat(real(%s))\n\tshowFloat(imag(%s))\n", name, name)
		case info&types.IsString != 0:
			fmt.Fprintf(w.to, "\tshowString(string(%s))\n", name)
		default:
			return fmt.Errorf("to show a %s", typeName(t))
		}
	case *types.Slice:
		if basic, ok := u.Elem().Underlying().(*types.Basic); ok && basic.Kind() == types.Byte {
			fmt.Fprintf(w.to, "\tshowBool(%s == nil)\n\tshowString(string(%s))\n", name, name)
			return nil
		}
		fmt.Fprintf(w.to, "\tshowBool(%s == nil)\n\tshow(uint64(len(%s)))\n", name, name)
		return w.each(v, name, u.Elem(), depth)
	case *types.Array:
		return w.each(v, name, u.Elem(), depth)
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Struct); !ok {
			return fmt.Errorf("to show a %s", typeName(t))
		}
		fmt.Fprintf(w.to, "\tshowBool(%s == nil)\n\tif %s := %s; %s != nil {\n", name, v, name, v)
		if err := w.show("(*"+v+")", u.Elem(), depth+1); err != nil {
			return err
		}
		fmt.Fprintf(w.to, "\t}\n")
	case *types.Struct:
		for f := range u.Fields() {
			if !f.Exported() {
				return fmt.Errorf("to show a %s", typeName(t))
			}
			if err := w.show(name+"."+f.Name(), f.Type(), depth+1); err != nil {
				return err
			}
		}
	case *types.Signature:
		if !strings.HasPrefix(typeName(t), "iter.Seq[") {
			return fmt.Errorf("to show a %s", typeName(t))
		}
		elem := u.Params().At(0).Type().Underlying().(*types.Signature).Params().At(0).Type()
		fmt.Fprintf(w.to, "\tfor %s := range %s {\n", v, name)
		if err := w.show(v, elem, depth+1); err != nil {
			return err
		}
		fmt.Fprintf(w.to, "\t}\n")
	default:
		return fmt.Errorf("to show a %s", typeName(t))
	}
	return nil
}

// each writes statements that show the elements of a slice or array.
func (w *writer) each(v, name string, elem types.Type, depth int) error {
	fmt.Fprintf(w.to, "\tfor _, %s := range %s {\n", v, name)
	if err := w.show(v, elem, depth+1); err != nil {
		return err
	}
	fmt.Fprintf(w.to, "\t}\n")
	return nil
}
