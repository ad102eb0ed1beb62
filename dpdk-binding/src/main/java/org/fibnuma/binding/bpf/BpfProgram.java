package org.fibnuma.binding.bpf;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;

/** A verified XDP program in the kernel. Any thread may use it. */
public final class BpfProgram implements AutoCloseable
{
    private static final String LICENSE = "Apache-2.0";
    private static final int LOG_SIZE = 1 << 16;

    private int fd;

    private BpfProgram(final int fd)
    {
        this.fd = fd;
    }

    /**
     * Loads an XDP program.
     *
     * @param code from {@link BpfAssembler#assemble()}.
     * @param name up to 15 letters, digits and underscores, shown by tools that list programs.
     * @throws SystemCallException if the kernel refuses; the message contains the verifier's log.
     */
    public static BpfProgram loadXdp(final byte[] code, final String name)
    {
        try (StructMemory instructions = new StructMemory(code.length);
            StructMemory license = new StructMemory(LICENSE.length() + 1);
            StructMemory log = new StructMemory(LOG_SIZE);
            StructMemory attr = new StructMemory(BpfAttrLayout.PROG_LOAD_SIZE))
        {
            instructions.putBytes(0, code);
            license.putString(0, LICENSE, license.size());
            attr.putInt(BpfAttrLayout.PROG_TYPE_OFFSET, BpfAttrLayout.BPF_PROG_TYPE_XDP)
                .putInt(BpfAttrLayout.INSN_CNT_OFFSET, code.length / BpfAssembler.INSTRUCTION_SIZE)
                .putLong(BpfAttrLayout.INSNS_OFFSET, instructions.address())
                .putLong(BpfAttrLayout.LICENSE_OFFSET, license.address())
                .putString(BpfAttrLayout.PROG_NAME_OFFSET, name, BpfAttrLayout.NAME_SIZE)
                .putInt(BpfAttrLayout.EXPECTED_ATTACH_TYPE_OFFSET, BpfAttrLayout.BPF_XDP);
            int fd = BpfSystemCall.invoke(BpfAttrLayout.BPF_PROG_LOAD, attr);
            if (fd < 0)
            {
                // The log is requested only after a refusal, because it takes time.
                final int errno = Errno.last();
                attr.putInt(BpfAttrLayout.LOG_LEVEL_OFFSET, 1)
                    .putInt(BpfAttrLayout.LOG_SIZE_OFFSET, LOG_SIZE)
                    .putLong(BpfAttrLayout.LOG_BUF_OFFSET, log.address());
                fd = BpfSystemCall.invoke(BpfAttrLayout.BPF_PROG_LOAD, attr);
                if (fd < 0)
                {
                    throw new SystemCallException(
                        "bpf(BPF_PROG_LOAD)", errno, log.getString(0, LOG_SIZE).strip());
                }
            }
            return new BpfProgram(fd);
        }
    }

    /** Returns the file descriptor, 0 or more while the program is open. */
    public int fd()
    {
        return fd;
    }

    /**
     * Runs the program once on a copy of a frame of at least 14 bytes, without sending anything.
     *
     * @throws SystemCallException if the kernel refuses.
     */
    public TestResult testRun(final byte[] frame)
    {
        final int room = frame.length + 4096;
        try (StructMemory in = new StructMemory(frame.length);
            StructMemory out = new StructMemory(room);
            StructMemory attr = new StructMemory(BpfAttrLayout.TEST_SIZE))
        {
            in.putBytes(0, frame);
            attr.putInt(BpfAttrLayout.TEST_PROG_FD_OFFSET, fd)
                .putInt(BpfAttrLayout.TEST_DATA_SIZE_IN_OFFSET, frame.length)
                .putLong(BpfAttrLayout.TEST_DATA_IN_OFFSET, in.address())
                .putInt(BpfAttrLayout.TEST_DATA_SIZE_OUT_OFFSET, room)
                .putLong(BpfAttrLayout.TEST_DATA_OUT_OFFSET, out.address())
                .putInt(BpfAttrLayout.TEST_REPEAT_OFFSET, 1);
            BpfSystemCall.check(BpfAttrLayout.BPF_PROG_TEST_RUN, attr, "BPF_PROG_TEST_RUN");
            return new TestResult(
                attr.getInt(BpfAttrLayout.TEST_RETVAL_OFFSET),
                out.getBytes(0, attr.getInt(BpfAttrLayout.TEST_DATA_SIZE_OUT_OFFSET)));
        }
    }

    /** Closes the program; the kernel keeps it while it is attached. Further calls have no effect. */
    @Override
    public void close()
    {
        if (fd >= 0)
        {
            LibC.get().close(fd);
            fd = -1;
        }
    }

    /**
     * Result of a test run.
     *
     * @param action returned by the program, see {@link XdpAction}.
     * @param frame  after the run.
     */
    public record TestResult(int action, byte[] frame)
    {
    }
}
