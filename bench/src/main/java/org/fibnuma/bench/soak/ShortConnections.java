package org.fibnuma.bench.soak;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.Lock;

/** TCP connections of both families in turn, each with one message. */
final class ShortConnections extends RepeatedLoad
{
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final SoakRig rig;
    private final long seed;
    private volatile int opened;
    private volatile int lost;

    ShortConnections(final SoakRig rig, final Lock turn, final long seed)
    {
        super("short connections", turn, INTERVAL);
        this.rig = rig;
        this.seed = seed;
    }

    /** Returns the number of connections so far. */
    int opened()
    {
        return opened;
    }

    /** Returns the number of connections that were not opened, broke or had wrong contents. */
    int lost()
    {
        return lost;
    }

    @Override
    void step() throws IOException
    {
        final int number = opened;
        opened = number + 1;
        try
        {
            exchange(rig, SoakRig.serverAddress(number % 2 == 0), seed + number);
        }
        catch (final IOException ex)
        {
            lost++;
            throw ex;
        }
    }

    /** Opens a connection from the clients to an address, exchanges a message and ends it. */
    static void exchange(final SoakRig rig, final String address, final long seed) throws IOException
    {
        try (EchoConnection connection = EchoConnection.open(rig.clients(), address, seed))
        {
            connection.send();
            connection.receive();
            connection.end();
        }
    }
}
