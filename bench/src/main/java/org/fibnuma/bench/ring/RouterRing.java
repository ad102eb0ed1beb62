package org.fibnuma.bench.ring;

/** Routers on a ring and hosts that send across it. For one thread. */
interface RouterRing extends AutoCloseable
{
    /** Lossless priority of all traffic. */
    int PRIORITY = 3;

    /** Lets every host send, unless it is paused, or stops all hosts. */
    void send(boolean on);

    /** Lets hosts send and fills the buffers by further means if sending does not. */
    void congest();

    /** Runs the ring for a time. */
    void run(long millis);

    /** Returns the number of frames that hosts have sent. */
    long sent();

    /** Returns the number of frames that have reached their hosts. */
    long delivered();

    /** Returns the number of frames that routers have dropped for any reason. */
    long dropped();

    /** Returns for each channel how long, in ns, its target has paused its source, from the source's counter. */
    long[] stopped();

    @Override
    void close();
}
