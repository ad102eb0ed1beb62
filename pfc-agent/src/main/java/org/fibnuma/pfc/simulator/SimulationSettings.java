package org.fibnuma.pfc.simulator;

import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.policy.PauseUpkeep;

/**
 * The settings of one run.
 *
 * @param ports       N of the N x N switch, 2 to 256.
 * @param load        of each source as a fraction of line rate, above 0 and at most 1.
 * @param policy      of every port.
 * @param law         of C-DPTC.
 * @param burst       mean number of packets in a row to one destination, geometric; 1 to 10,000.
 * @param seed        of the traffic, which does not depend on the policy.
 * @param slots       packet times to simulate, 1 or more.
 * @param arbitration of the switch.
 * @param upkeep      of every port.
 */
public record SimulationSettings(
    int ports, double load, PausePolicyKind policy, PauseTimeLaw law, double burst, long seed, int slots,
    Arbitration arbitration, PauseUpkeep upkeep)
{
    /** N of table 1 and of the figures of the paper. */
    public static final int DEFAULT_PORTS = 32;
    /** The load of the paper's figures. */
    public static final double DEFAULT_LOAD = 0.75;
    /** The paper does not define the traffic. Uniform traffic causes no pauses at its load, bursts of 4 to 16 do. */
    public static final double DEFAULT_BURST = 8;
    /** 7.3 seconds at 1 Gb/s: hundreds of pauses per port. */
    public static final int DEFAULT_SLOTS = 600_000;

    static final int MAX_PORTS = 256;
    static final int MAX_BURST = 10_000;

    /** Checks the ranges. */
    public SimulationSettings
    {
        require(ports >= 2 && ports <= MAX_PORTS, "ports", "2 to " + MAX_PORTS);
        require(load > 0 && load <= 1, "load", "a number above 0 and at most 1");
        require(burst >= 1 && burst <= MAX_BURST, "burst", "1 to " + MAX_BURST);
        require(slots >= 1, "slots", "1 or more");
    }

    private static void require(final boolean met, final String name, final String range)
    {
        if (!met)
        {
            throw new IllegalArgumentException(name + " is out of range; use " + range);
        }
    }

    /** {@return these settings with another policy and law of C-DPTC} */
    public SimulationSettings with(final PausePolicyKind other, final PauseTimeLaw otherLaw)
    {
        return new SimulationSettings(ports, load, other, otherLaw, burst, seed, slots, arbitration, upkeep);
    }

    /** {@return these settings with another upkeep} */
    public SimulationSettings with(final PauseUpkeep other)
    {
        return new SimulationSettings(ports, load, policy, law, burst, seed, slots, arbitration, other);
    }
}
