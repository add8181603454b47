package embed

// EverywayFS returns a file system of the given names, each followed by the content. It is the
// initial value of a variable with a go:embed directive (internal/load, embed.go), and so
// exported. The names are in the order that lookup expects.
func EverywayFS(files ...string) FS {
	list := make([]file, len(files)/2)
	for i := range list {
		list[i] = file{name: files[2*i], data: files[2*i+1]}
	}
	return FS{&list}
}
