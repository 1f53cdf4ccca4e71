/*
 * Starts what lies beside it: FOLDER/lib/node runs FOLDER/lib/main.cjs, by the loader and the libraries in FOLDER/lib.
 * It needs nothing of the system, so that an image without a C library, or with another one (musl), says and does the
 * same as any other. What it is compiled to is kept in compiled.ts; `node scripts/release/launcher/compile.ts`
 * makes that.
 */
#define PATH_ROOM 4096
#define NAME_ROOM 64

static long call(long number, long a, long b, long c, long d) {
#if defined(__x86_64__)
  register long r10 __asm__("r10") = d;
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
  return x0;
#endif
}

#if defined(__x86_64__)
enum { WRITE = 1, EXECVE = 59, EXIT = 231, READLINKAT = 267 };
__asm__(".globl _start\n_start:\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call start\n");
#elif defined(__aarch64__)
enum { WRITE = 64, EXECVE = 221, EXIT = 94, READLINKAT = 78 };
__asm__(".globl _start\n_start:\n  mov x0, sp\n  bl start\n");
#endif

enum { STDOUT = 1, STDERR = 2, HERE = -100 };

static long length_of(const char *text) {
  long length = 0;
  while (text[length]) length++;
  return length;
}

static int begins_with(const char *text, const char *prefix) {
  while (*prefix)
    if (*text++ != *prefix++) return 0;
  return 1;
}

static void put(char *target, const char *text) {
  while ((*target++ = *text++)) {
  }
}

static void say(int stream, const char *path) {
  const char *begin = "Error DM-RUNTIME: cannot be started: ";
  const char *end = " is not there or cannot be run. Unpack the whole archive, and keep its files together.\n";
  call(WRITE, stream, (long)begin, length_of(begin), 0);
  call(WRITE, stream, (long)path, length_of(path), 0);
  call(WRITE, stream, (long)end, length_of(end), 0);
}

static __attribute__((noreturn)) void fail(const char *path, char **env) {
  say(STDERR, path);
  /* Terraform shows what comes on stdout in place of a handshake. */
  for (; *env; env++)
    if (begins_with(*env, "TF_PLUGIN_MAGIC_COOKIE=")) say(STDOUT, path);
  for (;;) call(EXIT, 1, 0, 0, 0);
}

__attribute__((noreturn, used)) void start(long *stack) {
  long count = stack[0];
  char **args = (char **)(stack + 1);
  char **env = args + count + 1;
  char folder[PATH_ROOM], loader[PATH_ROOM + NAME_ROOM], node[PATH_ROOM + NAME_ROOM], script[PATH_ROOM + NAME_ROOM];
  char *words[count + 8];

  /* Links are followed, so that it can be linked to from a folder on PATH. */
  long length = call(READLINKAT, HERE, (long)"/proc/self/exe", (long)folder, PATH_ROOM - 1);
  if (length <= 0) {
    /* Without /proc the name it was called by has to do. */
    const char *name = count > 0 ? args[0] : "";
    length = length_of(name);
    if (length >= PATH_ROOM) fail("/proc/self/exe", env);
    put(folder, name);
  }
  folder[length] = 0;
  while (length > 0 && folder[length - 1] != '/') length--;
  if (length == 0) fail("/proc/self/exe", env);
  put(folder + length, "");

  put(loader, folder);
  put(loader + length, "lib/ld.so");
  put(node, folder);
  put(node + length, "lib/node");
  put(script, folder);
  put(script + length, "lib/main.cjs");
  char *libraries = folder;
  if (length + 4 >= PATH_ROOM) fail(folder, env);
  put(folder + length, "lib");

  char **word = words;
  *word++ = args[0];
  *word++ = "--inhibit-cache";
  *word++ = "--library-path";
  *word++ = libraries;
  *word++ = node;
  *word++ = script;
  for (long n = 1; n < count; n++) *word++ = args[n];
  *word = 0;
  call(EXECVE, (long)loader, (long)words, (long)env, 0);
  fail(loader, env);
}
