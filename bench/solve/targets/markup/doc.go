// Package markup has fuzz targets over text and markup.
package markup
