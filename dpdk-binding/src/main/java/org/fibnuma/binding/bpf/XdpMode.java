package org.fibnuma.binding.bpf;

/** Place at which the kernel runs an XDP program (XDP_FLAGS_... of linux/if_link.h, Linux 6.1). */
public enum XdpMode
{
    /** In the driver, before the kernel makes a socket buffer. */
    NATIVE(1 << 2),
    /** In the stack, on any driver; slower. */
    GENERIC(1 << 1);

    private final int flag;

    XdpMode(final int flag)
    {
        this.flag = flag;
    }

    /** Returns the flag with which a program is attached in this mode. */
    public int flag()
    {
        return flag;
    }
}
