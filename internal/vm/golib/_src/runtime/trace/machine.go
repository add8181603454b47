package trace

// Nothing is traced.

func userTaskCreate(id, parentID uint64, taskType string) {}

func userTaskEnd(id uint64) {}

func userRegion(id, mode uint64, regionType string) {}

func userLog(id uint64, category, message string) {}
