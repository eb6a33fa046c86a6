#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast, which Swift can't import. */
static inline sqlite3_destructor_type engram_sqlite_transient(void) { return SQLITE_TRANSIENT; }
