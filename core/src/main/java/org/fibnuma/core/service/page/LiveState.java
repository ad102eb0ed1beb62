package org.fibnuma.core.service.page;

import org.fibnuma.core.service.http.HttpEvents;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends the state of a program to the open pages: one sample an interval for all of them, and none while there is no
 * page. Server's thread. An interval without a sample, because the program is busy, has no event.
 *
 * @param <S> type of a sample.
 */
public final class LiveState<S>
{
    /** A second: rates are steady enough to be read, and a change is seen soon. */
    public static final long INTERVAL_MS = 1000;

    private final Consumer<Consumer<S>> sampler;
    private final Function<S, String> format;
    private final ScheduledExecutorService thread;
    private final long intervalMs;
    private final HttpEvents events = new HttpEvents(this::onListener);
    private boolean isScheduled;
    private boolean isSampling;

    /**
     * Creates the state of a program.
     *
     * @param sampler    takes a sample and passes it to its argument on the server's thread, null if it cannot.
     * @param format     of an event: one line.
     * @param thread     of the server.
     * @param intervalMs between events.
     */
    public LiveState(
        final Consumer<Consumer<S>> sampler,
        final Function<S, String> format,
        final ScheduledExecutorService thread,
        final long intervalMs)
    {
        this.sampler = sampler;
        this.format = format;
        this.thread = thread;
        this.intervalMs = intervalMs;
    }

    /** Returns the events that pages listen to. */
    public HttpEvents events()
    {
        return events;
    }

    private void onListener()
    {
        if (!isScheduled)
        {
            tick();
        }
    }

    private void tick()
    {
        isScheduled = events.listeners() > 0;
        if (!isScheduled)
        {
            return;
        }
        schedule();
        if (!isSampling)
        {
            isSampling = true;
            sampler.accept(this::onSample);
        }
    }

    private void schedule()
    {
        try
        {
            thread.schedule(this::tick, intervalMs, TimeUnit.MILLISECONDS);
        }
        catch (final RejectedExecutionException ignore)
        {
            // The server is closed.
        }
    }

    private void onSample(final S sample)
    {
        isSampling = false;
        if (sample != null && events.listeners() > 0)
        {
            events.publish(format.apply(sample));
        }
    }
}
