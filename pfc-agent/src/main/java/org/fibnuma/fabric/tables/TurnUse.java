package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.ChannelOrder;

/** Counts how many tables use each direction of a turn; the used turns never have a cycle. */
final class TurnUse
{
    private final Fabric fabric;
    private final ChannelOrder order;
    private final int[] firstTurn;
    private final int[] count;

    TurnUse(final Fabric fabric, final ChannelOrder order)
    {
        this.fabric = fabric;
        this.order = order;
        this.firstTurn = new int[fabric.channelCount() + 1];
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            firstTurn[channel + 1] = firstTurn[channel] + fabric.degree(fabric.target(channel));
        }
        this.count = new int[firstTurn[fabric.channelCount()]];
    }

    /** Adds a use of a turn, unless it would close a cycle or the search for one takes more than some steps. */
    boolean acquire(final int in, final int out, final int steps)
    {
        final int turn = turn(in, out);
        if (count[turn] == 0 && (fabric.reverse(in) == out || !order.add(in, out, steps)))
        {
            return false;
        }
        count[turn]++;
        return true;
    }

    void release(final int in, final int out)
    {
        final int turn = turn(in, out);
        if (--count[turn] == 0)
        {
            order.remove(in, out);
        }
    }

    private int turn(final int in, final int out)
    {
        return firstTurn[in] + out - fabric.firstChannel(fabric.target(in));
    }
}
