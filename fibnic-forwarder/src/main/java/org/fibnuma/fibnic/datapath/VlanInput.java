package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.VlanTable;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.VlanTraffic;

/**
 * Removes the VLAN tags of frames that belong to VLANs of the router, and divides the frames of a port by interface.
 * The stages after this one process the frames of one interface at a time. A port without VLANs costs one test for each
 * batch. It sets no disposition.
 * <p>
 * One tag or two are compared with the {@link VlanTable}. A single tag with VID 0 before IP is removed too, and the
 * frame counts as untagged. All other tagged frames stay as they are for {@code EthernetInput}. Removed tags are stored
 * right before the frame, see {@link VlanTag#remove}.
 */
final class VlanInput
{
    private final InterfaceTable interfaces;
    private final VlanTraffic.Counts traffic;
    private final FateCounters counters;
    /** Whether the priority of a removed tag is stored as {@link WaitingTag}. */
    private final boolean keepsPriorities;
    private final int[] numbers = new int[FrameBatch.CAPACITY];
    private final long[] handles = new long[FrameBatch.CAPACITY];
    private final long[] addresses = new long[FrameBatch.CAPACITY];
    private final int[] lengths = new int[FrameBatch.CAPACITY];
    /** Number of frames that wait for {@link #next}, beside those in the batch. */
    private int waiting;

    VlanInput(
        final InterfaceTable interfaces,
        final VlanTraffic.Counts traffic,
        final FateCounters counters,
        final boolean keepsPriorities)
    {
        this.interfaces = interfaces;
        this.traffic = traffic;
        this.counters = counters;
        this.keepsPriorities = keepsPriorities;
    }

    /** Removes the tags of frames of one port, at least one, and leaves those of one interface in the batch. */
    void process(final FrameBatch batch)
    {
        final VlanTable vlans = interfaces.vlans();
        if (vlans.has(batch.ingressPort(0)))
        {
            divide(batch, vlans);
        }
    }

    /** Replaces the frames of the batch by those of the next interface; returns false if there is none. */
    boolean next(final FrameBatch batch)
    {
        return waiting > 0 && takeNext(batch);
    }

    private boolean takeNext(final FrameBatch batch)
    {
        batch.clear();
        final int number = numbers[0];
        int taken = 0;
        int left = 0;
        for (int i = 0; i < waiting; i++)
        {
            if (numbers[i] == number)
            {
                batch.prepare(taken++, handles[i], addresses[i], lengths[i]);
            }
            else
            {
                keep(left++, numbers[i], handles[i], addresses[i], lengths[i]);
            }
        }
        waiting = left;
        batch.extend(taken, number);
        traffic.received(number, taken, batch.bytes());
        return true;
    }

    private void divide(final FrameBatch batch, final VlanTable vlans)
    {
        final int port = batch.ingressPort(0);
        final int size = batch.size();
        int different = 0;
        int removed = 0;
        for (int i = 0; i < size; i++)
        {
            final int length = batch.length(i);
            final long tags = VlanTag.read(batch.address(i), length);
            numbers[i] = tags == 0 ? port : untag(batch, i, tags, vlans.number(port, tags));
            removed += length - batch.length(i);
            different |= numbers[i] ^ numbers[0];
        }
        counters.received(port, 0, removed);
        if (different == 0)
        {
            batch.ingressInterfaceOfAll(numbers[0]);
            traffic.received(numbers[0], size, batch.bytes());
            return;
        }
        for (int i = 0; i < size; i++)
        {
            keep(i, numbers[i], batch.handle(i), batch.address(i), batch.length(i));
        }
        waiting = size;
        takeNext(batch);
    }

    /** Removes the tags of a frame if they are those of an interface; returns the number of its interface. */
    private int untag(final FrameBatch batch, final int i, final long tags, final int found)
    {
        final int port = batch.ingressPort(i);
        final boolean isOfVlan = found != VlanTable.UNKNOWN && found != VlanTable.KERNEL;
        if (!isOfVlan && !isPriorityTagged(batch, i, tags))
        {
            return port;
        }
        final long frame = VlanTag.remove(batch.address(i), tags);
        if (keepsPriorities)
        {
            WaitingTag.priorityOf(frame, tags);
        }
        batch.restart(i, frame, batch.length(i) - VlanTag.length(tags));
        return isOfVlan ? found : port;
    }

    /** Returns whether a frame with tags, not 0, has a single one with VID 0, before IP. */
    static boolean isPriorityTagged(final FrameBatch batch, final int i, final long tags)
    {
        final int payload = VlanTag.payloadType(batch.address(i), batch.length(i));
        return VlanTag.length(tags) == VlanTag.LENGTH && VlanTag.vid(tags) == 0 &&
            (payload == EtherType.IPV4 || payload == EtherType.IPV6);
    }

    private void keep(final int i, final int number, final long handle, final long address, final int length)
    {
        numbers[i] = number;
        handles[i] = handle;
        addresses[i] = address;
        lengths[i] = length;
    }
}
