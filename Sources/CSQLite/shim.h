#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast, which Swift can't import. */
static inline sqlite3_destructor_type engram_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/* sqlite3_db_config is variadic, which Swift can't import. Sets one of the switches that take an int. */
static inline int engram_sqlite_switch(sqlite3 *database, int option, int on) { return sqlite3_db_config(database, option, on, (int *)0); }
