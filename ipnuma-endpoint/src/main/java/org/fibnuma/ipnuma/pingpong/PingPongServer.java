package org.fibnuma.ipnuma.pingpong;

import java.util.function.BooleanSupplier;

/** Sends every counter back. */
final class PingPongServer
{
    private static final int TURNS = 100_000;

    private final CounterLink link;
    private int last;

    PingPongServer(final CounterLink link)
    {
        this.link = link;
    }

    /** Serves one client after the other until it is told to stop; sleeps only where the transport does. */
    void serve(final BooleanSupplier stopped)
    {
        while (!stopped.getAsBoolean())
        {
            serve(TURNS, stopped);
        }
    }

    /** Called again and again, so that the JIT's best version of it is the one that runs. */
    private void serve(final int turns, final BooleanSupplier stopped)
    {
        for (int i = 0; i < turns && !stopped.getAsBoolean(); i++)
        {
            step();
        }
    }

    /** Looks once, and answers where something came. */
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
