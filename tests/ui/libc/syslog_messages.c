// What syslog writes to standard error besides, and what is masked.
// stderr: compare
#include <stdio.h>
#include <syslog.h>

int main(void) {
    openlog("me", LOG_PERROR, LOG_USER);
    syslog(LOG_INFO, "%d of %s", 3, "four");
    syslog(LOG_ERR, "a line\n");
    printf("%x\n", setlogmask(LOG_UPTO(LOG_ERR)));
    syslog(LOG_INFO, "not shown");
    syslog(LOG_CRIT, "shown");
    printf("%x\n", setlogmask(0));
    closelog();
    return 0;
}
