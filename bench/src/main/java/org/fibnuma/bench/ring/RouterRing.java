package org.fibnuma.bench.ring;

import org.fibnuma.bench.traffic.PausableSender;

import java.util.ArrayList;
import java.util.List;

/** Routers on a ring and hosts that send across it. For one thread. */
abstract class RouterRing implements AutoCloseable
{
    /** Lossless priority of all traffic. */
    static final int PRIORITY = 3;

    /** The hosts, in the order of their servers. */
    final List<PausableSender> hosts = new ArrayList<>();

    /** Lets every host send, unless it is paused, or stops all hosts. */
    abstract void send(boolean on);

    /** Lets hosts send and fills the buffers by further means if sending does not. */
    abstract void congest();

    /** Runs the ring for a time. */
    abstract void run(long millis);

    /** Returns the number of frames that hosts have sent. */
    final long sent()
    {
        return hosts.stream().mapToLong(host -> host.sent(PRIORITY)).sum();
    }

    /** Returns the number of frames that have reached their hosts. */
    final long delivered()
    {
        return hosts.stream().mapToLong(PausableSender::delivered).sum();
    }

    /** Returns the number of frames that routers have dropped for any reason. */
    abstract long dropped();

    /** Returns for each channel how long, in ns, its target has paused its source, from the source's counter. */
    abstract long[] stopped();

    @Override
    public abstract void close();
}
