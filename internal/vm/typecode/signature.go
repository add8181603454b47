package typecode

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/everyway-go/everyway/internal/code"
)

// WithoutReceiver returns the signature of a method as that of a function without a
// receiver.
func WithoutReceiver(sig *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}

// FrameType returns the struct type of the parameters and results of sig.
func FrameType(prog *code.Program, sig *types.Signature) *code.Type {
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
