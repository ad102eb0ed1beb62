package org.fibnuma.binding.bpf;

/** Results of an XDP program (enum xdp_action of linux/bpf.h, Linux 6.1). */
public final class XdpAction
{
    /** An error: the frame is dropped and traced. */
    public static final int ABORTED = 0;
    /** The frame is dropped. */
    public static final int DROP = 1;
    public static final int PASS = 2;
    /** The frame is sent by the interface that received it. */
    public static final int TX = 3;
    /** The frame goes to the target of a redirect helper. */
    public static final int REDIRECT = 4;

    private XdpAction()
    {
    }
}
