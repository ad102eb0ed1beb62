package org.fibnuma.ipnuma.memory;

/** What the first page of a region's file says of it. */
public enum RegionState
{
    /** Owned by an endpoint that started it with zeros. */
    OPEN(1),

    /**
     * Owned by an endpoint that found it as a dead one had left it, with every byte that had been stored, under a
     * higher epoch. Each aligned store of up to 8 bytes is in it whole or not at all; of a longer write any part may be
     * missing, but where its last aligned 8 bytes are there all others are.
     */
    RECOVERED(2),

    /** Nobody writes it any more: it was taken back, or its client has died. Its file is removed. */
    REVOKED(3),

    /** Its endpoint has ended in order. Its file is removed. */
    CLOSED(4);

    private static final RegionState[] BY_CODE = {null, OPEN, RECOVERED, REVOKED, CLOSED};

    private final int code;

    RegionState(final int code)
    {
        this.code = code;
    }

    /**
     * The number that stands for it in files.
     *
     * @return 1 to 4.
     */
    public int code()
    {
        return code;
    }

    /**
     * Whether peers' writes may still arrive.
     *
     * @return true while {@link #OPEN} or {@link #RECOVERED}.
     */
    public boolean isLive()
    {
        return this == OPEN || this == RECOVERED;
    }

    /**
     * The state of a number.
     *
     * @param code as a file has it.
     * @return null where it is none.
     */
    public static RegionState of(final int code)
    {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
