// Package layout knows where the parts of a variable are natively, in bytes, while memory consists
// of cells; and it represents pointers that package unsafe has made.
//
// A pointer that package unsafe has made to one type of another leads to memory whose cells
// are not words of its type. It points to a view then: an object that stands for the memory of
// another one, its base, as an array of elements of the pointer's type. The only cell of a view
// is a pointer to the base, with the number of bytes before the first element; the words of the
// elements are numbered from 1, so that none of them is that cell. Only slow paths meet views.
//
// A pointer to a cell of a type that has the same representation is no view. So each address
// has one pointer for each type.
package layout
