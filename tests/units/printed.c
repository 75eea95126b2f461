// Numbers and strings that are printed: how long the text is depends on them, and no path does.
//
// trial: entry=decimal expect=out-of-bounds at=decimal paths=2
// trial: entry=decimal_ok expect=clean paths=1
// trial: entry=hexadecimal expect=out-of-bounds at=hexadecimal paths=2
// trial: entry=octal expect=out-of-bounds at=octal paths=2
// trial: entry=precise expect=out-of-bounds at=precise paths=2
// trial: entry=signed_field expect=assert at=signed paths=3
// trial: entry=star expect=out-of-bounds at=star
// trial: entry=star_ok expect=clean paths=1
// trial: entry=wide expect=out-of-bounds at=wide paths=2
// trial: entry=characters expect=clean paths=1
// trial: entry=padded param=name=string:100 expect=out-of-bounds at=padded
// trial: entry=cut param=name=string:100 expect=clean paths=1
// trial: entry=cut_star param=name=string:100 expect=out-of-bounds at=cut paths=3
// trial: entry=back expect=clean paths=1
// trial: entry=back_value expect=assert at=value paths=2
// trial: entry=back_long expect=clean paths=1
// trial: entry=back_hexadecimal expect=clean paths=1
// trial: entry=back_copied expect=clean paths=1
// trial: entry=back_scanned expect=clean paths=1
// trial: entry=back_field expect=clean paths=1
// trial: entry=back_full_field expect=clean paths=1
// trial: entry=back_zeros expect=clean paths=1
// trial: entry=back_left expect=clean paths=1
// trial: entry=back_sign expect=clean paths=1
// trial: entry=back_blank expect=clean paths=1
// trial: entry=back_precise expect=clean paths=1
// trial: entry=back_literal expect=clean paths=1
// trial: entry=back_prefix expect=clean paths=1
// trial: entry=back_octal expect=clean
// trial: entry=back_columns expect=clean
// trial: entry=back_narrow expect=clean
// trial: entry=behind_address param=name=string:100 expect=clean paths=1
// trial: entry=behind_real param=name=string:100 expect=clean paths=1
// trial: entry=around_address param=name=string:100 expect=out-of-bounds at=around
// trial: entry=back_range expect=assert at=range paths=2
// trial: entry=back_digits expect=clean
// trial: entry=back_overwritten expect=clean
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int decimal(int number) {
  char text[11];
  return sprintf(text, "%6d", number); //~ decimal
}

int decimal_ok(int number) {
  char text[12];
  return sprintf(text, "%-6d", number);
}

int hexadecimal(unsigned number) {
  char text[10];
  return sprintf(text, "%#05x", number); //~ hexadecimal
}

int octal(unsigned short number) {
  char text[7];
  return sprintf(text, "%#o", number); //~ octal
}

int precise(short number) {
  char text[6];
  return sprintf(text, "%.3d", number); //~ precise
}

// With a sign, whatever it is.
void signed_field(signed char number) {
  char text[12];
  sprintf(text, "%+04d", number);
  assert(text[0] == '+' || text[1] != '1'); //~ signed
}

int star(int number, unsigned char width) {
  char text[64];
  return sprintf(text, "%*d", width, number); //~ star
}

int star_ok(int number, signed char width) {
  char text[129];
  return sprintf(text, "%*d", width, number);
}

int wide(long number) {
  char text[20];
  return sprintf(text, "%ld", number); //~ wide
}

int characters(char c) {
  char text[8];
  int n = sprintf(text, "%c%3c", c, c);
  assert(n == 4 && text[0] == c && text[3] == c);
  return n;
}

int padded(const char *name) {
  char text[64];
  return sprintf(text, "%8s|%-8s", name, "x"); //~ padded
}

int cut(const char *name) {
  char text[12];
  return sprintf(text, "%.3s:%6.2s", name, name);
}

int cut_star(const char *name, unsigned char length) {
  char text[64];
  return sprintf(text, "%.*s", length, name); //~ cut
}

// Read back: the same number, on one path.
void back(int number) {
  char text[12];
  sprintf(text, "%d", number);
  assert(atoi(text) == number);
}

void back_value(int number) {
  char text[12];
  sprintf(text, "%d", number);
  assert(atoi(text) != 123456); //~ value
}

void back_long(long number) {
  char text[24], *end;
  snprintf(text, sizeof text, "%ld;", number);
  assert(strtol(text, &end, 10) == number && *end == ';');
}

void back_hexadecimal(unsigned long number) {
  char text[24];
  sprintf(text, "%lX", number);
  assert(strtoul(text, NULL, 16) == number);
}

void back_copied(int number) {
  char text[24], copy[24];
  sprintf(text, "n=%d", number);
  strcpy(copy, text);
  assert(atoi(strchr(copy, '=') + 1) == number);
}

void back_scanned(int number, unsigned other) {
  char text[32];
  int again;
  unsigned other_again;
  sprintf(text, "%d %x", number, other);
  assert(sscanf(text, "%d %x", &again, &other_again) == 2);
  assert(again == number && other_again == other);
}

// In a field.
void back_field(int number) {
  char text[40];
  sprintf(text, "%5d", number);
  assert(atoi(text) == number);
}

// As wide as the longest number: where it ends is the same for all.
void back_full_field(int number) {
  char text[40];
  sprintf(text, "%11d", number);
  assert(atoi(text) == number);
}

void back_zeros(int number) {
  char text[40];
  sprintf(text, "%05d", number);
  assert(atoi(text) == number);
}

void back_left(int number) {
  char text[40];
  sprintf(text, "%-5d|", number);
  assert(atoi(text) == number);
}

void back_sign(int number) {
  char text[24];
  sprintf(text, "%+d", number);
  assert(atoi(text) == number);
}

void back_blank(int number) {
  char text[24];
  sprintf(text, "% d", number);
  assert(atoi(text) == number);
}

void back_precise(int number) {
  char text[24];
  sprintf(text, "%.7d", number);
  assert(atoi(text) == number);
}

void back_literal(unsigned number) {
  char text[24];
  sprintf(text, "0x%07x", number);
  assert(strtoul(text, NULL, 16) == number && strtoul(text, NULL, 0) == number);
}

// The prefix is missing for zero.
void back_prefix(unsigned number) {
  char text[24], *end;
  sprintf(text, "%#x", number);
  assert(strtoul(text, &end, 0) == number && *end == 0);
  assert(strtoul(text, &end, 16) == number && *end == 0);
}

void back_octal(unsigned number) {
  char text[24];
  sprintf(text, "%#o", number);
  assert(strtoul(text, NULL, 8) == number && strtoul(text, NULL, 0) == number);
}

// Read with a width that may be too small.
void back_columns(unsigned char hours, unsigned char minutes) {
  char text[24];
  unsigned h, m;
  sprintf(text, "%02u:%02u", hours, minutes);
  int n_read = sscanf(text, "%2u:%2u", &h, &m);
  assert(hours > 99 ? n_read == 1 : n_read == 2 && h == hours);
  assert(hours > 99 || minutes > 99 || m == minutes);
}

void back_narrow(unsigned char number) {
  char text[24];
  unsigned again;
  sprintf(text, "%u", number);
  assert(sscanf(text, "%2u", &again) == 1);
  assert(again == (number > 99 ? number / 10 : number));
}

// Text that is not followed ties the path to no length.
void behind_address(const char *name) {
  char text[160];
  int n = sprintf(text, "%s %p;", name, (void *)text);
  assert(text[n - 1] == ';' && strlen(text) == (size_t)n);
  n = sprintf(text, "%s%*p", name, 9, (void *)0);
  assert(n == (int)strlen(name) + 9 && !strcmp(text + n - 6, " (nil)"));
}

void behind_real(const char *name) {
  char text[256];
  int n = sprintf(text, "%s: %8.3g%s", name, 0.125, name);
  assert(n == 2 * (int)strlen(name) + 10);
}

int around_address(const char *name) {
  char text[40];
  return sprintf(text, "%p: %s", (void *)0, name); //~ around
}

// Too large for what it is read as.
void back_range(unsigned long number) {
  char text[24];
  sprintf(text, "%lu", number);
  assert(strtol(text, NULL, 10) == (long)number); //~ range
}

// Read back, with a digit behind it or something else.
void back_digits(unsigned char number, char c) {
  char text[8];
  sprintf(text, "%d%c", number, c);
  int again = atoi(text);
  assert(c >= '0' && c <= '9' ? again == number * 10 + (c - '0') : again == number);
}

void back_overwritten(unsigned char number) {
  char text[8];
  sprintf(text, "%d", number);
  text[0] = '7';
  int again = atoi(text);
  assert(number < 10 ? again == 7 : number < 100 ? again == 70 + number % 10 : again == 700 + number % 100);
}
