package org.fibnuma.core.wire;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What RFC 1812 and RFC 8200 say about one frame to the router, written once more and slowly: it leaves by a link,
 * rewritten to these bytes; it does not leave; or it may do either, where neighbours, options or fragments decide.
 * Without errors and rates.
 */
public final class ReferenceRouter
{
    /** The verdict on a frame: it is forwarded to bytes on a link, or nothing leaves, or this reference cannot say. */
    public enum Fate
    {
        /** It leaves. */
        FORWARDED,
        /** It does not leave. */
        NOT_FORWARDED,
        /** It may do either. */
        UNKNOWN
    }

    /**
     * What becomes of a frame.
     *
     * @param fate  what becomes of the frame.
     * @param link  index of the link that it leaves by; -1 unless it is forwarded.
     * @param bytes from the IP header on, as they leave; empty unless the frame is forwarded.
     */
    public record Verdict(Fate fate, int link, byte[] bytes)
    {
        private static final Verdict NOTHING = new Verdict(Fate.NOT_FORWARDED, -1, new byte[0]);
        private static final Verdict UNKNOWN = new Verdict(Fate.UNKNOWN, -1, new byte[0]);
    }

    private static final int ETHERNET = 14;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86DD;
    private static final int UNKNOWN_LINK = -2;
    private static final int NO_LINK = -1;

    private record Route(BigInteger first, int length, int bits, int link)
    {
        boolean matches(final byte[] address)
        {
            final BigInteger value = new BigInteger(1, address);
            return address.length * Byte.SIZE == bits &&
                value.shiftRight(bits - length).equals(first.shiftRight(bits - length));
        }
    }

    private final List<Route> routes = new ArrayList<>();
    private final int[] mtus;

    /** Takes the longest packet of each link. */
    public ReferenceRouter(final int... mtus)
    {
        this.mtus = mtus.clone();
    }

    /** Adds a route by a link. */
    public void route(final String prefix, final int link)
    {
        final String[] parts = prefix.split("/");
        final byte[] address = address(parts[0]);
        routes.add(new Route(new BigInteger(1, address), Integer.parseInt(parts[1]), address.length * 8, link));
    }

    /** Adds a network of which this reference does not know what happens, as source and as destination. */
    public void unknown(final String prefix)
    {
        route(prefix, UNKNOWN_LINK);
    }

    /** Adds a route that drops. */
    public void drop(final String prefix)
    {
        route(prefix, NO_LINK);
    }

    private static byte[] address(final String text)
    {
        try
        {
            return InetAddress.getByName(text).getAddress();
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalArgumentException(text, ex);
        }
    }

    private int linkOf(final byte[] address)
    {
        int longest = -1;
        int link = NO_LINK;
        for (final Route route : routes)
        {
            if (route.length > longest && route.matches(address))
            {
                longest = route.length;
                link = route.link;
            }
        }
        return link;
    }

    /** Judges a frame that is addressed to the router's port. */
    public Verdict judge(final byte[] frame)
    {
        if (frame.length < ETHERNET)
        {
            return Verdict.NOTHING;
        }
        final byte[] packet = Arrays.copyOfRange(frame, ETHERNET, frame.length);
        switch (u16(frame, 12))
        {
            case IPV4:
                return judgeIpv4(packet);
            case IPV6:
                return judgeIpv6(packet);
            default:
                return Verdict.NOTHING;
        }
    }

    private Verdict judgeIpv4(final byte[] packet)
    {
        if (packet.length < 20 || packet[0] >> 4 != 4 || (packet[0] & 0xF) < 5)
        {
            return Verdict.NOTHING;
        }
        final int header = (packet[0] & 0xF) * 4;
        final int length = u16(packet, 2);
        if (header > packet.length || length < header || length > packet.length || sum(packet, header) != 0xFFFF)
        {
            return Verdict.NOTHING;
        }
        final byte[] source = Arrays.copyOfRange(packet, 12, 16);
        final byte[] destination = Arrays.copyOfRange(packet, 16, 20);
        if (isMartian(source) || isMartian(destination))
        {
            return Verdict.NOTHING;
        }
        final int link = linkOf(destination);
        if (link == UNKNOWN_LINK || linkOf(source) == UNKNOWN_LINK || header > 20)
        {
            return Verdict.UNKNOWN;
        }
        if (link == NO_LINK || (packet[8] & 0xFF) < 2)
        {
            return Verdict.NOTHING;
        }
        if (length > mtus[link])
        {
            return Verdict.UNKNOWN;
        }
        final byte[] sent = Arrays.copyOf(packet, length);
        sent[8]--;
        sent[10] = 0;
        sent[11] = 0;
        final int checksum = ~sum(sent, 20) & 0xFFFF;
        sent[10] = (byte)(checksum >> 8);
        sent[11] = (byte)checksum;
        return new Verdict(Fate.FORWARDED, link, sent);
    }

    private static boolean isMartian(final byte[] address)
    {
        final int first = address[0] & 0xFF;
        return first == 0 || first == 127 || first >= 224;
    }

    private Verdict judgeIpv6(final byte[] packet)
    {
        if (packet.length < 40 || (packet[0] & 0xF0) != 0x60 || 40 + u16(packet, 4) > packet.length)
        {
            return Verdict.NOTHING;
        }
        final byte[] source = Arrays.copyOfRange(packet, 8, 24);
        final byte[] destination = Arrays.copyOfRange(packet, 24, 40);
        if (isReserved(source) || isReserved(destination) || isLinkLocal(source) || isLinkLocal(destination))
        {
            return Verdict.NOTHING;
        }
        final int link = linkOf(destination);
        if (link == UNKNOWN_LINK || linkOf(source) == UNKNOWN_LINK)
        {
            return Verdict.UNKNOWN;
        }
        final int length = 40 + u16(packet, 4);
        if (link == NO_LINK || (packet[7] & 0xFF) < 2 || length > mtus[link])
        {
            return Verdict.NOTHING;
        }
        final byte[] sent = Arrays.copyOf(packet, length);
        sent[7]--;
        return new Verdict(Fate.FORWARDED, link, sent);
    }

    /** RFC 4291: unspecified, loopback, IPv4-mapped, multicast. */
    private static boolean isReserved(final byte[] address)
    {
        final BigInteger value = new BigInteger(1, address);
        return (address[0] & 0xFF) == 0xFF || value.compareTo(BigInteger.ONE) <= 0 ||
            value.shiftRight(32).equals(BigInteger.valueOf(0xFFFF));
    }

    private static boolean isLinkLocal(final byte[] address)
    {
        return (u16(address, 0) & 0xFFC0) == 0xFE80;
    }

    private static int u16(final byte[] bytes, final int offset)
    {
        return (bytes[offset] & 0xFF) << 8 | bytes[offset + 1] & 0xFF;
    }

    /** The ones' complement sum of 16-bit words. */
    private static int sum(final byte[] bytes, final int length)
    {
        int sum = 0;
        for (int i = 0; i < length; i += 2)
        {
            sum += u16(bytes, i);
        }
        while (sum >> 16 != 0)
        {
            sum = (sum & 0xFFFF) + (sum >> 16);
        }
        return sum;
    }
}
