package org.fibnuma.pfc.ecn;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;

/**
 * Marks packets with congestion experienced (RFC 3168 section 5) if the sender supports ECN: ECT(0) or ECT(1). The IPv4
 * checksum is updated (RFC 1624). For one thread; allocates nothing.
 */
public final class EcnMarker
{
    /** The ECN bits of the traffic class. */
    public static final int ECN_MASK = 0x3;
    /** Congestion experienced. */
    public static final int CE = 0x3;

    /** Position of ECN in the second byte of an IPv6 header; the flow label follows below it. */
    private static final int IPV6_ECN_SHIFT = 4;
    private static final double UNIT = 0x1.0p-53;

    private final EcnProfile profile;
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private long random;

    /** Creates a marker for a queue. The seed of the random choice is any number. */
    public EcnMarker(final EcnProfile profile, final long seed)
    {
        this.profile = profile;
        this.random = seed * 2 + 1;
    }

    /**
     * Marks a packet or leaves it unchanged, by the length of the queue.
     *
     * @param packet     address of the IP header; the whole header is present.
     * @param queueBytes length of the queue with the packet.
     * @return true if this call marked the packet.
     */
    public boolean mark(final long packet, final long queueBytes)
    {
        if (queueBytes < profile.minBytes())
        {
            return false;
        }
        final int version = (FrameMemory.getByte(packet) & 0xFF) >> Ipv4HeaderFlyweight.VERSION_SHIFT;
        return version == Ipv4HeaderFlyweight.VERSION_4 ? markIpv4(packet, queueBytes) :
            version == Ipv6HeaderFlyweight.VERSION_6 && markIpv6(packet, queueBytes);
    }

    private boolean markIpv4(final long packet, final long queueBytes)
    {
        final int before = ipv4.wrap(packet).trafficClass();
        if (!isCapable(before & ECN_MASK) || !choose(queueBytes))
        {
            return false;
        }
        final int word = ipv4.versionAndIhl() << Byte.SIZE;
        ipv4.trafficClass(before | CE)
            .checksum(InternetChecksum.afterWordChange(ipv4.checksum(), word | before, word | before | CE));
        return true;
    }

    private boolean markIpv6(final long packet, final long queueBytes)
    {
        final int octet = FrameMemory.getByte(packet + 1) & 0xFF;
        if (!isCapable(octet >> IPV6_ECN_SHIFT & ECN_MASK) || !choose(queueBytes))
        {
            return false;
        }
        FrameMemory.putByte(packet + 1, octet | CE << IPV6_ECN_SHIFT);
        return true;
    }

    private static boolean isCapable(final int ecn)
    {
        return ecn != 0 && ecn != CE;
    }

    /** Draws by xorshift (Marsaglia 2003), which is random enough here and takes three instructions. */
    private boolean choose(final long queueBytes)
    {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (random >>> 11) * UNIT < profile.probability(queueBytes);
    }
}
