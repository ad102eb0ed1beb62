package org.fibnuma.binding.libc;

/**
 * System calls as the C library offers them on 64-bit Linux: addresses, {@code size_t} and {@code off_t} are
 * {@code long}. All may be called from any thread. Where C says -1 the reason is in {@link Errno#last()}, for the
 * calling thread, until its next call; control code wraps the call in {@link SystemCallException#check}.
 */
public interface LibC
{
    /**
     * The library of this process.
     *
     * @return always the same object.
     * @throws UnsatisfiedLinkError where the machine has no such library.
     * @throws org.fibnuma.core.port.PortException with one line for the user where no directory can take jffi's part of
     *                              it.
     */
    static LibC get()
    {
        return LibCLoader.library();
    }

    /**
     * {@code void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)}.
     *
     * @param addr   where to put it, or a hint, or 0.
     * @param length in bytes.
     * @param prot   of {@link SysMman}.
     * @param flags  of {@link SysMman}.
     * @param fd     file, or -1.
     * @param offset in the file.
     * @return the address, or {@link SysMman#MAP_FAILED}.
     */
    long mmap(long addr, long length, int prot, int flags, int fd, long offset);

    /**
     * {@code int munmap(void *addr, size_t length)}.
     *
     * @param addr   first byte, on a page boundary.
     * @param length in bytes.
     * @return 0 or -1.
     */
    int munmap(long addr, long length);

    /**
     * {@code int mprotect(void *addr, size_t len, int prot)}.
     *
     * @param addr first byte, on a page boundary.
     * @param len  in bytes.
     * @param prot of {@link SysMman}.
     * @return 0 or -1.
     */
    int mprotect(long addr, long len, int prot);

    /**
     * {@code int madvise(void *addr, size_t length, int advice)}.
     *
     * @param addr   first byte, on a page boundary.
     * @param length in bytes.
     * @param advice of {@link SysMman}.
     * @return 0 or -1.
     */
    int madvise(long addr, long length, int advice);

    /**
     * {@code int socket(int domain, int type, int protocol)}.
     *
     * @param domain   address family of {@link SysSocket}.
     * @param type     of {@link SysSocket}.
     * @param protocol of the family, often 0.
     * @return file descriptor or -1.
     */
    int socket(int domain, int type, int protocol);

    /**
     * {@code int bind(int sockfd, const struct sockaddr *addr, socklen_t addrlen)}.
     *
     * @param sockfd  the socket.
     * @param addr    of the structure.
     * @param addrlen its bytes.
     * @return 0 or -1.
     */
    int bind(int sockfd, long addr, int addrlen);

    /**
     * {@code int connect(int sockfd, const struct sockaddr *addr, socklen_t addrlen)}.
     *
     * @param sockfd  the socket.
     * @param addr    of the structure.
     * @param addrlen its bytes.
     * @return 0 or -1.
     */
    int connect(int sockfd, long addr, int addrlen);

    /**
     * {@code int getsockname(int sockfd, struct sockaddr *addr, socklen_t *addrlen)}.
     *
     * @param sockfd  the socket.
     * @param addr    receives the structure.
     * @param addrlen address of an int: room before, bytes after.
     * @return 0 or -1.
     */
    int getsockname(int sockfd, long addr, long addrlen);

    /**
     * {@code int setsockopt(int sockfd, int level, int optname, const void *optval, socklen_t optlen)}.
     *
     * @param sockfd  the socket.
     * @param level   {@code SOL_...}.
     * @param optname of the level.
     * @param optval  address of the value.
     * @param optlen  its bytes.
     * @return 0 or -1.
     */
    int setsockopt(int sockfd, int level, int optname, long optval, int optlen);

    /**
     * {@code int getsockopt(int sockfd, int level, int optname, void *optval, socklen_t *optlen)}.
     *
     * @param sockfd  the socket.
     * @param level   {@code SOL_...}.
     * @param optname of the level.
     * @param optval  receives the value.
     * @param optlen  address of an int: room before, bytes after.
     * @return 0 or -1.
     */
    int getsockopt(int sockfd, int level, int optname, long optval, long optlen);

    /**
     * {@code ssize_t sendto(int sockfd, const void *buf, size_t len, int flags, const struct sockaddr *dest_addr,
     * socklen_t addrlen)}.
     *
     * @param sockfd   the socket.
     * @param buf      first byte, may be 0 where len is.
     * @param len      in bytes.
     * @param flags    {@code MSG_...} of {@link SysSocket}.
     * @param destAddr structure, or 0.
     * @param addrlen  its bytes.
     * @return bytes sent or -1.
     */
    long sendto(int sockfd, long buf, long len, int flags, long destAddr, int addrlen);

    /**
     * {@code ssize_t recvfrom(int sockfd, void *buf, size_t len, int flags, struct sockaddr *src_addr,
     * socklen_t *addrlen)}.
     *
     * @param sockfd  the socket.
     * @param buf     receives the bytes, may be 0 where len is.
     * @param len     room in bytes.
     * @param flags   {@code MSG_...} of {@link SysSocket}.
     * @param srcAddr receives the sender, or 0.
     * @param addrlen address of an int: room before, bytes after; or 0.
     * @return bytes received or -1.
     */
    long recvfrom(int sockfd, long buf, long len, int flags, long srcAddr, long addrlen);

    /**
     * {@code ssize_t send(int sockfd, const void *buf, size_t len, int flags)}.
     *
     * @param sockfd the socket.
     * @param buf    first byte.
     * @param len    in bytes.
     * @param flags  {@code MSG_...} of {@link SysSocket}.
     * @return bytes sent or -1.
     */
    long send(int sockfd, long buf, long len, int flags);

    /**
     * {@code ssize_t recv(int sockfd, void *buf, size_t len, int flags)}.
     *
     * @param sockfd the socket.
     * @param buf    receives the bytes.
     * @param len    room in bytes.
     * @param flags  {@code MSG_...} of {@link SysSocket}.
     * @return bytes received or -1.
     */
    long recv(int sockfd, long buf, long len, int flags);

    /**
     * {@code int poll(struct pollfd *fds, nfds_t nfds, int timeout)}.
     *
     * @param fds     array of {@code int fd; short events; short revents}.
     * @param nfds    entries.
     * @param timeout in ms, -1 for ever.
     * @return entries with events, or -1.
     */
    int poll(long fds, long nfds, int timeout);

    /**
     * {@code int open(const char *pathname, int flags, mode_t mode)}.
     *
     * @param pathname of the file.
     * @param flags    of {@link Fcntl}.
     * @param mode     of a file that is created.
     * @return file descriptor or -1.
     */
    int open(String pathname, int flags, int mode);

    /**
     * {@code int memfd_create(const char *name, unsigned int flags)}.
     *
     * @param name  for lists of open files.
     * @param flags of {@link Fcntl}.
     * @return file descriptor, or -1.
     */
    int memfd_create(String name, int flags);

    /**
     * {@code int fcntl(int fd, int cmd, ...)} with one argument.
     *
     * @param fd      file.
     * @param command of {@link Fcntl}.
     * @param arg     its argument.
     * @return what the command returns, or -1.
     */
    int fcntl(int fd, int command, long arg);

    /**
     * {@code int close(int fd)}.
     *
     * @param fd to close.
     * @return 0 or -1.
     */
    int close(int fd);

    /**
     * {@code ssize_t read(int fd, void *buf, size_t count)}.
     *
     * @param fd    to read.
     * @param buf   receives the bytes.
     * @param count room in bytes.
     * @return bytes read or -1.
     */
    long read(int fd, long buf, long count);

    /**
     * {@code ssize_t write(int fd, const void *buf, size_t count)}.
     *
     * @param fd    to write.
     * @param buf   first byte.
     * @param count in bytes.
     * @return bytes written or -1.
     */
    long write(int fd, long buf, long count);

    /**
     * {@code int ioctl(int fd, unsigned long request, void *argp)}.
     *
     * @param fd      to control.
     * @param request number of the operation.
     * @param argp    its argument.
     * @return 0 or more, or -1.
     */
    int ioctl(int fd, long request, long argp);

    /**
     * {@code long syscall(long number, ...)} with three arguments, for calls that the C library does not wrap.
     *
     * @param number of {@link SystemCallNumber}.
     * @param first  argument.
     * @param second argument.
     * @param third  argument.
     * @return what the call returns, or -1.
     */
    long syscall(long number, long first, long second, long third);

    /**
     * {@code int sched_setaffinity(pid_t pid, size_t cpusetsize, const cpu_set_t *mask)}.
     *
     * @param pid        thread, 0 for the calling one.
     * @param cpusetsize bytes of the mask.
     * @param mask       one bit a core.
     * @return 0 or -1.
     */
    int sched_setaffinity(int pid, long cpusetsize, long mask);

    /**
     * {@code int sched_getaffinity(pid_t pid, size_t cpusetsize, cpu_set_t *mask)}.
     *
     * @param pid        thread, 0 for the calling one.
     * @param cpusetsize bytes of the mask.
     * @param mask       receives one bit a core.
     * @return 0 or -1.
     */
    int sched_getaffinity(int pid, long cpusetsize, long mask);

    /**
     * {@code int setns(int fd, int nstype)}: moves the calling thread.
     *
     * @param fd     an open namespace file.
     * @param nstype kind of namespace, {@link Fcntl#CLONE_NEWNET} for networks.
     * @return 0 or -1.
     */
    int setns(int fd, int nstype);

    /**
     * {@code unsigned int if_nametoindex(const char *ifname)}, in the calling thread's network namespace.
     *
     * @param ifname of the interface.
     * @return index, or 0 where there is none.
     */
    int if_nametoindex(String ifname);

    /**
     * {@code char *strerror(int errnum)}.
     *
     * @param errnum error number.
     * @return text in the process's language.
     */
    String strerror(int errnum);

    /**
     * {@code FILE *open_memstream(char **ptr, size_t *sizeloc)}: a file in memory.
     *
     * @param ptr     receives the address of its bytes, to be given to {@link #free} after {@link #fclose}.
     * @param sizeloc receives how many there are; both are right after {@link #fflush}.
     * @return the stream, or 0.
     */
    long open_memstream(long ptr, long sizeloc);

    /**
     * {@code int fflush(FILE *stream)}.
     *
     * @param stream that is open.
     * @return 0 or -1.
     */
    int fflush(long stream);

    /**
     * {@code int fclose(FILE *stream)}.
     *
     * @param stream that is open.
     * @return 0 or -1.
     */
    int fclose(long stream);

    /**
     * {@code void free(void *ptr)}.
     *
     * @param ptr that the C library allocated, or 0.
     */
    void free(long ptr);
}
