// Reading the tests: numbers are little-endian, bytes and lists come after their length.

#include "replay.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const unsigned char *content;
static const unsigned char *cursor;

void spelunk_open_tests(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0) {
    perror(path);
    exit(2);
  }
  content = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (content == MAP_FAILED) {
    perror(path);
    exit(2);
  }
  close(fd);
}

void *spelunk_reserve(size_t size) {
  static unsigned char *block;
  static size_t n_left;
  size = (size + 15) & ~(size_t)15;
  if (size > n_left) {
    n_left = size > 1 << 20 ? size : 1 << 20;
    block = mmap(NULL, n_left, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
      _exit(2);
  }
  void *result = block;
  block += size;
  n_left -= size;
  return result;
}

static uint64_t read_number(unsigned n_bytes) {
  uint64_t value = 0;
  memcpy(&value, cursor, n_bytes);
  cursor += n_bytes;
  return value;
}

static uint32_t read_u32(void) { return (uint32_t)read_number(4); }

static struct bytes read_bytes(void) {
  struct bytes bytes;
  bytes.len = read_u32();
  bytes.data = cursor;
  cursor += bytes.len;
  return bytes;
}

static struct bytes *read_list(uint32_t *count) {
  *count = read_u32();
  struct bytes *list = spelunk_reserve(*count * sizeof *list);
  for (uint32_t i = 0; i < *count; i++)
    list[i] = read_bytes();
  return list;
}

uint32_t spelunk_n_tests(void) {
  cursor = content;
  return read_u32();
}

static struct reference *read_references(uint32_t *count) {
  *count = read_u32();
  struct reference *references = spelunk_reserve(*count * sizeof *references);
  for (uint32_t i = 0; i < *count; i++) {
    references[i].offset = read_u32();
    references[i].target = read_u32();
    references[i].at = read_number(8);
  }
  return references;
}

static struct object read_object(void) {
  struct object object = {0};
  object.size = read_u32();
  object.wanted = read_number(8);
  object.content = read_bytes();
  object.references = read_references(&object.n_references);
  return object;
}

static struct expectation read_expectation(void) {
  struct expectation expectation = {0};
  expectation.kind = read_u32();
  expectation.which = read_u32();
  expectation.content = read_bytes();
  expectation.known = read_bytes();
  expectation.references = read_references(&expectation.n_references);
  return expectation;
}

struct test spelunk_read_test(uint32_t number) {
  struct test test = {0};
  cursor = content + 4 + 8 * (size_t)number;
  cursor = content + read_number(8);
  test.id = read_u32();
  test.stack_size = read_u32();
  test.n_steps = read_u32();
  test.args = read_list(&test.n_args);
  test.has_stdin = read_u32();
  test.standard_input = read_bytes();
  test.n_files = read_u32();
  test.files = spelunk_reserve(test.n_files * sizeof *test.files);
  for (uint32_t i = 0; i < test.n_files; i++) {
    test.files[i].name = read_bytes();
    test.files[i].content = read_bytes();
  }
  test.n_params = read_u32();
  test.n_results = read_u32();
  test.n_objects = read_u32();
  test.objects = spelunk_reserve(test.n_objects * sizeof *test.objects);
  for (uint32_t i = 0; i < test.n_objects; i++)
    test.objects[i] = read_object();
  test.n_inputs = read_u32();
  test.inputs = spelunk_reserve(test.n_inputs * sizeof *test.inputs);
  test.results = spelunk_reserve(test.n_inputs * sizeof *test.results);
  for (uint32_t i = 0; i < test.n_inputs; i++) {
    test.inputs[i].name = read_bytes();
    test.inputs[i].content = read_bytes();
    test.results[i] = read_u32();
  }
  test.n_expectations = read_u32();
  test.expectations = spelunk_reserve(test.n_expectations * sizeof *test.expectations);
  for (uint32_t i = 0; i < test.n_expectations; i++)
    test.expectations[i] = read_expectation();
  uint32_t n_unset = read_u32();
  struct unset *unset = spelunk_reserve(n_unset * sizeof *unset);
  for (uint32_t i = 0; i < n_unset; i++) {
    unset[i].place = read_number(8);
    unset[i].offset = read_u32();
    unset[i].content = read_bytes();
  }
  spelunk_set_uninitialised(unset, n_unset);
  return test;
}
