// Package library has fuzz targets over packages of the standard library that
// bring none of their own.
package library
