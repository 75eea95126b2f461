// Drives libbz2: whole buffers, streams in small pieces, files, and damaged input.

#include "sample.h"

#include <bzlib.h>
#include <stdlib.h>

enum { SIZE = 30000, DAMAGED = 500 };

static char input[SIZE], packed[SIZE + SIZE / 100 + 600], output[SIZE];

static void expect(int condition, const char *what) {
  if (!condition) {
    printf("failed: %s\n", what);
    exit(1);
  }
}

static void whole_buffers(const char *name, int level, int small) {
  unsigned packed_size = sizeof packed, size = sizeof output;
  expect(BZ2_bzBuffToBuffCompress(packed, &packed_size, input, SIZE, level, 0, 0) == BZ_OK, "compress");
  expect(BZ2_bzBuffToBuffDecompress(output, &size, packed, packed_size, small, 0) == BZ_OK, "decompress");
  expect(size == SIZE && memcmp(input, output, SIZE) == 0, "the same bytes");
  printf("%-8s level %d: %u bytes, hash %08x\n", name, level, packed_size,
         sample_hash((unsigned char *)packed, packed_size));
}

static void streams(const char *name) {
  bz_stream bz = {0};
  expect(BZ2_bzCompressInit(&bz, 1, 0, 1) == BZ_OK, "BZ2_bzCompressInit");
  bz.next_in = input;
  bz.next_out = packed;
  int status = BZ_RUN_OK;
  while (status != BZ_STREAM_END) {
    size_t fed = (size_t)(bz.next_in - input);
    if (bz.avail_in == 0)
      bz.avail_in = SIZE - fed < 777 ? (unsigned)(SIZE - fed) : 777;
    bz.avail_out = 129;
    status = BZ2_bzCompress(&bz, fed + bz.avail_in == SIZE ? BZ_FINISH : BZ_RUN);
    expect(status >= 0, "BZ2_bzCompress");
  }
  unsigned packed_size = bz.total_out_lo32;
  expect(BZ2_bzCompressEnd(&bz) == BZ_OK, "BZ2_bzCompressEnd");

  bz = (bz_stream){0};
  expect(BZ2_bzDecompressInit(&bz, 0, 1) == BZ_OK, "BZ2_bzDecompressInit");
  bz.next_in = packed;
  bz.next_out = output;
  for (status = BZ_OK; status == BZ_OK;) {
    bz.avail_in = 61;
    bz.avail_out = output + SIZE - bz.next_out < 997 ? (unsigned)(output + SIZE - bz.next_out) : 997;
    status = BZ2_bzDecompress(&bz);
  }
  expect(status == BZ_STREAM_END && memcmp(input, output, SIZE) == 0, "BZ2_bzDecompress");
  expect(BZ2_bzDecompressEnd(&bz) == BZ_OK, "BZ2_bzDecompressEnd");
  printf("%-8s streamed: %u bytes, hash %08x\n", name, packed_size, sample_hash((unsigned char *)packed, packed_size));
}

static void file(void) {
  BZFILE *bz = BZ2_bzopen("sample.bz2", "w9");
  expect(bz != NULL && BZ2_bzwrite(bz, input, 3000) == 3000, "BZ2_bzwrite");
  BZ2_bzclose(bz);
  bz = BZ2_bzopen("sample.bz2", "r");
  expect(bz != NULL && BZ2_bzread(bz, output, SIZE) == 3000 && memcmp(input, output, 3000) == 0, "BZ2_bzread");
  BZ2_bzclose(bz);
  expect(remove("sample.bz2") == 0, "removing the file");
}

static void damage(void) {
  unsigned packed_size = sizeof packed;
  expect(BZ2_bzBuffToBuffCompress(packed, &packed_size, input, DAMAGED, 9, 0, 0) == BZ_OK, "compress");
  int outcomes[16] = {0};
  for (unsigned at = 4; at < packed_size; at += 4) {
    packed[at] ^= 0x24;
    unsigned size = DAMAGED;
    outcomes[-BZ2_bzBuffToBuffDecompress(output, &size, packed, packed_size, 0, 0)]++;
    packed[at] ^= 0x24;
  }
  for (int i = 0; i < 16; i++)
    if (outcomes[i])
      printf("damaged: %d times error %d\n", outcomes[i], -i);
}

int main(void) {
  printf("libbz2 %s\n", BZ2_bzlibVersion());
  for (size_t kind = 0; kind < SAMPLE_KINDS; kind++) {
    const char *name = sample_kinds[kind].name;
    sample_kinds[kind].fill((unsigned char *)input, SIZE);
    whole_buffers(name, 1, 0);
    whole_buffers(name, 9, 1);
    streams(name);
  }
  file();
  damage();
  return 0;
}
