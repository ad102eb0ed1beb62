package org.fibnuma.pfc.config;

import org.fibnuma.core.config.TomlSection;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.pfc.headroom.Headroom;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.quanta.LinkSpeed;

/** Reads the keys that {@code [pfc]} and {@code [[pfc.port]]} have in common. */
final class PfcLinkReader
{
    static final String XOFF = "xoff-bytes";
    static final String XON = "xon-bytes";
    static final String HEADROOM = "headroom-bytes";

    private static final int MAX_BYTES = Integer.MAX_VALUE;
    /** Without a limit of memory: as many full frames as an egress FIFO of the router holds by default. */
    private static final int DEFAULT_XOFF_FRAMES = 64;
    /** The paper's marks are 9/10 and 1/10 of a queue. */
    private static final int XOFF_TO_XON = 9;

    private final long shareBytes;
    private final int line;
    private long bitsPerSecond = 10 * LinkSpeed.GIGABIT;
    private double cableMeters = HeadroomRequest.DEFAULT_CABLE_METERS;
    private int mtu = EthernetHeaderFlyweight.MAX_PAYLOAD_LENGTH;
    private double pollMicros = HeadroomRequest.DEFAULT_POLL_NANOS / 1e3;
    private int ringFrames = HeadroomRequest.DEFAULT_RING_FRAMES;
    private int xoffBytes;
    private int xonBytes;
    private int headroomBytes;
    private MacFlowControl mac = MacFlowControl.OFF;

    /** Starts with defaults; share is what a lossless priority of a port has of the memory, 0 for any amount. */
    PfcLinkReader(final long shareBytes, final int line)
    {
        this.shareBytes = shareBytes;
        this.line = line;
    }

    /** Starts with what another table said. */
    private PfcLinkReader(final PfcLinkReader base, final int line)
    {
        this(base.shareBytes, line);
        bitsPerSecond = base.bitsPerSecond;
        cableMeters = base.cableMeters;
        mtu = base.mtu;
        pollMicros = base.pollMicros;
        ringFrames = base.ringFrames;
        xoffBytes = base.xoffBytes;
        xonBytes = base.xonBytes;
        headroomBytes = base.headroomBytes;
        mac = base.mac;
    }

    PfcLinkReader overriddenAt(final int overridingLine)
    {
        return new PfcLinkReader(this, overridingLine);
    }

    PfcLinkReader read(final TomlSection section)
    {
        bitsPerSecond = section.parsed("speed", LinkSpeed::parse, bitsPerSecond);
        cableMeters = section.number("cable-m", 0, 100_000, cableMeters);
        mtu = section.integer("mru", 64, 0xFFFF, mtu);
        pollMicros = section.number("poll-us", 0, 10_000_000, pollMicros);
        ringFrames = section.integer("ring-frames", 0, 1 << 16, ringFrames);
        xoffBytes = section.integer(XOFF, 1, MAX_BYTES, xoffBytes);
        xonBytes = section.integer(XON, 0, MAX_BYTES, xonBytes);
        headroomBytes = section.integer(HEADROOM, 0, MAX_BYTES, headroomBytes);
        mac = section.parsed("mac", MacFlowControl::of, mac);
        return this;
    }

    PfcLink link(final String port, final TomlSection section)
    {
        Headroom needed;
        try
        {
            needed = HeadroomModel.OWN.compute(new HeadroomRequest(bitsPerSecond)
                .cableMeters(cableMeters).mtu(mtu).pollNanos(Math.round(pollMicros * 1e3)).ringFrames(ringFrames));
        }
        catch (final IllegalArgumentException ex)
        {
            section.wrong("speed", ex.getMessage());
            needed = HeadroomModel.OWN.compute(new HeadroomRequest(LinkSpeed.GIGABIT));
        }
        final long headroom = headroomBytes > 0 ? headroomBytes : needed.xoff();
        final long xoff = xoffBytes > 0 ? xoffBytes : defaultXoff(headroom);
        return new PfcLink(
            port, line, bitsPerSecond, xoff, section.has(XON) || xonBytes > 0 ? xonBytes : xoff / XOFF_TO_XON, headroom,
            needed, mac);
    }

    private long defaultXoff(final long headroom)
    {
        return shareBytes > 0 ? shareBytes - headroom :
            DEFAULT_XOFF_FRAMES * (long)(mtu + EthernetHeaderFlyweight.LENGTH);
    }
}
