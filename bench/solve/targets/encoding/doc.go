// Package encoding has fuzz targets over decoders of modules.
package encoding
