package org.fibnuma.bench.soak;

import java.util.List;

/** One kind of load of a soak, which has its own thread from its start until it is closed. */
interface Load extends AutoCloseable
{
    /** Starts the load. */
    void start();

    /** Returns what went wrong so far, a line each. Any thread. */
    List<String> failures();

    /** Ends the load and waits for its thread, for a bounded time. */
    @Override
    void close();
}
