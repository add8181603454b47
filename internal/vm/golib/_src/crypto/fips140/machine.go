package fips140

// FIPS is never enforced, so there is nothing to bypass.

func setBypass() {}

func isBypassed() bool { return false }

func unsetBypass() {}
