package code

// Slots returns the number of slots of a type, as fragment.Pointers counts them: one for each field
// that is no struct or array, and one for all elements of an array.
func Slots(t *Type) int {
	n := 0
	switch t.Shape {
	case ShapeStruct:
		for i := range t.Fields {
			n += Slots(t.Fields[i].Type)
		}
	case ShapeArray:
		return Slots(t.Elem)
	}
	return max(n, 1)
}

// SlotAt returns the slot of a word of a value of a type.
func SlotAt(t *Type, word int) int {
	switch t.Shape {
	case ShapeStruct:
		slot := 0
		for i := range t.Fields {
			f := &t.Fields[i]
			if word < f.Offset+f.Type.Words {
				return slot + SlotAt(f.Type, word-f.Offset)
			}
			slot += Slots(f.Type)
		}
	case ShapeArray:
		if t.Elem.Words > 0 {
			return SlotAt(t.Elem, word%t.Elem.Words)
		}
	}
	return 0
}
