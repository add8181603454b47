// Package ssaform answers what is asked in many places of a program in SSA form (package ssa of
// golang.org/x/tools): what a constant is, which instruction is before another one, and in which
// declared function one is.
//
// Nothing here depends on an analysis. What is asked of the control flow is in package control,
// and what pointers point to in package pointsto, both below internal/static.
package ssaform
