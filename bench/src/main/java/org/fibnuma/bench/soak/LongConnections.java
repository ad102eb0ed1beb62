package org.fibnuma.bench.soak;

import org.agrona.CloseHelper;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Lock;

/** TCP connections of both families that last from the beginning to the end and exchange messages all the time. */
final class LongConnections extends RepeatedLoad
{
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final int OF_EACH_FAMILY = 32;

    private final List<EchoConnection> connections = new ArrayList<>();
    private int lost;

    /** Opens the connections. */
    LongConnections(final SoakRig rig, final Lock turn, final long seed) throws IOException
    {
        super("long connections", turn, INTERVAL);
        try
        {
            for (int i = 0; i < 2 * OF_EACH_FAMILY; i++)
            {
                connections.add(EchoConnection.open(
                    rig.clients(), SoakRig.serverAddress(i % 2 == 0), seed + ((long)i << Integer.SIZE)));
            }
        }
        catch (final IOException ex)
        {
            CloseHelper.quietCloseAll(connections);
            throw ex;
        }
    }

    /** Returns the number of connections that were opened. */
    static int opened()
    {
        return 2 * OF_EACH_FAMILY;
    }

    /** Returns the number of connections that broke or had wrong contents. After {@link #close}. */
    int lost()
    {
        return lost;
    }

    @Override
    void step()
    {
        each(EchoConnection::send);
        each(EchoConnection::receive);
    }

    private void each(final Action action)
    {
        for (final Iterator<EchoConnection> iterator = connections.iterator(); isRunning() && iterator.hasNext();)
        {
            final EchoConnection connection = iterator.next();
            try
            {
                action.apply(connection);
            }
            catch (final IOException ex)
            {
                fail(ex.getMessage());
                lost++;
                iterator.remove();
                CloseHelper.quietClose(connection);
            }
        }
    }

    @Override
    public void close()
    {
        super.close();
        CloseHelper.quietCloseAll(connections);
    }

    @FunctionalInterface
    private interface Action
    {
        void apply(EchoConnection connection) throws IOException;
    }
}
