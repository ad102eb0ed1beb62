package org.fibnuma.bench.pipeline;

import org.fibnuma.bench.acl.RuleGenerator;
import org.fibnuma.bench.acl.RuleShape;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessPacket;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.AccessTable;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Measures the time that an access list at the ingress port adds to each IPv4 frame. Time slices with the list
 * alternate with slices without it, over the same frames: each has the fields of a packet that matches a rule drawn at
 * random, and a destination of the table. All rules permit.
 */
final class PipelineAcl implements PipelineMeasurement
{
    private static final int FRAMES = 1 << 16;
    private static final int FRAME_ROOM = 64;
    private static final int FRAME_LENGTH = 60;
    private static final int TTL = 64;
    private static final int DECIMALS = 3;
    private static final int SEED = 3;

    private final PipelineRig rig;
    private final AccessTable table;
    private final AccessLists lists;
    private final List<AccessRule> rules;
    private final List<AccessPacket> packets = new ArrayList<>();
    private final DpdkTestAcl peer = new DpdkTestAcl();
    private final MemoryRegion frames = MemoryRegion.ofBytes(FRAMES * FRAME_ROOM);
    private final TimedCycle cycle;
    private final RuleShape shape;
    private final int count;
    private Rounds<AccessLists> times = new Rounds<>();
    private int next;

    /** Generates the rules and the frames. */
    PipelineAcl(final PipelineRig rig, final RuleShape shape, final int count)
    {
        this.rig = rig;
        this.shape = shape;
        this.count = count;
        table = rig.accessTable();
        cycle = new TimedCycle(rig);
        final SplittableRandom random = new SplittableRandom(SEED);
        final int[] destinations = rig.destinations();
        final RuleGenerator generator = new RuleGenerator(
            shape, false, SEED, () -> IpAddress.of(destinations[random.nextInt(destinations.length)]));
        rules = generator.rules(count, AccessAction.PERMIT);
        lists = new AccessLists(
            List.of(new AccessList("bench", rules, AccessAction.PERMIT)),
            Arrays.asList("bench", null), Arrays.asList(null, null), 1);
        for (int i = 0; i < FRAMES; i++)
        {
            final AccessPacket packet = generator.packet(rules.get(random.nextInt(count)));
            packets.add(packet);
            write(frames.address() + (long)i * FRAME_ROOM, packet);
        }
    }

    private void write(final long frame, final AccessPacket packet)
    {
        final long header = frame + EthernetHeaderFlyweight.LENGTH;
        new EthernetHeaderFlyweight().wrap(frame)
            .destination(rig.routerMac()).source(LoadedRouter.NEXT_HOP_MAC).etherType(EtherType.IPV4);
        new Ipv4HeaderFlyweight().wrap(header)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5)
            .trafficClass(0)
            .totalLength(FRAME_LENGTH - EthernetHeaderFlyweight.LENGTH)
            .identification(0)
            .flagsAndFragmentOffset(Ipv4HeaderFlyweight.FLAG_DF)
            .ttl(TTL)
            .protocol(packet.protocol())
            .source(packet.source().ipv4())
            .destination(packet.destination().ipv4())
            .computeChecksum();
        final long transport = header + Ipv4HeaderFlyweight.MIN_LENGTH;
        if (AccessRule.hasPorts(packet.protocol()))
        {
            FrameMemory.putShortBE(transport, packet.sourcePort());
            FrameMemory.putShortBE(transport + Short.BYTES, packet.destinationPort());
        }
        else
        {
            FrameMemory.putByte(transport, packet.sourcePort());
            FrameMemory.putByte(transport + Byte.BYTES, packet.destinationPort());
        }
    }

    @Override
    public void measure(final long warmUpNs, final long durationNs)
    {
        for (int i = 0; i < 2; i++)
        {
            slice(AccessLists.NONE, warmUpNs);
            slice(lists, warmUpNs);
        }
        times = TimedCycle.inTurn(
            List.of(AccessLists.NONE, lists), durationNs, inForce -> slice(inForce, TimedCycle.SLICE_NS));
        peer.measure(rules, packets, TimedCycle.BATCH);
    }

    /** Runs for some time and returns the time of a frame in ns. */
    private double slice(final AccessLists inForce, final long durationNs)
    {
        table.replace(inForce);
        long busyNs = 0;
        long offered = 0;
        final long end = System.nanoTime() + durationNs;
        while (System.nanoTime() - end < 0)
        {
            busyNs += cycle.run(this::offer);
            offered += TimedCycle.BATCH;
        }
        return (double)busyNs / offered;
    }

    private void offer()
    {
        final long chunk = rig.hostPool().allocate();
        FrameMemory.copy(frames.address() + (long)next * FRAME_ROOM, chunk + FramePool.HEADROOM, FRAME_LENGTH);
        next = next + 1 & FRAMES - 1;
        rig.leftHostTxQueue().offer(chunk, chunk + FramePool.HEADROOM, FRAME_LENGTH);
    }

    private double with()
    {
        return times.median(lists);
    }

    private double without()
    {
        return times.median(AccessLists.NONE);
    }

    @Override
    public boolean isComplete()
    {
        return rig.fates().isBalanced();
    }

    @Override
    public Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("shape", shape.name().toLowerCase(Locale.ROOT));
        map.put("rules", count);
        map.put("tableBytes", lists.lists().get(0).bytes());
        map.put("nsPerPacketWithout", rounded(without()));
        map.put("nsPerPacketWith", rounded(with()));
        map.put("aclNsPerPacket", rounded(with() - without()));
        if (peer.nsPerPacket() == null)
        {
            map.put("peersMissing", peer.missing());
        }
        else
        {
            map.put("dpdkTestAclNsPerPacket", rounded(peer.nsPerPacket()));
        }
        map.put("slices", times.of(lists).size());
        map.put("dropped", rig.fates().dropped());
        map.put("fateBalanced", rig.fates().isBalanced());
        return map;
    }

    @Override
    public void print(final PrintWriter out)
    {
        out.printf("%-26s %,d of shape %s, %,d bytes of tables%n", "rules", count,
            shape.name().toLowerCase(Locale.ROOT), lists.lists().get(0).bytes());
        out.printf("%-26s %.2f ns a packet without the list, %.2f with it (medians of %d slices in turn)%n",
            "one worker", without(), with(), times.of(lists).size());
        out.printf("%-26s %.2f ns a packet%n", "the list", with() - without());
        out.printf("%-26s %s%n", DpdkTestAcl.PROGRAM, peer.nsPerPacket() == null ? peer.missing() :
            String.format(Locale.ROOT, "%.2f ns a packet, the same rules and packets", peer.nsPerPacket()));
    }

    private static double rounded(final double value)
    {
        return Rounds.rounded(value, DECIMALS);
    }

    @Override
    public void close()
    {
        frames.close();
    }
}
