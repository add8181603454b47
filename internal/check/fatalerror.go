package check

import "github.com/everyway-go/everyway/internal/run"

// FatalError is misuse of a primitive that Go does not let a program recover from:
// unlock of an unlocked mutex, concurrent map writes, …
const FatalError Kind = "fatal error"

func fatalErrors(t *run.Trace) []Finding {
	if t.FatalError == nil {
		return nil
	}
	return []Finding{{Kind: FatalError, Message: t.FatalError.Message, StackTrace: t.FatalError.StackTrace}}
}
