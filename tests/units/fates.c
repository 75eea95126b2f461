// What is said of loops for which no input is found that never ends: that they end only where what was explored proves it.
// trial: entry=falls check=termination expect=clean says=1:_1_end_on
// trial: entry=nested check=termination expect=clean says=2:_2_end_on
// trial: entry=lexicographic check=termination expect=clean says=1:_1_end_on
// trial: entry=recurses check=termination expect=clean says=1:_1_end_on
// trial: entry=prints check=termination expect=clean depth=6 says=1:_0_end_on_all_explored_ways_round,_0_never_end_for_some_input,_1_unknown
// trial: entry=waits check=termination expect=clean depth=6 says=_0_never_end_for_some_input,_1_unknown
// trial: entry=cut_short check=termination expect=clean says=1:_0_end_on_all_explored_ways_round,_0_never_end_for_some_input,_1_unknown
// trial: entry=long_round check=termination expect=clean depth=6 says=2:_0_end_on_all_explored_ways_round,_0_never_end_for_some_input,_2_unknown

#include <stdio.h>

unsigned falls(unsigned char n) {
  unsigned sum = 0;
  for (unsigned char i = 0; i < n; i++)
    sum += i;
  return sum;
}

unsigned nested(unsigned char n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n % 4; i++)
    for (unsigned j = 0; j < i; j++)
      sum += j;
  return sum;
}

// The one falls, or stays as it is while the other falls.
unsigned lexicographic(unsigned char a, unsigned char b) {
  unsigned x = a % 3, y = b % 3, rounds = 0;
  while (x != 0 || y != 0) {
    if (y != 0) {
      y--;
    } else {
      x--;
      y = 2;
    }
    rounds++;
  }
  return rounds;
}

unsigned recurses(unsigned char n) {
  return n ? 1 + recurses(n - 1) : 0;
}

// What is done after the last number is not known.
unsigned prints(unsigned n) {
  n %= 4;
  for (;;) {
    if (n)
      n--;
    else
      puts("done");
  }
}

volatile int ready;

unsigned waits(unsigned n) {
  while (!ready && n == 3)
    ;
  return n;
}

// No run is seen to leave it.
unsigned long cut_short(unsigned long n) {
  unsigned long sum = 0;
  if (n > 1ul << 40)
    for (unsigned long i = 0; i < n; i++)
      sum += i;
  return sum;
}

// More than is looked at.
unsigned long_round(unsigned n) {
  unsigned sum = 0;
  for (;;)
    for (unsigned i = 0; i < 100000; i++)
      sum += n;
  return sum;
}
