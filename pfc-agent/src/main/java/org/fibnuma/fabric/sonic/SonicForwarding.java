package org.fibnuma.fabric.sonic;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.proof.DependencyCycle;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnSet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Follows the routes of all switches to every subnet of hosts. A route may have several next hops, each of which
 * carries some flows. So all turns between the next hops of adjacent switches are dependencies of buffers. A subnet is
 * split where any switch has a longer prefix inside it.
 */
final class SonicForwarding
{
    private final SonicSite site;
    private final Fabric fabric;
    private final List<SwitchRoutes> routes;
    private final Lanes lanes;
    private final TurnSet[] used;
    private final List<String> unreachable = new ArrayList<>();
    private int[] cycle;
    private int cycleLane;
    private int destinations;
    private String reason;

    /** Follows all routes, which are given for each switch in the order of the fabric. */
    SonicForwarding(final SonicSite site, final List<SwitchRoutes> routes, final Lanes lanes)
    {
        this.site = site;
        this.fabric = site.fabric();
        this.routes = routes;
        this.lanes = lanes;
        this.used = new TurnSet[lanes.count()];
        Arrays.setAll(used, lane -> new TurnSet(fabric));
        for (final IpPrefix destination : findDestinations())
        {
            follow(destination);
        }
        this.cycle = DependencyCycle.find(used[0]);
        for (int lane = 1; lane < used.length && cycle.length == 0; lane++)
        {
            cycle = DependencyCycle.find(used[lane]);
            cycleLane = lane;
        }
    }

    private Set<IpPrefix> findDestinations()
    {
        final Set<IpPrefix> all = new TreeSet<>();
        final Set<IpPrefix> known = new TreeSet<>();
        routes.forEach(each -> known.addAll(each.prefixes()));
        for (final SonicSite.HostInterface host : site.hosts())
        {
            all.addAll(host.subnets());
            for (final IpPrefix prefix : known)
            {
                if (host.subnets().stream().anyMatch(subnet -> subnet.covers(prefix)))
                {
                    all.add(prefix);
                }
            }
        }
        destinations = all.size();
        return all;
    }

    private void follow(final IpPrefix destination)
    {
        final int count = fabric.switchCount();
        final int[][] next = new int[count][];
        final String[] problem = new String[count];
        for (int node = 0; node < count; node++)
        {
            next[node] = next(node, destination);
            problem[node] = reason;
        }
        final boolean[] arrives = arrivals(next, problem);
        for (int node = 0; node < count; node++)
        {
            if (fabric.serversAt(node) > 0 && !arrives[node])
            {
                unreachable.add(fabric.switchName(node) + " to " + destination + ": " + why(node, next, problem));
            }
        }
        for (int lane = 0; lane < used.length; lane++)
        {
            recordTurns(lane, next);
        }
    }

    private void recordTurns(final int lane, final int[][] next)
    {
        final boolean[] queued = new boolean[next.length];
        final ArrayDeque<Integer> queue = new ArrayDeque<>();
        for (int node = 0; node < next.length; node++)
        {
            if (fabric.serversAt(node) > 0 && lanes.of(node) == lane)
            {
                queued[node] = true;
                queue.add(node);
            }
        }
        while (!queue.isEmpty())
        {
            for (final int in : next[queue.remove()])
            {
                final int node = fabric.target(in);
                for (final int out : next[node])
                {
                    used[lane].allow(in, out);
                }
                if (!queued[node])
                {
                    queued[node] = true;
                    queue.add(node);
                }
            }
        }
    }

    /** Returns the channels to a destination, and sets {@link #reason} if none of them may deliver. */
    private int[] next(final int node, final IpPrefix destination)
    {
        final IpPrefix longest = routes.get(node).longest(destination);
        final IpPrefix subnet = connected(node, destination);
        reason = null;
        if (longest == null || subnet != null && longest.length() <= subnet.length())
        {
            reason = subnet == null ? "no route" : null;
            return new int[0];
        }
        final List<Integer> channels = new ArrayList<>();
        for (final SwitchRoutes.Hop hop : routes.get(node).hops(longest))
        {
            final String name = hop.interfaceName() == null ? interfaceOf(node, hop.via()) : hop.interfaceName();
            final int channel = name == null ? -1 : fabric.channelAt(node, name);
            if (channel >= 0)
            {
                channels.add(channel);
            }
            else if (subnet == null)
            {
                reason = "route " + longest + " leaves the fabric " +
                    (name == null ? "to " + hop.via() : "through " + name);
            }
        }
        if (routes.get(node).hops(longest).isEmpty())
        {
            reason = "route " + longest + " discards";
        }
        return channels.stream().mapToInt(Integer::intValue).toArray();
    }

    private IpPrefix connected(final int node, final IpPrefix destination)
    {
        IpPrefix longest = null;
        for (int server = fabric.firstServer(node); server < fabric.firstServer(node + 1); server++)
        {
            for (final IpPrefix subnet : site.hosts().get(server).subnets())
            {
                if (subnet.covers(destination) && (longest == null || subnet.length() > longest.length()))
                {
                    longest = subnet;
                }
            }
        }
        return longest;
    }

    /** Returns the interface whose subnet contains a next hop, or null. */
    private String interfaceOf(final int node, final IpAddress via)
    {
        return site.switches().get(node).addresses().stream()
            .filter(address -> address.subnet().contains(via)).map(SonicSwitch.Address::interfaceName)
            .findFirst().orElse(null);
    }

    /** Returns the switches all of whose next hops lead to the destination. A switch on a loop is never one of them. */
    private boolean[] arrivals(final int[][] next, final String[] problem)
    {
        final boolean[] arrives = new boolean[next.length];
        boolean isChanged = true;
        while (isChanged)
        {
            isChanged = false;
            for (int node = 0; node < next.length; node++)
            {
                boolean isGood = problem[node] == null;
                for (final int channel : next[node])
                {
                    isGood &= arrives[fabric.target(channel)];
                }
                isChanged |= isGood != arrives[node];
                arrives[node] = isGood;
            }
        }
        return arrives;
    }

    /** Returns the first problem on the way from a switch; a loop if there is none. */
    private String why(final int from, final int[][] next, final String[] problem)
    {
        final boolean[] seen = new boolean[next.length];
        final ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(from));
        seen[from] = true;
        while (!queue.isEmpty())
        {
            final int node = queue.remove();
            if (problem[node] != null)
            {
                return problem[node] + (node == from ? "" : " at " + fabric.switchName(node));
            }
            for (final int channel : next[node])
            {
                if (!seen[fabric.target(channel)])
                {
                    seen[fabric.target(channel)] = true;
                    queue.add(fabric.target(channel));
                }
            }
        }
        return "the routes loop";
    }

    /** {@return the number of prefixes that were followed} */
    int destinations()
    {
        return destinations;
    }

    /** {@return the channels of a cycle of dependencies; empty if there is none} */
    int[] cycle()
    {
        return cycle;
    }

    /** {@return the lane of the cycle, from 0; unused without a cycle} */
    int cycleLane()
    {
        return cycleLane;
    }

    /** {@return one line for each switch with hosts and each destination that not all of its next hops reach} */
    List<String> unreachable()
    {
        return unreachable;
    }
}
