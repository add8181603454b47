package literal

import (
	"slices"
	"strconv"
	"strings"
)

// IsReference reports whether the values of a type, as an input has it, are numbers of objects:
// pointers, maps, channels and functions.
func IsReference(typ string) bool {
	return slices.ContainsFunc([]string{"*", "map[", "chan ", "<-chan ", "chan<- ", "func("}, func(prefix string) bool {
		return strings.HasPrefix(typ, prefix)
	})
}

// Reference returns what leads to the object whose number is in the lower 24 bits of value, or, if
// the others are not 0, to the part so many words after its beginning: "nil", "&2" or "&2+1". Of an
// input that is a function of the program it returns the name of that.
func Reference(typ string, value uint64) string {
	if name, ok := function(typ, value); ok {
		return name
	}
	const bits = 24
	if value == 0 {
		return "nil"
	}
	text := "&" + strconv.FormatUint(value&(1<<bits-1), 10)
	if off := value >> bits; off > 0 {
		text += "+" + strconv.FormatUint(off, 10)
	}
	return text
}

// firstFunction is the first of the numbers of functions of the program.
const firstFunction = 1 << 20

// function returns the name of the function of the program that an input of a type is, and whether
// it is one. The type has the names of those that it can be behind an equals sign, separated by |.
func function(typ string, value uint64) (name string, ok bool) {
	_, names, ok := strings.Cut(typ, " = ")
	if !ok || !strings.HasPrefix(typ, "func(") || value < firstFunction {
		return "", false
	}
	all := strings.Split(names, "|")
	if value-firstFunction >= uint64(len(all)) {
		return "", false
	}
	return all[value-firstFunction], true
}

// dynamic begins the type of an input that is the dynamic type of an interface: the types that it can have follow,
// separated by |.
const dynamic = "type "

// IsDynamic reports whether the values of a type, as an input has it, are numbers of dynamic types.
func IsDynamic(typ string) bool { return strings.HasPrefix(typ, dynamic) }

// Dynamic returns the name of a dynamic type, "nil" for 0.
func Dynamic(typ string, value uint64) string {
	all := strings.Split(typ[len(dynamic):], "|")
	if value == 0 || value > uint64(len(all)) {
		return "nil"
	}
	return all[value-1]
}
