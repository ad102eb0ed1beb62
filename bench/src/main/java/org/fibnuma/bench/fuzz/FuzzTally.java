package org.fibnuma.bench.fuzz;

/** Counts of a format. The format and its receiver write them; the run reads them. */
final class FuzzTally
{
    /** Length of the last datagram in bytes. */
    int lastLength;

    /** Accesses that took effect. */
    long taken;

    /** Accesses and datagrams that were refused. */
    long refused;
}
