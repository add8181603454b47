// Package version has fuzz targets over identifiers and versions.
package version
