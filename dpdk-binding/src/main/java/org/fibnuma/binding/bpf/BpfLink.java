package org.fibnuma.binding.bpf;

import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;

/** Attachment of a program to an interface. It ends with {@link #close()} or with this process, even after kill -9. */
public final class BpfLink implements AutoCloseable
{
    private int fd;

    private BpfLink(final int fd)
    {
        this.fd = fd;
    }

    /**
     * Attaches an XDP program to an interface in the calling thread's network namespace; needs Linux 5.9.
     *
     * @throws SystemCallException if the kernel refuses: EBUSY or EEXIST if a program is already attached.
     */
    public static BpfLink attachXdp(final BpfProgram program, final int ifindex, final XdpMode mode)
    {
        try (StructMemory attr = new StructMemory(BpfAttrLayout.LINK_CREATE_SIZE))
        {
            attr.putInt(BpfAttrLayout.LINK_PROG_FD_OFFSET, program.fd())
                .putInt(BpfAttrLayout.LINK_TARGET_IFINDEX_OFFSET, ifindex)
                .putInt(BpfAttrLayout.LINK_ATTACH_TYPE_OFFSET, BpfAttrLayout.BPF_XDP)
                .putInt(BpfAttrLayout.LINK_FLAGS_OFFSET, mode.flag());
            return new BpfLink(BpfSystemCall.check(BpfAttrLayout.BPF_LINK_CREATE, attr, "BPF_LINK_CREATE"));
        }
    }

    /** Detaches the program. Further calls have no effect. */
    @Override
    public void close()
    {
        if (fd >= 0)
        {
            LibC.get().close(fd);
            fd = -1;
        }
    }
}
