package org.fibnuma.binding.bpf;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;

/** {@code int bpf(int cmd, union bpf_attr *attr, unsigned int size)}. */
final class BpfSystemCall
{
    private static final int ATTEMPTS = 5;

    private BpfSystemCall()
    {
    }

    /** Returns the kernel's result, or -1 with the reason in {@link Errno#last()}. */
    static int invoke(final int command, final StructMemory attr)
    {
        int result = -1;
        // Signals, which a JVM uses, interrupt loading; libbpf also makes five attempts.
        for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        {
            result = (int)LibC.get().syscall(LibC.SYS_BPF, command, attr.address(), attr.size());
            if (result >= 0 || !Errno.EAGAIN.is(Errno.last()))
            {
                return result;
            }
        }
        return result;
    }

    /** Returns the kernel's result, or throws. */
    static int check(final int command, final StructMemory attr, final String name)
    {
        return SystemCallException.check(invoke(command, attr), "bpf(" + name + ")");
    }
}
