package org.fibnuma.bench.session;

import org.fibnuma.ipnuma.session.SessionListener;

/** Ignores all events, for sessions that are checked by their memory and datagrams. */
public final class SilentListener implements SessionListener
{
    /** Creates the listener. */
    public SilentListener()
    {
    }

    @Override
    public void onUp()
    {
        // Ignored.
    }

    @Override
    public void onDown(final long pendingWrites)
    {
        // Ignored.
    }

    @Override
    public void onPeerRestarted(final long lostWrites)
    {
        // Ignored.
    }

    @Override
    public void onRead(final long tag, final long address, final int length, final int status)
    {
        // Ignored.
    }

    @Override
    public void onAtomic(final long tag, final long previous, final int status)
    {
        // Ignored.
    }

    @Override
    public void onUnanswered(final long tag)
    {
        // Ignored.
    }

    @Override
    public void onDoorbell()
    {
        // Ignored.
    }

    @Override
    public void onError(final int status, final long remoteAddress)
    {
        // Ignored.
    }
}
