package org.fibnuma.core.pause;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;

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
 * The latest garbage collections that stopped the threads, with collector and cause, to name the reason of a safepoint.
 * What a collector does beside running threads is not among them. The JVM tells the times in whole milliseconds. Any
 * thread.
 */
final class CollectionLog implements AutoCloseable
{
    /** How the beans of ZGC and Shenandoah end that tell of work beside running threads. */
    private static final String CONCURRENT = "Cycles";

    /** Far more than end between two looks of the watcher. */
    private static final int KEPT = 256;

    /** Both ends of a collection are told in whole milliseconds, and so is the JVM's start. */
    private static final long INACCURACY_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final List<NotificationEmitter> collectors = new ArrayList<>();
    private final NotificationListener listener = (notification, handback) -> onNotification(notification);
    private final Deque<Collection> latest = new ArrayDeque<>();
    private final long jvmStartNs = System.nanoTime() -
        TimeUnit.MILLISECONDS.toNanos(ManagementFactory.getRuntimeMXBean().getUptime());

    private CollectionLog()
    {
    }

    /** Listens from now on; to be closed. */
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

    /** Collector and cause, such as {@code PS Scavenge: Allocation Failure}, for a span; null where there was none. */
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
            final GcInfo times = info.getGcInfo();
            latest.addFirst(new Collection(
                jvmStartNs + TimeUnit.MILLISECONDS.toNanos(times.getStartTime()),
                jvmStartNs + TimeUnit.MILLISECONDS.toNanos(times.getEndTime()),
                info.getGcName() + ": " + info.getGcCause()));
            if (latest.size() > KEPT)
            {
                latest.removeLast();
            }
        }
    }

    private record Collection(long startNs, long endNs, String cause)
    {
    }
}
