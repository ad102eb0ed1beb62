package org.fibnuma.ipnuma.client.host;

import org.agrona.BitUtil;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * How clients are served.
 *
 * @param endpointDirectory usually {@code /dev/shm/fibnuma-NAME}; its {@code regions} belong to this process already.
 * @param epoch             of this start of the endpoint, unsigned.
 * @param timeoutNs         without heartbeat until a client is given up, 10 ms to 1 hour.
 * @param slots             how many clients there can be at once, 1 to 256.
 * @param ringCapacity      of each of a client's two rings in bytes, a power of two from 16 KiB to 16 MiB.
 * @param regionCapacity    entries in the list of regions, 1 to 4,096.
 * @param regionBytes       that the regions of clients may take together, 0 or more.
 */
public record ClientSettings(
    Path endpointDirectory,
    int epoch,
    long timeoutNs,
    int slots,
    int ringCapacity,
    int regionCapacity,
    long regionBytes)
{
    /** A pause of a Java client's collector, or a loaded machine, stays far below it. */
    public static final long DEFAULT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    /** As many as share a small machine. */
    public static final int DEFAULT_SLOTS = 8;
    /** A round trip's worth of small writes; the whole file stays near 1 MiB. */
    public static final int DEFAULT_RING_CAPACITY = 64 * 1024;
    /** One page of clients' regions beside the configured ones. */
    public static final int DEFAULT_REGION_CAPACITY = 64;
    /** Made while the endpoint waits, about a third of a millisecond for each. */
    public static final long DEFAULT_REGION_BYTES = 64L << 20;

    private static final long MIN_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MAX_TIMEOUT_NS = TimeUnit.HOURS.toNanos(1);
    private static final int MAX_SLOTS = 256;
    private static final int MIN_RING_CAPACITY = 16 * 1024;
    private static final int MAX_RING_CAPACITY = 16 << 20;
    private static final int MAX_REGION_CAPACITY = 4096;

    /** Refuses what is out of range with {@link IllegalArgumentException} in one line. */
    public ClientSettings
    {
        require(timeoutNs >= MIN_TIMEOUT_NS && timeoutNs <= MAX_TIMEOUT_NS, "client timeout must be 10 ms to 1 hour");
        require(slots >= 1 && slots <= MAX_SLOTS, "there can be 1 to 256 clients");
        require(BitUtil.isPowerOfTwo(ringCapacity) &&
            ringCapacity >= MIN_RING_CAPACITY && ringCapacity <= MAX_RING_CAPACITY,
            "a client's ring has a power of two of bytes, 16 KiB to 16 MiB");
        require(regionCapacity >= 1 && regionCapacity <= MAX_REGION_CAPACITY, "the list has 1 to 4096 regions");
        require(regionBytes >= 0, "clients' regions take 0 bytes or more");
    }

    /**
     * All defaults.
     *
     * @param endpointDirectory of the endpoint.
     * @param epoch             of this start.
     * @return the settings.
     */
    public static ClientSettings of(final Path endpointDirectory, final int epoch)
    {
        return new ClientSettings(endpointDirectory, epoch, DEFAULT_TIMEOUT_NS, DEFAULT_SLOTS, DEFAULT_RING_CAPACITY,
            DEFAULT_REGION_CAPACITY, DEFAULT_REGION_BYTES);
    }

    private static void require(final boolean met, final String otherwise)
    {
        if (!met)
        {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
