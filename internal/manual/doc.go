// Package manual shows the documentation for users on a terminal.
//
// The pages are those of package docs. [Topics] lists them, [Page] returns one of them and [Section] a
// part of one, in Markdown; [Text] turns Markdown into text for people who read it as it is.
package manual
