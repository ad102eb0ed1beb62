package org.fibnuma.bench.forward;

import org.agrona.concurrent.SystemEpochNanoClock;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.pcap.PcapWriter;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;

import java.nio.file.Path;

/** Writes a capture file of frames to many destinations. */
final class PcapTraffic
{
    private static final long SOURCE_MAC = MacAddress.parse("02:00:00:00:03:00");
    private static final int SOURCE = Ipv4Address.parse("10.0.0.2");
    private static final int CHUNK = 2048;
    private static final int TTL = 64;

    private PcapTraffic()
    {
    }

    /**
     * Writes one frame for each destination.
     *
     * @param file         capture file to write.
     * @param destinations IPv4 addresses.
     * @param frameLength  length of each frame in bytes, without FCS.
     */
    static void write(final Path file, final int[] destinations, final int frameLength)
    {
        final HostFrames frames = new HostFrames(ForwardRig.ROUTER_MAC, SOURCE_MAC, SOURCE, frameLength);
        try (MemoryRegion memory = MemoryRegion.ofChunks(1, CHUNK);
            PcapWriter writer = PcapWriter.create(file, SystemEpochNanoClock.INSTANCE))
        {
            for (final int destination : destinations)
            {
                frames.write(memory.address(), destination, IpProtocol.UDP, TTL);
                writer.write(memory.address(), frameLength);
            }
        }
    }
}
