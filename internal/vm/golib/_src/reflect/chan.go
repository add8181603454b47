package reflect

import "unsafe"

// MakeChan is make(typ, buffer).
func MakeChan(typ Type, buffer int) Value {
	if typ.Kind() != Chan {
		panic("reflect.MakeChan of non-chan type")
	}
	if buffer < 0 {
		panic("reflect.MakeChan: negative buffer size")
	}
	if typ.ChanDir() != BothDir {
		panic("reflect.MakeChan: unidirectional channel type")
	}
	t := typ.common()
	return pointerValue(t, chanMakerOf(t)(buffer), flag(Chan))
}

// Close closes the channel v.
func (v Value) Close() {
	v.mustBe(Chan)
	v.mustBeExported()
	if typeDir(v.typ_)&SendDir == 0 {
		panic("reflect: close of receive-only channel")
	}
	close(*(*chan struct{})(v.ptr))
}

// Send sends x on the channel v.
func (v Value) Send(x Value) {
	x = v.sent(x)
	senderOf(v.typ_)(v.pointer(), x.ptr)
}

// TrySend sends x on the channel v if that can be done at once, and reports
// whether it did.
func (v Value) TrySend(x Value) bool {
	x = v.sent(x)
	chosen, _ := v.try(true, x.ptr)
	return chosen == 0
}

// sent returns x as it is sent on v.
func (v Value) sent(x Value) Value {
	v.mustBe(Chan)
	v.mustBeExported()
	if typeDir(v.typ_)&SendDir == 0 {
		panic("reflect: send on recv-only channel")
	}
	x.mustBeExported()
	return x.assignTo("reflect.Value.Send", typeElem(v.typ_))
}

// Recv receives from the channel v. ok is false for the zero value of a closed
// channel.
func (v Value) Recv() (x Value, ok bool) {
	x = v.received()
	ok = receiverOf(v.typ_)(v.pointer(), x.ptr)
	return x, ok
}

// TryRecv receives from the channel v if that can be done at once; otherwise it
// returns the zero Value.
func (v Value) TryRecv() (x Value, ok bool) {
	x = v.received()
	chosen, ok := v.try(false, x.ptr)
	if chosen != 0 {
		return Value{}, false
	}
	return x, ok
}

// received returns new storage for a value received from v.
func (v Value) received() Value {
	v.mustBe(Chan)
	v.mustBeExported()
	if typeDir(v.typ_)&RecvDir == 0 {
		panic("reflect: recv on send-only channel")
	}
	t := typeElem(v.typ_)
	return Value{t, newOf(t), flag(t.Kind())}
}

// try is a select with one case, of the value at p, and default.
func (v Value) try(send bool, p unsafe.Pointer) (chosen int, ok bool) {
	return selectorOf([]bool{send}, []*rtype{v.typ_}, false)(v.ptr, unsafe.Pointer(&p))
}

// A SelectDir is the direction of a case of [Select].
type SelectDir int

// The directions.
const (
	_             SelectDir = iota
	SelectSend              // case Chan <- Send
	SelectRecv              // case <-Chan:
	SelectDefault           // default
)

// A SelectCase is a case of [Select].
type SelectCase struct {
	Dir  SelectDir
	Chan Value // to send on or to receive from; the zero Value stands for a nil channel
	Send Value // value to send
}

// Select carries out a select statement. It returns the index of the case that
// was chosen, and for a receive the value and whether it was sent.
func Select(cases []SelectCase) (chosen int, recv Value, recvOK bool) {
	if len(cases) > 65536 {
		panic("reflect.Select: too many cases (max 65536)")
	}
	var (
		def    = -1 // index of the default case
		index  []int
		sends  []bool
		types  []*rtype
		chans  []unsafe.Pointer
		values []unsafe.Pointer
	)
	for i, c := range cases {
		if c.Dir == SelectDefault {
			if def >= 0 {
				panic("reflect.Select: multiple default cases")
			}
			def = i
			if c.Chan.IsValid() {
				panic("reflect.Select: default case has Chan value")
			}
			if c.Send.IsValid() {
				panic("reflect.Select: default case has Send value")
			}
			continue
		}
		t, ch, value := c.operands()
		index = append(index, i)
		sends = append(sends, c.Dir == SelectSend)
		types = append(types, t)
		chans = append(chans, ch)
		values = append(values, value)
	}

	n, ok := selectorOf(sends, types, def < 0)(unsafe.Pointer(unsafe.SliceData(chans)), unsafe.Pointer(unsafe.SliceData(values)))
	if n < 0 {
		return def, Value{}, false
	}
	if !sends[n] {
		t := typeElem(types[n])
		recv = Value{t, values[n], flag(t.Kind())}
	}
	return index[n], recv, ok
}

// operands returns the channel of c, its type, and a pointer to the value to
// send or to storage for the one received.
func (c *SelectCase) operands() (t *rtype, ch, value unsafe.Pointer) {
	switch c.Dir {
	case SelectSend:
		if c.Chan.IsValid() {
			c.Chan.mustBe(Chan)
			c.Chan.mustBeExported()
			t = c.Chan.typ_
			if typeDir(t)&SendDir == 0 {
				panic("reflect.Select: SendDir case using recv-only channel")
			}
			if !c.Send.IsValid() {
				panic("reflect.Select: SendDir case missing Send value")
			}
			c.Send.mustBeExported()
			x := c.Send.assignTo("reflect.Select", typeElem(t))
			return t, c.Chan.pointer(), x.ptr
		}
	case SelectRecv:
		if c.Send.IsValid() {
			panic("reflect.Select: RecvDir case has Send value")
		}
		if c.Chan.IsValid() {
			c.Chan.mustBe(Chan)
			c.Chan.mustBeExported()
			t = c.Chan.typ_
			if typeDir(t)&RecvDir == 0 {
				panic("reflect.Select: RecvDir case using send-only channel")
			}
			return t, c.Chan.pointer(), newOf(typeElem(t))
		}
	default:
		panic("reflect.Select: invalid Dir")
	}
	// A nil channel is never ready, whatever its type.
	t = rtypeOf((chan struct{})(nil))
	return t, nil, unsafe.Pointer(new(struct{}))
}
