module github.com/everyway-go/everyway/examples/found

go 1.26

require (
	github.com/Code-Hex/go-generics-cache v1.5.1
	github.com/ReneKroon/ttlcache/v2 v2.11.0
	github.com/Workiva/go-datastructures v1.1.7
	github.com/afex/hystrix-go v0.0.0-20180502004556-fa1af6a1f4f5
	github.com/alexedwards/scs/v2 v2.9.0
	github.com/alitto/pond/v2 v2.7.1
	github.com/alphadose/haxmap v1.4.0
	github.com/asaskevich/EventBus v0.0.0-20200907212545-49d423059eef
	github.com/benbjohnson/clock v1.3.5
	github.com/bep/lazycache v0.9.0
	github.com/bluele/gcache v0.0.2
	github.com/deckarep/golang-set/v2 v2.9.0
	github.com/dustin/go-broadcast v0.0.0-20171205050544-f664265f5a66
	github.com/eapache/channels v1.1.0
	github.com/go-chi/httprate v0.16.1
	github.com/go-pkgz/pool v0.9.0
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/jackc/puddle/v2 v2.2.3
	github.com/jellydator/ttlcache/v3 v3.4.1
	github.com/jolestar/go-commons-pool/v2 v2.1.2
	github.com/jonboulle/clockwork v0.5.0
	github.com/looplab/fsm v1.0.3
	github.com/marusama/cyclicbarrier v1.1.0
	github.com/muesli/cache2go v0.0.0-20221011235721-518229cd8021
	github.com/panjf2000/ants/v2 v2.12.1
	github.com/reugn/go-quartz v0.15.2
	github.com/robfig/cron/v3 v3.0.1
	github.com/rubyist/circuitbreaker v2.2.1+incompatible
	github.com/samber/do/v2 v2.0.0
	github.com/sethvargo/go-limiter v0.7.1
	github.com/smallnest/chanx v1.2.0
	github.com/smallnest/ringbuffer v0.2.1
	github.com/tidwall/tinylru v1.2.1
	github.com/ulule/limiter/v3 v3.11.2
	github.com/zeromicro/go-zero v1.10.3
)

require (
	github.com/cenk/backoff v2.2.1+incompatible // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/eapache/queue v1.1.0 // indirect
	github.com/facebookgo/clock v0.0.0-20150410010913-600d898af40a // indirect
	github.com/fatih/color v1.18.0 // indirect
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/mattn/go-colorable v0.1.13 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/peterbourgon/g2s v0.0.0-20170223122336-d4e7ad98afea // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/samber/go-type-to-string v1.8.0 // indirect
	github.com/smartystreets/goconvey v1.8.1 // indirect
	github.com/spaolacci/murmur3 v1.1.0 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	github.com/zeebo/xxh3 v1.0.2 // indirect
	go.mongodb.org/mongo-driver v1.17.4 // indirect
	go.opentelemetry.io/otel v1.40.0 // indirect
	go.opentelemetry.io/otel/trace v1.40.0 // indirect
	go.uber.org/automaxprocs v1.6.0 // indirect
	golang.org/x/exp v0.0.0-20221031165847-c99f073a8326 // indirect
	golang.org/x/sync v0.19.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
)
