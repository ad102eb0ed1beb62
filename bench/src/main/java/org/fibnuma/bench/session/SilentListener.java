package org.fibnuma.bench.session;

import org.fibnuma.ipnuma.session.SessionListener;

/** Hears nothing. */
public final class SilentListener implements SessionListener
{
    /** For a session whose effects are looked at in the memory and on the wire. */
    public SilentListener()
    {
    }

    @Override
    public void onUp()
    {
        // What counts is in the memory and on the wire.
    }

    @Override
    public void onDown(final long pendingWrites)
    {
        // As above.
    }

    @Override
    public void onPeerRestarted(final long lostWrites)
    {
        // As above.
    }

    @Override
    public void onRead(final long tag, final long address, final int length, final int status)
    {
        // As above.
    }

    @Override
    public void onAtomic(final long tag, final long previous, final int status)
    {
        // As above.
    }

    @Override
    public void onUnanswered(final long tag)
    {
        // As above.
    }

    @Override
    public void onDoorbell()
    {
        // As above.
    }

    @Override
    public void onError(final int status, final long remoteAddress)
    {
        // As above.
    }
}
