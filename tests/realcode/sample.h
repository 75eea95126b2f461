// Buffers to compress, the same on every run: each kind wears out another part of a compressor.

#ifndef SAMPLE_H
#define SAMPLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *name;
  void (*fill)(unsigned char *bytes, size_t size);
} sample_kind;

static uint32_t sample_seed = 12345;

static uint32_t sample_next(void) {
  sample_seed = sample_seed * 1664525u + 1013904223u;
  return sample_seed >> 8;
}

static void fill_zeros(unsigned char *bytes, size_t size) { memset(bytes, 0, size); }

static void fill_noise(unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)sample_next();
}

static void fill_text(unsigned char *bytes, size_t size) {
  static const char *const words[] = {"stone", "water", "dark", "passage", "light", "rope",
                                      "the",   "of",    "a",    "depth",   "below", "narrow"};
  size_t used = 0;
  while (used < size) {
    const char *word = words[sample_next() % (sizeof words / sizeof *words)];
    size_t length = strlen(word);
    if (length > size - used)
      length = size - used;
    memcpy(bytes + used, word, length);
    used += length;
    if (used < size)
      bytes[used++] = sample_next() % 9 == 0 ? '\n' : ' ';
  }
}

static void fill_records(unsigned char *bytes, size_t size) {
  struct {
    uint32_t id;
    uint16_t kind, weight;
    double value;
  } record = {0};
  for (size_t i = 0; i < size; i++) {
    if (i % sizeof record == 0) {
      record.id++;
      record.kind = sample_next() % 7;
      record.weight = (uint16_t)(record.id * 3);
      record.value = record.id / 16.0;
    }
    bytes[i] = ((unsigned char *)&record)[i % sizeof record];
  }
}

static void fill_runs(unsigned char *bytes, size_t size) {
  size_t used = 0;
  while (used < size) {
    size_t length = 1 + sample_next() % 300;
    if (length > size - used)
      length = size - used;
    memset(bytes + used, "abcd"[sample_next() % 4], length);
    used += length;
  }
}

static const sample_kind sample_kinds[] = {
    {"zeros", fill_zeros}, {"noise", fill_noise}, {"text", fill_text}, {"records", fill_records}, {"runs", fill_runs},
};

#define SAMPLE_KINDS (sizeof sample_kinds / sizeof *sample_kinds)

// FNV-1a, so that what was compressed is compared in full and not only by its size.
static uint32_t sample_hash(const unsigned char *bytes, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * 16777619u;
  return hash;
}

#endif
