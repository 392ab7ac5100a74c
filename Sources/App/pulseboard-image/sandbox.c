#define _GNU_SOURCE // close_range
#include "sandbox.h"

#include <fcntl.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    ADDRESS_SPACE = 384 << 20, // bytes: a progressive CMYK JPEG of 32 megapixels takes 300 MiB
    CPU_SECONDS = 4,           // then SIGXCPU: no normal picture takes this long
    CPU_GRACE_SECONDS = 1,     // at the hard limit the kernel sends SIGKILL and no SIGXCPU, which the server would take for a lack of memory
    NICENESS = 5,              // more than the server's: half a second of decoding must not delay its calls
};

static int limit(int resource, rlim_t soft, rlim_t hard) {
    struct rlimit limits = {soft, hard};
    return setrlimit(resource, &limits);
}

// The filter. A rule numbers the system call's arguments from 0.
static int close_system_calls(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (filter == NULL) return -1;
    int failed = 0;
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(read), 1, SCMP_A0(SCMP_CMP_EQ, 0));
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1, SCMP_A0(SCMP_CMP_EQ, 1));
    // Private memory, never executable.
    failed |= seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
        SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS));
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(munmap), 0);
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mremap), 0);
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(madvise), 0);
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(brk), 0);
    // glibc's qsort asks how much memory the machine has, and libwebp sorts the colors of a picture with transparency.
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sysinfo), 0);
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(exit_group), 0);
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(exit), 0);
    if (failed == 0) failed = seccomp_load(filter);
    seccomp_release(filter);
    return failed == 0 ? 0 : -1;
}

int close_sandbox(void) {
    // If it fails, the program is as urgent as the server, and otherwise the same.
    (void)!nice(NICENESS);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
    if (close_range(3, ~0U, 0) != 0) return -1;
    if (limit(RLIMIT_AS, ADDRESS_SPACE, ADDRESS_SPACE) != 0) return -1;
    if (limit(RLIMIT_CPU, CPU_SECONDS, CPU_SECONDS + CPU_GRACE_SECONDS) != 0) return -1;
    if (limit(RLIMIT_CORE, 0, 0) != 0 || limit(RLIMIT_NOFILE, 3, 3) != 0) return -1;
    return close_system_calls();
}
