// Package interrupted breaks searches off at random moments, and has other instances of their strategies go on
// with them. What they find is to be the same.
package interrupted
