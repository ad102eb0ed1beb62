package org.fibnuma.ipnuma.session;

/** Something that leaves at most once in an interval, however often it is asked for meanwhile. */
final class SpacedAnswer
{
    private final long intervalNs;
    private boolean isWanted;
    private boolean wasSent;
    private long sentNs;

    SpacedAnswer(final long intervalNs)
    {
        this.intervalNs = intervalNs;
    }

    /** It is to be sent; yields whether nothing had asked for it since the last. */
    boolean want()
    {
        final boolean isFirst = !isWanted;
        isWanted = true;
        return isFirst;
    }

    boolean isWanted()
    {
        return isWanted;
    }

    boolean isDue(final long nowNs)
    {
        return isWanted && !(wasSent && nowNs - sentNs < intervalNs);
    }

    void onSent(final long nowNs)
    {
        isWanted = false;
        wasSent = true;
        sentNs = nowNs;
    }

    void forget()
    {
        isWanted = false;
    }
}
