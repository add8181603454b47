package confirm

import (
	"debug/dwarf"
	"debug/elf"
)

// shadowOffset returns where the runtime of a binary has the race detector's state of a goroutine,
// in what it has of the goroutine, 0 if that cannot be told.
func shadowOffset(binary string) int64 {
	f, err := elf.Open(binary)
	if err != nil {
		return 0 // of another system
	}
	defer f.Close()
	data, err := f.DWARF()
	if err != nil {
		return 0 // left out, with -ldflags=-w
	}
	r := data.Reader()
	for {
		e, err := r.Next()
		if err != nil || e == nil {
			return 0
		}
		switch name, _ := e.Val(dwarf.AttrName).(string); e.Tag {
		case dwarf.TagCompileUnit:
			if name != "runtime" {
				r.SkipChildren()
			}
		case dwarf.TagStructType:
			if name != "runtime.g" {
				r.SkipChildren()
			}
		case dwarf.TagMember:
			if name == "racectx" {
				offset, _ := e.Val(dwarf.AttrDataMemberLoc).(int64)
				return offset
			}
		default:
			r.SkipChildren()
		}
	}
}
