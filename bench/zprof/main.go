package main

import ("os";"fmt";"context";"strings";"runtime/pprof";"syscall";"time";"github.com/everyway-go/everyway/schedule";"github.com/everyway-go/everyway/internal/analysis/registry";"github.com/everyway-go/everyway/internal/analysis")

func main() {
	f, _ := os.Open(os.Args[1])
	var infos []analysis.Info
	for _, i := range registry.Detectors() { if strings.Contains(","+os.Args[2]+",", ","+i.Name+",") { infos = append(infos, i) } }
	p, _ := os.Create("/tmp/w/race.prof")
	pprof.StartCPUProfile(p)
	r, err := schedule.NewReader(f, "x")
	if err != nil { panic(err) }
	rep, err := analysis.Run(context.Background(), r, infos, 0)
	pprof.StopCPUProfile()
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	fmt.Println(rep.Events, len(rep.Findings), err, time.Duration(u.Utime.Nano()+u.Stime.Nano()), u.Maxrss>>10)
	for _, f := range rep.Findings { fmt.Println(f.Kind, f.Times, f.Sites[0].Order, f.Sites[1].Order) }
}
