// A JSON parser and printer: objects, arrays, strings with escapes, numbers, errors with a position.
// stdin: {"name": "caf\\u00e9 \\"x\\"", "list": [1, -2.5e2, true, false, null, []], "nested": {"a": {"b": {}}}, "t": "tab\\there"}\n[1, 2,, 3]\n{"a" 1}\n"open\n[[[[[[1]]]]]]\n  42  \ntru\n{"dup": 1, "dup": 2}\n
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { NUL, BOOL, NUM, STR, ARR, OBJ };

struct value {
    enum type type;
    union {
        int truth;
        double number;
        char *string;
        struct { struct value **items; char **keys; size_t n, cap; } list;
    };
};

struct parser { const char *start, *at; const char *error; };

static struct value *parse_value(struct parser *p);

static struct value *make(enum type type) {
    struct value *v = calloc(1, sizeof *v);
    v->type = type;
    return v;
}

static void drop(struct value *v) {
    if (!v)
        return;
    if (v->type == STR)
        free(v->string);
    if (v->type == ARR || v->type == OBJ) {
        for (size_t i = 0; i < v->list.n; i++) {
            drop(v->list.items[i]);
            if (v->list.keys)
                free(v->list.keys[i]);
        }
        free(v->list.items);
        free(v->list.keys);
    }
    free(v);
}

static void space(struct parser *p) {
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static void *error(struct parser *p, const char *what) {
    if (!p->error)
        p->error = what;
    return NULL;
}

static char *utf8(char *to, unsigned c) {
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 63));
    } else {
        *to++ = (char)(0xe0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    }
    return to;
}

static char *parse_string(struct parser *p) {
    if (*p->at++ != '"')
        return p->at--, error(p, "expected a string");
    char *text = malloc(strlen(p->at) + 1), *to = text;
    while (*p->at != '"') {
        if (*p->at == 0 || *p->at == '\n') {
            free(text);
            return error(p, "unterminated string");
        }
        if (*p->at != '\\') {
            *to++ = *p->at++;
            continue;
        }
        p->at++;
        const char *plain = "\"\\/", *from = "bfnrt", *codes = "\b\f\n\r\t";
        if (strchr(plain, *p->at)) {
            *to++ = *p->at++;
        } else if (strchr(from, *p->at)) {
            *to++ = codes[strchr(from, *p->at++) - from];
        } else if (*p->at == 'u') {
            char hex[5] = "";
            strncpy(hex, p->at + 1, 4);
            to = utf8(to, (unsigned)strtoul(hex, NULL, 16));
            p->at += 5;
        } else {
            free(text);
            return error(p, "bad escape");
        }
    }
    p->at++;
    *to = 0;
    return text;
}

static void append(struct value *list, char *key, struct value *item) {
    if (list->list.n == list->list.cap) {
        list->list.cap = list->list.cap ? 2 * list->list.cap : 2;
        list->list.items = realloc(list->list.items, list->list.cap * sizeof *list->list.items);
        if (list->type == OBJ)
            list->list.keys = realloc(list->list.keys, list->list.cap * sizeof *list->list.keys);
    }
    if (list->type == OBJ)
        list->list.keys[list->list.n] = key;
    list->list.items[list->list.n++] = item;
}

static struct value *parse_list(struct parser *p, enum type type, char close) {
    struct value *list = make(type);
    p->at++;
    space(p);
    if (*p->at == close)
        return p->at++, list;
    for (;;) {
        char *key = NULL;
        space(p);
        if (type == OBJ) {
            key = parse_string(p);
            space(p);
            if (key && *p->at++ != ':')
                p->at--, error(p, "expected a colon");
        }
        struct value *item = p->error ? NULL : parse_value(p);
        if (!item) {
            free(key);
            drop(list);
            return NULL;
        }
        append(list, key, item);
        space(p);
        if (*p->at == close)
            return p->at++, list;
        if (*p->at++ != ',') {
            p->at--;
            drop(list);
            return error(p, "expected a comma");
        }
    }
}

static struct value *parse_value(struct parser *p) {
    static const struct { const char *word; enum type type; int truth; } words[] = {{"null", NUL, 0}, {"true", BOOL, 1}, {"false", BOOL, 0}};
    space(p);
    if (*p->at == '{')
        return parse_list(p, OBJ, '}');
    if (*p->at == '[')
        return parse_list(p, ARR, ']');
    if (*p->at == '"') {
        char *s = parse_string(p);
        if (!s)
            return NULL;
        struct value *v = make(STR);
        v->string = s;
        return v;
    }
    for (int i = 0; i < 3; i++)
        if (strncmp(p->at, words[i].word, strlen(words[i].word)) == 0) {
            p->at += strlen(words[i].word);
            struct value *v = make(words[i].type);
            v->truth = words[i].truth;
            return v;
        }
    char *end;
    double number = strtod(p->at, &end);
    if (end == p->at)
        return error(p, "expected a value");
    p->at = end;
    struct value *v = make(NUM);
    v->number = number;
    return v;
}

static void print(const struct value *v) {
    switch (v->type) {
    case NUL: printf("null"); break;
    case BOOL: printf(v->truth ? "true" : "false"); break;
    case NUM: printf("%g", v->number); break;
    case STR: printf("\"%s\"", v->string); break;
    case ARR:
    case OBJ:
        putchar(v->type == ARR ? '[' : '{');
        for (size_t i = 0; i < v->list.n; i++) {
            if (i)
                putchar(',');
            if (v->type == OBJ)
                printf("%s:", v->list.keys[i]);
            print(v->list.items[i]);
        }
        putchar(v->type == ARR ? ']' : '}');
    }
}

int main(void) {
    char line[300];
    while (fgets(line, sizeof line, stdin)) {
        struct parser p = {line, line, NULL};
        struct value *v = parse_value(&p);
        if (v) {
            print(v);
            putchar('\n');
            drop(v);
        } else {
            printf("%td: %s\n", p.at - p.start, p.error);
        }
    }
    return 0;
}
