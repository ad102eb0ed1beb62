package org.fibnuma.bench.pingpong;

import org.fibnuma.bench.lab.Routers;

import java.util.Arrays;

/**
 * Round trips and estimates of the thesis. An application that computes for x between two messages is faster by {@code
 * (x + sockets) / (x + IP-NUMA)} (section 6.7.1), with the round trip of each in place of its name.
 */
enum ThesisEstimate
{
    /** Two computers and a cable, 10-gigabit Ethernet, table 4.5. */
    DIRECT(0, 22.580, 2.162),
    /** One switch, gigabit Ethernet, figure 6.17: table 4.5 and table 6.5. */
    RACK(1, 49.379 + 8.344, 10.308 + 2.152),
    /** Four switches, gigabit Ethernet, figure 6.18: table 4.5 and table 6.5. */
    RACKS(4, 49.379 + 34.576, 10.308 + 9.808);

    /** Nanoseconds that FIBNIC takes to forward a frame, in one direction (table 5.2). */
    static final int FIBNIC_NS = 976;
    /** The same of the switch AX3630S-24T. */
    static final int SWITCH_NS = 4072;
    /** Times of applications in us: that of memcached's GET, and others. */
    static final double[] APPLICATIONS_US = {1.167, 10, 80, 500};

    private final int routers;
    private final double socketsUs;
    private final double ipnumaUs;

    ThesisEstimate(final int routers, final double socketsUs, final double ipnumaUs)
    {
        this.routers = routers;
        this.socketsUs = socketsUs;
        this.ipnumaUs = ipnumaUs;
    }

    /** Returns the estimate for a number of routers, or null if the thesis has none. */
    static ThesisEstimate of(final int routers)
    {
        return Arrays.stream(values()).filter(estimate -> estimate.routers == routers).findFirst().orElse(null);
    }

    /** Returns by what factor the thesis estimates an application to be faster that computes for {@code xUs}. */
    double timesFaster(final double xUs)
    {
        return timesFaster(xUs, socketsUs, ipnumaUs);
    }

    /**
     * Returns the estimate with other round trips.
     *
     * @param xUs       time of the application in us.
     * @param socketsUs round trip over sockets in us.
     * @param ipnumaUs  round trip over IP-NUMA in us.
     */
    static double timesFaster(final double xUs, final double socketsUs, final double ipnumaUs)
    {
        return (xUs + socketsUs) / (xUs + ipnumaUs);
    }

    /** Returns the nanoseconds that routers of one kind add to a round trip in the thesis, without cables. */
    static int addedNs(final Routers between)
    {
        return 2 * between.count() * (between.kind() == Routers.Kind.FIBNUMA ? FIBNIC_NS : SWITCH_NS);
    }

    /**
     * Returns the time that one router adds in one direction.
     *
     * @param roundTripUs round trip through the routers in us.
     * @param directUs    round trip without a router in us.
     * @param routers     number of routers, 1 or more.
     * @return nanoseconds.
     */
    static long addedPerRouterNs(final double roundTripUs, final double directUs, final int routers)
    {
        return Math.round((roundTripUs - directUs) * 1000 / (2 * routers));
    }
}
