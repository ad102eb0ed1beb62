package org.fibnuma.ipnuma.client.host;

import org.agrona.BitUtil;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Limits for the clients of an endpoint.
 *
 * @param endpointDirectory usually {@code /dev/shm/fibnuma-NAME}. This process already owns its {@code regions}.
 * @param epoch             of this start of the endpoint, unsigned.
 * @param timeoutNs         time without a heartbeat after which the endpoint ends a client, 10 ms to 1 hour.
 * @param slots             maximum number of simultaneous clients, 1 to 256.
 * @param ringCapacity      of each of a client's two rings in bytes, a power of two from 16 KiB to 16 MiB.
 * @param regionCapacity    entries in the list of regions, 1 to 4,096.
 * @param regionBytes       maximum bytes of all regions of clients together, 0 or more.
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
    /** Far above the duration of a garbage collection of a Java client or of a pause on a loaded machine. */
    public static final long DEFAULT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    /** The number of clients that usually share a small machine. */
    public static final int DEFAULT_SLOTS = 8;
    /** Enough for the small writes of a round trip. The whole file has about 1 MiB. */
    public static final int DEFAULT_RING_CAPACITY = 64 * 1024;
    /** One memory page of the file, for the configured regions and those of clients. */
    public static final int DEFAULT_REGION_CAPACITY = 64;
    /** The endpoint's thread creates a region of this size in about a third of a millisecond. */
    public static final long DEFAULT_REGION_BYTES = 64L << 20;

    private static final long MIN_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MAX_TIMEOUT_NS = TimeUnit.HOURS.toNanos(1);
    private static final int MAX_SLOTS = 256;
    private static final int MIN_RING_CAPACITY = 16 * 1024;
    private static final int MAX_RING_CAPACITY = 16 << 20;
    private static final int MAX_REGION_CAPACITY = 4096;

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
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

    /** Returns settings with all defaults, for a start with an unsigned epoch. */
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
