package org.fibnuma.bench.ring;

import org.fibnuma.fabric.topology.Fabric;

import java.util.ArrayList;
import java.util.List;

/** Finds out which routers wait for which, from the time for which each was paused by its next router. */
final class WaitingRouters
{
    private WaitingRouters()
    {
    }

    /**
     * Finds routers that wait for each other in a circle.
     *
     * @param fabric   of the routers.
     * @param stopped  for each channel the time in ns within the window for which its target paused its source.
     * @param windowNs length of the window; a channel counts as stopped if it was for 99 % of it.
     * @return one line for each router, empty if there is no circle.
     */
    static List<String> circle(final Fabric fabric, final long[] stopped, final long windowNs)
    {
        for (int start = 0; start < stopped.length; start++)
        {
            final List<Integer> way = new ArrayList<>();
            int channel = start;
            while (channel >= 0 && !way.contains(channel))
            {
                way.add(channel);
                channel = next(fabric, channel, stopped, windowNs);
            }
            if (channel == start && isStopped(stopped[start], windowNs))
            {
                return describe(fabric, way);
            }
        }
        return List.of();
    }

    private static int next(final Fabric fabric, final int channel, final long[] stopped, final long windowNs)
    {
        final int node = fabric.target(channel);
        for (int out = fabric.firstChannel(node); out < fabric.firstChannel(node + 1); out++)
        {
            if (out != fabric.reverse(channel) && isStopped(stopped[out], windowNs))
            {
                return out;
            }
        }
        return -1;
    }

    private static boolean isStopped(final long stoppedNs, final long windowNs)
    {
        return stoppedNs >= 0.99 * windowNs;
    }

    private static List<String> describe(final Fabric fabric, final List<Integer> circle)
    {
        final List<String> lines = new ArrayList<>();
        for (final int channel : circle)
        {
            final int node = fabric.target(channel);
            lines.add(fabric.switchName(fabric.source(channel)) + " is stopped by " + fabric.switchName(node) +
                ", whose lossless buffers are full");
        }
        return lines;
    }
}
