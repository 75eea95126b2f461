// dn_expand, dn_comp, dn_skipname, ns_initparse, ns_parserr and what they are made of, on good and damaged messages.
// cflags: -Wl,--no-as-needed -lresolv
#include <arpa/nameser.h>
#include <errno.h>
#include <resolv.h>
#include <stdio.h>
#include <string.h>

static unsigned long sum = 14695981039346656037u, seed = 1;

static void add(const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
}

static void add_number(long number) { add(&number, sizeof number); }

static unsigned draw(unsigned n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}

static void names_of(const unsigned char *message, int n) {
    for (int at = 0; at < n; at++) {
        char text[80] = "";
        unsigned char labels[64] = {0};
        errno = 0;
        int length = dn_expand(message, message + n, message + at, text, (int)(draw(2) ? sizeof text : draw(20)));
        add_number(length);
        add_number(errno);
        if (length >= 0)
            add(text, strlen(text));
        length = ns_name_unpack(message, message + n, message + at, labels, sizeof labels);
        add_number(length);
        if (length >= 0)
            add(labels, sizeof labels);
        add_number(dn_skipname(message + at, message + n));
    }
}

static void records_of(const unsigned char *message, int n) {
    ns_msg parsed;
    ns_rr record;
    if (ns_initparse(message, n, &parsed) < 0) {
        add_number(errno);
        return;
    }
    for (int flag = ns_f_qr; flag <= ns_f_rcode; flag++)
        add_number(ns_msg_getflag(parsed, flag));
    for (int section = 0; section < 5; section++)
        for (int i = 3; i >= -1; i--) {
            memset(&record, 0, sizeof record);
            errno = 0;
            int failed = ns_parserr(&parsed, section, i, &record);
            add_number(failed);
            add_number(errno);
            if (failed)
                continue;
            add(record.name, strlen(record.name));
            add_number(ns_rr_type(record) + ns_rr_class(record) * 3 + (long)ns_rr_ttl(record) + ns_rr_rdlen(record));
            add_number(ns_rr_rdata(record) ? ns_rr_rdata(record) - message : -1);
        }
}

static int make(unsigned char *message) {
    const unsigned char *places[8] = {message, NULL}, **end = places + 6;
    static const char *const names[] = {"a.example.org", "EXAMPLE.org.", "b\\.c.example.org", "\\001x", ".", "d..e"};
    unsigned char *p = message + NS_HFIXEDSZ;
    memset(message, 0, 128);
    ns_put16(0x1234, message);
    ns_put16(0x8580, message + 2);
    message[5] = 1;
    message[7] = 2;
    for (int i = 0; i < 3; i++) {
        int length = dn_comp(names[draw(6)], p, (int)(message + 100 - p), (unsigned char **)places, (unsigned char **)end);
        add_number(length);
        p += length < 0 ? 0 : length;
        ns_put16(1, p);
        ns_put16(1, p + 2);
        p += 4;
        if (i == 0)
            continue;
        ns_put32(3600 + draw(9), p);
        ns_put16(4, p + 4);
        ns_put32(0x7f000001, p + 6);
        p += 10;
    }
    return (int)(p - message);
}

int main(void) {
    unsigned char message[160] = {0};
    for (int round = 0; round < 150; round++) {
        int n = make(message);
        records_of(message, n);
        names_of(message, n);
        for (int i = 0; i < 3; i++)
            message[draw((unsigned)n)] = (unsigned char)(draw(3) ? draw(256) : 0xc0);
        records_of(message, n - (int)draw(3));
        names_of(message, n);
        if (round % 50 == 49)
            printf("%lx\n", sum);
    }
    static const char *const texts[] = {"a", "a.", ".", "a..", "\\", "\\1", "\\256", "\\065.\\.", "", ".a"};
    for (int i = 0; i < 10; i++) {
        unsigned char labels[16] = {0};
        printf("%d %d", ns_name_pton(texts[i], labels, sizeof labels), labels[0]);
        printf(" %d\n", ns_name_pton(texts[i], labels, 2));
    }
    printf("%u %lx\n", ns_get16(message), ns_get32(message + 2));
    return 0;
}
