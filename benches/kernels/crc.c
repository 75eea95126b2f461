// CRC-32 by table over a buffer, N rounds: bytes loaded, table indexed by data.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t table[256];
static unsigned char buffer[4096];

static uint32_t crc(uint32_t value, const unsigned char *bytes, size_t size) {
  value = ~value;
  for (size_t i = 0; i < size; i++)
    value = table[(value ^ bytes[i]) & 255] ^ (value >> 8);
  return ~value;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 0;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t entry = i;
    for (int bit = 0; bit < 8; bit++)
      entry = entry & 1 ? 0xedb88320u ^ (entry >> 1) : entry >> 1;
    table[i] = entry;
  }
  for (size_t i = 0; i < sizeof buffer; i++)
    buffer[i] = (unsigned char)(i * 7);
  uint32_t value = 0;
  for (int i = 0; i < rounds; i++)
    value = crc(value, buffer, sizeof buffer);
  printf("%08x\n", value);
  return 0;
}
