package org.fibnuma.bench.fuzz;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.ipnuma.config.NetworkConfig;
import org.fibnuma.ipnuma.endpoint.EndpointAgent;
import org.fibnuma.ipnuma.endpoint.EndpointContext;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.PeerTable;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.DatagramCodec;
import org.fibnuma.ipnuma.wire.IpnumaPorts;
import org.fibnuma.ipnuma.wire.UdpFrameTemplate;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.util.SplittableRandom;

/**
 * Sends whole frames to the port of an endpoint; Ethernet, IPv4 and UDP headers are mutated too. Each batch starts with
 * a new endpoint and new peers.
 */
final class EndpointFormat implements FuzzFormat, FuzzPort.Watcher
{
    private static final int OWN_IPV4 = Ipv4Address.parse("10.9.0.1");
    private static final long PEER_MAC = 0x0200_0000_0002L;
    private static final int COUNTERS = 256;
    private static final int HEADERS = UdpFrameTemplate.HEADER_LENGTH;
    /** Largest number of answers: the completions of one read of 4,096 bytes. */
    private static final int MAX_ANSWERS = 4;
    private static final long START_NS = 1_000_000_000L;

    private final FuzzTally tally = new FuzzTally();
    private final WireFormat format;
    private final RegionTable regions;
    private final SplittableRandom random;
    private final LegacySource legacy;
    private final MemoryRegion counters =
        MemoryRegion.ofBytes(COUNTERS * (CountersReader.METADATA_LENGTH + CountersReader.COUNTER_LENGTH));
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private FibnumaSource source;
    private FuzzPort port;
    private EndpointAgent agent;
    private UdpFrameTemplate template;
    private int sourceIpv4;
    private int epoch;
    private long nowNs = START_NS;
    private int answers;
    private int answerBytes;
    private String fault;

    EndpointFormat(
        final WireFormat format, final DatagramCodec codec, final RegionTable regions, final SplittableRandom random)
    {
        this.format = format;
        this.regions = regions;
        this.random = random;
        legacy = codec == null ? null : new LegacySource(codec, random);
    }

    @Override
    public String label()
    {
        return "endpoint " + format.label();
    }

    @Override
    public boolean hasKeys()
    {
        return format.isKeyed();
    }

    @Override
    public void begin(final int address)
    {
        end();
        sourceIpv4 = address;
        port = new FuzzPort(this);
        final PeerTable peers = new PeerTable();
        peers.add(peer(2, FuzzArena.KNOWN_SOURCE));
        peers.add(peer(3, FuzzArena.UNKNOWN_SOURCE));
        final NetworkConfig network = new NetworkConfig(OWN_IPV4, 1, 0, 0);
        agent = new EndpointAgent(new EndpointContext()
            .port(port)
            .framePool(port.pool())
            .network(network)
            .peers(peers)
            .regions(regions)
            .counters(counters())
            .clock(() -> nowNs)
            .sessionSettings(new SessionSettings().epoch(7).random(new SplittableRandom(77)))
            .conclude());
        template = new UdpFrameTemplate(
            PEER_MAC, network.macAddress(0), address, OWN_IPV4, udpPort(), udpPort());
        if (legacy == null)
        {
            source = new FibnumaSource(random, ++epoch);
        }
    }

    private CountersManager counters()
    {
        FrameMemory.zero(counters.address(), (int)counters.size());
        final long values = counters.address() + COUNTERS * CountersReader.METADATA_LENGTH;
        return new CountersManager(
            new UnsafeBuffer(counters.address(), COUNTERS * CountersReader.METADATA_LENGTH),
            new UnsafeBuffer(values, COUNTERS * CountersReader.COUNTER_LENGTH));
    }

    private Peer peer(final int pcId, final int address)
    {
        final Peer peer = new Peer(pcId, address, format);
        peer.mac(PEER_MAC);
        return peer;
    }

    private int udpPort()
    {
        return format == WireFormat.NETTLP ? IpnumaPorts.NETTLP_REQUESTER + 5 : IpnumaPorts.IPNUMA;
    }

    @Override
    public String attack(final long payload, final Mutator mutator)
    {
        nowNs += random.nextInt(64) == 0 ? random.nextInt(2_000_000) : random.nextInt(2_000);
        answers = 0;
        answerBytes = 0;
        tally.lastLength = legacy == null ? source.next(payload, nowNs) : legacy.next(payload);
        final boolean spoilsHeaders = random.nextInt(4) == 0;
        if (!spoilsHeaders)
        {
            tally.lastLength = mutator.mutate(payload, tally.lastLength);
            if (legacy == null)
            {
                source.repair(payload, tally.lastLength);
            }
        }
        final long frame = payload - HEADERS;
        Mutator.frame(frame, HEADERS + tally.lastLength);
        int frameLength = template.write(frame, tally.lastLength, random.nextInt(4));
        if (spoilsHeaders)
        {
            frameLength = mutator.mutate(frame, Math.min(frameLength, Mutator.MAX_LENGTH));
            tally.lastLength = Math.max(0, frameLength - HEADERS);
            repairChecksum(frame, frameLength);
        }
        port.inject(frame, frameLength);
        agent.doWork();
        return verdict(frameLength);
    }

    private void repairChecksum(final long frame, final int length)
    {
        if (length >= HEADERS && random.nextInt(8) > 0)
        {
            ipv4.wrap(frame + EthernetHeaderFlyweight.LENGTH);
            if (ipv4.headerLength() <= length - EthernetHeaderFlyweight.LENGTH)
            {
                ipv4.computeChecksum();
            }
        }
    }

    private String verdict(final int frameLength)
    {
        if (fault == null && !port.isWhole() && answers == 0)
        {
            return legacy == null ? null : "a chunk of the frame pool was not returned";
        }
        if (legacy != null && answers > MAX_ANSWERS)
        {
            fault = answers + " answers";
        }
        if (legacy != null && sourceIpv4 == FuzzArena.UNKNOWN_SOURCE && answerBytes > Math.max(frameLength, HEADERS))
        {
            fault = answerBytes + " bytes of answers to a frame of " + frameLength + " bytes from an unknown source";
        }
        return fault;
    }

    @Override
    public void onFrame(final long frame, final int length)
    {
        answers++;
        answerBytes += length;
        if (FuzzArena.isLeak(frame, length))
        {
            fault = "an answer contains bytes that no peer may read";
        }
        if (source != null && length > HEADERS && random.nextInt(8) > 0)
        {
            source.receive(frame + HEADERS, length - HEADERS, nowNs);
        }
    }

    @Override
    public FuzzTally tally()
    {
        return tally;
    }

    private void end()
    {
        if (agent == null)
        {
            return;
        }
        final boolean isBalanced = agent.counters().isBalanced();
        final long delivered = agent.counters().get(EndpointCounter.DELIVERED);
        tally.taken += delivered;
        tally.refused += agent.counters().get(EndpointCounter.RECEIVED) - delivered;
        agent.onClose();
        agent = null;
        port.close();
        if (source != null)
        {
            source.close();
            source = null;
        }
        if (!isBalanced)
        {
            fault = "received frames without a recorded fate";
        }
    }

    @Override
    public void close()
    {
        end();
        counters.close();
        if (legacy != null)
        {
            legacy.close();
        }
    }
}
