// getline and getdelim: lines of any length into a buffer that grows.

#include "rt.h"

static int grow(char **line, size_t *capacity, size_t needed) {
  size_t wanted = *capacity * 2;
  char *grown;
  if (*line && needed <= *capacity) return 0;
  if (wanted < 120) wanted = 120;
  if (wanted < needed) wanted = needed;
  grown = realloc(*line, wanted);
  if (!grown) return __rt_fail(ENOMEM);
  *line = grown;
  *capacity = wanted;
  return 0;
}

ssize_t getdelim(char **line, size_t *capacity, int delimiter, FILE *file) {
  struct stream *stream = __rt_stream(file);
  size_t length = 0;
  if (!line || !capacity) return __rt_fail(EINVAL);
  if (!*line) *capacity = 0;
  if (grow(line, capacity, 1) < 0) return -1;
  for (;;) {
    const char *bytes, *end;
    size_t part = __rt_peek(stream, &bytes);
    if (part == 0) break;
    end = memchr(bytes, delimiter, part);
    if (end) part = (size_t)(end - bytes) + 1;
    if (grow(line, capacity, length + part + 1) < 0) return -1;
    memcpy(*line + length, bytes, part);
    __rt_skip(stream, part);
    length += part;
    if (end) break;
  }
  if (length == 0) return -1;
  (*line)[length] = '\0';
  return (ssize_t)length;
}

ssize_t getline(char **line, size_t *capacity, FILE *file) { return getdelim(line, capacity, '\n', file); }

RT_ALIAS(__getdelim, getdelim);
RT_ALIAS(__getline, getline);
