// Wraps and justifies the text on stdin to a width given as argument; paragraphs are separated by blank lines.
// args: 28
// stdin: It was a bright cold day in the quarry, and the   lamps were\nswinging over the shaft. Extraordinarilylongwordsthatdonotfitaline appear too.\n\n\nA second paragraph,\nwith  short lines.\n\nEnd.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line { char *words[64]; int n; size_t letters; };

static void flush(struct line *line, size_t width, int last) {
    if (line->n == 0)
        return;
    size_t gaps = (size_t)line->n - 1, spaces = width > line->letters ? width - line->letters : gaps;
    for (int i = 0; i < line->n; i++) {
        fputs(line->words[i], stdout);
        free(line->words[i]);
        if (i + 1 == line->n)
            break;
        size_t pad = last ? 1 : spaces / gaps + ((size_t)i < spaces % gaps);
        printf("%*s", (int)pad, "");
    }
    putchar('\n');
    line->n = 0;
    line->letters = 0;
}

static void add(struct line *line, const char *word, size_t n, size_t width) {
    if (line->n && (line->letters + (size_t)line->n + n > width || line->n == 64))
        flush(line, width, 0);
    while (n > width) {
        printf("%.*s-\n", (int)width - 1, word);
        word += width - 1;
        n -= width - 1;
    }
    line->words[line->n++] = strndup(word, n);
    line->letters += n;
}

int main(int argc, char **argv) {
    size_t width = argc > 1 ? (size_t)atoi(argv[1]) : 40, cap = 16, n = 0;
    char *word = malloc(cap);
    struct line line = {.n = 0};
    int newlines = 0, letters = 0, c;
    do {
        c = getchar();
        if (c != EOF && !isspace(c)) {
            if (newlines > 1 && letters) {
                flush(&line, width, 1);
                putchar('\n');
            }
            newlines = 0;
            letters++;
            if (n == cap)
                word = realloc(word, cap *= 2);
            word[n++] = (char)c;
            continue;
        }
        if (n)
            add(&line, word, n, width);
        n = 0;
        newlines += c == '\n';
    } while (c != EOF);
    flush(&line, width, 1);
    free(word);
    printf("%d letters\n", letters);
    return 0;
}
