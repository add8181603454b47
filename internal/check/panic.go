package check

import "github.com/everyway-go/everyway/internal/run"

// Panic is a panic that nothing recovered.
const Panic Kind = "panic"

func panics(t *run.Trace) []Finding {
	if t.Panic == nil {
		return nil
	}
	return []Finding{{Kind: Panic, Message: t.Panic.Message, StackTrace: t.Panic.StackTrace}}
}
