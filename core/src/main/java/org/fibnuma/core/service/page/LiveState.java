package org.fibnuma.core.service.page;

import org.fibnuma.core.service.http.HttpEvents;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends the state of a program to the open web pages: one sample in each interval for all of them, and none without an
 * open page. An interval without a sample, because the program is busy, has no event. Runs on the server's thread.
 *
 * @param <S> type of a sample.
 */
public final class LiveState<S>
{
    /** Interval in ms: long enough for steady rates, short enough to show a change soon. */
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
     * @param sampler    takes a sample and passes it to its argument on the server's thread; null if there is none.
     * @param format     makes the one line of an event.
     * @param thread     of the server.
     * @param intervalMs time between events in ms.
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

    /** Returns the events for web pages. */
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
