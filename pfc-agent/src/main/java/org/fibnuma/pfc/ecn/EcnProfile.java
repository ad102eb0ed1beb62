package org.fibnuma.pfc.ecn;

/**
 * How likely a packet is marked at a queue length q: 0 below Kmin, from there rising evenly to Pmax at Kmax, and 1
 * above.
 *
 * @param minBytes       Kmin, 0 or more.
 * @param maxBytes       Kmax, not below Kmin.
 * @param maxProbability Pmax, 0 to 1.
 */
public record EcnProfile(long minBytes, long maxBytes, double maxProbability)
{
    /** Checks the order. */
    public EcnProfile
    {
        if (minBytes < 0 || maxBytes < minBytes)
        {
            throw new IllegalArgumentException(
                "Kmin of " + minBytes + " bytes is not at or below Kmax of " + maxBytes + "; swap or change them");
        }
        if (!(maxProbability >= 0 && maxProbability <= 1))
        {
            throw new IllegalArgumentException("Pmax of " + maxProbability + " is out of range; give 0 to 1");
        }
    }

    /**
     * The probability at a length.
     *
     * @param queueBytes q.
     * @return 0 to 1.
     */
    public double probability(final long queueBytes)
    {
        if (queueBytes < minBytes)
        {
            return 0;
        }
        if (queueBytes > maxBytes)
        {
            return 1;
        }
        return maxBytes == minBytes ? maxProbability :
            maxProbability * (queueBytes - minBytes) / (maxBytes - minBytes);
    }
}
