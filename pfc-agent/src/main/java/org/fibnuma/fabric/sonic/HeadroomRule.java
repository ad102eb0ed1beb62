package org.fibnuma.fabric.sonic;

import org.fibnuma.pfc.headroom.Headroom;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.quanta.LinkSpeed;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The formula for the headroom of lossless ports. The ASICs of most vendors have formulas of their own, and
 * configurations as shipped have their results. So a value of a configuration that is below the formula is a warning.
 * It is an error if the user has chosen the formula. It is also an error if the value is too small for any ASIC, or if
 * its profile is named for a slower port or a shorter cable.
 *
 * @param cellBytes size of a memory cell of the switches, for the SONiC formula; 0 for the default.
 * @param isChosen  whether the user has chosen the formula, which then is that of all switches.
 */
public record HeadroomRule(HeadroomModel model, int cellBytes, boolean isChosen)
{
    private static final double METERS_PER_SECOND = 198_000_000;
    /** The names of profiles in SONiC: speed in Mb/s and cable length. */
    private static final Pattern PROFILE = Pattern.compile("pg_lossless_(\\d{1,9})_(\\d{1,9})m_profile");

    /**
     * Returns the headroom by the formula of a port with a known speed and cable.
     *
     * @throws IllegalArgumentException if the model does not cover the port.
     */
    Headroom need(final SonicPort port, final int mtu)
    {
        return model.compute(new HeadroomRequest(port.bitsPerSecond())
            .cableMeters(port.cableMeters()).mtu(mtu).lanes(port.lanes()).cellBytes(cellBytes));
    }

    /** Returns the xoff of a profile below which frames of a port are lost. */
    long leastXoff(final String profile, final SonicPort port, final int mtu)
    {
        return isChosen || isOfAnotherPort(profile, port) ? need(port, mtu).xoff() : leastOfAnyAsic(port, mtu);
    }

    private static boolean isOfAnotherPort(final String profile, final SonicPort port)
    {
        final Matcher name = PROFILE.matcher(profile);
        return name.matches() && (Long.parseLong(name.group(1)) * LinkSpeed.MEGABIT < port.bitsPerSecond() ||
            Long.parseLong(name.group(2)) < port.cableMeters());
    }

    /** Returns the bytes of a packet whose transmission has begun and of the cable in both directions. */
    private static long leastOfAnyAsic(final SonicPort port, final int mtu)
    {
        return mtu +
            Math.round(2 * port.cableMeters() * (double)port.bitsPerSecond() / Byte.SIZE / METERS_PER_SECOND);
    }
}
