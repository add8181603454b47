package schedule

// Words of the text.
const (
	textMagic     = "everyway schedule"
	endWord       = "end"
	timerWord     = "timer"
	noneWord      = "-"
	allWord       = "*"
	locationWord  = "location"
	timeWord      = "time"
	tryWord       = "try"
	dependsWord   = "depends"
	casesWord     = "cases"
	impliedWord   = "implied"
	cellWord      = "cell"
	nameWord      = "name"
	allocatorWord = "allocator"
	valuesWord    = "values"
	sourceWord    = "from"
	commentMark   = '#'
	propertyMark  = '%'
	annotateMark  = '@'
	cellMark      = '+'
	maxTextLine   = 1 << 20
	maxAnnotation = 1 << 8 // lines before an event
)
