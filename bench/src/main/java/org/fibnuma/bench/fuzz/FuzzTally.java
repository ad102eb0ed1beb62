package org.fibnuma.bench.fuzz;

/** What a format has sent and what became of it. Written by the format and its receiver, read by the run. */
final class FuzzTally
{
    /** Length of the datagram that was made last. */
    int lastLength;

    /** Accesses that took effect. */
    long taken;

    /** Accesses and datagrams that were refused. */
    long refused;
}
