module github.com/everyway-go/everyway/bench/shapes/modules

go 1.26.0

require (
	github.com/emirpasic/gods v1.18.1
	github.com/everyway-go/everyway v0.0.0
	github.com/gammazero/deque v1.2.2
	github.com/google/btree v1.1.3
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/tidwall/btree v1.8.2
	github.com/wk8/go-ordered-map/v2 v2.1.8
)

require (
	github.com/bahlo/generic-list-go v0.2.0 // indirect
	github.com/buger/jsonparser v1.1.1 // indirect
	github.com/mailru/easyjson v0.7.7 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace github.com/everyway-go/everyway => ../../..
