package reflection

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/typecode"
)

// reflectPrimitives returns the primitives of the models of package reflect and of
// internal/reflectlite, which has some of the same. In both, a type is a pointer to the
// machine's type object.
func (r *reflection) reflectPrimitives() []exec.Primitive {
	var list []exec.Primitive
	for _, p := range r.primitives() {
		name := p.Name
		p.Name = "reflect." + name
		list = append(list, p)
		if reflectLite[name] {
			p.Name = "internal/reflectlite." + name
			list = append(list, p)
		}
	}
	return list
}

// reflectLite contains the primitives that internal/reflectlite has too.
var reflectLite = map[string]bool{
	"typeKind": true, "typeString": true, "typeName": true, "typePkgPath": true, "typeWords": true, "typeSize": true,
	"typeElem": true, "typeLen": true, "typeComparable": true, "typeImplements": true, "typeAssignable": true,
	"newOf": true, "offset": true, "copierOf": true, "packerOf": true,
}

// A reflection is what the reflect primitives of a machine remember. Its tables only
// grow, and hold no state of a run.
type reflection struct {
	methods map[*code.Type][]typeMethod
}

func newReflection() *reflection { return &reflection{methods: make(map[*code.Type][]typeMethod)} }

// A typeFuncKey identifies a function that a primitive returns.
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

// primitives returns the primitives of package reflect, named without the package.
func (r *reflection) primitives() []exec.Primitive {
	list := []exec.Primitive{
		{Name: "typeKind", Run: func(c *exec.Call) { c.Set(0, uint64(reflectKind(typeArg(c, 0)))) }},
		{Name: "typeString", Run: func(c *exec.Call) { setConstant(c, 0, code.TypeString(typeArg(c, 0).Go)) }},
		{Name: "typeName", Run: func(c *exec.Call) { setConstant(c, 0, code.TypeName(typeArg(c, 0).Go)) }},
		{Name: "typePkgPath", Run: func(c *exec.Call) { setConstant(c, 0, code.TypePkgPath(typeArg(c, 0).Go)) }},
		{Name: "typeWords", Run: func(c *exec.Call) { c.Set(0, uint64(typeArg(c, 0).Words)) }},
		{Name: "typeSize", Run: func(c *exec.Call) { c.Set(0, uint64(typeArg(c, 0).Size)) }},
		{Name: "typeAlign", Run: func(c *exec.Call) { c.Set(0, uint64(c.Machine.Program.Sizes().Alignof(typeArg(c, 0).Go))) }},
		{Name: "typeElem", Run: func(c *exec.Call) { setType(c, 0, typeArg(c, 0).Elem) }},
		{Name: "typeKey", Run: func(c *exec.Call) { setType(c, 0, typeArg(c, 0).Key) }},
		{Name: "typeLen", Run: func(c *exec.Call) { c.Set(0, uint64(typeArg(c, 0).Len)) }},
		{Name: "typeDir", Run: typeDir},
		{Name: "typeComparable", Run: func(c *exec.Call) { c.SetBool(0, types.Comparable(typeArg(c, 0).Go)) }},
		{Name: "typeNumField", Run: func(c *exec.Call) { c.Set(0, uint64(len(typeArg(c, 0).Fields))) }},
		{Name: "typeField", Run: typeField},
		{Name: "typeFieldAt", Run: typeFieldAt},
		{Name: "typeNumIn", Run: func(c *exec.Call) { c.Set(0, uint64(signatureArg(c).Params().Len())) }},
		{Name: "typeNumOut", Run: func(c *exec.Call) { c.Set(0, uint64(signatureArg(c).Results().Len())) }},
		{Name: "typeIn", Run: func(c *exec.Call) { setTypeOf(c, 0, signatureArg(c).Params().At(int(c.Int(1))).Type()) }},
		{Name: "typeOut", Run: func(c *exec.Call) { setTypeOf(c, 0, signatureArg(c).Results().At(int(c.Int(1))).Type()) }},
		{Name: "typeVariadic", Run: func(c *exec.Call) { c.SetBool(0, signatureArg(c).Variadic()) }},
		{Name: "typeNumMethod", Run: func(c *exec.Call) { c.Set(0, uint64(len(r.methodsOf(c.Machine, typeArg(c, 0))))) }},
		{Name: "typeNumHidden", Run: func(c *exec.Call) {
			t := typeArg(c, 0)
			c.Set(0, uint64(len(c.Machine.Program.Methods(t))-len(r.methodsOf(c.Machine, t))))
		}},
		{Name: "typeMethod", Run: r.typeMethod},
		{Name: "typeMethodNamed", Run: r.typeMethodNamed},
		{Name: "typeImplements", Run: typeImplements},
		{Name: "typeAssignable", Run: func(c *exec.Call) { c.SetBool(0, types.AssignableTo(typeArg(c, 0).Go, typeArg(c, 1).Go)) }},
		{Name: "typeSameUnderlying", Run: func(c *exec.Call) {
			c.SetBool(0, types.IdenticalIgnoreTags(typeArg(c, 0).Go.Underlying(), typeArg(c, 1).Go.Underlying()))
		}},
		{Name: "pointerTo", Run: func(c *exec.Call) { setTypeOf(c, 0, types.NewPointer(typeArg(c, 0).Go)) }},
		{Name: "sliceOf", Run: func(c *exec.Call) { setTypeOf(c, 0, types.NewSlice(typeArg(c, 0).Go)) }},
		{Name: "arrayOf", Run: arrayOf},
		{Name: "chanOf", Run: chanOf},
		{Name: "mapOf", Run: func(c *exec.Call) { setTypeOf(c, 0, types.NewMap(typeArg(c, 0).Go, typeArg(c, 1).Go)) }},
		{Name: "funcOf", Run: funcOf},
		{Name: "structOf", Run: structOf},
		{Name: "frameOf", Run: func(c *exec.Call) { setType(c, 0, typecode.FrameType(c.Machine.Program, signatureArg(c))) }},
		{Name: "newOf", Run: newOf},
		{Name: "offset", Run: func(c *exec.Call) { c.Window[0].N += c.Window[1].N }},
		{Name: "selectorOf", Run: r.selectorOf},
		{Name: "methodFunc", Run: r.methodFunc},
		{Name: "methodBound", Run: r.methodBound},
		{Name: "makeFunc", Run: r.makeFunc},
		{Name: "funcEntry", Run: func(c *exec.Call) { c.Set(0, state.PCOf(c.Machine.Funcs[c.Window[0].P.Func], 0)) }},
		{Name: "methodCallerOf", Run: func(c *exec.Call) {
			t, i := typeArg(c, 0), int(c.Int(1))
			m := &r.methodsOf(c.Machine, t)[i]
			setFunc(c, r.typeFunc(c, t, i, func(w *typecode.Writer) *code.Func {
				return w.MethodCaller(t, c.Machine.Program.MethodFunc(m.entry), m.sig)
			}))
		}},
		{Name: "callerOf", Run: func(c *exec.Call) {
			t, sig := typeArg(c, 0), signatureArg(c)
			setFunc(c, r.typeFunc(c, t, 0, func(w *typecode.Writer) *code.Func { return w.Caller(sig) }))
		}},
	}
	for _, op := range []struct {
		name  string
		write func(*typecode.Writer, *code.Type) *code.Func
	}{
		{"copierOf", (*typecode.Writer).Copier},
		{"clearerOf", (*typecode.Writer).Clearer},
		{"packerOf", (*typecode.Writer).Packer},
		{"sliceMakerOf", (*typecode.Writer).SliceMaker},
		{"appenderOf", (*typecode.Writer).Appender},
		{"sliceCopierOf", (*typecode.Writer).SliceCopier},
		{"sliceClearerOf", (*typecode.Writer).SliceClearer},
		{"mapMakerOf", (*typecode.Writer).MapMaker},
		{"mapGetterOf", (*typecode.Writer).MapGetter},
		{"mapSetterOf", (*typecode.Writer).MapSetter},
		{"mapDeleterOf", (*typecode.Writer).MapDeleter},
		{"mapRangerOf", (*typecode.Writer).MapRanger},
		{"mapNexterOf", (*typecode.Writer).MapNexter},
		{"chanMakerOf", (*typecode.Writer).ChanMaker},
		{"senderOf", (*typecode.Writer).Sender},
		{"receiverOf", (*typecode.Writer).Receiver},
	} {
		list = append(list, exec.Primitive{Name: op.name, Run: func(c *exec.Call) {
			t := typeArg(c, 0)
			setFunc(c, r.typeFunc(c, t, 0, func(w *typecode.Writer) *code.Func { return op.write(w, t) }))
		}})
	}
	return list
}

// typeArg returns the type to which argument word i points.
func typeArg(c *exec.Call, i int) *code.Type { return c.Window[i].P.Desc }

// signatureArg returns the function type to which the first argument points.
func signatureArg(c *exec.Call) *types.Signature {
	return typeArg(c, 0).Go.Underlying().(*types.Signature)
}

// setType makes the type t, which may be nil, result word i.
func setType(c *exec.Call, i int, t *code.Type) {
	c.Window[i] = heap.Word{}
	if t != nil {
		c.Window[i] = c.Machine.TypeWord(t)
	}
}

// setTypeOf makes the type t result word i.
func setTypeOf(c *exec.Call, i int, t types.Type) { setType(c, i, c.Machine.Program.Type(t)) }

// setConstant makes s result words i and i+1. The string belongs to the program and is
// not allocated in the run.
func setConstant(c *exec.Call, i int, s string) {
	c.Window[i] = c.Machine.ConstString(s)
	c.Window[i+1] = heap.Word{N: uint64(len(s))}
}

// setFunc makes the function fn the only result, as a value.
func setFunc(c *exec.Call, fn *state.Function) { c.Window[0] = heap.Word{P: c.Machine.FuncValue(fn)} }

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

// basicKinds maps basic types to the kinds of package reflect.
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

// reflectKind returns the kind of t, as package reflect numbers kinds.
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

// typeDir(t *rtype) ChanDir
func typeDir(c *exec.Call) {
	switch typeArg(c, 0).Go.Underlying().(*types.Chan).Dir() {
	case types.SendOnly:
		c.Set(0, sendDir)
	case types.RecvOnly:
		c.Set(0, recvDir)
	default:
		c.Set(0, sendDir|recvDir)
	}
}

// typeField(t *rtype, i int) (name, pkgPath string, typ *rtype, tag string, offset uintptr, embedded bool)
func typeField(c *exec.Call) {
	t, i := typeArg(c, 0), int(c.Int(1))
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
	c.Set(7, uint64(c.Machine.Program.Sizes().Offsetsof(vars)[i]))
	c.SetBool(8, f.Embedded())
}

// typeFieldAt(t *rtype, i int) (typ *rtype, offset int, exported, embedded bool)
func typeFieldAt(c *exec.Call) {
	f := &typeArg(c, 0).Fields[c.Int(1)]
	setType(c, 0, f.Type)
	c.Set(1, uint64(f.Offset))
	c.SetBool(2, f.Exported)
	c.SetBool(3, f.Embedded)
}

// methodsOf returns the methods of t as reflect lists them: all methods of an interface,
// and the exported ones of other types.
func (r *reflection) methodsOf(m *exec.Interpreter, t *code.Type) []typeMethod {
	list, ok := r.methods[t]
	if ok {
		return list
	}
	if iface, ok := t.Go.Underlying().(*types.Interface); ok {
		for _, fn := range code.InterfaceMethods(iface) {
			list = append(list, typeMethod{obj: fn, sig: typecode.WithoutReceiver(fn.Signature())})
		}
	} else {
		for _, e := range m.Program.Methods(t) {
			if fn := e.Sel.Obj().(*types.Func); fn.Exported() {
				list = append(list, typeMethod{obj: fn, entry: e, sig: typecode.WithoutReceiver(e.Sel.Type().(*types.Signature))})
			}
		}
	}
	r.methods[t] = list
	return list
}

// typeMethod(t *rtype, i int) (name, pkgPath string, typ *rtype)
func (r *reflection) typeMethod(c *exec.Call) {
	m := &r.methodsOf(c.Machine, typeArg(c, 0))[c.Int(1)]
	setConstant(c, 0, m.obj.Name())
	pkgPath := ""
	if !m.obj.Exported() {
		pkgPath = code.PkgPath(m.obj.Pkg())
	}
	setConstant(c, 2, pkgPath)
	setTypeOf(c, 4, m.sig)
}

// typeMethodNamed(t *rtype, name string) int
func (r *reflection) typeMethodNamed(c *exec.Call) {
	name := c.Text(1)
	index := -1
	for i, m := range r.methodsOf(c.Machine, typeArg(c, 0)) {
		if m.obj.Name() == name {
			index = i
			break
		}
	}
	c.Set(0, uint64(index))
}

// typeImplements(t, u *rtype) bool
func typeImplements(c *exec.Call) {
	iface, ok := typeArg(c, 1).Go.Underlying().(*types.Interface)
	c.SetBool(0, ok && types.Implements(typeArg(c, 0).Go, iface))
}

// maxTypeWords bounds the size of types that are made at run time, since no object can be
// larger.
const maxTypeWords = state.MaxCells

// arrayOf(n int, t *rtype) *rtype
func arrayOf(c *exec.Call) {
	n, elem := c.Int(0), typeArg(c, 1)
	if n > maxTypeWords || n*int64(elem.Words) > maxTypeWords || elem.Size > 0 && n > math.MaxInt64/elem.Size {
		c.Machine.Unsupported(c.Goroutine, fmt.Sprintf("reflect.ArrayOf of %d elements of %v", n, elem))
		return
	}
	setTypeOf(c, 0, types.NewArray(elem.Go, n))
}

// chanOf(dir ChanDir, t *rtype) *rtype
func chanOf(c *exec.Call) {
	dir := types.SendRecv
	switch c.Int(0) {
	case sendDir:
		dir = types.SendOnly
	case recvDir:
		dir = types.RecvOnly
	}
	setTypeOf(c, 0, types.NewChan(dir, typeArg(c, 1).Go))
}

// wordList returns the words in memory of the slice in argument words i and i+1, whose
// elements have each words. Symbolic ones are made concrete.
func wordList(c *exec.Call, i, each int) []heap.Word {
	n := int(c.Window[i+1].N) * each
	if n == 0 {
		return nil
	}
	base := c.Window[i]
	c.Machine.ConcretizeCells(c.Goroutine, base.P, int(base.N), n)
	return base.P.Cells[base.N:][:n]
}

// typeList returns the types of the []*rtype in argument words i and i+1.
func typeList(c *exec.Call, i int) []*code.Type {
	var list []*code.Type
	for _, w := range wordList(c, i, 1) {
		list = append(list, w.P.Desc)
	}
	return list
}

// textList returns the strings of the []string in argument words i and i+1.
func textList(c *exec.Call, i int) []string {
	var list []string
	words := wordList(c, i, 2)
	for k := 0; k < len(words); k += 2 {
		list = append(list, string(c.Machine.ConcreteBytes(c.Goroutine, words[k], int(words[k+1].N))))
	}
	return list
}

// boolList returns the truth values of the []bool in argument words i and i+1.
func boolList(c *exec.Call, i int) []bool {
	var list []bool
	for _, w := range wordList(c, i, 1) {
		list = append(list, w.N != 0)
	}
	return list
}

// funcOf(in, out []*rtype, variadic bool) *rtype
func funcOf(c *exec.Call) {
	setTypeOf(c, 0, types.NewSignatureType(nil, nil, nil, tupleOf(typeList(c, 0)), tupleOf(typeList(c, 3)), c.Bool(6)))
}

// tupleOf returns a tuple of variables with the given types.
func tupleOf(ts []*code.Type) *types.Tuple {
	var vars []*types.Var
	for _, t := range ts {
		vars = append(vars, types.NewVar(token.NoPos, nil, "", t.Go))
	}
	return types.NewTuple(vars...)
}

// structOf(names, pkgPaths []string, types []*rtype, tags []string, embedded []bool) *rtype
func structOf(c *exec.Call) {
	names, pkgPaths, ts, tags, embedded := textList(c, 0), textList(c, 3), typeList(c, 6), textList(c, 9), boolList(c, 12)
	var fields []*types.Var
	words, size := 0, uint64(0)
	for i, name := range names {
		if iface, ok := ts[i].Go.Underlying().(*types.Interface); ok && embedded[i] && iface.NumMethods() > 0 {
			c.Machine.Unsupported(c.Goroutine, "reflect.StructOf with an embedded interface")
			return
		}
		words += ts[i].Words
		size += uint64(ts[i].Size) + 16
		if words > maxTypeWords || size > math.MaxInt64 {
			c.Machine.Unsupported(c.Goroutine, fmt.Sprintf("reflect.StructOf of more than %d cells", maxTypeWords))
			return
		}
		var pkg *types.Package
		if pkgPaths[i] != "" {
			pkg = packageOf(c.Machine, pkgPaths[i])
		}
		fields = append(fields, types.NewField(token.NoPos, pkg, name, ts[i].Go, embedded[i]))
	}
	setTypeOf(c, 0, types.NewStruct(fields, tags))
}

// packageOf returns the package with a path as a running program knows it. If the program
// has no such package, it makes one.
func packageOf(m *exec.Interpreter, path string) *types.Package {
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

// newOf(t *rtype) unsafe.Pointer
func newOf(c *exec.Call) {
	if o := c.Machine.NewObject(c.Goroutine, typeArg(c, 0), heap.Variable); o != nil {
		c.Window[0] = heap.Word{P: o}
	}
}

// typeFunc returns the function that the running primitive returns for type t and, for
// some primitives, a method. The function is written when it is first needed.
func (r *reflection) typeFunc(c *exec.Call, t *code.Type, method int, write func(*typecode.Writer) *code.Func) *state.Function {
	key := typeFuncKey{prim: c.Func.SSA, typ: t, method: method}
	return r.funcFor(c, key, code.TypeString(t.Go), write)
}

// funcFor returns the function with a key. If there is none yet, write makes it, and its
// name ends in what.
func (r *reflection) funcFor(c *exec.Call, key typeFuncKey, what string, write func(*typecode.Writer) *code.Func) *state.Function {
	return c.Machine.LinkWritten(key, func() *code.Func {
		return write(typecode.New(c.Machine.Program, key.prim, c.Func.Name+"["+what+"]"))
	})
}

// selectorOf(sends []bool, types []*rtype, block bool) func(chans, values unsafe.Pointer) (int, bool)
func (r *reflection) selectorOf(c *exec.Call) {
	sends, ts, block := boolList(c, 0), typeList(c, 3), c.Bool(6)
	cases := fmt.Sprint(block)
	for i, t := range ts {
		cases += fmt.Sprint(" ", sends[i], t.ID)
	}
	key := typeFuncKey{prim: c.Func.SSA, cases: cases}
	setFunc(c, r.funcFor(c, key, fmt.Sprint(len(ts), " cases"), func(w *typecode.Writer) *code.Func { return w.Selector(sends, ts, block) }))
}

// methodFunc(t *rtype, i int) unsafe.Pointer
func (r *reflection) methodFunc(c *exec.Call) {
	m := &r.methodsOf(c.Machine, typeArg(c, 0))[c.Int(1)]
	setFunc(c, c.Machine.Link(c.Machine.Program.MethodFunc(m.entry)))
}

// methodBound(t *rtype, i int, rcvr unsafe.Pointer) unsafe.Pointer
func (r *reflection) methodBound(c *exec.Call) {
	t, i := typeArg(c, 0), int(c.Int(1))
	m := &r.methodsOf(c.Machine, t)[i]
	fn := r.typeFunc(c, t, i, func(w *typecode.Writer) *code.Func {
		return w.Method(t, c.Machine.Program.MethodFunc(m.entry), m.sig)
	})
	setClosure(c, fn, c.Window[2])
}

// makeFunc(t *rtype, impl unsafe.Pointer) unsafe.Pointer
func (r *reflection) makeFunc(c *exec.Call) {
	t, sig := typeArg(c, 0), signatureArg(c)
	fn := r.typeFunc(c, t, 0, func(w *typecode.Writer) *code.Func {
		callReflect := c.Func.SSA.Pkg.Func("callReflect")
		c.Machine.Link(callReflect).Wrapper = true // for recover, what it calls counts as called directly
		return w.Made(typecode.FrameType(c.Machine.Program, sig), callReflect, sig)
	})
	setClosure(c, fn, c.Window[1])
}

// setClosure makes a function value of fn, with one bound word, the only result.
func setClosure(c *exec.Call, fn *state.Function, binding heap.Word) {
	if o := c.Machine.NewCells(c.Goroutine, nil, heap.ClosureObject, 1); o != nil {
		o.Func = fn.ID
		o.Cells[0] = binding
		c.Window[0] = heap.Word{P: o}
	}
}
