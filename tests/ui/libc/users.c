// getpwnam, getpwuid, getgrnam, getgrgid and their variants, for the user that every machine has.
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    struct passwd *user = getpwnam("root"), own_user, *found_user;
    struct group *group = getgrgid(0), own_group, *found_group;
    char buf[256];
    printf("%s %d %d %s\n", user->pw_name, user->pw_uid, user->pw_gid, user->pw_dir);
    printf("%s %d\n", group->gr_name, group->gr_gid);
    printf("%d", getpwuid_r(0, &own_user, buf, sizeof buf, &found_user));
    printf(" %d %s\n", found_user == &own_user, own_user.pw_name);
    printf("%d %d\n", getpwnam_r("root", &own_user, buf, 4, &found_user) == ERANGE, found_user == NULL);
    printf("%d", getgrnam_r("root", &own_group, buf, sizeof buf, &found_group));
    printf(" %d %s\n", found_group == &own_group, own_group.gr_name);
    printf("%d", getpwnam_r("nobody here", &own_user, buf, sizeof buf, &found_user));
    printf(" %d %d\n", found_user == NULL, getpwnam("nobody here") == NULL && getgrnam("nobody here") == NULL);
    setpwent();
    setgrent();
    printf("%s %s\n", getpwent()->pw_name, getgrent()->gr_name);
    endpwent();
    endgrent();
    return 0;
}
