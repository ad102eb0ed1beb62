package org.fibnuma.fibnic.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.service.jvmpause.Safepoints;
import org.fibnuma.core.service.jvmpause.JvmPauses;
import org.fibnuma.fibnic.acl.ActiveList;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.fibnuma.fibnic.fate.VlanTraffic;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.lossless.LosslessReport;
import org.fibnuma.fibnic.report.RouterReport;
import org.fibnuma.fibnic.report.StagesReport;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.stage.StageTimesReport;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Takes samples of a router. Control thread, which owns the tables.
 *
 * @param router                source of the samples, as of {@code show}.
 * @param safepoints            of the JVM.
 * @param pauses                of each worker, by number.
 * @param longestControlCycleNs of the control thread.
 * @param control               returns failures of the control thread.
 */
public record RouterSampler(
    RouterReport router,
    Supplier<Safepoints> safepoints,
    List<Supplier<JvmPauses>> pauses,
    LongSupplier longestControlCycleNs,
    Supplier<ControlSample> control)
{
    /** Most rules with series of their own. A list can have 16,384, and Prometheus has each series in its memory. */
    static final int MAX_RULES = 2000;

    static final String IPV4 = "ipv4";
    static final String IPV6 = "ipv6";

    /** Returns the current state. */
    public RouterSample take()
    {
        final FateReport fates = FateReport.of(router.counters(), router.portDrops());
        final Map<String, TableSample> tables = tables();
        return new RouterSample(
            fates, stages(), StageTimesReport.of(router.counters()),
            ports(fates), vlans(), rules(), neighbors(tables.keySet()), tables,
            router.tables().adjacencyCount(), router.tables().work(), longestControlCycleNs.getAsLong(),
            safepoints.get(), pauses.stream().map(Supplier::get).toList(), LosslessReport.of(router.counters()),
            router.host().get().bypassed().size(), router.host().get().left().size(),
            router.flows().get(), control.get());
    }

    /** Returns the current traffic, without a system call. */
    public TrafficSample takeTraffic()
    {
        final FateReport fates = FateReport.of(router.counters());
        final List<String> names = new ArrayList<>();
        final LongStream.Builder traffic = LongStream.builder();
        for (int index = 0; index < router.ports().size(); index++)
        {
            if (!router.isRemoved(index))
            {
                names.add(router.ports().get(index).name());
                for (final PortTraffic counter : TrafficSample.COUNTERS)
                {
                    traffic.add(fates.get(index, counter));
                }
            }
        }
        return new TrafficSample(List.copyOf(names), traffic.build().toArray(),
            Stream.of(DropReason.values()).mapToLong(fates::get).toArray());
    }

    private List<RouterSample.Stage> stages()
    {
        final List<RouterSample.Stage> stages = new ArrayList<>();
        for (final JsonNode stage : StagesReport.of(router.counters()).get("stages"))
        {
            stages.add(new RouterSample.Stage(
                stage.get("stage").asText(), stage.get("which").asText(), stage.get("frames").asLong(),
                stage.get("dropped").asLong()));
        }
        return stages;
    }

    private List<PortSample> ports(final FateReport fates)
    {
        final LinkTable links = router.tables().links();
        final int[] neighbors = neighborsByPort();
        final List<PortSample> samples = new ArrayList<>();
        for (int index = 0; index < router.ports().size(); index++)
        {
            final int number = index;
            if (router.isRemoved(index))
            {
                continue;
            }
            final Port port = router.ports().get(index);
            final KernelLink link = links.get(links.interfaceOf(index));
            final InterfacePolicy policy = router.shared().interfaces().get(index).policy();
            samples.add(new PortSample(
                port.name(), port.device(), port.mode(), links.stateOf(index),
                link == null ? null : link.name(), link == null ? 0 : link.macAddress(), link == null ? 0 : link.mtu(),
                router.tables().addressesOf(index).stream()
                    .map(address -> address.address() + "/" + address.prefixLength()).toList(), neighbors[index],
                policy.ipv4Forwarding(), router.tables().forwardsIpv6() && policy.ipv6Forwarding(),
                port.capability(SharedInterface.class).map(SharedInterface::unservedQueues).orElse(0),
                Stream.of(PortTraffic.values()).mapToLong(counter -> fates.get(number, counter)).toArray(),
                Stream.of(PortCounter.values()).mapToLong(port::deviceCounter).toArray(), fates.portDrops(index),
                exceptionLost(router.exceptions().get(index))));
        }
        return samples;
    }

    private int[] neighborsByPort()
    {
        final int[] counts = new int[router.ports().size()];
        for (final KernelNeighbor neighbor : router.tables().neighbors())
        {
            final int number = router.tables().links().numberOf(neighbor.interfaceIndex());
            if (number != LinkTable.NO_NUMBER)
            {
                counts[InterfaceNumber.portOf(number)]++;
            }
        }
        return counts;
    }

    private static long[] exceptionLost(final KernelPort exception)
    {
        return exception == null ? null : new long[]{
            exception.deviceCounter(PortCounter.TX_INVALID), exception.deviceCounter(PortCounter.RX_DROPPED) };
    }

    private List<VlanSample> vlans()
    {
        final LinkTable links = router.tables().links();
        final List<VlanSample> samples = new ArrayList<>();
        for (final int vlan : links.vlans().interfaces())
        {
            final int number = links.numberOf(vlan);
            if (router.isRemoved(InterfaceNumber.portOf(number)))
            {
                continue;
            }
            samples.add(new VlanSample(
                links.get(vlan).name(), router.ports().get(InterfaceNumber.portOf(number)).name(),
                links.stateOf(number).equals("up"),
                Stream.of(VlanTraffic.Counter.values())
                    .mapToLong(counter -> router.vlans().get(number, counter)).toArray()));
        }
        return samples;
    }

    private List<RuleSample> rules()
    {
        final List<RuleSample> samples = new ArrayList<>();
        int left = MAX_RULES;
        for (final ActiveList active : router.access().current().lists())
        {
            final String name = active.list().name();
            final int count = active.list().rules().size();
            final int own = Math.min(count, left);
            left -= own;
            for (int rule = 0; rule < own; rule++)
            {
                samples.add(new RuleSample(
                    name, Integer.toString(rule + 1), active.frames(rule), active.bytes(rule)));
            }
            long frames = 0;
            long bytes = 0;
            for (int rule = own; rule < count; rule++)
            {
                frames += active.frames(rule);
                bytes += active.bytes(rule);
            }
            if (own < count)
            {
                samples.add(new RuleSample(name, "other", frames, bytes));
            }
            samples.add(new RuleSample(name, "default", active.frames(count), active.bytes(count)));
        }
        return samples;
    }

    private Map<String, Map<KernelNeighbor.State, Integer>> neighbors(final Set<String> families)
    {
        final Map<String, Map<KernelNeighbor.State, Integer>> counts = new TreeMap<>();
        for (final String family : families)
        {
            final Map<KernelNeighbor.State, Integer> states = new EnumMap<>(KernelNeighbor.State.class);
            Stream.of(KernelNeighbor.State.values()).forEach(state -> states.put(state, 0));
            counts.put(family, states);
        }
        for (final KernelNeighbor neighbor : router.tables().neighbors())
        {
            final Map<KernelNeighbor.State, Integer> states =
                counts.get(neighbor.address().isIpv4() ? IPV4 : IPV6);
            if (states != null &&
                router.tables().links().numberOf(neighbor.interfaceIndex()) != LinkTable.NO_NUMBER)
            {
                states.merge(neighbor.state(), 1, Integer::sum);
            }
        }
        return counts;
    }

    private Map<String, TableSample> tables()
    {
        final Map<String, TableSample> samples = new TreeMap<>();
        final Ipv4Fib ipv4 = router.shared().fib();
        samples.put(IPV4, new TableSample(
            ipv4.size(), ipv4.tableBytes() + ipv4.secondLevelBytes(), router.tables().prefixCount(false),
            router.tables().routeCount(false), router.tables().ribBytes(false) + ipv4.prefixBytes()));
        if (router.tables().forwardsIpv6())
        {
            final Ipv6Fib ipv6 = router.shared().ipv6Fib();
            samples.put(IPV6, new TableSample(
                ipv6.size(), ipv6.tableBytes(), router.tables().prefixCount(true),
                router.tables().routeCount(true), router.tables().ribBytes(true) + ipv6.prefixBytes()));
        }
        return samples;
    }
}
