#include <stdlib.h>

struct ring {
  unsigned tail, size;
  int *data;
};

struct ring *ring_new(unsigned size) {
  if (size == 0 || size > 16)
    return NULL;
  struct ring *ring = malloc(sizeof *ring);
  ring->data = calloc(size, sizeof *ring->data);
  ring->tail = 0;
  ring->size = size;
  return ring;
}

void ring_put(struct ring *ring, int value) {
  ring->data[ring->tail] = value;
  ring->tail = (ring->tail + 1) % ring->size;
}

int ring_at(const struct ring *ring, unsigned place) { return ring->data[place]; }

void ring_free(struct ring *ring) {
  free(ring->data);
  free(ring);
}
