package org.fibnuma.fibnic.warmup;

import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;

/**
 * Widens a forwarding table of its own as new next hops do. Each time a whole table of 4 to 16 MiB is copied, which
 * takes tens of ms in the interpreter and a few ms in compiled code. In a router with few routes the first route by
 * a new gateway does that.
 */
final class TableRehearsal
{
    /** The first passes make the JIT compile the loops, the last one runs the compiled code. */
    private static final int PASSES = 3;
    /** More than codes of 4 bits hold: the table gets 4 and then 8 bits a code. */
    private static final int NEXT_HOPS = 20;
    private static final int PREFIX_LENGTH = 24;
    private static final int NETWORK_SHIFT = 8;

    private TableRehearsal()
    {
    }

    static void run()
    {
        try (Ipv4Fib fib = new Ipv4Fib(new ReaderEpochs()))
        {
            for (int pass = 0; pass < PASSES; pass++)
            {
                for (int nextHop = 1; nextHop <= NEXT_HOPS; nextHop++)
                {
                    fib.announce(network(nextHop), PREFIX_LENGTH, nextHop);
                }
                for (int nextHop = 1; nextHop <= NEXT_HOPS; nextHop++)
                {
                    fib.withdraw(network(nextHop), PREFIX_LENGTH);
                }
                fib.compact();
            }
        }
    }

    private static int network(final int nextHop)
    {
        return RehearsalFrames.NETWORK + (nextHop << NETWORK_SHIFT);
    }
}
