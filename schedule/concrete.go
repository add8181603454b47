package schedule

import (
	"fmt"
	"math"
	"strconv"
)

// A Value is a concrete value of a basic type.
type Value struct {
	Kind ValueKind
	Bits uint64 // zero-extended
}

// A ValueKind is the kind of a Value. Its name in the text is the comment on its line.
type ValueKind uint8

//go:generate go tool stringer -type=ValueKind -linecomment -output=valuekind_string.go

// The kinds of values.
const (
	NoValue   ValueKind = iota // -
	Bool                       // bool
	Int8                       // i8
	Int16                      // i16
	Int32                      // i32
	Int64                      // i64
	Uint8                      // u8
	Uint16                     // u16
	Uint32                     // u32
	Uint64                     // u64
	Float32                    // f32
	Float64                    // f64
	Reference                  // ref

	numValueKinds
)

// Width returns the number of bits of values of kind k, 0 for NoValue.
func (k ValueKind) Width() int {
	switch k {
	case NoValue:
		return 0
	case Bool:
		return 1
	case Int8, Uint8:
		return 8
	case Int16, Uint16:
		return 16
	case Int32, Uint32, Float32:
		return 32
	}
	return 64
}

// mask returns the bits that values of kind k can have.
func (k ValueKind) mask() uint64 { return masks[k] }

var masks = func() (list [1 << 8]uint64) {
	for k := range list {
		list[k] = ^uint64(0) >> (64 - ValueKind(k).Width())
	}
	return list
}()

// String returns the value as the text has it, such as i64:-5.
func (v Value) String() string { return string(v.append(nil)) }

// append appends the value as the text has it. References are numbers that only
// say which of them are equal; 0 is nil.
func (v Value) append(b []byte) []byte {
	b = append(b, v.Kind.String()...)
	if v.Kind == NoValue {
		return b
	}
	b = append(b, ':')
	switch v.Kind {
	case Bool:
		return strconv.AppendBool(b, v.Bits != 0)
	case Int8, Int16, Int32, Int64:
		shift := 64 - v.Kind.Width()
		return strconv.AppendInt(b, int64(v.Bits<<shift)>>shift, 10)
	case Float32:
		if f := math.Float32frombits(uint32(v.Bits)); f == f {
			return strconv.AppendFloat(b, float64(f), 'g', -1, 32)
		}
		return strconv.AppendUint(append(b, "0x"...), v.Bits, 16)
	case Float64:
		if f := math.Float64frombits(v.Bits); f == f {
			return strconv.AppendFloat(b, f, 'g', -1, 64)
		}
		return strconv.AppendUint(append(b, "0x"...), v.Bits, 16)
	case Reference:
		if v.Bits > math.MaxUint32 {
			return strconv.AppendUint(append(b, "0x"...), v.Bits, 16)
		}
	}
	return strconv.AppendUint(b, v.Bits, 10)
}

// parseValue returns the value that text stands for.
func parseValue(text []byte) (Value, error) {
	name, digits := text, []byte(nil)
	for i, c := range text {
		if c == ':' {
			name, digits = text[:i], text[i+1:]
			break
		}
	}
	for k := NoValue; k < numValueKinds; k++ {
		if k.String() == string(name) {
			return parseBits(k, digits)
		}
	}
	return Value{}, fmt.Errorf("%q is no value, such as i64:-5", text)
}

// parseBits returns the value of kind k that digits stand for.
func parseBits(k ValueKind, digits []byte) (v Value, err error) {
	v.Kind = k
	text := string(digits)
	switch k {
	case NoValue:
		if text != "" {
			err = strconv.ErrSyntax
		}
	case Bool:
		switch text {
		case "true":
			v.Bits = 1
		case "false":
		default:
			err = strconv.ErrSyntax
		}
	case Int8, Int16, Int32, Int64:
		var n int64
		n, err = strconv.ParseInt(text, 10, k.Width())
		v.Bits = uint64(n) & k.mask()
	case Float32, Float64:
		if len(text) > 2 && text[:2] == "0x" {
			v.Bits, err = strconv.ParseUint(text[2:], 16, k.Width())
			break
		}
		var f float64
		f, err = strconv.ParseFloat(text, k.Width())
		if k == Float32 {
			v.Bits = uint64(math.Float32bits(float32(f)))
		} else {
			v.Bits = math.Float64bits(f)
		}
	default:
		base := 10
		if k == Reference && len(text) > 2 && text[:2] == "0x" {
			text, base = text[2:], 16
		}
		v.Bits, err = strconv.ParseUint(text, base, 64)
		if err == nil && v.Bits&^k.mask() != 0 {
			err = strconv.ErrRange
		}
	}
	if err != nil {
		return Value{}, fmt.Errorf("%q is no value of kind %v", text, k)
	}
	return v, nil
}
