package org.fibnuma.bench.pingpong;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.CloseHelper;
import org.fibnuma.ipnuma.pingpong.CounterLink;

/** Aeron's IPC: the counter is the last four bytes of a message of one stream, and returns in a message of another. */
final class AeronLink implements CounterLink
{
    private static final String CHANNEL = "aeron:ipc";
    private static final int REQUESTS = 1001;
    private static final int ANSWERS = 1002;

    private final int size;
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final BufferClaim claim = new BufferClaim();
    private final FragmentHandler handler;
    private int last;
    private volatile boolean woken;

    private AeronLink(final Aeron aeron, final int size, final int sent, final int received)
    {
        this.size = size;
        this.subscription = aeron.addSubscription(CHANNEL, received);
        this.publication = aeron.addExclusivePublication(CHANNEL, sent);
        this.handler = (buffer, offset, length, header) -> last = buffer.getInt(offset + length - Integer.BYTES);
    }

    /**
     * Returns one end; {@link #awaitConnection()} follows when both exist.
     *
     * @param aeron    client of a media driver.
     * @param size     of a message in bytes, 4 or more.
     * @param isServer which end.
     */
    static AeronLink of(final Aeron aeron, final int size, final boolean isServer)
    {
        return isServer ? new AeronLink(aeron, size, ANSWERS, REQUESTS) : new AeronLink(aeron, size, REQUESTS, ANSWERS);
    }

    /** Waits until the other end exists for both directions. */
    void awaitConnection()
    {
        while (!publication.isConnected() || !subscription.isConnected())
        {
            Thread.onSpinWait();
        }
    }

    @Override
    public String device()
    {
        return CHANNEL;
    }

    @Override
    public void send(final int counter)
    {
        while (publication.tryClaim(size, claim) < 0 && !woken)
        {
            Thread.onSpinWait();
        }
        claim.buffer().putInt(claim.offset() + size - Integer.BYTES, counter);
        claim.commit();
    }

    @Override
    public int poll()
    {
        subscription.poll(handler, 1);
        return last;
    }

    @Override
    public void wake()
    {
        woken = true;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(publication, subscription);
    }
}
