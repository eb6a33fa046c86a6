#include <zlib.h>

/* inflateInit2 and deflateInit2 are macros, which Swift can't import. */
static inline int engram_inflate_init(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }
static inline int engram_deflate_init(z_stream *stream, int window_bits) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}
