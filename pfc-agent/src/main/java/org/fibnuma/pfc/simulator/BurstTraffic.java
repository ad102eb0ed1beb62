package org.fibnuma.pfc.simulator;

import java.util.Arrays;

/**
 * One source at each input: bursts of a geometric number of packets to one destination and in one class, both drawn
 * evenly, one packet a slot, with geometric gaps between that make up the load. What a source makes does not depend on
 * whether anybody stops its link.
 */
final class BurstTraffic
{
    /** No packet in this slot. */
    static final int NOTHING = -1;

    private final SplitMix random;
    private final int ports;
    private final double startProbability;
    private final double endProbability;
    private final int[] current;

    BurstTraffic(final SimulationSettings settings)
    {
        random = new SplitMix(settings.seed());
        ports = settings.ports();
        endProbability = 1 / settings.burst();
        final double meanGap = settings.burst() * (1 - settings.load()) / settings.load();
        startProbability = 1 / (1 + meanGap);
        current = new int[ports];
        Arrays.fill(current, NOTHING);
    }

    /** What a source makes in the next slot: class times ports plus destination, or {@link #NOTHING}. */
    int next(final int port)
    {
        int packet = current[port];
        if (packet == NOTHING)
        {
            if (!random.chance(startProbability))
            {
                return NOTHING;
            }
            packet = random.below(InputQueues.CLASSES * ports);
        }
        current[port] = random.chance(endProbability) ? NOTHING : packet;
        return packet;
    }
}
