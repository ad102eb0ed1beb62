package org.fibnuma.binding.bpf;

/** What an XDP program returns (enum xdp_action of linux/bpf.h, Linux 6.1). */
public final class XdpAction
{
    /** An error: the frame is dropped and traced. */
    public static final int ABORTED = 0;
    /** The frame is dropped. */
    public static final int DROP = 1;
    /** The frame goes to the kernel. */
    public static final int PASS = 2;
    /** The frame leaves where it came from. */
    public static final int TX = 3;
    /** The frame goes where a redirect helper said. */
    public static final int REDIRECT = 4;

    private XdpAction()
    {
    }
}
