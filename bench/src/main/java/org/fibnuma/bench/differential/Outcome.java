package org.fibnuma.bench.differential;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The frames that left a lab, by link and bytes, with their numbers. Left out are frames of neighbour resolution and of
 * group membership, since each side may ask when it likes, and errors about packets that were sent before. In what the
 * machine itself wrote, such as ICMP errors, fields that the kernel draws anew each time are 0: the identification of
 * IPv4 and of IPv6 fragments, and the flow label of IPv6. The order of frames is not compared.
 */
final class Outcome
{
    private static final int ETHERNET = 14;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86DD;
    private static final int ARP = 0x0806;
    private static final int ICMP = 1;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int IGMP = 2;
    /** More Fragments and the fragment offset. */
    private static final int FRAGMENT_OF_IPV4 = 0x3FFF;
    /** Type and code. */
    private static final int HOST_UNREACHABLE = 0x0301;
    private static final int ADDRESS_UNREACHABLE = 0x0103;
    private static final int ECHO_REQUEST = 8;
    private static final int ICMP_HEADER = 8;
    private static final int PORTS_AND_LENGTH = 8;
    private static final int PACKET_TOO_BIG = 2;
    private static final int HOP_BY_HOP = 0;
    private static final int ICMPV6 = 58;
    private static final int FRAGMENT = 44;
    private static final int FRAGMENT_IDENTIFICATION = 58;
    private static final int MLD_FIRST = 130;
    private static final int ND_LAST = 136;
    private static final int MLD2_REPORT = 143;

    private final Map<String, Integer> frames = new TreeMap<>();
    private final Set<String> sources;
    private final boolean isTracked;
    private int redirects;
    private boolean hasForwarded;
    private boolean showsLink;

    /**
     * @param sources source addresses of the packets that were sent, in hexadecimal digits. Frames from other sources
     *                were written by the machine.
     */
    Outcome(final Set<String> sources)
    {
        this(sources, false);
    }

    private Outcome(final Set<String> sources, final boolean isTracked)
    {
        this.sources = sources;
        this.isTracked = isTracked;
    }

    /**
     * Creates one of a machine that tracks connections. It reassembles packets of IPv6, whose fragments then get a new
     * identification. A source port that is not {@link FirewallGenerator#isPort} is 0.
     *
     * @param sources all source addresses of packets that may leave, those of the machine included.
     */
    static Outcome tracked(final Set<String> sources)
    {
        return new Outcome(sources, true);
    }

    void add(final int link, final byte[] frame)
    {
        if (frame.length < ETHERNET)
        {
            return;
        }
        switch (Bytes.u16(frame, 12))
        {
            case ARP:
                return;
            case IPV4:
                addIpv4(link, frame);
                return;
            case IPV6:
                addIpv6(link, frame);
                return;
            default:
                count(link, frame);
        }
    }

    private void addIpv4(final int link, final byte[] frame)
    {
        if (frame.length < ETHERNET + 20 || frame[23] == IGMP)
        {
            return;
        }
        if (OnPurpose.isIpv4Redirect(frame))
        {
            redirects++;
            return;
        }
        if (isLateError(address(frame, 26, 4), address(frame, 30, 4)))
        {
            return;
        }
        final int icmp = ETHERNET + (frame[ETHERNET] & 0xF) * 4;
        final boolean right = Bytes.checksum(Bytes.sum(frame, ETHERNET, (frame[ETHERNET] & 0xF) * 4)) == 0;
        if (right && (!sources.contains(address(frame, 26, 4)) || isTracked && isIcmpError(frame, icmp)))
        {
            Bytes.put16(frame, 18, 0);
            Bytes.put16(frame, 24, 0);
            count(link, shortened(frame, icmp));
        }
        else
        {
            if (isTracked && right && (Bytes.u16(frame, 20) & FRAGMENT_OF_IPV4) == 0)
            {
                clearDrawnPort(frame, icmp, frame[23], Bytes.sum(frame, 26, 8));
            }
            count(link, frame);
        }
    }

    /** Clears a source port that the kernel has drawn because another connection has the sender's, and the checksum. */
    private static void clearDrawnPort(
        final byte[] frame, final int transport, final int protocol, final long addresses)
    {
        final int checksum = transport + (protocol == TCP ? 16 : 6);
        final int length = frame.length - transport;
        if ((protocol == TCP || protocol == UDP) && checksum + 2 <= frame.length &&
            !FirewallGenerator.isPort(Bytes.u16(frame, transport)) &&
            Bytes.checksum(addresses + protocol + length + Bytes.sum(frame, transport, length)) == 0)
        {
            Bytes.put16(frame, transport, 0);
            Bytes.put16(frame, checksum, 0);
        }
    }

    /** Returns whether a frame is an ICMP error. The source of one from the machine may be translated to a host's. */
    private static boolean isIcmpError(final byte[] frame, final int icmp)
    {
        return frame[23] == ICMP && frame.length > icmp && frame[icmp] != 0 && frame[icmp] != ECHO_REQUEST;
    }

    /** Returns an ICMP error about a host that is unreachable without {@link OnPurpose#QUOTATION}, or the frame. */
    private static byte[] shortened(final byte[] frame, final int icmp)
    {
        final int quoted = icmp + ICMP_HEADER;
        if (frame[23] != ICMP || frame.length < quoted + 20 || Bytes.u16(frame, icmp) != HOST_UNREACHABLE ||
            Bytes.checksum(Bytes.sum(frame, icmp, frame.length - icmp)) != 0)
        {
            return frame;
        }
        final int end = quoted + (frame[quoted] & 0xF) * 4 + PORTS_AND_LENGTH;
        final byte[] shortened = Arrays.copyOf(frame, Math.min(end, frame.length));
        Bytes.put16(shortened, 16, 0);
        Bytes.put16(shortened, icmp + 2, 0);
        Bytes.put16(shortened, quoted + 2, 0);
        Bytes.put16(shortened, quoted + 6, 0);
        shortened[quoted + 8] = 0;
        Bytes.put16(shortened, quoted + 10, 0);
        return shortened;
    }

    private void addIpv6(final int link, final byte[] frame)
    {
        if (frame.length < ETHERNET + 40 || isResolutionOrMembership(frame))
        {
            return;
        }
        if (OnPurpose.isIpv6Redirect(frame))
        {
            redirects++;
            return;
        }
        if (isLateError(address(frame, 22, 16), address(frame, 38, 16)))
        {
            return;
        }
        final int icmp = ETHERNET + 40;
        showsLink |= frame[20] == ICMPV6 && frame.length > icmp + 1 &&
            (frame[icmp] == PACKET_TOO_BIG || Bytes.u16(frame, icmp) == ADDRESS_UNREACHABLE);
        if (sources.contains(address(frame, 22, 16)))
        {
            hasForwarded = true;
            if (isTracked && frame[20] == FRAGMENT)
            {
                Bytes.put32(frame, FRAGMENT_IDENTIFICATION, 0);
            }
            else if (isTracked)
            {
                clearDrawnPort(frame, icmp, frame[20], Bytes.sum(frame, 22, 32));
            }
        }
        else
        {
            frame[15] &= (byte)0xF0;
            Bytes.put16(frame, 16, 0);
            if (frame[20] == FRAGMENT)
            {
                Bytes.put32(frame, FRAGMENT_IDENTIFICATION, 0);
            }
            if (frame[20] == ICMPV6 && frame.length >= icmp + ICMP_HEADER + 40 &&
                Bytes.u16(frame, icmp) == ADDRESS_UNREACHABLE && hasRightIcmpv6Checksum(frame))
            {
                frame[icmp + ICMP_HEADER + 7] = 0;
                Bytes.put16(frame, icmp + 2, 0);
            }
        }
        count(link, frame);
    }

    /**
     * Returns whether a frame is from the machine to none of the senders: an error about a packet of before, whose
     * neighbour has not answered for seconds.
     */
    private boolean isLateError(final String source, final String destination)
    {
        return !sources.contains(source) && !sources.contains(destination);
    }

    private static boolean hasRightIcmpv6Checksum(final byte[] frame)
    {
        final int length = frame.length - ETHERNET - 40;
        final long sum = Bytes.sum(frame, 22, 32) + length + ICMPV6 + Bytes.sum(frame, ETHERNET + 40, length);
        return Bytes.checksum(sum) == 0;
    }

    private static boolean isResolutionOrMembership(final byte[] frame)
    {
        final int icmp = frame[20] == ICMPV6 ? ETHERNET + 40 : frame[20] == HOP_BY_HOP ? ETHERNET + 48 : frame.length;
        if (icmp >= frame.length)
        {
            return false;
        }
        final int type = frame[icmp] & 0xFF;
        final boolean isNext = frame[20] == ICMPV6 || frame[54] == ICMPV6;
        return isNext && (type >= MLD_FIRST && type <= ND_LAST || type == MLD2_REPORT);
    }

    private void count(final int link, final byte[] frame)
    {
        frames.merge(link + " " + HexFormat.of().formatHex(frame), 1, Integer::sum);
    }

    /**
     * Returns whether an address, in hexadecimal digits, is one that {@link HostGenerator} gives to the machine, or the
     * anycast address of such a network.
     */
    static boolean isMachine(final String address)
    {
        return address.matches("0a00(..01|..4d|..fe)|0aff0001|c0000008|fd00.*0001|fd00.{4}0{24}|fe80.*ff.*01");
    }

    static String address(final byte[] frame, final int offset, final int length)
    {
        return HexFormat.of().formatHex(frame, offset, offset + length);
    }

    /** Returns the number of ICMP redirects, which are not among the frames. */
    int redirects()
    {
        return redirects;
    }

    /** Returns link and bytes of each frame, with their number. */
    Map<String, Integer> frames()
    {
        return frames;
    }

    boolean isEqualTo(final Outcome other)
    {
        return frames.equals(other.frames);
    }

    /** Returns whether a frame has the source of a packet that was sent. */
    boolean hasForwarded()
    {
        return hasForwarded;
    }

    /** Returns whether there are ICMPv6 errors about the next link: a packet is too long, or no neighbour answers. */
    boolean showsLink()
    {
        return showsLink;
    }

    /** Returns whether both are equal without fragments, where of ICMP errors only addresses, type and code matter. */
    boolean isEqualButErrors(final Outcome other)
    {
        return withoutQuotes().equals(other.withoutQuotes());
    }

    private Map<String, Integer> withoutQuotes()
    {
        final Map<String, Integer> packets = new TreeMap<>();
        frames.forEach((key, number) ->
        {
            final byte[] frame = HexFormat.of().parseHex(key.substring(2));
            final int icmp = ETHERNET + (frame[ETHERNET] & 0xF) * 4;
            final boolean isIpv4 = Bytes.u16(frame, 12) == IPV4;
            final boolean isError = isIpv4 && frame[23] == ICMP && !sources.contains(address(frame, 26, 4));
            if (isIpv4 && (Bytes.u16(frame, 20) & FRAGMENT_OF_IPV4) != 0)
            {
                return;
            }
            packets.merge(isError ? key.substring(0, 26) + address(frame, 26, 8) + address(frame, icmp, 2) : key,
                number, Integer::sum);
        });
        return packets;
    }

    /**
     * Returns whether both have the same packets where link and MAC addresses do not matter, nor does what depends on
     * them: the addresses that a machine records in options, and of errors all but destination, type and code.
     */
    boolean isEqualBehindNextHop(final Outcome other)
    {
        return withoutNextHop().equals(other.withoutNextHop());
    }

    private Map<String, Integer> withoutNextHop()
    {
        final Map<String, Integer> packets = new TreeMap<>();
        frames.forEach((key, number) ->
            packets.merge(withoutNextHop(HexFormat.of().parseHex(key.substring(2))), number, Integer::sum));
        return packets;
    }

    private String withoutNextHop(final byte[] frame)
    {
        final int type = Bytes.u16(frame, 12);
        if (type == IPV4)
        {
            final int end = ETHERNET + (frame[ETHERNET] & 0xF) * 4;
            if (frame[23] == ICMP && !sources.contains(address(frame, 26, 4)))
            {
                return address(frame, 30, 4) + address(frame, end, 2);
            }
            if (end > ETHERNET + 20 && end <= frame.length)
            {
                Bytes.put16(frame, 24, 0);
                Arrays.fill(frame, ETHERNET + 20, end, (byte)0);
            }
        }
        else if (type == IPV6 && frame[20] == ICMPV6 && !sources.contains(address(frame, 22, 16)))
        {
            return address(frame, 38, 16) + address(frame, ETHERNET + 40, 2);
        }
        return address(frame, 12, frame.length - 12);
    }
}
