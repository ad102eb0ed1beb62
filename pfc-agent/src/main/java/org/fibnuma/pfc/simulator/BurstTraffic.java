package org.fibnuma.pfc.simulator;

import java.util.Arrays;

/**
 * One source at each input. It sends bursts with a geometric number of packets, one packet per slot, to one destination
 * in one class. Destination and class are uniformly distributed, and geometric gaps give the load. The traffic does not
 * depend on pauses.
 */
final class BurstTraffic
{
    /** No packet in this slot. */
    static final int NOTHING = -1;

    private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;
    private static final double UNIT = 0x1.0p-53;

    private final int ports;
    private final double startProbability;
    private final double endProbability;
    private final int[] current;
    private long randomState;

    BurstTraffic(final SimulationSettings settings)
    {
        randomState = settings.seed();
        ports = settings.ports();
        endProbability = 1 / settings.burst();
        final double meanGap = settings.burst() * (1 - settings.load()) / settings.load();
        startProbability = 1 / (1 + meanGap);
        current = new int[ports];
        Arrays.fill(current, NOTHING);
    }

    /** Returns the packet of a source in the next slot: class times ports plus destination, or {@link #NOTHING}. */
    int next(final int port)
    {
        int packet = current[port];
        if (packet == NOTHING)
        {
            if (!chance(startProbability))
            {
                return NOTHING;
            }
            packet = (int)((random() >>> 32) * (InputQueues.CLASSES * ports) >>> 32);
        }
        current[port] = chance(endProbability) ? NOTHING : packet;
        return packet;
    }

    private boolean chance(final double probability)
    {
        return (random() >>> 11) * UNIT < probability;
    }

    /** SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), which is the same on every Java. */
    private long random()
    {
        randomState += GOLDEN_GAMMA;
        long z = randomState;
        z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }
}
