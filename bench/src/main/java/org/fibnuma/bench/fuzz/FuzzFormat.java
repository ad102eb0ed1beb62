package org.fibnuma.bench.fuzz;

/** One format's datagrams and their receiver. */
interface FuzzFormat extends AutoCloseable
{
    /** As configurations name it. */
    String label();

    /** Whether its datagrams can show a key. */
    boolean hasKeys();

    /** Begins another batch, from one source. */
    void begin(int sourceIpv4);

    /** Makes a datagram, spoils it and lets it be received; null, or what was wrong with the answers. */
    String attack(long payload, Mutator mutator);

    /** Of all attacks so far; accesses of a batch may be counted as late as with the next or at the end. */
    FuzzTally tally();

    @Override
    void close();
}
