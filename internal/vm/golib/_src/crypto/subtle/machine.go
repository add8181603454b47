package subtle

// Timing tells nothing here.

func setDITEnabled() bool { return false }

func setDITDisabled() {}
