package org.fibnuma.fabric.sonic;

import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.pfc.quanta.LinkSpeed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * Checks of a whole network of SONiC switches: deadlock freedom of the routes, PFC alike at both ends of each link, and
 * the checks of each lossless port. Lane 0 is the lowest lossless priority, lane 1 the next.
 */
public final class SonicCheck
{
    private final SonicSite site;
    private final Lanes lanes;
    private final Map<String, PortQos> qos = new HashMap<>();
    private final Map<String, String> routeSources = new LinkedHashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private SonicForwarding forwarding;

    private SonicCheck(final SonicSite site, final Lanes lanes)
    {
        this.site = site;
        this.lanes = lanes;
        site.switches().forEach(each -> qos.put(each.name(), new PortQos(each.database())));
    }

    /**
     * Runs all checks with the route dumps in the folders of the site.
     *
     * @throws org.fibnuma.core.UserException with one line, if a configuration or a dump is unusable.
     */
    public static SonicCheck of(
        final SonicSite site, final Lanes lanes, final HeadroomRule headroom)
    {
        return new SonicCheck(site, lanes).run(
            (reader, each) -> reader.read(each, site.folder(each.name())), headroom);
    }

    /** Runs all checks with the table STATIC_ROUTE of each configuration, as if there were no dumps. */
    static SonicCheck ofStaticRoutes(
        final SonicSite site, final Lanes lanes, final HeadroomRule headroom)
    {
        return new SonicCheck(site, lanes).run(RouteDumpReader::staticRoutes, headroom);
    }

    private SonicCheck run(
        final BiFunction<RouteDumpReader, SonicSwitch, SwitchRoutes> source, final HeadroomRule headroom)
    {
        checkRoutes(source);
        checkLinks();
        checkPorts(headroom);
        return this;
    }

    private void checkRoutes(final BiFunction<RouteDumpReader, SonicSwitch, SwitchRoutes> source)
    {
        final List<IpPrefix> subnets = site.hosts().stream().flatMap(host -> host.subnets().stream()).toList();
        final RouteDumpReader reader = new RouteDumpReader(subnets);
        final List<SwitchRoutes> routes = new ArrayList<>();
        for (final SonicSwitch each : site.switches())
        {
            final SwitchRoutes read = source.apply(reader, each);
            routeSources.put(each.name(), read == null ? "none" : read.source());
            if (read == null)
            {
                error("deadlock", each.name(), "no routes; save vtysh -c 'show ip route json' as " +
                    RouteDumpReader.IPV4_FILE + " in its folder");
            }
            else
            {
                routes.add(read);
            }
        }
        if (subnets.isEmpty())
        {
            error("deadlock", "all switches", "no subnet of hosts in INTERFACE or VLAN_INTERFACE to check");
        }
        else if (routes.size() == site.switches().size())
        {
            forwarding = new SonicForwarding(site, routes, lanes);
            if (forwarding.cycle().length > 0)
            {
                error("deadlock", "all switches", "buffers can wait for each other in a cycle of " +
                    forwarding.cycle().length + " links" +
                    (lanes.count() > 1 ? " in lane " + forwarding.cycleLane() : "") + "; change the routes");
            }
            forwarding.unreachable().forEach(line -> error("deadlock", line.substring(0, line.indexOf(" to ")),
                "not all paths arrive " + line.substring(line.indexOf(" to ") + 1)));
        }
    }

    private void checkLinks()
    {
        final Set<Integer> everywhere = new TreeSet<>();
        site.cables().keySet().forEach(end -> everywhere.addAll(qos.get(end.switchName()).lossless(end.port())));
        if (everywhere.isEmpty())
        {
            error("pfc", "all switches", "no port between switches has pfc_enable in PORT_QOS_MAP");
        }
        else if (everywhere.size() < lanes.count())
        {
            error("pfc", "all switches", "PFC is on for priorities " + PortQos.list(everywhere) +
                ", but the plan has " + lanes.count() + " lanes, each a priority of its own; enable more");
        }
        site.cables().forEach((near, far) ->
        {
            if (near.toString().compareTo(far.toString()) < 0)
            {
                checkLink(near, far, everywhere);
            }
            checkRouted(near);
        });
    }

    private void checkLink(final SonicSite.End near, final SonicSite.End far, final Set<Integer> everywhere)
    {
        final PortQos here = qos.get(near.switchName());
        final PortQos there = qos.get(far.switchName());
        final Set<Integer> lossless = here.lossless(near.port());
        final String place = near + " - " + far;
        if (!lossless.equals(there.lossless(far.port())))
        {
            error("pfc", place, "PFC is on for priorities " + PortQos.list(lossless) + " and " +
                PortQos.list(there.lossless(far.port())) + "; use the same at both ends");
        }
        else if (!lossless.equals(everywhere))
        {
            warn("pfc", place, "PFC is on for priorities " + PortQos.list(lossless) + ", on other links for " +
                PortQos.list(everywhere) + "; frames of the others are lost here");
        }
        for (final int priority : lossless)
        {
            final Set<Integer> dscps = here.dscps(near.port(), priority);
            final Set<Integer> others = there.dscps(far.port(), priority);
            if (!dscps.equals(others) && there.lossless(far.port()).contains(priority))
            {
                error("pfc", place, "priority " + priority + " has DSCP " + PortQos.list(dscps) + " and " +
                    PortQos.list(others) + "; use the same maps at both ends");
            }
        }
        final SonicPort a = site.port(near);
        final SonicPort b = site.port(far);
        if (a.bitsPerSecond() != b.bitsPerSecond() && a.bitsPerSecond() > 0 && b.bitsPerSecond() > 0)
        {
            error("headroom", place, "speeds are " + LinkSpeed.format(a.bitsPerSecond()) + " and " +
                LinkSpeed.format(b.bitsPerSecond()) + "; correct one");
        }
        if (a.mtu() != b.mtu())
        {
            warn("headroom", place, "MTUs are " + a.mtu() + " and " + b.mtu() + "; use the same");
        }
        if (a.cableMeters() != b.cableMeters())
        {
            warn("headroom", place, "cable lengths are " + cable(a) + " and " + cable(b) + "; use the same");
        }
    }

    /**
     * Reports a cable whose frames are switched or belong to another VRF: the proof of the routes does not hold for
     * them.
     */
    private void checkRouted(final SonicSite.End end)
    {
        final SonicSwitch owner = site.owner(end);
        final String link = owner.link(end.port());
        if (owner.vlan(link) != null)
        {
            error("deadlock", end.toString(), "is a member of " + owner.vlan(link) + ", so frames are switched and " +
                "not routed; the proof does not cover them");
        }
        if (owner.vrf(link) != null)
        {
            error("deadlock", end.toString(), "is in " + owner.vrf(link) + "; the proof covers the default VRF only");
        }
    }

    private void checkPorts(final HeadroomRule headroom)
    {
        for (final SonicSwitch each : site.switches())
        {
            final PortQos settings = qos.get(each.name());
            final LosslessCheck check = new LosslessCheck(each, settings, headroom, findings::add);
            findings.addAll(each.leftOut());
            for (final String name : settings.losslessPorts())
            {
                final SonicPort port = each.ports().get(name);
                final SonicSite.End far = site.cables().get(new SonicSite.End(each.name(), name));
                if (port != null && port.isUp())
                {
                    check.check(port, far == null ? 0 : site.port(far).mtu());
                }
            }
        }
    }

    private static String cable(final SonicPort port)
    {
        return port.cableMeters() < 0 ? "unknown" : port.cableMeters() + " m";
    }

    private void error(final String subject, final String place, final String text)
    {
        findings.add(new Finding(true, subject, place, text));
    }

    private void warn(final String subject, final String place, final String text)
    {
        findings.add(new Finding(false, subject, place, text));
    }

    /** {@return whether there is no error; warnings may exist} */
    public boolean holds()
    {
        return findings.stream().noneMatch(Finding::isError);
    }

    /** {@return the findings, in the order of the checks} */
    public List<Finding> findings()
    {
        return findings;
    }

    /** {@return whether the routes have no cycle of buffer dependencies; null if routes are missing} */
    public Boolean isAcyclic()
    {
        return forwarding == null ? null : forwarding.cycle().length == 0;
    }

    /** {@return a cycle, one line for each link; empty if there is none} */
    public List<String> cycle()
    {
        return forwarding == null ? List.of() :
            Arrays.stream(forwarding.cycle()).mapToObj(site::describe).toList();
    }

    /** {@return the number of prefixes whose paths were followed from every switch with hosts} */
    public int destinations()
    {
        return forwarding == null ? 0 : forwarding.destinations();
    }

    /** {@return where the routes of each switch come from, by its name} */
    public Map<String, String> routeSources()
    {
        return routeSources;
    }
}
