package org.fibnuma.pfc.config;

import org.fibnuma.pfc.quanta.LinkSpeed;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds settings of {@code [pfc]} that cannot work: thresholds out of order, headroom too small for the link or too
 * large for the memory, and ECN marking that starts after PFC. DCQCN would then never act.
 * <p>
 * If each ingress is as fast as the egress, a queue grows only when at least two ingress ports send to it. It then
 * holds the bytes of both. So PFC has stopped both before it exceeds twice xoff, and marking that starts there never
 * happens. Marking that starts below xoff works even if a single ingress port fills a slower or stopped egress. This
 * does not depend on the length of frames, because all thresholds are bytes on the wire.
 */
public final class PfcCheck
{
    private static final int FEWEST_INGRESS_PORTS = 2;

    private final PfcConfig config;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * A problem in a configuration.
     *
     * @param isError true if frames get lost or a mechanism never acts; false for a warning.
     * @param line    of the file.
     * @param text    one line: place, problem, remedy.
     */
    public record Finding(boolean isError, int line, String text)
    {
    }

    private PfcCheck(final PfcConfig config)
    {
        this.config = config;
    }

    /** {@return the problems of a table; empty if there are none} */
    public static List<Finding> findings(final PfcConfig config)
    {
        return new PfcCheck(config).check();
    }

    private List<Finding> check()
    {
        if (config.isLossless())
        {
            checkLink(config.link());
            config.links().values().forEach(this::checkLink);
            checkMemory();
            checkEcnOrder();
        }
        return findings;
    }

    private void checkLink(final PfcLink link)
    {
        if (link.xoffBytes() <= 0)
        {
            error(link.line(), "%s: headroom of %d bytes uses up the %d bytes of each lossless priority of a port; " +
                "raise buffer-bytes or lower cable-m, mru or poll-us",
                link.label(), link.headroomBytes(), link.xoffBytes() + link.headroomBytes());
        }
        else if (link.xonBytes() >= link.xoffBytes())
        {
            error(link.line(), "%s: xon-bytes of %d is not below xoff-bytes of %d; lower it",
                link.label(), link.xonBytes(), link.xoffBytes());
        }
        if (link.headroomBytes() < link.needed().xoff())
        {
            error(link.line(), "%s: headroom-bytes of %d is below the %d bytes that arrive on a %s link after a " +
                "pause is sent; raise it or lower cable-m, mru or poll-us",
                link.label(), link.headroomBytes(), link.needed().xoff(), LinkSpeed.format(link.bitsPerSecond()));
        }
        if (config.ecn() != null && link.xoffBytes() > 0)
        {
            checkEcnBeforePfc(link);
        }
    }

    private void checkEcnBeforePfc(final PfcLink link)
    {
        final long min = config.ecn().minBytes();
        if (min >= FEWEST_INGRESS_PORTS * link.xoffBytes())
        {
            error(config.ecn().line(), "%s: PFC fires before ECN: two ingress ports are stopped at %d bytes each, " +
                "and marking starts at %d bytes in the egress queue, so nothing is marked; start marking below %d",
                link.label(), link.xoffBytes(), min, link.xoffBytes());
        }
        else if (min >= link.xoffBytes())
        {
            warn(config.ecn().line(), "%s: marking starts at %d bytes, but a single ingress port is stopped at %d; " +
                "start below that to mark before PFC towards a slow or stopped egress too",
                link.label(), min, link.xoffBytes());
        }
    }

    private void checkMemory()
    {
        if (config.bufferBytes() == 0)
        {
            return;
        }
        final int priorities = Integer.bitCount(config.losslessPriorities());
        long needed = (config.portCount() - config.links().size()) * queueBytes(config.link()) * priorities;
        for (final PfcLink link : config.links().values())
        {
            needed += queueBytes(link) * priorities;
        }
        if (needed > config.bufferBytes())
        {
            error(config.line(), "pfc: %d ports with %d lossless priorities need %d bytes of xoff and headroom, " +
                "buffer-bytes is %d; raise it or lower xoff-bytes",
                config.portCount(), priorities, needed, config.bufferBytes());
        }
    }

    private static long queueBytes(final PfcLink link)
    {
        return Math.max(0, link.xoffBytes()) + link.headroomBytes();
    }

    private void checkEcnOrder()
    {
        final EcnSettings ecn = config.ecn();
        if (ecn != null && ecn.maxBytes() < ecn.minBytes())
        {
            error(ecn.line(), "pfc: ecn-max of %d bytes is below ecn-min of %d; swap them",
                ecn.maxBytes(), ecn.minBytes());
        }
    }

    private void error(final int line, final String format, final Object... values)
    {
        findings.add(new Finding(true, line, String.format(Locale.ROOT, format, values)));
    }

    private void warn(final int line, final String format, final Object... values)
    {
        findings.add(new Finding(false, line, String.format(Locale.ROOT, format, values)));
    }
}
