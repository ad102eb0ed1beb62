package org.fibnuma.pfc.config;

import org.fibnuma.pfc.quanta.LinkSpeed;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What in a table {@code [pfc]} cannot work: thresholds out of order, headroom too small for the link or too large for
 * the memory, and ECN that comes after PFC, so that DCQCN never acts.
 * <p>
 * A port whose egress is as fast as each ingress fills only where at least two ingress ports lead to it. Its queue then
 * holds what each of them may hold, so that PFC has stopped both before it is longer than twice xoff: marking that
 * starts there never happens. Marking that starts below once xoff is in time even where one ingress port alone fills an
 * egress that is slower or stopped.
 */
public final class PfcCheck
{
    private static final int FEWEST_INGRESS_PORTS = 2;

    private final PfcConfig config;
    private final List<PfcFinding> findings = new ArrayList<>();

    private PfcCheck(final PfcConfig config)
    {
        this.config = config;
    }

    /**
     * Checks a table.
     *
     * @param config as it was read.
     * @return empty where everything is well.
     */
    public static List<PfcFinding> findings(final PfcConfig config)
    {
        return new PfcCheck(config).check();
    }

    private List<PfcFinding> check()
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
            error(link.line(), "%s: headroom of %d bytes leaves nothing of the %d bytes that each lossless priority " +
                "of a port has; raise buffer-bytes or lower cable-m, mru or poll-us",
                link.label(), link.headroomBytes(), link.xoffBytes() + link.headroomBytes());
        }
        else if (link.xonBytes() >= link.xoffBytes())
        {
            error(link.line(), "%s: xon-bytes of %d is not below xoff-bytes of %d; lower it",
                link.label(), link.xonBytes(), link.xoffBytes());
        }
        if (link.headroomBytes() < link.needed().xoff())
        {
            error(link.line(), "%s: headroom-bytes of %d is below the %d that still arrive on a link of %s after a " +
                "pause was decided; raise it or shorten cable-m, mru or poll-us",
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
                "and marking starts at %d in the egress queue, so nothing is ever marked; start below %d",
                link.label(), link.xoffBytes(), min, link.xoffBytes());
        }
        else if (min >= link.xoffBytes())
        {
            warn(config.ecn().line(), "%s: marking starts at %d bytes, where a single ingress port is stopped " +
                "already at %d; start below that to mark before PFC also towards a slow or stopped egress",
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
            error(ecn.line(), "pfc: marking is to be certain from %d bytes on and to start at %d; swap them",
                ecn.maxBytes(), ecn.minBytes());
        }
    }

    private void error(final int line, final String format, final Object... values)
    {
        findings.add(new PfcFinding(true, line, String.format(Locale.ROOT, format, values)));
    }

    private void warn(final int line, final String format, final Object... values)
    {
        findings.add(new PfcFinding(false, line, String.format(Locale.ROOT, format, values)));
    }
}
