// Package collect carries out garbage collections, as far as a program can notice them:
// finalizers and cleanups of objects that nothing can reach are called, and weak pointers to
// them become nil, and pools lose their items. The memory itself is not reused.
//
// [Dead] finds what a collection can collect, and [Collect] collects it. There is a collection
// when nothing else can happen ([DueWhenIdle]). When else there is one, and whether it collects
// an object that gc may keep, is decided elsewhere.
package collect
