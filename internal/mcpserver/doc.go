// Package mcpserver offers everyway's commands as tools of the Model Context Protocol, for programs that
// drive it: assistants in editors, and others that find and mend bugs.
//
// A [Server] answers each call of a tool by one or more commands, which a [Runner] runs: as processes of
// their own, so that a search can be cancelled, has its own memory, and cannot take the server with it.
// Commands are asked for JSON where they have it, and the answer is what of it the caller needs next: what
// is wrong in a few words, and the name of the run file with which all other tools go on.
package mcpserver
