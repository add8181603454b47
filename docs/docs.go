// Package docs has the pages of this directory, which the commands everyway help and everyway
// explain print.
package docs

import "embed"

// Pages are the pages: Markdown, one file each.
//
//go:embed *.md
var Pages embed.FS
