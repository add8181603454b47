// Package modules gets modules of the proxy, each as a copy that can be written to, and has what is known of the
// failures that searches of their tests find.
package modules
