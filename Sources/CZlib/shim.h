#include <zlib.h>

/// `inflateInit2` is a macro, which Swift can't see.
static inline int engram_inflate_init(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }
