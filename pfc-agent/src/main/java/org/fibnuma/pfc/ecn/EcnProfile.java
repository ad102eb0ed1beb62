package org.fibnuma.pfc.ecn;

/**
 * The probability that a packet is marked at queue length q: 0 below Kmin, linear from 0 at Kmin to Pmax at Kmax, 1
 * above Kmax.
 *
 * @param minBytes       Kmin, 0 or more.
 * @param maxBytes       Kmax, Kmin or more.
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
                "Kmin of " + minBytes + " bytes is negative or above Kmax of " + maxBytes + "; swap or change them");
        }
        if (!(maxProbability >= 0 && maxProbability <= 1))
        {
            throw new IllegalArgumentException("Pmax of " + maxProbability + " is out of range; give 0 to 1");
        }
    }

    /** {@return the marking probability at a queue length q, 0 to 1} */
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
