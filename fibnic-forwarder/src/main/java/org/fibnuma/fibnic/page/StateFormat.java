package org.fibnuma.fibnic.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.service.log.RecentLines;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.fibnuma.fibnic.fate.VlanTraffic;
import org.fibnuma.fibnic.flows.FlowStatus;
import org.fibnuma.fibnic.metrics.PortSample;
import org.fibnuma.fibnic.metrics.RouterSample;
import org.fibnuma.fibnic.metrics.VlanSample;
import org.fibnuma.fibnic.ports.InterfaceSpeed;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.stage.StageTimesReport;
import org.fibnuma.pfc.quanta.LinkSpeed;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Writes samples as JSON for the page. Counters are totals since the start of the router, so that a page computes rates
 * of any two events; {@code timeMs} is the time that they are at.
 */
public final class StateFormat
{
    private final String router;
    private final String version;
    private final LongSupplier uptimeMs;
    private final RecentLines log;
    private final OperatingSystemMXBean system = (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();

    /**
     * Creates the format of a router.
     *
     * @param router   name of the configuration.
     * @param version  of the software.
     * @param uptimeMs returns the milliseconds since the router started.
     * @param log      of the router.
     */
    public StateFormat(
        final String router, final String version, final LongSupplier uptimeMs, final RecentLines log)
    {
        this.router = router;
        this.version = version;
        this.uptimeMs = uptimeMs;
        this.log = log;
    }

    /** Returns a sample, which has just been taken, as one line. */
    public String format(final RouterSample sample)
    {
        final ObjectNode state = JsonNodeFactory.instance.objectNode()
            .put("router", router)
            .put("version", version)
            .put("timeMs", uptimeMs.getAsLong());
        putFrames(state.putObject("frames"), sample);
        sample.ports().forEach(port -> putPort(state.withArray("ports").addObject(), port));
        sample.vlans().forEach(vlan -> putVlan(state.withArray("vlans").addObject(), vlan));
        putDrops(state.putArray("drops"), sample);
        for (final RouterSample.Stage stage : sample.stages())
        {
            state.withArray("stages").addObject().put("stage", stage.name()).put("which", stage.which())
                .put("frames", stage.frames()).put("dropped", stage.dropped());
        }
        putTimes(state.putArray("times"), sample.times());
        putTables(state, sample);
        putControl(state.putObject("control"), sample);
        putFlows(state, sample.flows());
        sample.pauses().forEach(pauses -> state.withArray("workers").addObject()
            .put("pauses", pauses.count() + pauses.lost())
            .put("longestPauseUs", TimeUnit.NANOSECONDS.toMicros(pauses.longest().lengthNs())));
        putProcess(state.putObject("process"));
        log.format(state.putArray("log"));
        return state.put("restrictionsBypassed", sample.restrictionsBypassed()).toString();
    }

    private void putProcess(final ObjectNode process)
    {
        final Runtime runtime = Runtime.getRuntime();
        final long cpuNs = system.getProcessCpuTime();
        process.put("cpuMs", cpuNs < 0 ? null : (Long)TimeUnit.NANOSECONDS.toMillis(cpuNs))
            .put("heapBytes", runtime.totalMemory() - runtime.freeMemory())
            .put("heapLimitBytes", runtime.maxMemory());
    }

    private static void putFrames(final ObjectNode frames, final RouterSample sample)
    {
        for (final ForwarderCounter counter : ForwarderCounter.values())
        {
            frames.put(counter.label(), sample.fates().get(counter));
        }
        frames.put("dropped", sample.fates().dropped());
    }

    private static void putPort(final ObjectNode row, final PortSample port)
    {
        row.put("name", port.name()).put("device", port.device()).put("mode", port.mode())
            .put("link", port.link()).put("speed", speed(port)).put("mtu", port.mtu())
            .put("forwardsIpv4", port.forwardsIpv4()).put("forwardsIpv6", port.forwardsIpv6())
            .put("unservedQueues", port.unservedQueues()).put("neighbors", port.neighbors());
        port.addresses().forEach(row.withArray("addresses")::add);
        for (final PortTraffic counter : PortTraffic.values())
        {
            row.put(counter.label(), port.get(counter));
        }
        final ObjectNode lost = row.putObject("lost");
        for (final PortCounter counter : PortCounter.values())
        {
            lost.put(counter.label(), port.lost()[counter.ordinal()]);
        }
    }

    /** Returns a speed such as "10G", an empty text if it is not known. */
    private static String speed(final PortSample port)
    {
        final long bits = port.interfaceName() == null ? InterfaceSpeed.UNKNOWN :
            InterfaceSpeed.read(port.interfaceName(), MacAddress.format(port.macAddress()));
        return bits == InterfaceSpeed.UNKNOWN ? "" : LinkSpeed.format(bits);
    }

    private static void putVlan(final ObjectNode row, final VlanSample vlan)
    {
        row.put("name", vlan.name()).put("port", vlan.port()).put("link", vlan.up() ? "up" : "down");
        for (final VlanTraffic.Counter counter : VlanTraffic.Counter.values())
        {
            row.put(counter.name().toLowerCase(Locale.ROOT).replace('_', '-'), vlan.traffic()[counter.ordinal()]);
        }
    }

    private static void putDrops(final ArrayNode rows, final RouterSample sample)
    {
        for (final DropReason reason : DropReason.values())
        {
            if (sample.fates().get(reason) > 0)
            {
                final ObjectNode row = rows.addObject()
                    .put("reason", reason.label()).put("frames", sample.fates().get(reason))
                    .put("meaning", reason.meaning()).put("remedy", reason.remedy());
                putDropsByPort(row.putArray("ports"), sample, reason);
            }
        }
    }

    private static void putDropsByPort(final ArrayNode rows, final RouterSample sample, final DropReason reason)
    {
        for (final PortSample port : sample.ports())
        {
            if (port.get(reason) > 0)
            {
                rows.addObject().put("port", port.name()).put("frames", port.get(reason));
            }
        }
    }

    private static void putTimes(final ArrayNode rows, final StageTimesReport times)
    {
        for (final Stage stage : Stage.values())
        {
            if (times.batches(stage) > 0)
            {
                rows.addObject().put("stage", stage.label()).put("ns", times.nanoseconds(stage))
                    .put("frames", times.frames(stage)).put("batches", times.batches(stage));
            }
        }
    }

    private static void putTables(final ObjectNode state, final RouterSample sample)
    {
        sample.tables().forEach((family, table) ->
        {
            final ObjectNode row = state.withArray("tables").addObject()
                .put("family", family)
                .put("fibRoutes", table.fibRoutes())
                .put("fibBytes", table.fibBytes())
                .put("prefixes", table.prefixes())
                .put("routes", table.routes())
                .put("ribBytes", table.ribBytes());
            final ObjectNode states = row.putObject("neighbors");
            sample.neighbors().get(family).forEach(
                (neighborState, count) -> states.put(neighborState.name().toLowerCase(Locale.ROOT), count));
        });
    }

    /** Puts an object {@code flows} on a host whose packet filters are followed. */
    static void putFlows(final ObjectNode state, final FlowStatus flows)
    {
        if (flows.isWanted())
        {
            state.putObject("flows").put("count", flows.flows()).put("capacity", flows.capacity())
                .put("learned", flows.learned()).put("refused", flows.refused()).put("obstacle", flows.obstacle());
        }
    }

    private static void putControl(final ObjectNode control, final RouterSample sample)
    {
        control.put("fibWrites", sample.work().fibWrites())
            .put("adjacencyWrites", sample.work().adjacencyWrites())
            .put("routesTouched", sample.work().routesTouched())
            .put("dumps", sample.work().dumps())
            .put("longestCycleUs", TimeUnit.NANOSECONDS.toMicros(sample.longestControlCycleNs()))
            .put("adjacencies", sample.adjacencies())
            .put("adjacenciesLimit", AdjacencyTable.CAPACITY - 1);
    }
}
