package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.adjacency.VlanTable;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.VlanTraffic;

/**
 * Removes the VLAN tags of frames that belong to VLANs of the router, finds the macvlan interface of frames to its MAC
 * address, and divides the frames of a port by interface where the interfaces receive differently
 * ({@link RouterInterface#receivesAs}), as with another policy of the host or another MAC address. A port without such
 * interfaces costs one test for each batch. It sets no disposition.
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
    private RouterInterface ingress;

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

    /** Removes the tags of frames of one port, at least one, and leaves those in the batch that are received alike. */
    void process(final FrameBatch batch)
    {
        final int port = batch.ingressPort(0);
        final VlanTable vlans = interfaces.vlans();
        if (vlans.has(port))
        {
            divide(batch, vlans);
        }
        else
        {
            ingress = interfaces.get(port);
        }
    }

    /** Returns an interface as which all frames of the batch are received; the same until the next call. */
    RouterInterface ingress()
    {
        return ingress;
    }

    /** Replaces the frames of the batch by the next ones that are received alike; returns false if there are none. */
    boolean next(final FrameBatch batch)
    {
        return waiting > 0 && takeNext(batch);
    }

    private boolean takeNext(final FrameBatch batch)
    {
        batch.clear();
        ingress = interfaces.get(numbers[0]);
        final int count = waiting;
        int left = 0;
        for (int i = 0; i < count; i++)
        {
            if (ingress.receivesAs(interfaces.get(numbers[i])))
            {
                batch.add(handles[i], addresses[i], lengths[i], numbers[i]);
                traffic.received(numbers[i], 1, lengths[i]);
            }
            else
            {
                keep(left++, numbers[i], handles[i], addresses[i], lengths[i]);
            }
        }
        waiting = left;
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
        if (vlans.hasMacvlans(port))
        {
            different |= findMacvlans(batch, vlans);
        }
        ingress = interfaces.get(numbers[0]);
        if (different == 0)
        {
            batch.ingressInterfaceOfAll(numbers[0]);
            traffic.received(numbers[0], size, batch.bytes());
        }
        else if (areReceivedAlike(size))
        {
            for (int i = 0; i < size; i++)
            {
                batch.ingressInterface(i, numbers[i]);
                traffic.received(numbers[i], 1, batch.length(i));
            }
        }
        else
        {
            for (int i = 0; i < size; i++)
            {
                keep(i, numbers[i], batch.handle(i), batch.address(i), batch.length(i));
            }
            waiting = size;
            takeNext(batch);
        }
    }

    /** Finds the interfaces of frames to other MAC addresses; returns whether any differs from the first, as bits. */
    private int findMacvlans(final FrameBatch batch, final VlanTable vlans)
    {
        final int size = batch.size();
        int different = 0;
        for (int i = 0; i < size; i++)
        {
            final long frame = batch.address(i);
            if (batch.length(i) >= Long.BYTES &&
                RouterInterface.macFault(FrameMemory.getLong(frame), interfaces.get(numbers[i]).macWord()) != 0)
            {
                final int found = vlans.macvlan(numbers[i], MacAddress.read(frame));
                numbers[i] = found == VlanTable.UNKNOWN || found == VlanTable.KERNEL ? numbers[i] : found;
            }
            different |= numbers[i] ^ numbers[0];
        }
        return different;
    }

    private boolean areReceivedAlike(final int size)
    {
        for (int i = 1; i < size; i++)
        {
            if (!ingress.receivesAs(interfaces.get(numbers[i])))
            {
                return false;
            }
        }
        return true;
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
