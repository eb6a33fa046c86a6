#include <lmdb.h>

// Has a line of the cache fetched from far memory, without waiting for it.
static inline void engram_prefetch(const void *address) { __builtin_prefetch(address); }
