// Prints a packet, field by field.
// paths: 20
// options: --entry print_packet --global packet
#include <stdio.h>
#ifndef N
#define N 6
#endif
struct {
  unsigned char version;
  unsigned char options[N];
} packet;
void print_packet(void) {
  if (packet.version != 4) {
    printf("version %d?\n", packet.version);
    return;
  }
  for (int i = 0; i < N; i++) {
    switch (packet.options[i]) {
    case 0:
      puts("end");
      break;
    case 1:
      puts("nop");
      break;
    case 7:
      printf("record route at %d\n", i);
      break;
    default:
      printf("option %u\n", packet.options[i]);
    }
  }
}
