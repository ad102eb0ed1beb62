package org.fibnuma.ipnuma.pingpong;

import java.util.function.BooleanSupplier;

/** Sends every counter back. */
final class PingPongServer
{
    private static final int STEPS = 100_000;

    private final CounterLink link;
    private int last;

    PingPongServer(final CounterLink link)
    {
        this.link = link;
    }

    /** Serves one client after the other until it is stopped. Blocks only if the transport does. */
    void serve(final BooleanSupplier stopped)
    {
        while (!stopped.getAsBoolean())
        {
            serve(STEPS, stopped);
        }
    }

    /** Serves some counters. Called repeatedly, so that the JIT can switch to its best version. */
    private void serve(final int steps, final BooleanSupplier stopped)
    {
        for (int i = 0; i < steps && !stopped.getAsBoolean(); i++)
        {
            step();
        }
    }

    void step()
    {
        final int counter = link.poll();
        if (counter != last)
        {
            last = counter;
            link.send(counter);
        }
    }
}
