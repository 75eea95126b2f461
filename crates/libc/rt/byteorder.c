// Numbers in the order of bytes of the network, the highest first. The host's is the other one.

#include "rt.h"

#include <stdint.h>

uint32_t htonl(uint32_t n) { return __builtin_bswap32(n); }
uint16_t htons(uint16_t n) { return __builtin_bswap16(n); }

RT_ALIAS(ntohl, htonl);
RT_ALIAS(ntohs, htons);
