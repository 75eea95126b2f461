// A detector of back doors in packets: the header is checked, then each byte of the payload against a key stream.
// paths: 15
// options: --entry detect --global packet
#ifndef N
#define N 6
#endif
struct {
  unsigned char protocol, port, length;
  unsigned char payload[N];
} packet;
static const unsigned char magic[N] = {0xce, 0x63, 0xd1, 0xd2, 0x16, 0xe7};
int alerts, odd[N];
int detect(void) {
  if (packet.protocol != 17)
    return 0;
  if (packet.length < N)
    return 0;
  int matches = 1;
  for (int i = 0; i < N; i++)
    if (packet.payload[i] != magic[i]) {
      matches = 0;
      break;
    }
  if (matches) {
    alerts++;
    return 1;
  }
  if (packet.port == 31)
    alerts++;
  return 0;
}
