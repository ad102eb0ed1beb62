package org.fibnuma.binding.dpdk.eal;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.Type;

/** Calls C functions by address, as DPDK's inline functions do. A call takes about 10 ns and does not allocate. */
public final class FunctionPointer
{
    private static final int UNSIGNED_SHORT = 0xFFFF;

    private static final Invoker INVOKER = Invoker.getInstance();

    /** {@code uint16_t (*)(void *queue, struct rte_mbuf **mbufs, uint16_t count)}. */
    private static final CallContext BURST =
        context(Type.UINT16, Type.POINTER, Type.POINTER, Type.UINT16);
    /** {@code int (*)(struct rte_mempool *mp, void **objects, unsigned count)}. */
    private static final CallContext EXCHANGE =
        context(Type.SINT32, Type.POINTER, Type.POINTER, Type.UINT32);
    /** {@code unsigned (*)(const struct rte_mempool *mp)}. */
    private static final CallContext COUNT = context(Type.UINT32, Type.POINTER);

    private FunctionPointer()
    {
    }

    /**
     * Receives or sends a burst.
     *
     * @param function of {@link EthDevice#rxBurst} or {@link EthDevice#txBurst}.
     * @param queue    its first argument.
     * @param mbufs    address of an array of mbuf pointers.
     * @param count    number of pointers, up to 65,535.
     * @return number of mbufs received or accepted.
     */
    public static int burst(final long function, final long queue, final long mbufs, final int count)
    {
        return (int)INVOKER.invokeN3(BURST, function, queue, mbufs, count) & UNSIGNED_SHORT;
    }

    static int exchange(final long function, final long pool, final long objects, final int count)
    {
        return (int)INVOKER.invokeN3(EXCHANGE, function, pool, objects, count);
    }

    static int count(final long function, final long pool)
    {
        return (int)INVOKER.invokeN1(COUNT, function, pool);
    }

    private static CallContext context(final Type result, final Type... parameters)
    {
        return CallContext.getCallContext(result, parameters, CallingConvention.DEFAULT, false);
    }
}
