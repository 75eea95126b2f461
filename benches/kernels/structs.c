// Bodies moved in a field, N steps: an array of structures passed by pointer, floating-point fields.

#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 16 };

struct vector {
  double x, y, z;
};

struct body {
  struct vector position, velocity;
  double mass;
  int hits;
};

static struct vector minus(struct vector a, struct vector b) {
  return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static void pull(struct body *body, const struct body *other) {
  struct vector d = minus(other->position, body->position);
  double square = d.x * d.x + d.y * d.y + d.z * d.z + 0.01;
  double force = other->mass / (square * square);
  body->velocity.x += d.x * force;
  body->velocity.y += d.y * force;
  body->velocity.z += d.z * force;
  if (square < 1)
    body->hits++;
}

static void step(struct body *bodies) {
  for (int i = 0; i < BODIES; i++)
    for (int j = 0; j < BODIES; j++)
      if (i != j)
        pull(&bodies[i], &bodies[j]);
  for (struct body *body = bodies; body < bodies + BODIES; body++) {
    body->position.x += body->velocity.x * 0.001;
    body->position.y += body->velocity.y * 0.001;
    body->position.z += body->velocity.z * 0.001;
  }
}

int main(int argc, char **argv) {
  int steps = argc > 1 ? atoi(argv[1]) : 0;
  struct body bodies[BODIES] = {0};
  for (int i = 0; i < BODIES; i++) {
    bodies[i].position = (struct vector){i * 1.5, (i * 7 % 5) * 1.25, (i * 3 % 7) * 0.75};
    bodies[i].mass = 1 + i % 3;
  }
  for (int i = 0; i < steps; i++)
    step(bodies);
  double sum = 0;
  int hits = 0;
  for (int i = 0; i < BODIES; i++) {
    sum += bodies[i].position.x + bodies[i].velocity.y;
    hits += bodies[i].hits;
  }
  printf("%.9f %d\n", sum, hits);
  return 0;
}
