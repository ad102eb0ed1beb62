package org.fibnuma.binding.libc;

/** Numbers of system calls that the C library does not wrap; they differ between processors. */
public final class SystemCallNumber
{
    /** bpf(2): 321 on x86-64 (asm/unistd_64.h), 280 where the generic table is used, as on aarch64. */
    public static final long BPF = "amd64".equals(System.getProperty("os.arch")) ? 321 : 280;

    private SystemCallNumber()
    {
    }
}
