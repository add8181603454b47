// Package binary builds native programs that keep to input-covering schedules: it loads the
// program, compares it with the set of its schedules, has package instrument/covered write the
// sources, and has the go command build them. [Check] says beforehand whether that can be.
package binary
