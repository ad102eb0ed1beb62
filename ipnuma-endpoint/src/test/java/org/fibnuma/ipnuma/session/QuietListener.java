package org.fibnuma.ipnuma.session;

/** Listener of tests that look at memory only, or at some events. */
public class QuietListener implements SessionListener
{
    @Override
    public void onUp()
    {
        // Not of interest.
    }

    @Override
    public void onDown(final long pendingWrites)
    {
        // Not of interest.
    }

    @Override
    public void onPeerRestarted(final long lostWrites)
    {
        // Not of interest.
    }

    @Override
    public void onRead(final long tag, final long address, final int length, final int status)
    {
        // Not of interest.
    }

    @Override
    public void onAtomic(final long tag, final long previous, final int status)
    {
        // Not of interest.
    }

    @Override
    public void onWritten(final long tag, final int status)
    {
        // Not of interest.
    }

    @Override
    public void onUnanswered(final long tag)
    {
        // Not of interest.
    }

    @Override
    public void onDoorbell()
    {
        // Not of interest.
    }

    @Override
    public void onError(final int status, final long remoteAddress)
    {
        // Not of interest.
    }

    @Override
    public void onRefused(final int status, final long remoteAddress)
    {
        // Not of interest.
    }
}
