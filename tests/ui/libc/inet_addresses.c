// inet_aton, inet_addr, inet_network, inet_ntoa, inet_lnaof, inet_netof, inet_makeaddr, inet_pton, inet_ntop: good and bad
// texts, made of all short combinations of what addresses consist of.
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static unsigned long sum;

static void add(const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
}

static void read_old(const char *text) {
    struct in_addr address = {0};
    in_addr_t network = inet_network(text), plain = inet_addr(text);
    int valid = inet_aton(text, &address) != 0;
    add(&valid, sizeof valid);
    add(&address, sizeof address);
    add(&network, sizeof network);
    add(&plain, sizeof plain);
}

static void read_new(const char *text) {
    unsigned char four[4] = {1, 2, 3, 4}, sixteen[16] = {5, 6};
    int valid[2] = {inet_pton(AF_INET, text, four), inet_pton(AF_INET6, text, sixteen)};
    add(valid, sizeof valid);
    add(four, sizeof four);
    add(sixteen, sizeof sixteen);
}

static void all_texts(const char *const parts[], int n_parts, int depth, char *end, const char *text,
                      void (*read)(const char *)) {
    read(text);
    for (int i = 0; depth > 0 && i < n_parts; i++) {
        strcpy(end, parts[i]);
        all_texts(parts, n_parts, depth - 1, end + strlen(end), text, read);
    }
    *end = '\0';
}

static void write_all(void) {
    static const unsigned words[] = {0, 0x1, 0xff0, 0xffff};
    for (unsigned number = 0; number < 1 << 16; number += 31) {
        unsigned char bytes[16];
        char text[INET6_ADDRSTRLEN] = "";
        for (int i = 0; i < 8; i++) {
            unsigned word = words[number >> 2 * i & 3];
            bytes[2 * i] = (unsigned char)(word >> 8);
            bytes[2 * i + 1] = (unsigned char)word;
        }
        errno = 0;
        int written = inet_ntop(AF_INET6, bytes, text, number % 46) != NULL;
        if (written)
            add(text, strlen(text));
        add(&errno, sizeof errno);
    }
}

static void old_networks(void) {
    static const unsigned numbers[] = {0, 1, 127, 128, 191, 192, 255, 256, 65535, 65536, 1 << 24, 0x7f000001, 0xc0a80001};
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct in_addr address = {htonl(numbers[i])};
        printf("%s %x %x", inet_ntoa(address), inet_lnaof(address), inet_netof(address));
        printf(" %s\n", inet_ntoa(inet_makeaddr(numbers[i], 0x01020304)));
    }
}

int main(void) {
    static const char *const old[] = {"1.", "08", "0x", "F", ".", "255", "65536", " "};
    static const char *const six[] = {"1", ":", "::", "ffff", "0:", "1.2.3.4", "g", "12345"};
    char text[64] = "";
    all_texts(old, 8, 4, text, text, read_old);
    printf("%lx\n", sum);
    all_texts(old, 8, 3, text, text, read_new);
    printf("%lx\n", sum);
    all_texts(six, 8, 3, text, text, read_new);
    strcpy(text, "1:2:3:4");
    all_texts(six, 8, 3, text + 7, text, read_new);
    printf("%lx\n", sum);
    write_all();
    printf("%lx\n", sum);
    old_networks();
    errno = 0;
    printf("%d %d", inet_pton(99, "1.2.3.4", text), errno == EAFNOSUPPORT);
    printf(" %d %d\n", inet_ntop(99, text, text, 5) == NULL, errno == EAFNOSUPPORT);
    return 0;
}
