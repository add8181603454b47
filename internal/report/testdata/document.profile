Comment: example.com/m/p.TestY: 2 of 2 runs were made before without -profile, and are not in it
Comment: example.com/m/p.TestZ: 2 of 2 runs were made before without -profile, and are not in it
Comment: example.com/m/p.TestOpen: 2 of 2 runs were made before without -profile, and are not in it
Comment: example.com/m/p.TestSkipped: 2 of 2 runs were made before without -profile, and are not in it
Comment: example.com/m/p.TestFault: 2 of 2 runs were made before without -profile, and are not in it
PeriodType: instructions count
Period: 1009
Samples:
runs/count[dflt] steps/count instructions/count queries/count solver/nanoseconds time/nanoseconds
         12          0          0          0          0          0: 1 
                activity:[planning] departs:[order] package:[example.com/m] target:[FuzzX]
Locations
     1: 0x0 M=1 m.f /m/f.go:7:0 s=0
Mappings
1: 0x0/0x0/0x0   [FN][FL][LN]
