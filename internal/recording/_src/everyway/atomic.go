// Package everyway has the atomic functions of package sync/atomic that a Mutex uses, as they are:
// the Mutex is recorded, and not how it does what it does.
package everyway

import native "internal/runtime/atomic"

func LoadInt32(addr *int32) int32 { return native.Loadint32(addr) }

func AddInt32(addr *int32, delta int32) int32 { return native.Xaddint32(addr, delta) }

func CompareAndSwapInt32(addr *int32, old, new int32) bool { return native.Casint32(addr, old, new) }
