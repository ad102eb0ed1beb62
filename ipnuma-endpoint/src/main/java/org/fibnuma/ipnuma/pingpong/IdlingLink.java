package org.fibnuma.ipnuma.pingpong;

import org.agrona.concurrent.IdleStrategy;

/** A polled transport whose thread idles after each poll without a new counter, so that others can use its core. */
final class IdlingLink implements CounterLink
{
    private final CounterLink link;
    private final IdleStrategy idle;
    private int last;

    /** Creates a link that closes the transport when it is closed. */
    IdlingLink(final CounterLink link, final IdleStrategy idle)
    {
        this.link = link;
        this.idle = idle;
    }

    @Override
    public String device()
    {
        return link.device();
    }

    @Override
    public void send(final int counter)
    {
        link.send(counter);
    }

    @Override
    public int poll()
    {
        final int counter = link.poll();
        idle.idle(counter == last ? 0 : 1);
        last = counter;
        return counter;
    }

    @Override
    public void wake()
    {
        link.wake();
    }

    @Override
    public void close()
    {
        link.close();
    }
}
