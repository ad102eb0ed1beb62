package org.fibnuma.core.service.jvmpause;

import com.sun.management.GarbageCollectionNotificationInfo;

import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The latest garbage collections that stopped threads, with collector and cause, to explain safepoints. Concurrent work
 * of a collector is not included. The JVM reports times in whole milliseconds. Any thread.
 */
final class CollectionLog implements AutoCloseable
{
    /** Suffix of the beans of ZGC and Shenandoah that report concurrent work. */
    private static final String CONCURRENT = "Cycles";

    /** Far more collections than can end between two polls. */
    private static final int KEPT = 256;

    /** The end and the length of a collection are reported in whole milliseconds. */
    private static final long INACCURACY_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Number of clock comparisons, at least one of which is not interrupted. */
    private static final int COMPARISONS = 3;

    private final List<NotificationEmitter> collectors = new ArrayList<>();
    private final NotificationListener listener = (notification, handback) -> onNotification(notification);
    private final Deque<Collection> latest = new ArrayDeque<>();

    private CollectionLog()
    {
    }

    /** Starts to listen. */
    static CollectionLog open()
    {
        final CollectionLog log = new CollectionLog();
        for (final GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans())
        {
            if (collector instanceof NotificationEmitter && !collector.getName().endsWith(CONCURRENT))
            {
                ((NotificationEmitter)collector).addNotificationListener(log.listener, null, null);
                log.collectors.add((NotificationEmitter)collector);
            }
        }
        return log;
    }

    /**
     * Returns collector and cause of a collection in a span of time, such as {@code PS Scavenge: Allocation Failure};
     * null if there was none. The times are those of {@link System#nanoTime()}.
     */
    synchronized String causeIn(final long startNs, final long endNs)
    {
        for (final Collection collection : latest)
        {
            if (collection.startNs - INACCURACY_NS - endNs < 0 && startNs - collection.endNs - INACCURACY_NS < 0)
            {
                return collection.cause;
            }
        }
        return null;
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
                throw new IllegalStateException("added by open()", ex);
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
            // The notification is made when the collection ends. The times in GcInfo count from an unknown start.
            final long endNs = nanosOf(notification.getTimeStamp());
            latest.addFirst(new Collection(
                endNs - TimeUnit.MILLISECONDS.toNanos(info.getGcInfo().getDuration()), endNs,
                info.getGcName() + ": " + info.getGcCause()));
            if (latest.size() > KEPT)
            {
                latest.removeLast();
            }
        }
    }

    /** Converts a time in ms since 1970 to that of {@link System#nanoTime()} by comparing the two clocks now. */
    private static long nanosOf(final long epochMs)
    {
        long bestSpanNs = Long.MAX_VALUE;
        long result = 0;
        for (int i = 0; i < COMPARISONS; i++)
        {
            final long before = System.nanoTime();
            final long nowMs = System.currentTimeMillis();
            final long spanNs = System.nanoTime() - before;
            if (spanNs < bestSpanNs)
            {
                bestSpanNs = spanNs;
                result = before - TimeUnit.MILLISECONDS.toNanos(nowMs - epochMs);
            }
        }
        return result;
    }

    private record Collection(long startNs, long endNs, String cause)
    {
    }
}
