/**
 * The calls to the kernel that a container may make, as a profile of the engine (https://docs.docker.com/engine/security/seccomp).
 * An allow list: what is not here fails with EPERM. It began as a list of what Docker's own default allows; what development
 * does not need, and has been a way out of containers before, is left out. docs/security.md says what that means for programs.
 */

/** A program that gets it does without, as on an old kernel. */
const ENOSYS = 38

const FILES = `access chdir chmod chown chown32 close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64
fadvise64_64 arm_fadvise64_64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchown32 fchownat fcntl fcntl64 fdatasync fgetxattr
flistxattr flock fremovexattr fsetxattr fstat fstat64 fstatat64 fstatfs fstatfs64 fsync ftruncate ftruncate64 futimesat getcwd
getdents getdents64 getxattr getxattrat inotify_add_watch inotify_init inotify_init1 inotify_rm_watch ioctl lchown lchown32 lgetxattr
link linkat listxattr listxattrat llistxattr lremovexattr _llseek lseek lsetxattr lstat lstat64 mkdir mkdirat mknod mknodat
newfstatat open openat openat2 pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv
removexattr removexattrat rename renameat renameat2 rmdir sendfile sendfile64 setxattr setxattrat splice stat stat64 statfs
statfs64 statx symlink symlinkat sync sync_file_range sync_file_range2 arm_sync_file_range syncfs tee truncate truncate64 umask
unlink unlinkat utime utimensat utimensat_time64 utimes vmsplice write writev`

const WAITING = `alarm epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 io_cancel io_destroy
io_getevents io_pgetevents io_pgetevents_time64 io_setup io_submit nanosleep _newselect pause pipe pipe2 poll ppoll ppoll_time64
pselect6 pselect6_time64 select signalfd signalfd4`

const TIME = `clock_getres clock_getres_time64 clock_gettime clock_gettime64 clock_nanosleep clock_nanosleep_time64 getitimer
gettimeofday setitimer time timer_create timer_delete timer_getoverrun timer_gettime timer_gettime64 timer_settime
timer_settime64 timerfd_create timerfd_gettime timerfd_gettime64 timerfd_settime timerfd_settime64 times`

const MEMORY = `brk cachestat cacheflush get_thread_area madvise map_shadow_stack membarrier memfd_create mincore mlock mlock2 mlockall
mmap mmap2 mprotect mremap mseal msync munlock munlockall munmap pkey_alloc pkey_free pkey_mprotect set_thread_area`

const PROCESSES = `arch_prctl breakpoint execve execveat exit exit_group fork getcpu getpgid getpgrp getpid getppid getpriority
getrlimit getrusage getsid gettid ioprio_get ioprio_set kill modify_ldt pidfd_open pidfd_send_signal prctl prlimit64
process_mrelease restart_syscall rseq sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr
sched_getparam sched_getscheduler sched_rr_get_interval sched_rr_get_interval_time64 sched_setaffinity sched_setattr
sched_setparam sched_setscheduler sched_yield set_tid_address set_tls setpgid setpriority setrlimit setsid sysinfo tgkill tkill
ugetrlimit uname vfork wait4 waitid waitpid`

const SIGNALS = `rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait
rt_sigtimedwait_time64 rt_tgsigqueueinfo sigaltstack sigprocmask sigreturn`

const USERS = `capget capset getegid getegid32 geteuid geteuid32 getgid getgid32 getgroups getgroups32 getresgid getresgid32
getresuid getresuid32 getuid getuid32 setfsgid setfsgid32 setfsuid setfsuid32 setgid setgid32 setgroups setgroups32 setregid
setregid32 setresgid setresgid32 setresuid setresuid32 setreuid setreuid32 setuid setuid32`

/** What programs confine themselves with, and what a tracer of the machine has them call. */
const OTHERS = `get_robust_list getrandom landlock_add_rule landlock_create_ruleset landlock_restrict_self seccomp set_robust_list
uprobe uretprobe`

const COMMUNICATION = `accept accept4 bind connect futex futex_requeue futex_time64 futex_wait futex_waitv futex_wake getpeername
getsockname getsockopt ipc listen mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedreceive_time64 mq_timedsend
mq_timedsend_time64 mq_unlink msgctl msgget msgrcv msgsnd recv recvfrom recvmmsg recvmmsg_time64 recvmsg semctl semget semop
semtimedop semtimedop_time64 send sendmmsg sendmsg sendto setsockopt shmat shmctl shmdt shmget shutdown`

/** What debuggers need. Before 4.8 a traced process could make its calls after they had been judged. */
const DEBUGGING = ['process_vm_readv', 'process_vm_writev', 'ptrace']
const DEBUGGING_SINCE = '4.8'

/**
 * io_uring makes calls that no filter sees. `clone3` has its flags, and `socketcall` its family, in memory, which no filter reads:
 * glibc uses `clone` then, but on 32-bit x86 it has no other way to a socket.
 */
const ABSENT = `clone3 io_uring_enter io_uring_register io_uring_setup listmount memfd_secret name_to_handle_at open_tree_attr
remap_file_pages socketcall statmount`

/** Local, IPv4, IPv6, and netlink, which lists interfaces. Any other family can load a module of the kernel: AF_ALG, AF_VSOCK … */
const SOCKET_FAMILIES = [1, 2, 10, 16]

/** Linux, 32-bit Linux, both of them as an old one, and the question which it is. */
const PERSONALITIES = [0x0, 0x8, 0x20000, 0x20008, 0xffffffff]

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = 0x7e020000

/** The kernel reads 32 bits; the filter would see what a program puts into the others. */
const INT = 0xffffffff

interface Rule {
  names: string[]
  action: 'SCMP_ACT_ALLOW' | 'SCMP_ACT_ERRNO'
  errnoRet?: number
  args?: { index: number; value: number; valueTwo?: number; op: 'SCMP_CMP_EQ' | 'SCMP_CMP_MASKED_EQ' }[]
  includes?: { caps?: string[]; minKernel?: string }
}

export interface SeccompProfile {
  defaultAction: 'SCMP_ACT_ERRNO'
  archMap: { architecture: string; subArchitectures: string[] }[]
  syscalls: Rule[]
}

/** Architectures that the profile is for, by the engine's names. */
const ARCHITECTURES: ReadonlySet<string> = new Set(['x86_64', 'amd64', 'aarch64', 'arm64'])

export function hasProfileFor(architecture: string): boolean {
  return ARCHITECTURES.has(architecture)
}

export function seccompProfile(): SeccompProfile {
  const groups = [FILES, WAITING, TIME, MEMORY, PROCESSES, SIGNALS, USERS, COMMUNICATION, OTHERS]
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    archMap: [
      { architecture: 'SCMP_ARCH_X86_64', subArchitectures: ['SCMP_ARCH_X86', 'SCMP_ARCH_X32'] },
      { architecture: 'SCMP_ARCH_AARCH64', subArchitectures: ['SCMP_ARCH_ARM'] },
    ],
    syscalls: [
      allow(groups.flatMap(words)),
      { ...allow(DEBUGGING), includes: { minKernel: DEBUGGING_SINCE } },
      ...SOCKET_FAMILIES.map(family => allowMasked(['socket', 'socketpair'], INT, family)),
      ...PERSONALITIES.map(value => allowEqual('personality', value)),
      allowMasked(['clone'], NEW_NAMESPACES, 0),
      // For Atelier's own container that enters the network namespaces of sandboxes; no sandbox has the capability.
      { ...allow(['setns']), includes: { caps: ['CAP_SYS_ADMIN'] } },
      { names: words(ABSENT), action: 'SCMP_ACT_ERRNO', errnoRet: ENOSYS },
    ],
  }
}

function words(text: string): string[] {
  return text.split(/\s+/)
}

function allow(names: string[]): Rule {
  return { names, action: 'SCMP_ACT_ALLOW' }
}

function allowEqual(name: string, value: number): Rule {
  return { ...allow([name]), args: [{ index: 0, value, op: 'SCMP_CMP_EQ' }] }
}

/** Where the first argument is `value` in the bits of `mask`. */
function allowMasked(names: string[], mask: number, value: number): Rule {
  return { ...allow(names), args: [{ index: 0, value: mask, valueTwo: value, op: 'SCMP_CMP_MASKED_EQ' }] }
}
