// Drives SQLite on the database that the first argument names: a script that covers the language, then the C interface
// (prepared statements, functions, collations, blobs, hooks, backup).

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const script[] = {
    "CREATE TABLE cave(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, depth REAL CHECK(depth >= 0), country TEXT)",
    "CREATE TABLE visit(cave INTEGER REFERENCES cave(id) ON DELETE CASCADE, day TEXT, hours REAL, notes TEXT DEFAULT '-')",
    "CREATE TABLE log(what TEXT, at INTEGER)",
    "CREATE INDEX visit_by_day ON visit(day DESC, cave)",
    "CREATE INDEX deep_caves ON cave(depth) WHERE depth > 500",
    "CREATE VIEW deep AS SELECT name, depth FROM cave WHERE depth > 500",
    "CREATE TRIGGER visited AFTER INSERT ON visit BEGIN INSERT INTO log VALUES('visit ' || NEW.cave, NEW.hours); END",
    "CREATE TRIGGER renamed AFTER UPDATE OF name ON cave WHEN OLD.name <> NEW.name "
    "BEGIN INSERT INTO log VALUES(OLD.name || ' is now ' || NEW.name, OLD.id); END",
    "PRAGMA foreign_keys = ON",
    "INSERT INTO cave(name, depth, country) VALUES('Alpha', 1220.5, 'AT'), ('Beta', 80, 'FR'), ('Gamma', 633, 'FR'), "
    "('Delta', 12.25, NULL), ('Epsilon', 2212, 'GE')",
    "INSERT INTO visit VALUES(1,'2024-03-01',7.5,'wet'), (2,'2024-03-02',2,'dry'), (1,'2024-02-28',9,NULL), "
    "(3,'2023-12-31',4.25,'it''s cold'), (5,'2024-03-01',30,'camp')",
    "SELECT * FROM cave ORDER BY depth DESC",
    "SELECT c.name, v.day, v.hours FROM cave c JOIN visit v ON v.cave = c.id ORDER BY v.day, c.name",
    "SELECT c.name, count(v.day), coalesce(sum(v.hours), 0) FROM cave c LEFT JOIN visit v ON v.cave = c.id "
    "GROUP BY c.id HAVING count(*) < 3 ORDER BY 3 DESC, 1",
    "SELECT country, group_concat(name, '/'), avg(depth), min(depth), max(depth), total(depth) FROM cave "
    "GROUP BY country ORDER BY country",
    "SELECT * FROM deep UNION ALL SELECT name, -depth FROM cave WHERE depth < 100 ORDER BY 2",
    "SELECT name FROM cave WHERE country IN (SELECT country FROM cave GROUP BY country HAVING count(*) > 1) "
    "EXCEPT SELECT 'Beta'",
    "SELECT name, EXISTS(SELECT 1 FROM visit WHERE cave = id), CASE WHEN depth > 1000 THEN 'very deep' WHEN depth > 100 "
    "THEN 'deep' ELSE 'shallow' END FROM cave WHERE name LIKE '%a' OR name GLOB 'E*' ORDER BY id",
    "WITH RECURSIVE fib(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM fib LIMIT 50) SELECT max(a), count(*) FROM fib",
    "WITH RECURSIVE n(i) AS (VALUES(2) UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT group_concat(i, ' ') FROM n AS a "
    "WHERE NOT EXISTS(SELECT 1 FROM n AS b WHERE b.i < a.i AND a.i % b.i = 0)",
    "SELECT name, depth, rank() OVER (ORDER BY depth DESC), sum(depth) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND "
    "CURRENT ROW), lag(name, 1, 'none') OVER (ORDER BY id) FROM cave ORDER BY id",
    "SELECT upper('straße'), length('h\xc3\xa9llo'), substr('abcdef', -3, 2), replace('banana', 'an', 'AN'), instr('hello', 'l'), "
    "hex('AZ'), quote('it''s'), trim('  x '), printf('%05d|%-6s|%.3f|%x', 42, 'ab', 2.0/3, 255), typeof(1.0), unicode('€')",
    "SELECT 7/2, -7/2, 7%3, 7.0/2, 1e308*10, 9223372036854775807+1, 1<<62, ~5, 3|4, 'abc'||1, 1=1.0, NULL IS NULL, "
    "round(2.567, 2), abs(-3), max(1, 2.5, 'x'), cast('12abc' AS INTEGER), cast(3.99 AS INT), 0.1+0.2, 1e-7, 123456789.125",
    "SELECT date('2024-02-28', '+2 days'), strftime('%Y/%m/%d %H:%M:%S %j %w', 1709210096, 'unixepoch'), "
    "julianday('2000-01-01 12:00'), datetime('2023-01-31', 'start of month', '+1 month', '-1 day'), time('23:59:59', '+2 seconds')",
    "SELECT json_extract('{\"a\":[1,2,{\"b\":\"c\"}]}', '$.a[2].b'), json_group_array(name), json_object('k', depth) FROM cave",
    "SELECT key, value, type FROM json_each('{\"x\":1.5,\"y\":[true,null],\"z\":\"q\"}')",
    "UPDATE cave SET name = 'Omega', depth = depth + 1 WHERE id = 4",
    "UPDATE OR IGNORE cave SET name = 'Beta' WHERE id = 3",
    "INSERT INTO cave VALUES(9, 'Zeta', 1, 'IT') ON CONFLICT DO NOTHING RETURNING id, name",
    "INSERT INTO cave(name, depth) VALUES('Beta', 90) ON CONFLICT(name) DO UPDATE SET depth = excluded.depth RETURNING *",
    "BEGIN", "DELETE FROM cave WHERE id = 1", "SELECT count(*) FROM visit", "ROLLBACK", "SELECT count(*) FROM visit",
    "BEGIN", "INSERT INTO log VALUES('outer', 1)", "SAVEPOINT inner", "DELETE FROM log", "SELECT count(*) FROM log",
    "ROLLBACK TO inner", "RELEASE inner", "COMMIT", "SELECT * FROM log ORDER BY rowid",
    "INSERT INTO cave(name, depth) VALUES('Omega', 1)", "INSERT INTO cave(name, depth) VALUES('Eta', -1)",
    "INSERT INTO visit VALUES(77, 'never', 0, '')", "INSERT INTO cave(name) VALUES(NULL)", "SELECT * FROM nowhere",
    "SELEKT 1", "SELECT abs(-9223372036854775808)", "SELECT * FROM cave WHERE depth > (SELECT",
    "ALTER TABLE cave ADD COLUMN explored INTEGER DEFAULT 0", "ALTER TABLE log RENAME TO journal",
    "CREATE TABLE pairs(a, b, PRIMARY KEY(a, b)) WITHOUT ROWID", "INSERT INTO pairs VALUES(2, 'x'), (1, 'z'), (1, 'y')",
    "SELECT * FROM pairs", "SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY name", "PRAGMA integrity_check",
    "EXPLAIN QUERY PLAN SELECT * FROM visit WHERE day > '2024' AND cave = 1", "ANALYZE", "REINDEX", "VACUUM",
    "PRAGMA table_info(cave)", "PRAGMA page_count",
};

static void expect(int status, const char *what) {
  if (status != SQLITE_OK && status != SQLITE_DONE && status != SQLITE_ROW) {
    printf("failed: %s: %s\n", what, sqlite3_errstr(status));
    exit(1);
  }
}

static int print_row(void *unused, int columns, char **values, char **names) {
  (void)unused, (void)names;
  for (int i = 0; i < columns; i++)
    printf("%s%s", i ? " | " : "  ", values[i] ? values[i] : "NULL");
  printf("\n");
  return 0;
}

static void run_script(sqlite3 *db) {
  for (size_t i = 0; i < sizeof script / sizeof *script; i++) {
    char *message = NULL;
    printf("%.60s\n", script[i]);
    if (sqlite3_exec(db, script[i], print_row, NULL, &message) != SQLITE_OK)
      printf("  error: %s (%d)\n", message, sqlite3_extended_errcode(db));
    sqlite3_free(message);
  }
}

static void hypotenuse(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc;
  sqlite3_result_double(context, hypot(sqlite3_value_double(argv[0]), sqlite3_value_double(argv[1])));
}

static void longest_step(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc;
  int *longest = sqlite3_aggregate_context(context, sizeof *longest);
  int length = sqlite3_value_bytes(argv[0]);
  if (longest && length > *longest)
    *longest = length;
}

static void longest_final(sqlite3_context *context) {
  int *longest = sqlite3_aggregate_context(context, 0);
  sqlite3_result_int(context, longest ? *longest : -1);
}

static int by_length(void *unused, int n_a, const void *a, int n_b, const void *b) {
  (void)unused;
  return n_a != n_b ? n_a - n_b : memcmp(a, b, (size_t)n_a);
}

static void count_changes(void *counter, int operation, const char *db, const char *table, sqlite3_int64 row) {
  (void)operation, (void)db, (void)table, (void)row;
  ++*(int *)counter;
}

// Ten thousand rows: pages split, the index is used, a sort spills nothing but works hard.
static void bulk(sqlite3 *db) {
  int changes = 0;
  sqlite3_update_hook(db, count_changes, &changes);
  expect(sqlite3_exec(db, "CREATE TABLE bulk(id INTEGER PRIMARY KEY, key INT, value BLOB); BEGIN", 0, 0, 0), "bulk table");
  sqlite3_stmt *insert;
  expect(sqlite3_prepare_v2(db, "INSERT INTO bulk(key, value) VALUES(?1, zeroblob(?1 % 50))", -1, &insert, NULL), "prepare");
  unsigned seed = 1;
  for (int i = 0; i < 10000; i++) {
    seed = seed * 1103515245u + 12345u;
    sqlite3_bind_int(insert, 1, (int)(seed >> 16 & 0x7fff));
    expect(sqlite3_step(insert), "insert");
    expect(sqlite3_reset(insert), "reset");
  }
  sqlite3_finalize(insert);
  static const char *const queries[] = {
      "COMMIT; CREATE INDEX bulk_key ON bulk(key)",
      "SELECT count(*), sum(key), sum(length(value)), count(DISTINCT key) FROM bulk",
      "SELECT key, id FROM bulk ORDER BY key DESC, id LIMIT 5",
      "SELECT count(*) FROM bulk a JOIN bulk b ON a.key = b.key AND a.id < b.id",
      "DELETE FROM bulk WHERE key % 3 = 0; SELECT changes(), count(*) FROM bulk",
      "UPDATE bulk SET key = -key WHERE id < 100; SELECT total_changes() > 10000, min(key) FROM bulk",
      "PRAGMA integrity_check",
  };
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
    expect(sqlite3_exec(db, queries[i], print_row, NULL, NULL), queries[i]);
  sqlite3_update_hook(db, NULL, NULL);
  printf("%d changes\n", changes);
}

static void interface(sqlite3 *db) {
  expect(sqlite3_create_function(db, "hypotenuse", 2, SQLITE_UTF8, NULL, hypotenuse, NULL, NULL), "function");
  expect(sqlite3_create_function(db, "longest", 1, SQLITE_UTF8, NULL, NULL, longest_step, longest_final), "aggregate");
  expect(sqlite3_create_collation(db, "by_length", SQLITE_UTF8, NULL, by_length), "collation");
  expect(sqlite3_exec(db, "SELECT hypotenuse(3, 4), longest(name) FROM cave", print_row, NULL, NULL), "own functions");
  expect(sqlite3_exec(db, "SELECT name FROM cave ORDER BY name COLLATE by_length DESC", print_row, NULL, NULL), "own order");

  sqlite3_stmt *query;
  expect(sqlite3_prepare_v2(db, "SELECT :i, @r, $t, ?10, typeof(:i) || typeof(@r) || typeof($t) || typeof(?10)", -1, &query, NULL),
         "prepare");
  sqlite3_bind_int64(query, sqlite3_bind_parameter_index(query, ":i"), -1234567890123LL);
  sqlite3_bind_double(query, sqlite3_bind_parameter_index(query, "@r"), 0.125);
  sqlite3_bind_text16(query, sqlite3_bind_parameter_index(query, "$t"), u"wide \u20ac", -1, SQLITE_TRANSIENT);
  sqlite3_bind_blob(query, 10, "\0\1\2", 3, SQLITE_STATIC);
  expect(sqlite3_step(query), "step");
  printf("%lld %g %s %d bytes %s\n", (long long)sqlite3_column_int64(query, 0), sqlite3_column_double(query, 1),
         (const char *)sqlite3_column_text(query, 2), sqlite3_column_bytes(query, 3), (const char *)sqlite3_column_text(query, 4));
  sqlite3_finalize(query);

  char **table;
  int rows, columns;
  expect(sqlite3_get_table(db, "SELECT id, name FROM cave ORDER BY id", &table, &rows, &columns, NULL), "get_table");
  printf("%d rows, %d columns, last %s\n", rows, columns, table[rows * columns + 1]);
  sqlite3_free_table(table);

  expect(sqlite3_exec(db, "CREATE TABLE files(data BLOB); INSERT INTO files VALUES(zeroblob(5000))", 0, 0, 0), "files");
  sqlite3_blob *blob;
  expect(sqlite3_blob_open(db, "main", "files", "data", 1, 1, &blob), "blob_open");
  expect(sqlite3_blob_write(blob, "in the middle", 13, 2500), "blob_write");
  char piece[14] = "";
  expect(sqlite3_blob_read(blob, piece, 13, 2500), "blob_read");
  printf("blob of %d: %s\n", sqlite3_blob_bytes(blob), piece);
  sqlite3_blob_close(blob);

  sqlite3 *copy;
  expect(sqlite3_open(":memory:", &copy), "open");
  sqlite3_backup *backup = sqlite3_backup_init(copy, "main", db, "main");
  while (backup && sqlite3_backup_step(backup, 3) == SQLITE_OK)
    ;
  expect(sqlite3_backup_finish(backup), "backup");
  expect(sqlite3_exec(copy, "SELECT count(*), max(id) FROM bulk", print_row, NULL, NULL), "the copy");
  expect(sqlite3_close(copy), "close");
  char *text = sqlite3_mprintf("%q %Q %w %lld %!.17g", "it's", NULL, "a\"b", 1LL << 40, 0.1);
  printf("%s, %d\n", text, sqlite3_complete("SELECT ';'"));
  sqlite3_free(text);
}

int main(int argc, char **argv) {
  sqlite3 *db;
  printf("SQLite %s\n", sqlite3_libversion());
  expect(sqlite3_open(argc > 1 ? argv[1] : ":memory:", &db), "open");
  run_script(db);
  bulk(db);
  interface(db);
  expect(sqlite3_close(db), "close");
  printf("%lld bytes in use\n", (long long)sqlite3_memory_used());
  return 0;
}
