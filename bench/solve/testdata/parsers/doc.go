// Package parsers holds fuzz targets over parsers, those of the standard library
// and small ones of the kind that programs have of their own. Each has a planted
// condition: one value, or a few, of all that the parser accepts. A person sees at
// once how to meet it; inputs that are drawn and changed at random hardly ever do.
package parsers
