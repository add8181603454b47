// Package journal keeps the results of a long measurement in a file, each as soon as
// it is there, so that one that was broken off can go on.
package journal
