package substitute

import everywaysync "github.com/everyway-go/everyway/internal/load/substitute/sync"

type everyway_Map = everywaysync.Map

type everyway_Pool = everywaysync.Pool
