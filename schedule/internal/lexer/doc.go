// Package lexer divides the lines of the text of schedules into tokens, one after another: one token of
// look-ahead is enough to read them.
package lexer
