// Package x has fuzz targets over parsers of golang.org/x.
package x
