package org.fibnuma.binding.bpf;

import org.fibnuma.binding.libc.StructMemory;

/**
 * Runs an XDP program on frames that the kernel allocates and then passes, transmits or redirects; needs Linux 5.18.
 * The kernel reuses frames with their old contents, so the program must write every relevant byte. One thread; a run
 * does not allocate.
 */
public final class BpfLiveRun implements AutoCloseable
{
    private final StructMemory frame;
    private final StructMemory context = new StructMemory(XdpContextLayout.SIZE);
    private final StructMemory attr = new StructMemory(BpfAttrLayout.TEST_SIZE);

    /**
     * Prepares runs.
     *
     * @param program        an open XDP program, closed after this.
     * @param frame          initial contents of every frame, at least 14 bytes.
     * @param ingressIfindex receiving interface of the frames, in the network namespace of the running thread:
     *                       {@link XdpAction#TX} sends them there and {@link XdpAction#PASS} passes them to its stack.
     *                       0 for the loopback.
     * @param batchSize      frames between two flushes of the devices, 1 to 256.
     */
    public BpfLiveRun(final BpfProgram program, final byte[] frame, final int ingressIfindex, final int batchSize)
    {
        this(program, frame, new byte[0], ingressIfindex, batchSize);
    }

    /**
     * Prepares runs on frames with metadata, as the other constructor does on frames without.
     *
     * @param metadata initial metadata of every frame, up to 32 bytes, a multiple of 4. A frame that a run uses twice
     *                 may have lost it, so no run may have more frames than {@code batchSize}.
     */
    public BpfLiveRun(
        final BpfProgram program,
        final byte[] frame,
        final byte[] metadata,
        final int ingressIfindex,
        final int batchSize)
    {
        final int size = metadata.length + frame.length;
        this.frame = new StructMemory(size).putBytes(0, metadata).putBytes(metadata.length, frame);
        context.putInt(XdpContextLayout.DATA_OFFSET, metadata.length)
            .putInt(XdpContextLayout.DATA_END_OFFSET, size)
            .putInt(XdpContextLayout.INGRESS_IFINDEX_OFFSET, ingressIfindex);
        attr.putInt(BpfAttrLayout.TEST_PROG_FD_OFFSET, program.fd())
            .putInt(BpfAttrLayout.TEST_DATA_SIZE_IN_OFFSET, size)
            .putLong(BpfAttrLayout.TEST_DATA_IN_OFFSET, this.frame.address())
            .putInt(BpfAttrLayout.TEST_CTX_SIZE_IN_OFFSET, context.size())
            .putLong(BpfAttrLayout.TEST_CTX_IN_OFFSET, context.address())
            .putInt(BpfAttrLayout.TEST_BATCH_SIZE_OFFSET, batchSize)
            .putInt(BpfAttrLayout.TEST_FLAGS_OFFSET, BpfAttrLayout.TEST_LIVE_FRAMES);
    }

    /**
     * Runs the program once for each of {@code count} frames, 1 or more, and returns when all are done. A signal may
     * end it early.
     *
     * @return false if the kernel refused or stopped; see {@link org.fibnuma.binding.libc.Errno#last()}.
     */
    public boolean run(final int count)
    {
        attr.putInt(BpfAttrLayout.TEST_REPEAT_OFFSET, count);
        return BpfSystemCall.invoke(BpfAttrLayout.BPF_PROG_TEST_RUN, attr) >= 0;
    }

    @Override
    public void close()
    {
        frame.close();
        context.close();
        attr.close();
    }
}
