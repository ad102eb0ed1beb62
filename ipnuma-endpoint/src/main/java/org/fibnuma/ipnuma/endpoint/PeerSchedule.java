package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.session.timing.Deadline;
import org.fibnuma.ipnuma.session.timing.DeadlineHeap;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Polls the channels of an endpoint that have work. A duty cycle spends no time on an idle peer.
 * <pre>
 *            datagram, write, MAC address,
 *            or the time of dueNs() has come
 *    idle  ----------------------------------&gt;  ready
 *          &lt;----------------------------------
 *            LINGER_NS without an event, and nothing due now
 * </pre>
 * A ready channel is polled in each duty cycle. If more than {@link #MAX_POLLED} channels are ready, they take turns.
 * Polled channels are also published, a few in each duty cycle. Endpoint's thread.
 */
final class PeerSchedule
{
    /** Maximum number of channels that a duty cycle polls before received frames are processed again. */
    static final int MAX_POLLED = 256;
    /** Maximum number of channels that a duty cycle publishes, at about 100 ns each. */
    static final int MAX_PUBLISHED = 32;
    /**
     * Time for which a channel stays ready after its last event. It exceeds the delay of an acknowledgement and the
     * lowest timeout. A channel in use therefore polls its own timers at the precision of the clock readings.
     */
    static final long LINGER_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Set<Place> places = new LinkedHashSet<>();
    private final ArrayDeque<Place> ready = new ArrayDeque<>();
    private final ArrayDeque<Place> unpublished = new ArrayDeque<>();
    private final DeadlineHeap<Place> deadlines = new DeadlineHeap<>();
    private long nowNs;
    private int dueForPublication;
    private long polls;

    static final class Place extends Deadline
    {
        private final PeerSchedule schedule;
        private final PeerChannel channel;
        private long wokenNs;
        private boolean isReady;
        private boolean isUnpublished;
        private boolean isRemoved;

        private Place(final PeerSchedule schedule, final PeerChannel channel)
        {
            this.schedule = schedule;
            this.channel = channel;
        }

        /** Records an event of the channel, which is polled in the next duty cycles. */
        void wake()
        {
            wokenNs = schedule.nowNs;
            if (!isReady)
            {
                schedule.makeReady(this);
            }
        }

        long nowNs()
        {
            return schedule.nowNs;
        }

        void remove()
        {
            isRemoved = true;
            schedule.places.remove(this);
            schedule.deadlines.remove(this);
        }
    }

    Place add(final PeerChannel channel)
    {
        final Place place = new Place(this, channel);
        places.add(place);
        place.wake();
        return place;
    }

    /** Makes all channels ready and due for publication after an error has interrupted any other method. */
    void restart()
    {
        ready.clear();
        unpublished.clear();
        dueForPublication = 0;
        deadlines.restore(places);
        for (final Place place : places)
        {
            place.isReady = false;
            place.isUnpublished = false;
            place.wake();
            awaitPublication(place);
        }
    }

    /** Sets the time of the duty cycle. Called before all other methods. */
    void begin(final long now)
    {
        nowNs = now;
    }

    /** Polls the channels that are ready or due. Returns the number of datagrams sent. */
    int poll()
    {
        for (int i = 0; i < MAX_POLLED; i++)
        {
            final Place due = deadlines.takeDue(nowNs);
            if (due == null)
            {
                break;
            }
            if (!due.isReady)
            {
                makeReady(due);
            }
        }
        int work = 0;
        for (int i = Math.min(ready.size(), MAX_POLLED); i > 0; i--)
        {
            final Place place = ready.peekFirst();
            if (!place.isRemoved)
            {
                work += poll(place);
            }
            ready.removeFirst();
            settle(place);
        }
        return work;
    }

    private int poll(final Place place)
    {
        polls++;
        awaitPublication(place);
        return place.channel.poll(nowNs);
    }

    private void awaitPublication(final Place place)
    {
        if (!place.isUnpublished)
        {
            place.isUnpublished = true;
            unpublished.addLast(place);
        }
    }

    private void settle(final Place place)
    {
        if (place.isRemoved)
        {
            return;
        }
        if (nowNs - place.wokenNs < LINGER_NS)
        {
            ready.addLast(place);
            return;
        }
        final long dueNs = place.channel.dueNs(nowNs);
        if (dueNs != DeadlineHeap.NEVER && dueNs - nowNs <= 0)
        {
            ready.addLast(place);
            return;
        }
        place.isReady = false;
        if (dueNs != DeadlineHeap.NEVER)
        {
            // A later deadline is not moved to: the channel is polled once at the earlier one.
            deadlines.setEarlier(place, dueNs);
        }
    }

    private void makeReady(final Place place)
    {
        place.isReady = true;
        ready.addLast(place);
    }

    /** Begins a publication of the channels that were polled since the last one, unless one is in progress. */
    void beginPublication()
    {
        if (dueForPublication == 0)
        {
            dueForPublication = unpublished.size();
        }
    }

    /** Publishes some of the channels of the publication in progress. */
    void publish()
    {
        for (int i = Math.min(dueForPublication, MAX_PUBLISHED); i > 0; i--)
        {
            dueForPublication--;
            final Place place = unpublished.removeFirst();
            place.isUnpublished = false;
            if (!place.isRemoved && !place.channel.publish(nowNs))
            {
                awaitPublication(place);
            }
        }
    }

    long polls()
    {
        return polls;
    }

    int readyCount()
    {
        return ready.size();
    }

    int waitingCount()
    {
        return deadlines.size();
    }
}
