package org.fibnuma.binding.libc;

import org.fibnuma.core.UserException;

/**
 * System calls of the C library on 64-bit Linux: addresses, {@code size_t} and {@code off_t} are {@code long}.
 * Parameters are those of the man page that the C prototype names; lengths are in bytes and time is in ms. Any thread
 * may call the methods. A call that fails returns -1, unless its Javadoc states another value; {@link Errno#last()}
 * then returns the reason until the thread's next call. Control code wraps calls in {@link SystemCallException#check}.
 */
public interface LibC
{
    /** Number of bpf(2): 321 on x86-64 (asm/unistd_64.h), 280 in the generic table, as on aarch64. */
    long SYS_BPF = "amd64".equals(System.getProperty("os.arch")) ? 321 : 280;

    /**
     * Returns the C library of this process, always the same object.
     *
     * @throws UnsatisfiedLinkError if the machine has no such library.
     * @throws UserException with one line for the user if jffi cannot extract its native library.
     */
    static LibC get()
    {
        return LibCLoader.library();
    }

    /**
     * {@code void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)}; constants are in
     * {@link SysMman}. Returns the address, or {@link SysMman#MAP_FAILED}.
     */
    long mmap(long addr, long length, int prot, int flags, int fd, long offset);

    /** {@code int munmap(void *addr, size_t length)}. */
    int munmap(long addr, long length);

    /** {@code int mprotect(void *addr, size_t len, int prot)}. */
    int mprotect(long addr, long len, int prot);

    /** {@code int madvise(void *addr, size_t length, int advice)}. */
    int madvise(long addr, long length, int advice);

    /** {@code int socket(int domain, int type, int protocol)}, see {@link SysSocket}. Returns a file descriptor. */
    int socket(int domain, int type, int protocol);

    /** {@code int bind(int sockfd, const struct sockaddr *addr, socklen_t addrlen)}. */
    int bind(int sockfd, long addr, int addrlen);

    /** {@code int connect(int sockfd, const struct sockaddr *addr, socklen_t addrlen)}. */
    int connect(int sockfd, long addr, int addrlen);

    /** {@code int getsockname(int sockfd, struct sockaddr *addr, socklen_t *addrlen)}. */
    int getsockname(int sockfd, long addr, long addrlen);

    /** {@code int setsockopt(int sockfd, int level, int optname, const void *optval, socklen_t optlen)}. */
    int setsockopt(int sockfd, int level, int optname, long optval, int optlen);

    /** {@code int getsockopt(int sockfd, int level, int optname, void *optval, socklen_t *optlen)}. */
    int getsockopt(int sockfd, int level, int optname, long optval, long optlen);

    /**
     * {@code ssize_t sendto(int sockfd, const void *buf, size_t len, int flags, const struct sockaddr *dest_addr,
     * socklen_t addrlen)}. Returns the bytes sent.
     */
    long sendto(int sockfd, long buf, long len, int flags, long destAddr, int addrlen);

    /**
     * {@code ssize_t recvfrom(int sockfd, void *buf, size_t len, int flags, struct sockaddr *src_addr, socklen_t
     * *addrlen)}. Returns the bytes received. {@code srcAddr} and {@code addrlen} may be 0.
     */
    long recvfrom(int sockfd, long buf, long len, int flags, long srcAddr, long addrlen);

    /** {@code ssize_t send(int sockfd, const void *buf, size_t len, int flags)}. Returns the bytes sent. */
    long send(int sockfd, long buf, long len, int flags);

    /** {@code ssize_t recv(int sockfd, void *buf, size_t len, int flags)}. Returns the bytes received. */
    long recv(int sockfd, long buf, long len, int flags);

    /**
     * {@code int poll(struct pollfd *fds, nfds_t nfds, int timeout)}. Returns the number of entries with events. An
     * entry is {@code int fd; short events; short revents}.
     */
    int poll(long fds, long nfds, int timeout);

    /** {@code int open(const char *pathname, int flags, mode_t mode)}, see {@link Fcntl}. Returns a file descriptor. */
    int open(String pathname, int flags, int mode);

    /** {@code int memfd_create(const char *name, unsigned int flags)}, see {@link Fcntl}. Returns a file descriptor. */
    int memfd_create(String name, int flags);

    /** {@code int fcntl(int fd, int cmd, ...)} with one argument; commands are in {@link Fcntl}. */
    int fcntl(int fd, int command, long arg);

    /** {@code int close(int fd)}. */
    int close(int fd);

    /** {@code ssize_t read(int fd, void *buf, size_t count)}. Returns the bytes read. */
    long read(int fd, long buf, long count);

    /** {@code ssize_t write(int fd, const void *buf, size_t count)}. Returns the bytes written. */
    long write(int fd, long buf, long count);

    /** {@code int ioctl(int fd, unsigned long request, void *argp)}. Returns 0 or more. */
    int ioctl(int fd, long request, long argp);

    /**
     * {@code long syscall(long number, ...)} with three arguments, for calls that the C library does not wrap; numbers
     * are constants such as {@link #SYS_BPF}.
     */
    long syscall(long number, long first, long second, long third);

    /**
     * {@code int sched_setaffinity(pid_t pid, size_t cpusetsize, const cpu_set_t *mask)}; pid 0 is the calling thread.
     */
    int sched_setaffinity(int pid, long cpusetsize, long mask);

    /** {@code int sched_getaffinity(pid_t pid, size_t cpusetsize, cpu_set_t *mask)}; pid 0 is the calling thread. */
    int sched_getaffinity(int pid, long cpusetsize, long mask);

    /** {@code int setns(int fd, int nstype)}: moves the calling thread. */
    int setns(int fd, int nstype);

    /**
     * {@code unsigned int if_nametoindex(const char *ifname)}, in the calling thread's network namespace. Returns 0 if
     * there is no such interface.
     */
    int if_nametoindex(String ifname);

    /** {@code char *strerror(int errnum)}. Returns text in the language of the process. */
    String strerror(int errnum);

    /**
     * {@code FILE *open_memstream(char **ptr, size_t *sizeloc)}. Returns the stream, or 0. Address and size of the
     * written bytes are valid after {@link #fflush}. The caller frees the bytes with {@link #free} after
     * {@link #fclose}.
     */
    long open_memstream(long ptr, long sizeloc);

    /** {@code int fflush(FILE *stream)}. */
    int fflush(long stream);

    /** {@code int fclose(FILE *stream)}. */
    int fclose(long stream);

    /** {@code void free(void *ptr)}. */
    void free(long ptr);
}
