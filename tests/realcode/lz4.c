// Drives lz4: blocks in all speeds, the high-compression mode, frames, dictionaries and damaged input.

#include "sample.h"

#include <lz4.h>
#include <lz4frame.h>
#include <lz4hc.h>
#include <stdlib.h>

enum { SIZE = 50000, PIECE = 4000, DAMAGED = 1000 };

static char input[SIZE], packed[2 * SIZE], output[SIZE];

static void expect(int condition, const char *what) {
  if (!condition) {
    printf("failed: %s\n", what);
    exit(1);
  }
}

static void report(const char *name, const char *how, int packed_size) {
  expect(packed_size > 0, how);
  expect(LZ4_decompress_safe(packed, output, packed_size, SIZE) == SIZE, "LZ4_decompress_safe");
  expect(memcmp(input, output, SIZE) == 0, "the same bytes");
  printf("%-8s %s: %d bytes, hash %08x\n", name, how, packed_size, sample_hash((unsigned char *)packed, packed_size));
}

static void blocks(const char *name) {
  report(name, "default", LZ4_compress_default(input, packed, SIZE, sizeof packed));
  report(name, "fast 17", LZ4_compress_fast(input, packed, SIZE, sizeof packed, 17));
  report(name, "hc 3", LZ4_compress_HC(input, packed, SIZE, sizeof packed, 3));
  report(name, "hc 9", LZ4_compress_HC(input, packed, SIZE, sizeof packed, 9));
  report(name, "hc 12", LZ4_compress_HC(input, packed, SIZE, sizeof packed, 12));
}

// Each piece may refer to the ones before it, which the decoder must therefore still see.
static void linked_pieces(const char *name) {
  LZ4_stream_t *stream = LZ4_createStream();
  LZ4_streamDecode_t *decoder = LZ4_createStreamDecode();
  expect(stream && decoder && LZ4_setStreamDecode(decoder, NULL, 0), "streams");
  int total = 0;
  for (int at = 0; at < SIZE; at += PIECE) {
    int length = SIZE - at < PIECE ? SIZE - at : PIECE;
    int size = LZ4_compress_fast_continue(stream, input + at, packed, length, sizeof packed, 1);
    expect(size > 0, "LZ4_compress_fast_continue");
    expect(LZ4_decompress_safe_continue(decoder, packed, output + at, size, length) == length, "a linked piece");
    total += size;
  }
  expect(memcmp(input, output, SIZE) == 0, "the same bytes");
  printf("%-8s linked: %d bytes\n", name, total);
  LZ4_freeStream(stream);
  LZ4_freeStreamDecode(decoder);
}

static void frames(const char *name) {
  LZ4F_preferences_t preferences = {.compressionLevel = 4};
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  preferences.frameInfo.blockChecksumFlag = LZ4F_blockChecksumEnabled;
  preferences.frameInfo.blockSizeID = LZ4F_max64KB;
  size_t packed_size = LZ4F_compressFrame(packed, sizeof packed, input, SIZE, &preferences);
  expect(!LZ4F_isError(packed_size), LZ4F_getErrorName(packed_size));
  printf("%-8s frame: %zu bytes, hash %08x\n", name, packed_size, sample_hash((unsigned char *)packed, packed_size));

  LZ4F_dctx *context;
  expect(!LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)), "a decompression context");
  size_t read = 0, written = 0, hint = 1;
  while (hint != 0) {
    size_t in = packed_size - read < 211 ? packed_size - read : 211, out = SIZE - written;
    hint = LZ4F_decompress(context, output + written, &out, packed + read, &in, NULL);
    expect(!LZ4F_isError(hint), LZ4F_getErrorName(hint));
    read += in;
    written += out;
  }
  expect(written == SIZE && memcmp(input, output, SIZE) == 0, "the same bytes");
  LZ4F_freeDecompressionContext(context);
}

static void damage(void) {
  int size = LZ4_compress_default(input, packed, DAMAGED, sizeof packed);
  unsigned long results = 0;
  for (int at = 0; at < size; at++) {
    packed[at] ^= 0x18;
    int result = LZ4_decompress_safe(packed, output, size, DAMAGED);
    results = results * 31 + (unsigned long)(result < 0 ? -1 : result);
    packed[at] ^= 0x18;
  }
  printf("damaged: %lu\n", results);
}

int main(void) {
  printf("lz4 %s\n", LZ4_versionString());
  for (size_t kind = 0; kind < SAMPLE_KINDS; kind++) {
    const char *name = sample_kinds[kind].name;
    sample_kinds[kind].fill((unsigned char *)input, SIZE);
    blocks(name);
    linked_pieces(name);
    frames(name);
  }
  fill_text((unsigned char *)input, SIZE);
  damage();
  return 0;
}
