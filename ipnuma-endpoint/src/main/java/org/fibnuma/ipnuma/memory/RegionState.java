package org.fibnuma.ipnuma.memory;

/** State of a region in the first page of its file. */
public enum RegionState
{
    /** An endpoint owns the region and started it with zeros. */
    OPEN(1),

    /**
     * An endpoint owns the region and found the file of a dead endpoint, with every byte that had been stored. The
     * epoch is higher. Each aligned store of up to 8 bytes is complete or absent. Any part of a longer write may be
     * absent, but if its last aligned 8 bytes are present, all others are too.
     */
    RECOVERED(2),

    /** No peer can write any more: the region was revoked, or its client has died. The file is removed. */
    REVOKED(3),

    /** The endpoint was stopped. The file is removed. */
    CLOSED(4);

    private static final RegionState[] BY_CODE = {null, OPEN, RECOVERED, REVOKED, CLOSED};

    private final int code;

    RegionState(final int code)
    {
        this.code = code;
    }

    /** Returns the number of the state in files, 1 to 4. */
    public int code()
    {
        return code;
    }

    /** Returns whether peers' writes may still arrive: true if {@link #OPEN} or {@link #RECOVERED}. */
    public boolean isLive()
    {
        return this == OPEN || this == RECOVERED;
    }

    /** Returns the state with a number from a file, or null if there is none. */
    public static RegionState of(final int code)
    {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
