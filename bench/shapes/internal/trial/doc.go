// Package trial tests containers: one call after another beside a model, and two calls at the same
// time on a container that has been constructed, or that everyway chooses.
package trial
