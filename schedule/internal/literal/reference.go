package literal

import (
	"slices"
	"strconv"
	"strings"
)

// IsReference reports whether the values of a type, as an input has it, are numbers of objects: pointers, maps, channels and functions.
func IsReference(typ string) bool {
	return slices.ContainsFunc([]string{"*", "map[", "chan ", "<-chan ", "chan<- ", "func("}, func(prefix string) bool {
		return strings.HasPrefix(typ, prefix)
	})
}

// Reference returns what leads to the object whose number is in the lower 24 bits of value, or, if the others are not 0, to the part
// so many words after its beginning: "nil", "&2" or "&2+1".
func Reference(value uint64) string {
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

// Function returns the name of the function of the program that an input of a type is, and whether it is one. The type has the names of
// those that it can be behind an equals sign, separated by |; they have the numbers from 1<<20 on.
func Function(typ string, value uint64) (name string, ok bool) {
	const first = 1 << 20
	_, names, ok := strings.Cut(typ, " = ")
	if !ok || !strings.HasPrefix(typ, "func(") || value < first {
		return "", false
	}
	all := strings.Split(names, "|")
	if value-first >= uint64(len(all)) {
		return "", false
	}
	return all[value-first], true
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
