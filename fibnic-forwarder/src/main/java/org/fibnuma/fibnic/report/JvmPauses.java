package org.fibnuma.fibnic.report;

import com.sun.management.GarbageCollectionNotificationInfo;

import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Stops of the whole JVM, and so of every worker, for its garbage collector: how many, the longest and why. What a
 * collector does beside running threads is not among them. A time in whole milliseconds, as the JVM tells it: what is
 * shorter is 0. Any thread.
 */
public final class JvmPauses implements AutoCloseable
{
    /** How the beans of ZGC and Shenandoah end that tell of work beside running threads. */
    private static final String CONCURRENT = "Cycles";

    private final List<NotificationEmitter> collectors = new ArrayList<>();
    private final NotificationListener listener = (notification, handback) -> onNotification(notification);
    private int count;
    private long longestMs;
    private String reason = "";

    private JvmPauses()
    {
    }

    /**
     * Listens from now on.
     *
     * @return to be closed.
     */
    public static JvmPauses start()
    {
        final JvmPauses pauses = new JvmPauses();
        for (final GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans())
        {
            if (collector instanceof NotificationEmitter && !collector.getName().endsWith(CONCURRENT))
            {
                ((NotificationEmitter)collector).addNotificationListener(pauses.listener, null, null);
                pauses.collectors.add((NotificationEmitter)collector);
            }
        }
        return pauses;
    }

    /**
     * Stops since {@link #start()}.
     *
     * @return how many.
     */
    public synchronized int count()
    {
        return count;
    }

    /**
     * The longest stop.
     *
     * @return in ms; 0 where there was none, or none of a whole millisecond.
     */
    public synchronized long longestMs()
    {
        return longestMs;
    }

    /**
     * What stopped the threads the longest.
     *
     * @return collector and cause, such as {@code PS Scavenge: Allocation Failure}; empty where nothing did.
     */
    public synchronized String reason()
    {
        return reason;
    }

    @Override
    public void close()
    {
        for (final NotificationEmitter collector : collectors)
        {
            try
            {
                collector.removeNotificationListener(listener);
            }
            catch (final ListenerNotFoundException ex)
            {
                throw new IllegalStateException("added by start()", ex);
            }
        }
        collectors.clear();
    }

    private synchronized void onNotification(final Notification notification)
    {
        if (GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION.equals(notification.getType()))
        {
            final GarbageCollectionNotificationInfo info =
                GarbageCollectionNotificationInfo.from((CompositeData)notification.getUserData());
            final long durationMs = info.getGcInfo().getDuration();
            if (count == 0 || durationMs > longestMs)
            {
                longestMs = durationMs;
                reason = info.getGcName() + ": " + info.getGcCause();
            }
            count++;
        }
    }
}
