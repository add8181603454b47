package vm

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// reflectPrimitives lists the primitives of the models of package reflect and
// of internal/reflectlite, which is given a few of the same. In both, a type is
// a pointer to the machine's type object.
func reflectPrimitives() []primitive {
	r := &reflection{
		funcs:   make(map[typeFuncKey]*state.Function),
		methods: make(map[*code.Type][]typeMethod),
	}
	var list []primitive
	for _, p := range r.primitives() {
		name := p.name
		p.name = "reflect." + name
		list = append(list, p)
		if reflectLite[name] {
			p.name = "internal/reflectlite." + name
			list = append(list, p)
		}
	}
	return list
}

// reflectLite names the primitives that internal/reflectlite has too.
var reflectLite = map[string]bool{
	"typeKind": true, "typeString": true, "typeName": true, "typePkgPath": true, "typeWords": true, "typeSize": true,
	"typeElem": true, "typeLen": true, "typeComparable": true, "typeImplements": true, "typeAssignable": true,
	"newOf": true, "offset": true, "copierOf": true, "packerOf": true,
}

// A reflection is what the reflect primitives of a machine remember: tables
// that only grow, with nothing of a run in them.
type reflection struct {
	funcs   map[typeFuncKey]*state.Function
	methods map[*code.Type][]typeMethod
}

// A typeFuncKey names a function that a primitive returns.
type typeFuncKey struct {
	prim   *ssa.Function
	typ    *code.Type
	method int
	cases  string // of a select
}

// A typeMethod is a method as reflect lists it.
type typeMethod struct {
	obj   *types.Func
	entry code.MethodEntry // of types that are not interfaces
	sig   *types.Signature // without receiver
}

func (r *reflection) primitives() []primitive {
	list := []primitive{
		{name: "typeKind", run: func(c *call) { c.set(0, uint64(reflectKind(typeArg(c, 0)))) }},
		{name: "typeString", run: func(c *call) { setConstant(c, 0, code.TypeString(typeArg(c, 0).Go)) }},
		{name: "typeName", run: func(c *call) { setConstant(c, 0, code.TypeName(typeArg(c, 0).Go)) }},
		{name: "typePkgPath", run: func(c *call) { setConstant(c, 0, code.TypePkgPath(typeArg(c, 0).Go)) }},
		{name: "typeWords", run: func(c *call) { c.set(0, uint64(typeArg(c, 0).Words)) }},
		{name: "typeSize", run: func(c *call) { c.set(0, uint64(typeArg(c, 0).Size)) }},
		{name: "typeAlign", run: func(c *call) { c.set(0, uint64(c.m.Program.Sizes().Alignof(typeArg(c, 0).Go))) }},
		{name: "typeElem", run: func(c *call) { setType(c, 0, typeArg(c, 0).Elem) }},
		{name: "typeKey", run: func(c *call) { setType(c, 0, typeArg(c, 0).Key) }},
		{name: "typeLen", run: func(c *call) { c.set(0, uint64(typeArg(c, 0).Len)) }},
		{name: "typeDir", run: typeDir},
		{name: "typeComparable", run: func(c *call) { c.setBool(0, types.Comparable(typeArg(c, 0).Go)) }},
		{name: "typeNumField", run: func(c *call) { c.set(0, uint64(len(typeArg(c, 0).Fields))) }},
		{name: "typeField", run: typeField},
		{name: "typeFieldAt", run: typeFieldAt},
		{name: "typeNumIn", run: func(c *call) { c.set(0, uint64(signatureArg(c, 0).Params().Len())) }},
		{name: "typeNumOut", run: func(c *call) { c.set(0, uint64(signatureArg(c, 0).Results().Len())) }},
		{name: "typeIn", run: func(c *call) { setTypeOf(c, 0, signatureArg(c, 0).Params().At(int(c.int(1))).Type()) }},
		{name: "typeOut", run: func(c *call) { setTypeOf(c, 0, signatureArg(c, 0).Results().At(int(c.int(1))).Type()) }},
		{name: "typeVariadic", run: func(c *call) { c.setBool(0, signatureArg(c, 0).Variadic()) }},
		{name: "typeNumMethod", run: func(c *call) { c.set(0, uint64(len(r.methodsOf(c.m, typeArg(c, 0))))) }},
		{name: "typeNumHidden", run: func(c *call) {
			t := typeArg(c, 0)
			c.set(0, uint64(len(c.m.Program.Methods(t))-len(r.methodsOf(c.m, t))))
		}},
		{name: "typeMethod", run: r.typeMethod},
		{name: "typeMethodNamed", run: r.typeMethodNamed},
		{name: "typeImplements", run: typeImplements},
		{name: "typeAssignable", run: func(c *call) { c.setBool(0, types.AssignableTo(typeArg(c, 0).Go, typeArg(c, 1).Go)) }},
		{name: "typeSameUnderlying", run: func(c *call) {
			c.setBool(0, types.IdenticalIgnoreTags(typeArg(c, 0).Go.Underlying(), typeArg(c, 1).Go.Underlying()))
		}},
		{name: "pointerTo", run: func(c *call) { setTypeOf(c, 0, types.NewPointer(typeArg(c, 0).Go)) }},
		{name: "sliceOf", run: func(c *call) { setTypeOf(c, 0, types.NewSlice(typeArg(c, 0).Go)) }},
		{name: "arrayOf", run: arrayOf},
		{name: "chanOf", run: chanOf},
		{name: "mapOf", run: func(c *call) { setTypeOf(c, 0, types.NewMap(typeArg(c, 0).Go, typeArg(c, 1).Go)) }},
		{name: "funcOf", run: funcOf},
		{name: "structOf", run: structOf},
		{name: "frameOf", run: func(c *call) { setType(c, 0, frameType(c.m.Program, signatureArg(c, 0))) }},
		{name: "newOf", run: newOf},
		{name: "offset", run: func(c *call) { c.window[0].N += c.window[1].N }},
		{name: "selectorOf", run: r.selectorOf},
		{name: "methodFunc", run: r.methodFunc},
		{name: "methodBound", run: r.methodBound},
		{name: "makeFunc", run: r.makeFunc},
		{name: "funcEntry", run: func(c *call) { c.set(0, state.PCOf(c.m.Funcs[c.window[0].P.Func], 0)) }},
		{name: "methodCallerOf", run: func(c *call) {
			t, i := typeArg(c, 0), int(c.int(1))
			m := &r.methodsOf(c.m, t)[i]
			setFunc(c, r.typeFunc(c, t, i, func(w *typeCode) *code.Func {
				return w.methodCaller(t, c.m.Program.MethodFunc(m.entry), m.sig)
			}))
		}},
		{name: "callerOf", run: func(c *call) {
			t, sig := typeArg(c, 0), signatureArg(c, 0)
			setFunc(c, r.typeFunc(c, t, 0, func(w *typeCode) *code.Func { return w.caller(sig) }))
		}},
	}
	for _, op := range []struct {
		name  string
		write func(*typeCode, *code.Type) *code.Func
	}{
		{"copierOf", (*typeCode).copier},
		{"clearerOf", (*typeCode).clearer},
		{"packerOf", (*typeCode).packer},
		{"sliceMakerOf", (*typeCode).sliceMaker},
		{"appenderOf", (*typeCode).appender},
		{"sliceCopierOf", (*typeCode).sliceCopier},
		{"sliceClearerOf", (*typeCode).sliceClearer},
		{"mapMakerOf", (*typeCode).mapMaker},
		{"mapGetterOf", (*typeCode).mapGetter},
		{"mapSetterOf", (*typeCode).mapSetter},
		{"mapDeleterOf", (*typeCode).mapDeleter},
		{"mapRangerOf", (*typeCode).mapRanger},
		{"mapNexterOf", (*typeCode).mapNexter},
		{"chanMakerOf", (*typeCode).chanMaker},
		{"senderOf", (*typeCode).sender},
		{"receiverOf", (*typeCode).receiver},
	} {
		list = append(list, primitive{name: op.name, run: func(c *call) {
			t := typeArg(c, 0)
			setFunc(c, r.typeFunc(c, t, 0, func(w *typeCode) *code.Func { return op.write(w, t) }))
		}})
	}
	return list
}

// typeArg returns the type that argument word i points at.
func typeArg(c *call, i int) *code.Type { return c.window[i].P.Desc }

// signatureArg returns the function type that argument word i points at.
func signatureArg(c *call, i int) *types.Signature {
	return typeArg(c, i).Go.Underlying().(*types.Signature)
}

// setType makes the type t, or nil, result word i.
func setType(c *call, i int, t *code.Type) {
	c.window[i] = heap.Word{}
	if t != nil {
		c.window[i] = c.m.typeWord(t)
	}
}

func setTypeOf(c *call, i int, t types.Type) { setType(c, i, c.m.Program.Type(t)) }

// setConstant makes s, a string of the program and not of the run, result
// wordList i and i+1.
func setConstant(c *call, i int, s string) {
	c.window[i] = c.m.constString(s)
	c.window[i+1] = heap.Word{N: uint64(len(s))}
}

// setFunc makes the function fn the only result.
func setFunc(c *call, fn *state.Function) { c.window[0] = heap.Word{P: c.m.funcValue(fn)} }

// The kinds of package reflect.
const (
	reflectInvalid = iota
	reflectBool
	reflectInt
	reflectInt8
	reflectInt16
	reflectInt32
	reflectInt64
	reflectUint
	reflectUint8
	reflectUint16
	reflectUint32
	reflectUint64
	reflectUintptr
	reflectFloat32
	reflectFloat64
	reflectComplex64
	reflectComplex128
	reflectArray
	reflectChan
	reflectFunc
	reflectInterface
	reflectMap
	reflectPointer
	reflectSlice
	reflectString
	reflectStruct
	reflectUnsafePointer
)

var basicKinds = [...]int{
	types.Bool:          reflectBool,
	types.Int:           reflectInt,
	types.Int8:          reflectInt8,
	types.Int16:         reflectInt16,
	types.Int32:         reflectInt32,
	types.Int64:         reflectInt64,
	types.Uint:          reflectUint,
	types.Uint8:         reflectUint8,
	types.Uint16:        reflectUint16,
	types.Uint32:        reflectUint32,
	types.Uint64:        reflectUint64,
	types.Uintptr:       reflectUintptr,
	types.Float32:       reflectFloat32,
	types.Float64:       reflectFloat64,
	types.Complex64:     reflectComplex64,
	types.Complex128:    reflectComplex128,
	types.String:        reflectString,
	types.UnsafePointer: reflectUnsafePointer,
}

// reflectKind returns the kind of t as package reflect numbers them.
func reflectKind(t *code.Type) int {
	switch u := t.Go.Underlying().(type) {
	case *types.Basic:
		return basicKinds[u.Kind()]
	case *types.Array:
		return reflectArray
	case *types.Chan:
		return reflectChan
	case *types.Signature:
		return reflectFunc
	case *types.Interface:
		return reflectInterface
	case *types.Map:
		return reflectMap
	case *types.Pointer:
		return reflectPointer
	case *types.Slice:
		return reflectSlice
	case *types.Struct:
		return reflectStruct
	}
	return reflectInvalid
}

// The bits of reflect.ChanDir.
const (
	recvDir = 1
	sendDir = 2
)

func typeDir(c *call) {
	switch typeArg(c, 0).Go.Underlying().(*types.Chan).Dir() {
	case types.SendOnly:
		c.set(0, sendDir)
	case types.RecvOnly:
		c.set(0, recvDir)
	default:
		c.set(0, sendDir|recvDir)
	}
}

// typeField(t *rtype, i int) (name, pkgPath string, typ *rtype, tag string, offset uintptr, embedded bool)
func typeField(c *call) {
	t, i := typeArg(c, 0), int(c.int(1))
	s := t.Go.Underlying().(*types.Struct)
	vars := make([]*types.Var, i+1)
	for k := range vars {
		vars[k] = s.Field(k)
	}
	f := vars[i]
	pkgPath := ""
	if !f.Exported() {
		pkgPath = code.PkgPath(f.Pkg())
	}
	setConstant(c, 0, f.Name())
	setConstant(c, 2, pkgPath)
	setTypeOf(c, 4, f.Type())
	setConstant(c, 5, s.Tag(i))
	c.set(7, uint64(c.m.Program.Sizes().Offsetsof(vars)[i]))
	c.setBool(8, f.Embedded())
}

// typeFieldAt(t *rtype, i int) (typ *rtype, offset int, exported, embedded bool)
func typeFieldAt(c *call) {
	f := &typeArg(c, 0).Fields[c.int(1)]
	setType(c, 0, f.Type)
	c.set(1, uint64(f.Offset))
	c.setBool(2, f.Exported)
	c.setBool(3, f.Embedded)
}

// methodsOf returns the methods of t as reflect lists them: all of an
// interface's, the exported ones of other types.
func (r *reflection) methodsOf(m *Interpreter, t *code.Type) []typeMethod {
	list, ok := r.methods[t]
	if ok {
		return list
	}
	if iface, ok := t.Go.Underlying().(*types.Interface); ok {
		for _, fn := range code.InterfaceMethods(iface) {
			list = append(list, typeMethod{obj: fn, sig: withoutReceiver(fn.Signature())})
		}
	} else {
		for _, e := range m.Program.Methods(t) {
			if fn := e.Sel.Obj().(*types.Func); fn.Exported() {
				list = append(list, typeMethod{obj: fn, entry: e, sig: withoutReceiver(e.Sel.Type().(*types.Signature))})
			}
		}
	}
	r.methods[t] = list
	return list
}

func withoutReceiver(sig *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}

// typeMethod(t *rtype, i int) (name, pkgPath string, typ *rtype)
func (r *reflection) typeMethod(c *call) {
	m := &r.methodsOf(c.m, typeArg(c, 0))[c.int(1)]
	setConstant(c, 0, m.obj.Name())
	pkgPath := ""
	if !m.obj.Exported() {
		pkgPath = code.PkgPath(m.obj.Pkg())
	}
	setConstant(c, 2, pkgPath)
	setTypeOf(c, 4, m.sig)
}

// typeMethodNamed(t *rtype, name string) int
func (r *reflection) typeMethodNamed(c *call) {
	name := c.text(1)
	index := -1
	for i, m := range r.methodsOf(c.m, typeArg(c, 0)) {
		if m.obj.Name() == name {
			index = i
			break
		}
	}
	c.set(0, uint64(index))
}

// typeImplements(t, u *rtype) bool
func typeImplements(c *call) {
	iface, ok := typeArg(c, 1).Go.Underlying().(*types.Interface)
	c.setBool(0, ok && types.Implements(typeArg(c, 0).Go, iface))
}

// maxTypeWords bounds the types that are made at run time: no object is larger.
const maxTypeWords = state.MaxCells

// arrayOf(n int, t *rtype) *rtype
func arrayOf(c *call) {
	n, elem := c.int(0), typeArg(c, 1)
	if n > maxTypeWords || n*int64(elem.Words) > maxTypeWords || elem.Size > 0 && n > math.MaxInt64/elem.Size {
		c.m.Unsupported(c.g, fmt.Sprintf("reflect.ArrayOf of %d elements of %v", n, elem))
		return
	}
	setTypeOf(c, 0, types.NewArray(elem.Go, n))
}

// chanOf(dir ChanDir, t *rtype) *rtype
func chanOf(c *call) {
	dir := types.SendRecv
	switch c.int(0) {
	case sendDir:
		dir = types.SendOnly
	case recvDir:
		dir = types.RecvOnly
	}
	setTypeOf(c, 0, types.NewChan(dir, typeArg(c, 1).Go))
}

// wordList returns the words of the slice in argument words i and i+1, as they lie
// in memory.
func wordList(c *call, i, each int) []heap.Word {
	n := int(c.window[i+1].N) * each
	if n == 0 {
		return nil
	}
	base := c.window[i]
	return base.P.Cells[base.N:][:n]
}

// typeList returns the types of the []*rtype in argument words i and i+1.
func typeList(c *call, i int) []*code.Type {
	var list []*code.Type
	for _, w := range wordList(c, i, 1) {
		list = append(list, w.P.Desc)
	}
	return list
}

// textList returns the strings of the []string in argument words i and i+1.
func textList(c *call, i int) []string {
	var list []string
	words := wordList(c, i, 2)
	for k := 0; k < len(words); k += 2 {
		list = append(list, string(c.m.pinnedBytes(c.g, words[k], int(words[k+1].N))))
	}
	return list
}

// boolList returns the truth values of the []bool in argument words i and i+1.
func boolList(c *call, i int) []bool {
	var list []bool
	for _, w := range wordList(c, i, 1) {
		list = append(list, w.N != 0)
	}
	return list
}

// funcOf(in, out []*rtype, variadic bool) *rtype
func funcOf(c *call) {
	setTypeOf(c, 0, types.NewSignatureType(nil, nil, nil, tupleOf(typeList(c, 0)), tupleOf(typeList(c, 3)), c.bool(6)))
}

func tupleOf(ts []*code.Type) *types.Tuple {
	var vars []*types.Var
	for _, t := range ts {
		vars = append(vars, types.NewVar(token.NoPos, nil, "", t.Go))
	}
	return types.NewTuple(vars...)
}

// structOf(names, pkgPaths []string, types []*rtype, tags []string, embedded []bool) *rtype
func structOf(c *call) {
	names, pkgPaths, ts, tags, embedded := textList(c, 0), textList(c, 3), typeList(c, 6), textList(c, 9), boolList(c, 12)
	var fields []*types.Var
	words, size := 0, uint64(0)
	for i, name := range names {
		if iface, ok := ts[i].Go.Underlying().(*types.Interface); ok && embedded[i] && iface.NumMethods() > 0 {
			c.m.Unsupported(c.g, "reflect.StructOf with an embedded interface")
			return
		}
		words += ts[i].Words
		size += uint64(ts[i].Size) + 16
		if words > maxTypeWords || size > math.MaxInt64 {
			c.m.Unsupported(c.g, fmt.Sprintf("reflect.StructOf of more than %d cells", maxTypeWords))
			return
		}
		var pkg *types.Package
		if pkgPaths[i] != "" {
			pkg = packageOf(c.m, pkgPaths[i])
		}
		fields = append(fields, types.NewField(token.NoPos, pkg, name, ts[i].Go, embedded[i]))
	}
	setTypeOf(c, 0, types.NewStruct(fields, tags))
}

// packageOf returns the package with the path that a running program knows, one
// made up when the program has none.
func packageOf(m *Interpreter, path string) *types.Package {
	var found *types.Package
	for _, p := range m.Program.Packages() {
		if code.PkgPath(p.Pkg) == path && (found == nil || p.Pkg.Path() < found.Path()) {
			found = p.Pkg
		}
	}
	if found == nil {
		found = types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	}
	return found
}

// frameType returns the struct type of the parameters and results of sig.
func frameType(prog *code.Program, sig *types.Signature) *code.Type {
	var fields []*types.Var
	add := func(kind string, tuple *types.Tuple) {
		for i := range tuple.Len() {
			fields = append(fields, types.NewField(token.NoPos, nil, fmt.Sprint(kind, i), tuple.At(i).Type(), false))
		}
	}
	add("In", sig.Params())
	add("Out", sig.Results())
	return prog.Type(types.NewStruct(fields, nil))
}

// newOf(t *rtype) unsafe.Pointer
func newOf(c *call) {
	if o := c.m.NewObject(c.g, typeArg(c, 0), heap.Variable); o != nil {
		c.window[0] = heap.Word{P: o}
	}
}

// typeFunc returns the function that the running primitive returns for type t
// and, where it says so, a method, which is written when it is first asked for.
func (r *reflection) typeFunc(c *call, t *code.Type, method int, write func(*typeCode) *code.Func) *state.Function {
	key := typeFuncKey{prim: c.fn.SSA, typ: t, method: method}
	return r.funcFor(c, key, code.TypeString(t.Go), write)
}

func (r *reflection) funcFor(c *call, key typeFuncKey, what string, write func(*typeCode) *code.Func) *state.Function {
	fn := r.funcs[key]
	if fn == nil {
		fn = c.m.linkCode(write(newTypeCode(c.m.Program, key.prim, c.fn.Name+"["+what+"]")))
		r.funcs[key] = fn
	}
	return fn
}

// selectorOf(sends []bool, types []*rtype, block bool) func(chans, values unsafe.Pointer) (int, bool)
func (r *reflection) selectorOf(c *call) {
	sends, ts, block := boolList(c, 0), typeList(c, 3), c.bool(6)
	cases := fmt.Sprint(block)
	for i, t := range ts {
		cases += fmt.Sprint(" ", sends[i], t.ID)
	}
	key := typeFuncKey{prim: c.fn.SSA, cases: cases}
	setFunc(c, r.funcFor(c, key, fmt.Sprint(len(ts), " cases"), func(w *typeCode) *code.Func { return w.selector(sends, ts, block) }))
}

// methodFunc(t *rtype, i int) unsafe.Pointer
func (r *reflection) methodFunc(c *call) {
	m := &r.methodsOf(c.m, typeArg(c, 0))[c.int(1)]
	setFunc(c, c.m.link(c.m.Program.MethodFunc(m.entry)))
}

// methodBound(t *rtype, i int, rcvr unsafe.Pointer) unsafe.Pointer
func (r *reflection) methodBound(c *call) {
	t, i := typeArg(c, 0), int(c.int(1))
	m := &r.methodsOf(c.m, t)[i]
	fn := r.typeFunc(c, t, i, func(w *typeCode) *code.Func {
		return w.method(t, c.m.Program.MethodFunc(m.entry), m.sig)
	})
	setClosure(c, fn, c.window[2])
}

// makeFunc(t *rtype, impl unsafe.Pointer) unsafe.Pointer
func (r *reflection) makeFunc(c *call) {
	t, sig := typeArg(c, 0), signatureArg(c, 0)
	fn := r.typeFunc(c, t, 0, func(w *typeCode) *code.Func {
		callReflect := c.fn.SSA.Pkg.Func("callReflect")
		c.m.link(callReflect).Wrapper = true // what it calls is what is called, for recover
		return w.made(frameType(c.m.Program, sig), callReflect, sig)
	})
	setClosure(c, fn, c.window[1])
}

// setClosure makes a func value of fn with one bound word the only result.
func setClosure(c *call, fn *state.Function, binding heap.Word) {
	if o := c.m.NewCells(c.g, nil, heap.ClosureObject, 1); o != nil {
		o.Func = fn.ID
		o.Cells[0] = binding
		c.window[0] = heap.Word{P: o}
	}
}
