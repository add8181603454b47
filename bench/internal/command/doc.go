// Package command runs the command everyway, and reads what it prints: the verdicts of a search, the
// schedules that it records, and what detectors find in them.
package command
