// Swaps two names for each other, atomically, as fast as it can, until it is stopped:
// exchange <name> <name> [<name> <name> ...]
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXCHANGE 2 // RENAME_EXCHANGE, which not every libc names

int main(int count, char **names) {
  puts("ready");
  fflush(stdout);
  for (unsigned long swaps = 0;; swaps++) {
    for (int at = 1; at + 1 < count; at += 2) {
      if (syscall(SYS_renameat2, AT_FDCWD, names[at], AT_FDCWD, names[at + 1], EXCHANGE) != 0) return 1;
    }
    // Now and then a rest, in either state, so that a reader on the same core is struck at any point.
    if (swaps % 97 == 0) usleep(200);
  }
}
