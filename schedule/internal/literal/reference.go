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
