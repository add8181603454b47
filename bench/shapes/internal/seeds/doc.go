// Package seeds puts data races into programs that have none. A file of seeds describes each race as an edit, so that a
// program need not be copied for it:
//
//	-- Insert/1 narrowed --
//	insert: l.height = max(l.height, height)
//	find: height := l.height
//	 	l.size++
//	+	l.mu.Unlock()
//	 	l.height = max(l.height, height)
//	-	l.mu.Unlock()
//
// The name says in which operation the race is, what is done to a lock, and with the word hidden that the race cannot
// show in the shape that the tests construct by default. Two lines follow that race, each after the function that it is in.
// The rest is a patch without line numbers: what it replaces is in the program once. A line with @ begins another part.
package seeds
