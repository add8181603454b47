// Package accept keeps the findings that a team knows of and keeps: they are listed, and do not
// make a target fail. A [List] is read from the file everyway.accept in the root of a module, in
// which an [Entry] names the places of a finding by function and source text, so that it
// survives changes elsewhere in the file. A finding can also be accepted by a comment at its
// place, //everyway:accept and the kind. The search asks [List.Match] for each finding.
package accept
