"""The numbers of the system calls that Regreen makes or lets pass, for the two machines it knows.

Each entry is `name x86_64 aarch64` (arch/x86/entry/syscalls/syscall_64.tbl and asm-generic/unistd.h of the kernel); a
dash says that the machine never had the call. See syscalls(2).
"""

from __future__ import annotations

import os

_TABLE = """
read 0 63; write 1 64; readv 19 65; writev 20 66; pread64 17 67; pwrite64 18 68; preadv 295 69; pwritev 296 70;
preadv2 327 286; pwritev2 328 287; lseek 8 62; close 3 57; close_range 436 436; dup 32 23; dup2 33 -;
dup3 292 24; pipe 22 -; pipe2 293 59; fcntl 72 25; flock 73 32; ioctl 16 29; open 2 -; openat 257 56;
creat 85 -; stat 4 -; fstat 5 80; lstat 6 -; newfstatat 262 79; statx 332 291; statfs 137 43; fstatfs 138 44;
access 21 -; faccessat 269 48; faccessat2 439 439; readlink 89 -; readlinkat 267 78; getdents 78 -;
getdents64 217 61; getcwd 79 17; chdir 80 49; fchdir 81 50; umask 95 166; mkdir 83 -; mkdirat 258 34;
rmdir 84 -; unlink 87 -; unlinkat 263 35; rename 82 -; renameat 264 38; renameat2 316 276; link 86 -;
linkat 265 37; symlink 88 -; symlinkat 266 36; mknod 133 -; mknodat 259 33; truncate 76 45; ftruncate 77 46;
fallocate 285 47; fsync 74 82; fdatasync 75 83; fadvise64 221 223; sendfile 40 71; copy_file_range 326 285;
chmod 90 -; fchmod 91 52; fchmodat 268 53; utime 132 -; utimes 235 -; utimensat 280 88; futimesat 261 -;
mmap 9 222; munmap 11 215; mprotect 10 226; mremap 25 216; madvise 28 233; brk 12 214; msync 26 227;
membarrier 324 283; futex 202 98; futex_waitv 449 449; set_robust_list 273 99; get_robust_list 274 100;
rseq 334 293; set_tid_address 218 96; arch_prctl 158 -; gettid 186 178; getcpu 309 168; sched_yield 24 124;
sched_getaffinity 204 123; sched_getparam 143 121; sched_getscheduler 145 120; sched_get_priority_max 146 125;
sched_get_priority_min 147 126; exit 60 93; exit_group 231 94; wait4 61 260; waitid 247 95;
restart_syscall 219 128; pause 34 -; rt_sigaction 13 134; rt_sigprocmask 14 135; rt_sigreturn 15 139;
rt_sigsuspend 130 133; rt_sigtimedwait 128 137; rt_sigpending 127 136; sigaltstack 131 132; kill 62 129;
tgkill 234 131; tkill 200 130; rt_sigqueueinfo 129 138; rt_tgsigqueueinfo 297 240; nanosleep 35 101;
clock_nanosleep 230 115; clock_gettime 228 113; clock_getres 229 114; gettimeofday 96 169; time 201 -;
times 100 153; getrusage 98 165; getitimer 36 102; setitimer 38 103; alarm 37 -; timer_create 222 107;
timer_settime 223 110; timer_gettime 224 108; timer_getoverrun 225 109; timer_delete 226 111;
timerfd_create 283 85; timerfd_settime 286 86; timerfd_gettime 287 87; poll 7 -; ppoll 271 73; select 23 -;
pselect6 270 72; epoll_create 213 -; epoll_create1 291 20; epoll_ctl 233 21; epoll_wait 232 -;
epoll_pwait 281 22; epoll_pwait2 441 441; eventfd 284 -; eventfd2 290 19; signalfd 282 -; signalfd4 289 74;
socketpair 53 199; sendto 44 206; recvfrom 45 207; sendmsg 46 211; recvmsg 47 212; shutdown 48 210;
getsockname 51 204; getpeername 52 205; getsockopt 55 209; setsockopt 54 208; getpid 39 172; getppid 110 173;
getuid 102 174; geteuid 107 175; getgid 104 176; getegid 108 177; getresuid 118 148; getresgid 120 150;
getgroups 115 158; getpgid 121 155; getpgrp 111 -; getsid 124 156; getpriority 140 141; capget 125 90;
uname 63 160; sysinfo 99 179; getrandom 318 278; getrlimit 97 163; prlimit64 302 261; setrlimit 160 164;
prctl 157 167; clone 56 220; clone3 435 435; fork 57 -; vfork 58 -; execve 59 221; execveat 322 281;
setsid 112 157; setpgid 109 154; pidfd_open 434 434; pidfd_send_signal 424 424; memfd_create 319 279;
seccomp 317 277; landlock_create_ruleset 444 444; landlock_add_rule 445 445; landlock_restrict_self 446 446;
getxattr 191 8; lgetxattr 192 9; fgetxattr 193 10; listxattr 194 11; llistxattr 195 12; flistxattr 196 13;
pivot_root 155 41; capset 126 91; open_tree 428 428; move_mount 429 429; mount_setattr 442 442;
"""

_COLUMNS = {"x86_64": 1, "aarch64": 2}

AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""How a seccomp filter sees each machine (AUDIT_ARCH_* in linux/audit.h)."""

NEWEST = 450
"""The highest number when the table was written; calls above it are answered with ENOSYS."""


def system_call_numbers(machine: str | None = None) -> dict[str, int]:
    """Name to number for `machine` (by default this one); empty for a machine that is not in the table."""
    column = _COLUMNS.get(machine or os.uname().machine)
    if column is None:
        return {}
    rows = (entry.split() for entry in _TABLE.replace("\n", " ").split(";") if entry.strip())
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}
