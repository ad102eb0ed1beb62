package org.fibnuma.fibnic.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.Unit;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.service.metrics.MetricFamilies;
import org.fibnuma.core.service.metrics.MetricsWriter;
import org.fibnuma.core.service.jvmpause.JvmPauses;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.fibnuma.fibnic.fate.VlanTraffic;
import org.fibnuma.fibnic.flows.FlowRefusal;
import org.fibnuma.fibnic.flows.FlowStatus;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.pfc.priority.PfcCounter;

import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Converts samples of a router to metrics. For one thread.
 * <p>
 * A router has at most about 30,000 series. These are 90 for each of 16 ports; 5 for each of 4,094 VLAN interfaces; 2
 * for each of {@link RouterSampler#MAX_RULES} rules of access lists; 15 for each of 128 lossless priorities; 9 for each
 * worker; and 400 others.
 */
public final class RouterMetrics
{
    private static final String PORT = "port";
    private static final String FAMILY = "family";
    private static final String REASON = "reason";
    private static final String STAGE = "stage";

    private final MetricsWriter<RouterSample> writer = new MetricsWriter<>(this::collect);
    private final LongSupplier uptimeMs;
    private final String version;
    /** The sample that is being collected. */
    private RouterSample sample;

    /**
     * Creates the metrics of a router.
     *
     * @param version  of the software.
     * @param uptimeMs returns the milliseconds since the router started.
     */
    public RouterMetrics(final String version, final LongSupplier uptimeMs)
    {
        this.version = version;
        this.uptimeMs = uptimeMs;
    }

    /** Returns the writer of samples. */
    public MetricsWriter<RouterSample> writer()
    {
        return writer;
    }

    private void collect(final RouterSample of, final MetricFamilies families)
    {
        sample = of;
        addFrames(families);
        addStages(families);
        sample.ports().forEach(port -> addPort(families, port));
        sample.vlans().forEach(vlan -> addVlan(families, vlan));
        addRules(families);
        addTables(families);
        addControl(families);
        addFlows(families, sample.flows(), get(ForwarderCounter.FLOWS));
        addPauses(families);
        for (int port = 0; port < sample.ports().size(); port++)
        {
            addLossless(families, port);
        }
        families.info("port", "Device and mode of each port.", sample.ports().stream().map(port ->
            Labels.of(PORT, port.name(), "device", port.device(), "mode", String.valueOf(port.mode()))).toList());
        families.program(version, uptimeMs.getAsLong(), sample.safepoints());
    }

    private void addFrames(final MetricFamilies families)
    {
        families.counter("received_packets", "Frames received from all ports.", get(ForwarderCounter.RECEIVED));
        final String forwarded =
            "Received frames that were sent or queued for sending; a fragmented frame counts once.";
        families.counter("forwarded_packets", forwarded,
            get(ForwarderCounter.IPV4_FORWARDED), FAMILY, RouterSampler.IPV4);
        families.counter("forwarded_packets", forwarded,
            get(ForwarderCounter.IPV6_FORWARDED), FAMILY, RouterSampler.IPV6);
        families.counter("queue_dropped_packets",
            "Frames that were counted as forwarded and dropped while they waited to be sent.",
            get(ForwarderCounter.QUEUE_DROPPED));
        families.counter("punted_packets", "Received frames that were passed to the kernel of this host.",
            get(ForwarderCounter.PUNTED));
        families.counter("consumed_packets", "Received frames that the router itself processed, such as pauses.",
            get(ForwarderCounter.CONSUMED));
        families.gauge("held_packets", "Received frames that wait now until a neighbour is resolved.",
            get(ForwarderCounter.HELD));
        for (final DropReason reason : DropReason.values())
        {
            families.counter("dropped_packets", "Received frames that were dropped.",
                sample.fates().get(reason), REASON, reason.label());
        }
        families.counter("originated_packets",
            "Messages of the router itself that were sent: ICMP errors, redirects, pauses.",
            get(ForwarderCounter.ORIGINATED));
        families.counter("originated_lost_packets", "Messages of the router itself that were dropped.",
            get(ForwarderCounter.ORIGINATED_LOST));
        families.counter("fragments", "Fragments sent instead of frames longer than the MTU.",
            get(ForwarderCounter.FRAGMENTS));
        families.counter("fragments_lost",
            "Fragments without room at the egress, of packets whose first fragment was sent.",
            get(ForwarderCounter.FRAGMENTS_LOST));
        families.counter("icmp_suppressed",
            "ICMP errors and redirects that were not written, such as beyond their rate.",
            get(ForwarderCounter.ICMP_SUPPRESSED));
        families.counter("host_packets", "Frames of the kernel of this host that were sent by a port.",
            get(ForwarderCounter.FROM_HOST));
        families.counter("host_lost_packets",
            "Frames of the kernel of this host that were dropped because their port was full.",
            get(ForwarderCounter.FROM_HOST_LOST));
        families.counter("exception_packets",
            "Received frames that left the ordinary loops, such as those with options.",
            get(ForwarderCounter.EXCEPTIONS));
        families.counter("polls", "Duty cycles of the workers.", get(ForwarderCounter.POLLS));
        families.counter("idle_polls", "Duty cycles of the workers without work.", get(ForwarderCounter.IDLE_POLLS));
    }

    private void addStages(final MetricFamilies families)
    {
        for (final RouterSample.Stage stage : sample.stages())
        {
            // The number of held frames can fall, and that of the classifier is the difference of two counters.
            families.counter("stage_packets", "Frames of each stage of the data path, as in show stages.",
                writer.rising("stage " + stage.name(), stage.frames()), STAGE, stage.name());
            families.counter("stage_dropped_packets", "Frames that each stage of the data path dropped.",
                stage.dropped(), STAGE, stage.name());
        }
        for (final Stage stage : Stage.values())
        {
            families.counter("stage_sampled_seconds", "Time that each stage of the data path took for sampled batches.",
                Unit.nanosToSeconds(sample.times().nanoseconds(stage)), STAGE, stage.label());
            families.counter("stage_sampled_packets", "Frames of sampled batches that each stage was given.",
                sample.times().frames(stage), STAGE, stage.label());
            families.counter("stage_sampled_batches", "Sampled batches with frames for each stage.",
                sample.times().batches(stage), STAGE, stage.label());
        }
    }

    private void addPort(final MetricFamilies families, final PortSample port)
    {
        final String name = port.name();
        families.counter("port_received_packets", "Frames that a port received.",
            port.get(PortTraffic.RX_FRAMES), PORT, name);
        families.counter("port_received_bytes", "Bytes that a port received, without FCS.",
            port.get(PortTraffic.RX_BYTES), PORT, name);
        families.counter("port_transmitted_packets", "Frames passed to a port or to a FIFO before it.",
            port.get(PortTraffic.TX_FRAMES), PORT, name);
        families.counter("port_transmitted_bytes", "Bytes passed to a port or to a FIFO before it, without FCS.",
            port.get(PortTraffic.TX_BYTES), PORT, name);
        final String byFamily = "Frames that a port received, without those left to the kernel or dropped for their " +
            "Ethernet header.";
        families.counter("port_received_ip_packets", byFamily,
            port.get(PortTraffic.RX_IPV4), PORT, name, FAMILY, RouterSampler.IPV4);
        families.counter("port_received_ip_packets", byFamily,
            port.get(PortTraffic.RX_IPV6), PORT, name, FAMILY, RouterSampler.IPV6);
        families.counter("port_checksums_completed", "Received segments and datagrams whose partial checksum was " +
            "completed.", port.get(PortTraffic.CHECKSUMS_COMPLETED), PORT, name);
        for (final PortCounter counter : PortCounter.values())
        {
            families.counter("port_lost_packets", "Frames that the device of a port lost before the router received " +
                "them, or refused to send.", port.lost()[counter.ordinal()], PORT, name, REASON, counter.label());
        }
        for (final DropReason reason : DropReason.values())
        {
            families.counter("port_dropped_packets", "Frames that a port received and that were dropped.",
                port.get(reason), PORT, name, REASON, reason.label());
        }
        if (port.exceptionLost() != null)
        {
            final String lost =
                "Frames that the exception interface of a port refused, or that were too long for the port.";
            families.counter("port_exception_lost_packets", lost,
                port.exceptionLost()[0], PORT, name, REASON, "refused");
            families.counter("port_exception_lost_packets", lost,
                port.exceptionLost()[1], PORT, name, REASON, "too-long");
        }
        families.gauge("port_up", "1 if the link of a port is up, 0 if it is down or the interface is gone.",
            truth(port.link().equals("up")), PORT, name);
        final String forwarding = "1 if the router forwards what a port receives, or only its flows; 0 if the " +
            "kernel does.";
        families.gauge("port_forwarding", forwarding, truth(port.forwardsIpv4()),
            PORT, name, FAMILY, RouterSampler.IPV4);
        families.gauge("port_forwarding", forwarding, truth(port.forwardsIpv6()),
            PORT, name, FAMILY, RouterSampler.IPV6);
        families.gauge("port_mtu_bytes", "MTU of a port, 0 if unknown.", port.mtu(), PORT, name);
        families.gauge("port_unserved_queues",
            "Receive queues of a port without a worker; the kernel gets their frames.",
            port.unservedQueues(), PORT, name);
    }

    private static void addVlan(final MetricFamilies families, final VlanSample vlan)
    {
        final String[] labels = {"vlan", vlan.name(), PORT, vlan.port()};
        families.counter("vlan_received_packets", "Frames that a VLAN interface received.",
            vlan.traffic()[VlanTraffic.Counter.RX_FRAMES.ordinal()], labels);
        families.counter("vlan_received_bytes", "Bytes that a VLAN interface received, without tags and FCS.",
            vlan.traffic()[VlanTraffic.Counter.RX_BYTES.ordinal()], labels);
        families.counter("vlan_transmitted_packets", "Frames given to the queue of the port of a VLAN interface.",
            vlan.traffic()[VlanTraffic.Counter.TX_FRAMES.ordinal()], labels);
        families.counter("vlan_transmitted_bytes",
            "Bytes given to the queue of the port of a VLAN interface, without tags and FCS.",
            vlan.traffic()[VlanTraffic.Counter.TX_BYTES.ordinal()], labels);
        families.gauge("vlan_up", "1 if a VLAN interface is up, 0 otherwise.", truth(vlan.up()), labels);
    }

    private void addRules(final MetricFamilies families)
    {
        for (final RuleSample rule : sample.rules())
        {
            families.counter("acl_matched_packets",
                "Frames that matched a rule of an access list; rule is its number from 1, default, or other for the " +
                "sum of further rules.",
                rule.frames(), "list", rule.list(), "rule", rule.rule());
            families.counter("acl_matched_bytes", "Bytes of frames that matched a rule of an access list.",
                rule.bytes(), "list", rule.list(), "rule", rule.rule());
        }
    }

    private void addTables(final MetricFamilies families)
    {
        sample.tables().forEach((family, table) ->
        {
            families.gauge("fib_routes", "Prefixes in the forwarding table.", table.fibRoutes(), FAMILY, family);
            families.gauge("fib_bytes", "Memory of the forwarding table that workers read.",
                table.fibBytes(), FAMILY, family);
            families.gauge("rib_prefixes", "Prefixes of the routes that the router knows.",
                table.prefixes(), FAMILY, family);
            families.gauge("rib_routes", "Routes that the router knows; several can have the same prefix.",
                table.routes(), FAMILY, family);
            families.gauge("rib_bytes", "Estimated memory of the routes and prefixes of the control thread.",
                table.ribBytes(), FAMILY, family);
        });
        families.gauge("fib_adjacencies", "Adjacencies (next hops, groups of them, kinds of routes) in use.",
            sample.adjacencies());
        families.gauge("fib_adjacencies_limit", "Highest number of adjacencies; routes beyond it have no effect.",
            AdjacencyTable.CAPACITY - 1);
        sample.neighbors().forEach((family, states) -> states.forEach((state, count) ->
            families.gauge("neighbors", "Neighbours on the ports by the state that the kernel has for them.",
                count, FAMILY, family, "state", state.name().toLowerCase(Locale.ROOT))));
    }

    private void addControl(final MetricFamilies families)
    {
        families.counter("fib_writes", "Prefixes announced to the forwarding tables or withdrawn from them.",
            sample.work().fibWrites());
        families.counter("adjacency_writes", "Adjacencies written.", sample.work().adjacencyWrites());
        families.counter("routes_touched", "Routes added, replaced or removed.", sample.work().routesTouched());
        families.counter("kernel_dumps", "Full dumps of the tables of the kernel.", sample.work().dumps());
        families.gauge("control_longest_cycle_seconds",
            "Longest duty cycle of the control thread since the start: an upper bound of the time until a change is " +
            "in the forwarding table.",
            Unit.nanosToSeconds(sample.longestControlCycleNs()));
        families.counter("neighbor_requests_refused",
            "Requests to resolve a neighbour that the kernel refused, mostly because " +
            "net.ipv4.neigh.default.gc_thresh3 or that of IPv6 is too low.",
            sample.control().refusedNeighborRequests());
        families.gauge("next_hops_unanswered", "Next hops of routes whose neighbour does not answer.",
            sample.control().unansweredNextHops());
        families.counter("fpm_skipped_messages", "Messages of a routing daemon that could not be applied.",
            sample.control().skippedFpmMessages());
        families.gauge("host_restrictions_bypassed", "Packet filters and the like of the host that forwarded frames " +
            "bypass.", sample.restrictionsBypassed());
        families.gauge("host_restrictions_left", "Packet filters and the like of the host whose frames are left to " +
            "the kernel.", sample.restrictionsLeft());
    }

    /** Adds the flows, and the packets of flows that were forwarded. */
    static void addFlows(final MetricFamilies families, final FlowStatus flows, final long packets)
    {
        families.gauge("flows", "Flows: connections that packet filters of the host have accepted and whose packets " +
            "the router forwards.", flows.flows());
        families.gauge("flows_capacity", "Most flows that there can be, 0 if the router never has any.",
            flows.capacity());
        families.counter("flows_learned", "Connections that became flows.", flows.learned());
        families.counter("flows_ended", "Flows that ended: the kernel has their packets again.", flows.ended());
        for (final FlowRefusal refusal : FlowRefusal.values())
        {
            families.counter("flow_refusals", "Established connections that did not become flows, as in show flows.",
                flows.refused(refusal), REASON, refusal.label());
        }
        families.counter("flow_packets", "Received frames of flows that were sent or queued for sending.", packets);
    }

    private void addPauses(final MetricFamilies families)
    {
        for (int worker = 0; worker < sample.pauses().size(); worker++)
        {
            final String[] labels = {"worker", Integer.toString(worker)};
            final JvmPauses pauses = sample.pauses().get(worker);
            families.counter("worker_pauses",
                "Times of 0.1 ms and more in which a worker did not complete a duty cycle.",
                pauses.count() + pauses.lost(), labels);
            families.gauge("worker_longest_pause_seconds", "Longest pause of a worker since the start, of any cause.",
                Unit.nanosToSeconds(pauses.longest().lengthNs()), labels);
            if (sample.safepoints().known())
            {
                families.counter("worker_long_jvm_pauses", "Pauses of a worker with more than 2 ms at safepoints.",
                    pauses.badByJvm(), labels);
                families.gauge("worker_longest_jvm_pause_seconds",
                    "Longest time at safepoints in one pause of a worker since the start.",
                    Unit.nanosToSeconds(pauses.longestByJvm().jvmNs()), labels);
            }
        }
    }

    private void addLossless(final MetricFamilies families, final int port)
    {
        for (int rest = sample.lossless().priorities(); rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            final String[] labels =
                {PORT, sample.ports().get(port).name(), "priority", Integer.toString(priority)};
            for (final PfcCounter counter : PfcCounter.values())
            {
                if (counter.isOf(true))
                {
                    addLossless(families, counter, sample.lossless().get(port, priority, counter), labels);
                }
            }
            families.gauge("pfc_storm", "1 from the detection of a pause storm to its end.",
                truth(sample.lossless().isStorm(port, priority)), labels);
        }
    }

    private static void addLossless(
        final MetricFamilies families, final PfcCounter counter, final long value, final String... labels)
    {
        switch (counter)
        {
            case PAUSED_TX_NS -> families.counter("pfc_paused_tx_seconds",
                "Time for which the router had paused the peer.", Unit.nanosToSeconds(value), labels);
            case PAUSED_RX_NS -> families.counter("pfc_paused_rx_seconds",
                "Time for which the peer had paused the router.", Unit.nanosToSeconds(value), labels);
            case HEADROOM_HIGH_WATER -> families.gauge("pfc_headroom_high_water_bytes", "Most bytes held above xoff.",
                value, labels);
            default -> families.counter("pfc_" + counter.label().replace('-', '_'),
                "Counter " + counter.label() + " of a lossless priority, as in show pfc.", value, labels);
        }
    }

    private long get(final ForwarderCounter counter)
    {
        return sample.fates().get(counter);
    }

    private static int truth(final boolean value)
    {
        return value ? 1 : 0;
    }
}
