// Drives zlib: whole buffers, streams in small pieces, dictionaries, gzip files, checksums and damaged input. With an
// argument, it only does what makes zlib read memory that was never set.

#include "sample.h"

#include <stdlib.h>
#include <zlib.h>

enum { SIZE = 40000, DAMAGED = 2000 };

static unsigned char input[SIZE], packed[SIZE + 1000], output[SIZE];

static void expect(int condition, const char *what) {
  if (!condition) {
    printf("failed: %s\n", what);
    exit(1);
  }
}

static void whole_buffers(const char *name, int level) {
  uLongf packed_size = sizeof packed, size = sizeof output;
  expect(compress2(packed, &packed_size, input, SIZE, level) == Z_OK, "compress2");
  expect(uncompress(output, &size, packed, packed_size) == Z_OK, "uncompress");
  expect(size == SIZE && memcmp(input, output, SIZE) == 0, "the same bytes");
  printf("%-8s level %d: %lu bytes, hash %08x\n", name, level, packed_size, sample_hash(packed, packed_size));
}

// zlib compares entries of its hash chains that it never set, where the strategy keeps no chains. Its authors know and
// exempt that function from the memory sanitizer; here the memory is set instead.
static alloc_func allocate;
static free_func release;

static voidpf zeroed(voidpf opaque, uInt items, uInt size) {
  ++*(int *)opaque;
  return calloc(items, size);
}

static void free_counted(voidpf opaque, voidpf memory) {
  --*(int *)opaque;
  free(memory);
}

// Feeds both directions with pieces of odd sizes, so that every state of the machines is left and entered again.
static void streams(const char *name, int level, int window_bits, int strategy) {
  int live = 0;
  z_stream z = {.zalloc = allocate, .zfree = release, .opaque = &live};
  expect(deflateInit2(&z, level, Z_DEFLATED, window_bits, 8, strategy) == Z_OK, "deflateInit2");
  size_t fed = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    size_t piece = SIZE - fed < 1237 ? SIZE - fed : 1237;
    int flush = fed + piece == SIZE ? Z_FINISH : fed % 5 == 0 ? Z_SYNC_FLUSH : Z_NO_FLUSH;
    z.next_in = input + fed;
    z.avail_in = (uInt)piece;
    do {
      z.next_out = packed + z.total_out;
      z.avail_out = 311;
      status = deflate(&z, flush);
      expect(status != Z_STREAM_ERROR, "deflate");
    } while (z.avail_out == 0);
    fed += piece - z.avail_in;
  }
  uLong packed_size = z.total_out;
  expect(deflateEnd(&z) == Z_OK, "deflateEnd");

  z = (z_stream){0};
  expect(inflateInit2(&z, window_bits > 15 ? 47 : window_bits) == Z_OK, "inflateInit2");
  for (status = Z_OK; status == Z_OK;) {
    z.next_in = packed + z.total_in;
    z.avail_in = packed_size - z.total_in < 97 ? (uInt)(packed_size - z.total_in) : 97;
    z.next_out = output + z.total_out;
    z.avail_out = SIZE - z.total_out < 1001 ? (uInt)(SIZE - z.total_out) : 1001;
    status = inflate(&z, Z_NO_FLUSH);
  }
  expect(status == Z_STREAM_END && z.total_out == SIZE && memcmp(input, output, SIZE) == 0, "inflate");
  expect(inflateEnd(&z) == Z_OK, "inflateEnd");
  expect(live == 0, "nothing left allocated");
  printf("%-8s level %d window %3d strategy %d: %lu bytes, hash %08x\n", name, level, window_bits, strategy, packed_size,
         sample_hash(packed, packed_size));
}

static void dictionary(void) {
  const Bytef words[] = "stone water dark passage light rope the of a depth below narrow";
  z_stream z = {0};
  expect(deflateInit(&z, 9) == Z_OK && deflateSetDictionary(&z, words, sizeof words) == Z_OK, "deflateSetDictionary");
  z.next_in = input;
  z.avail_in = 500;
  z.next_out = packed;
  z.avail_out = sizeof packed;
  expect(deflate(&z, Z_FINISH) == Z_STREAM_END, "deflate with a dictionary");
  uLong packed_size = z.total_out;
  deflateEnd(&z);

  z = (z_stream){0};
  expect(inflateInit(&z) == Z_OK, "inflateInit");
  z.next_in = packed;
  z.avail_in = (uInt)packed_size;
  z.next_out = output;
  z.avail_out = sizeof output;
  expect(inflate(&z, Z_FINISH) == Z_NEED_DICT, "inflate asks for the dictionary");
  printf("dictionary %08lx\n", z.adler);
  expect(inflateSetDictionary(&z, words, sizeof words) == Z_OK && inflate(&z, Z_FINISH) == Z_STREAM_END, "inflate");
  printf("with a dictionary: %lu bytes, hash %08x\n", packed_size, sample_hash(output, z.total_out));
  inflateEnd(&z);
}

static void gzip_file(void) {
  gzFile file = gzopen("sample.gz", "wb6");
  expect(file != NULL, "gzopen for writing");
  expect(gzwrite(file, input, 5000) == 5000 && gzprintf(file, "%d %s %.3f\n", 42, "lines", 2.5) > 0, "gzwrite");
  expect(gzputs(file, "last line\n") > 0 && gzclose(file) == Z_OK, "gzclose");
  file = gzopen("sample.gz", "rb");
  expect(file != NULL && gzread(file, output, 5000) == 5000 && memcmp(input, output, 5000) == 0, "gzread");
  char line[64];
  while (gzgets(file, line, sizeof line))
    printf("gzip file: %s", line);
  expect(gzrewind(file) == 0 && gzseek(file, 4000, SEEK_SET) == 4000 && gzgetc(file) == input[4000], "gzseek");
  printf("gzip file at %ld, end %d\n", (long)gztell(file), gzeof(file));
  expect(gzclose(file) == Z_OK && remove("sample.gz") == 0, "removing the file");
}

// Damaged streams: each bit flip must end in the same way as on the machine itself.
static void damage(void) {
  uLongf packed_size = sizeof packed;
  expect(compress2(packed, &packed_size, input, DAMAGED, 9) == Z_OK, "compress2");
  int outcomes[16] = {0};
  for (uLong at = 0; at < packed_size; at += 3) {
    packed[at] ^= 0x11;
    uLongf size = DAMAGED;
    outcomes[8 + uncompress(output, &size, packed, packed_size)]++;
    packed[at] ^= 0x11;
  }
  for (int i = 0; i < 16; i++)
    if (outcomes[i])
      printf("damaged: %d times %s\n", outcomes[i], zError(i - 8));
}

static void checksums(void) {
  uLong front_crc = crc32(0, input, 1000), back_crc = crc32(0, input + 1000, SIZE - 1000);
  uLong front_adler = adler32(1, input, 1000), back_adler = adler32(1, input + 1000, SIZE - 1000);
  printf("crc32 %08lx %08lx, adler32 %08lx %08lx\n", crc32(0, input, SIZE),
         crc32_combine(front_crc, back_crc, SIZE - 1000), adler32(1, input, SIZE),
         adler32_combine(front_adler, back_adler, SIZE - 1000));
}

int main(int argc, char **argv) {
  static const int levels[] = {1, 6, 9};
  (void)argv;
  if (argc > 1) {
    streams("unset", 1, 12, Z_RLE);
    return 0;
  }
  allocate = zeroed;
  release = free_counted;
  for (size_t kind = 0; kind < SAMPLE_KINDS; kind++) {
    const char *name = sample_kinds[kind].name;
    sample_kinds[kind].fill(input, SIZE);
    checksums();
    for (size_t i = 0; i < 3; i++)
      whole_buffers(name, levels[i]);
    streams(name, 6, 31, Z_DEFAULT_STRATEGY);
    streams(name, 4, -9, Z_FILTERED);
    streams(name, 1, 12, Z_RLE);
    streams(name, 2, 15, Z_FIXED);
  }
  fill_text(input, SIZE);
  dictionary();
  gzip_file();
  damage();
  return 0;
}
