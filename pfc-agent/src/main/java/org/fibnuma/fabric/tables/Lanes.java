package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.topology.Fabric;

/**
 * The lane of each path. A lane is a lossless priority of its own. Buffers of different lanes never wait for each
 * other, so a cycle of dependencies can only be inside one lane.
 * <p>
 * All servers of a switch send in one lane, to every destination, and frames keep it on their whole path. So a host
 * needs one setting, and switches forward by destination alone, with the same tables in all lanes.
 */
public final class Lanes
{
    /** The highest number of lanes: the priorities of 802.1Q. */
    public static final int MAX_COUNT = 8;

    private final int count;
    private final int[] laneOfSwitch;

    /**
     * Creates lanes.
     *
     * @param count        number of lanes, 1 to {@link #MAX_COUNT}.
     * @param laneOfSwitch the lane of each switch, 0 to {@code count} - 1.
     */
    public Lanes(final int count, final int[] laneOfSwitch)
    {
        this.count = count;
        this.laneOfSwitch = laneOfSwitch.clone();
    }

    /** {@return a single lane for everything} */
    public static Lanes one(final Fabric fabric)
    {
        return new Lanes(1, new int[fabric.switchCount()]);
    }

    /**
     * Divides the switches in the order of a breadth-first search into 1 to {@link #MAX_COUNT} lanes with about as many
     * servers each. The sources of a lane are neighbours: their short paths leave many turns of other regions unused.
     * In six of the first seven networks of {@code fabric evaluate --balance} regions had lower or equal loads than
     * random lanes.
     */
    public static Lanes regions(final Fabric fabric, final int count)
    {
        final int[] lane = new int[fabric.switchCount()];
        final int[] queue = new int[fabric.switchCount()];
        final boolean[] isQueued = new boolean[fabric.switchCount()];
        isQueued[0] = true;
        int tail = 1;
        long servers = 0;
        for (int head = 0; head < tail; head++)
        {
            final int node = queue[head];
            lane[node] = (int)Math.min(count - 1, servers * count / Math.max(1, fabric.serverCount()));
            servers += fabric.serversAt(node);
            for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
            {
                if (!isQueued[fabric.target(channel)])
                {
                    isQueued[fabric.target(channel)] = true;
                    queue[tail++] = fabric.target(channel);
                }
            }
        }
        return new Lanes(count, lane);
    }

    /** {@return the number of lanes} */
    public int count()
    {
        return count;
    }

    /** {@return the lane, from 0, in which the servers of a switch send} */
    public int of(final int node)
    {
        return laneOfSwitch[node];
    }
}
