// Package config has fuzz targets over parsers of configuration files and the like.
package config
