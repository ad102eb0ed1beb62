package org.fibnuma.binding.libc;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallContextCache;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.Type;
import org.agrona.UnsafeApi;
import org.fibnuma.core.memory.PageSource;
import org.fibnuma.core.memory.SoftwarePrefetch;

/**
 * Prefetches cache lines by a loop of seven machine instructions in its own memory page, called as a C function. Does
 * nothing on processors other than x86-64, and if the machine forbids a process to generate code.
 */
public final class MachineCodePrefetch implements SoftwarePrefetch
{
    private static final long UNAVAILABLE = 0;

    /** {@code void prefetch(void **addresses (rdi), int count (esi))} by the System V calling convention for x86-64. */
    private static final int[] X86_64 = {
        0x85, 0xF6,             //       test esi, esi
        0x74, 0x0E,             //       jz end
        0x48, 0x8B, 0x07,       // next: mov rax, [rdi]
        0x0F, 0x18, 0x08,       //       prefetcht0 [rax]
        0x48, 0x83, 0xC7, 0x08, //       add rdi, 8
        0xFF, 0xCE,             //       dec esi
        0x75, 0xF2,             //       jnz next
        0xC3,                   // end:  ret
    };

    private static final long FUNCTION = "amd64".equals(System.getProperty("os.arch")) ? load(X86_64) : UNAVAILABLE;

    private final Invoker invoker = Invoker.getInstance();
    private final CallContext signature = CallContextCache.getInstance().getCallContext(
        Type.VOID, new Type[]{Type.POINTER, Type.SINT32}, CallingConvention.DEFAULT, false);

    private static long load(final int[] code)
    {
        final LibC libC = LibC.get();
        final long page = libC.mmap(0, PageSource.PAGE_SIZE, SysMman.PROT_READ | SysMman.PROT_WRITE,
            SysMman.MAP_PRIVATE | SysMman.MAP_ANONYMOUS, -1, 0);
        if (page == SysMman.MAP_FAILED)
        {
            return UNAVAILABLE;
        }
        for (int i = 0; i < code.length; i++)
        {
            UnsafeApi.putByte(page + i, (byte)code[i]);
        }
        if (libC.mprotect(page, PageSource.PAGE_SIZE, SysMman.PROT_READ | SysMman.PROT_EXEC) != 0)
        {
            libC.munmap(page, PageSource.PAGE_SIZE);
            return UNAVAILABLE;
        }
        return page;
    }

    @Override
    public boolean prefetch(final long addresses, final int count)
    {
        if (FUNCTION == UNAVAILABLE)
        {
            return false;
        }
        invoker.invokeN2(signature, FUNCTION, addresses, count);
        return true;
    }
}
