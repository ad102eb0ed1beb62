package org.fibnuma.bench.fuzz;

/** Datagrams of one wire format and their receiver. */
interface FuzzFormat extends AutoCloseable
{
    /** Returns the name of the format in configurations. */
    String label();

    /** Returns whether datagrams of the format contain keys. */
    boolean hasKeys();

    /** Starts a new batch from one source address. */
    void begin(int sourceIpv4);

    /** Builds and mutates a datagram and passes it to the receiver; returns null or what was wrong with the answers. */
    String attack(long payload, Mutator mutator);

    /** Returns the counts of all attacks; accesses of a batch may be counted only in the next batch or at close. */
    FuzzTally tally();

    @Override
    void close();
}
