package org.fibnuma.fibnic.fate;

import org.fibnuma.core.frame.InterfaceNumber;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts of frames and bytes of each VLAN interface, without VLAN tags and FCS. A worker writes its own {@link Counts};
 * the control thread reads the sums.
 */
public final class VlanTraffic
{
    /** The counters of a VLAN interface. */
    public enum Counter
    {
        /** Frames received. */
        RX_FRAMES,
        /** Bytes received. */
        RX_BYTES,
        /** Frames given to the queue of the port. */
        TX_FRAMES,
        /** Bytes in those frames. */
        TX_BYTES
    }

    private static final int COUNTERS = Counter.values().length;
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

    private final Counts[] workers;
    /** Sums at the time when the interface began. */
    private final long[] begins = new long[(InterfaceNumber.MAX_VLANS + 1) * COUNTERS];

    /** Creates the counters of a router, all 0. */
    public VlanTraffic(final int workerCount)
    {
        workers = new Counts[workerCount];
        for (int worker = 0; worker < workerCount; worker++)
        {
            workers[worker] = new Counts();
        }
    }

    /** Returns the counts of one worker. */
    public Counts ofWorker(final int worker)
    {
        return workers[worker];
    }

    /** Counts an interface from 0 again, because its number was given to another VLAN; control thread. */
    public void begin(final int number)
    {
        for (final Counter counter : Counter.values())
        {
            begins[index(number, counter)] = sum(number, counter);
        }
    }

    /** Returns a counter of a VLAN interface; control thread. */
    public long get(final int number, final Counter counter)
    {
        return sum(number, counter) - begins[index(number, counter)];
    }

    private long sum(final int number, final Counter counter)
    {
        long sum = 0;
        for (final Counts worker : workers)
        {
            sum += (long)VALUE.getAcquire(worker.values, index(number, counter));
        }
        return sum;
    }

    private static int index(final int number, final Counter counter)
    {
        return InterfaceNumber.vlanOf(number) * COUNTERS + counter.ordinal();
    }

    /** The counts of one worker, whose thread writes. Counts with the number of a port are not read. */
    public static final class Counts
    {
        private final long[] values = new long[(InterfaceNumber.MAX_VLANS + 1) * COUNTERS];

        private Counts()
        {
        }

        /** Counts received frames of a VLAN interface. */
        public void received(final int number, final int frames, final long bytes)
        {
            add(index(number, Counter.RX_FRAMES), frames);
            add(index(number, Counter.RX_BYTES), bytes);
        }

        /** Counts frames that leave by a VLAN interface. */
        public void sent(final int number, final int frames, final long bytes)
        {
            add(index(number, Counter.TX_FRAMES), frames);
            add(index(number, Counter.TX_BYTES), bytes);
        }

        private void add(final int index, final long count)
        {
            VALUE.setRelease(values, index, values[index] + count);
        }
    }
}
