package org.fibnuma.bench.ring;

/** Routers on a ring and hosts that send across it. For one thread. */
interface RouterRing extends AutoCloseable
{
    /** The priority of all traffic, lossless. */
    int PRIORITY = 3;

    /** Every host sends from now on, as far as it is not paused, or does not. */
    void send(boolean on);

    /** Lets hosts send and does what fills buffers, where sending alone does not. */
    void congest();

    /** Lets time pass. */
    void run(long millis);

    /** Frames that hosts have sent. */
    long sent();

    /** Frames that have reached their hosts. */
    long delivered();

    /** Frames that routers have dropped, for whatever reason. */
    long dropped();

    /** For each channel the nanoseconds for which its target has stopped its source, as the source counts them. */
    long[] stopped();

    @Override
    void close();
}
