// Package printing formats values as the predeclared print does, and panics that nobody recovers.
package printing
