// Has a line of the cache fetched from far memory, without waiting for it. Harmless whatever the address.
static inline void engram_prefetch(const void *address) { __builtin_prefetch(address); }
