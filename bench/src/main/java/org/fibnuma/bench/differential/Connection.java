package org.fibnuma.bench.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A connection of TCP, UDP or ICMP echo between two far ends. Each packet has a number, its IPv4 identification or IPv6
 * flow label, which no translation changes. What arrives of the opener's packets tells the answerer whom to answer.
 * Both ports of an echo are its identifier. For one thread.
 */
final class Connection
{
    static final int FIN = 0x01;
    static final int SYN = 0x02;
    static final int RST = 0x04;
    static final int PSH = 0x08;
    static final int ACK = 0x10;

    private static final int ETHERNET = 14;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86DD;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int ICMP = 1;
    private static final int ICMPV6 = 58;
    private static final int TCP_HEADER = 20;
    private static final int UDP_HEADER = 8;
    private static final int ICMP_HEADER = 8;
    private static final int DO_NOT_FRAGMENT = 0x4000;
    private static final int MORE_FRAGMENTS = 0x2000;
    private static final int FRAGMENT = 44;
    private static final int DESTINATION_OPTIONS = 60;
    private static final int HOPS = 64;
    private static final int QUOTED = 64;
    private static final int LONGEST = Lab.MTU - IPV6_HEADER - TCP_HEADER;
    private static final int LONGEST_DATA = 1000;
    private static final int ECHO_REQUEST = 8;
    private static final int ECHO_REQUEST_IPV6 = 128;
    private static final int ECHO_REPLY = 0;
    private static final int ECHO_REPLY_IPV6 = 129;
    private static final int IDENTIFIER = 4;
    private static final int SEQUENCE = 4;
    private static final int ACKNOWLEDGED = 8;
    private static final int LIFETIME_OF_IPV4 = 22;
    private static final int LIFETIME_OF_IPV6 = 21;
    /** With flags that no segment of an established connection has, and with some that it may have. */
    private static final int[] ODD_FLAGS = {0, PSH, 0x20, 0x20 | ACK, 0xC0 | ACK, 0x40 | PSH | ACK, FIN | SYN, FIN,
        SYN | RST, 0x3F, 0x29};

    private final Random random;
    private final boolean isIpv4;
    private final boolean isTcp;
    private final boolean isEcho;
    private final Side opener;
    private final Side answerer = new Side();
    private byte[] lastArrival = new byte[0];
    private boolean isClosing;

    /**
     * @param random of what it draws.
     * @param port   of the opener, which no other connection has.
     */
    Connection(final Random random, final int port)
    {
        this.random = random;
        isIpv4 = random.nextInt(3) > 0;
        final int kind = random.nextInt(5);
        isTcp = kind < 2;
        isEcho = kind == 4;
        opener = new Side();
        opener.link = random.nextInt(Lab.LINKS);
        opener.host = Neighbors.FIRST + random.nextInt(FirewallGenerator.HOSTS);
        opener.own = address(opener.link, opener.host);
        opener.ownPort = port;
        // The machine answers an echo to its own address itself.
        final boolean isTranslated = random.nextInt(4) == 0 && !isEcho;
        final int link = isTranslated || random.nextInt(6) == 0 ? opener.link : random.nextInt(Lab.LINKS);
        opener.peer = address(link, isTranslated ? Neighbors.MACHINE :
            Neighbors.FIRST + (opener.host + random.nextInt(FirewallGenerator.HOSTS - 1) - 1) %
            FirewallGenerator.HOSTS);
        opener.peerPort = isTranslated ? FirewallGenerator.TRANSLATED_PORT :
            FirewallGenerator.PORTS[random.nextInt(FirewallGenerator.PORTS.length)];
        opener.sequence = random.nextInt();
        answerer.sequence = random.nextInt();
    }

    private byte[] address(final int link, final int host)
    {
        return Prefix.parse(isIpv4 ? Neighbors.ipv4(link, host) : Neighbors.ipv6(link, host)).address();
    }

    boolean isTcp()
    {
        return isTcp;
    }

    /** Returns whether a packet was drawn that closes it. */
    boolean isClosing()
    {
        return isClosing;
    }

    /** Returns whether the answerer has received a packet. */
    boolean isOpen()
    {
        return answerer.own != null;
    }

    /** Returns a segment without data of the opener, or of the answerer; none if that has received nothing. */
    List<Packet> segment(final boolean fromOpener, final int flags, final int number)
    {
        return fromOpener || isOpen() ? send(fromOpener, packet(fromOpener, flags, 0, number)) : List.of();
    }

    /** Returns a packet with some data; none if the sender is the answerer and has received nothing. */
    List<Packet> data(final boolean fromOpener, final int number)
    {
        return fromOpener || isOpen() ?
            send(fromOpener, packet(fromOpener, PSH | ACK, 1 + number % LONGEST_DATA, number)) : List.of();
    }

    /** Draws a packet as one that the router has to tell from plain data. */
    List<Packet> odd(final boolean fromOpener, final int number)
    {
        if (!fromOpener && !isOpen())
        {
            return List.of();
        }
        final byte[] frame = packet(fromOpener, PSH | ACK, random.nextInt(4) == 0 ? 0 : random.nextInt(1400), number);
        final int transport = ETHERNET + header();
        switch (random.nextInt(18))
        {
            case 0 -> frame[isIpv4 ? LIFETIME_OF_IPV4 : LIFETIME_OF_IPV6] = (byte)(1 + random.nextInt(3));
            case 1 -> frame[isIpv4 ? LIFETIME_OF_IPV4 : LIFETIME_OF_IPV6] = (byte)(128 + random.nextInt(128));
            case 2 ->
            {
                // The traffic class of IPv6 is between version and flow label.
                Bytes.put16(frame, ETHERNET, isIpv4 ? 0x4500 | random.nextInt(256) :
                    Bytes.u16(frame, ETHERNET) | random.nextInt(256) << 4);
            }
            case 3 ->
            {
                return send(fromOpener, finish(withOptions(frame)));
            }
            case 4 ->
            {
                return fragments(fromOpener, frame);
            }
            case 5, 6 ->
            {
                final int link = (side(fromOpener).link + 1 + random.nextInt(Lab.LINKS - 1)) % Lab.LINKS;
                System.arraycopy(Neighbors.mac(link, Neighbors.MACHINE), 0, frame, 0, 6);
                return List.of(new Packet(link, frame));
            }
            case 7 -> flags(frame, SYN);
            case 8 -> flags(frame, RST | ACK);
            case 9, 10 -> flags(frame, FIN | ACK);
            case 11, 12 ->
            {
                return lastArrival.length == 0 || !isOpen() ? send(fromOpener, frame) :
                    List.of(new Packet(answerer.link, error(number)));
            }
            case 13 -> flags(frame, ODD_FLAGS[random.nextInt(ODD_FLAGS.length)]);
            case 14 ->
            {
                final int length = transport + random.nextInt(isTcp ? TCP_HEADER : UDP_HEADER);
                return send(fromOpener, finish(Arrays.copyOf(frame, length)));
            }
            case 15 ->
            {
                // A data offset or a length of UDP that may not be that of the packet.
                if (isTcp)
                {
                    frame[transport + 12] = (byte)(random.nextInt(16) << 4);
                }
                else if (!isEcho)
                {
                    Bytes.put16(frame, transport + 4, random.nextInt(1500));
                }
            }
            case 16 ->
            {
                return send(fromOpener, Arrays.copyOf(frame, frame.length + 1 + random.nextInt(40)));
            }
            default ->
            {
                if (!isTcp && !isEcho && isIpv4)
                {
                    Bytes.put16(frame, transport + 6, 0);
                    return send(fromOpener, frame);
                }
                return send(fromOpener, packet(fromOpener, ACK, LONGEST - random.nextInt(2), number));
            }
        }
        return send(fromOpener, finish(frame));
    }

    private void flags(final byte[] frame, final int flags)
    {
        if (isTcp)
        {
            frame[ETHERNET + header() + 13] = (byte)flags;
            isClosing |= (flags & (FIN | RST | SYN)) != 0;
        }
    }

    private Side side(final boolean isOpener)
    {
        return isOpener ? opener : answerer;
    }

    private List<Packet> send(final boolean fromOpener, final byte[] frame)
    {
        return List.of(new Packet(side(fromOpener).link, frame));
    }

    private int header()
    {
        return isIpv4 ? IPV4_HEADER : IPV6_HEADER;
    }

    private byte[] packet(final boolean fromOpener, final int flags, final int dataLength, final int number)
    {
        final Side from = side(fromOpener);
        final int transport = ETHERNET + header();
        final int data = transport + (isTcp ? TCP_HEADER : UDP_HEADER);
        final byte[] frame = new byte[data + dataLength];
        System.arraycopy(Neighbors.mac(from.link, Neighbors.MACHINE), 0, frame, 0, 6);
        System.arraycopy(Neighbors.mac(from.link, from.host), 0, frame, 6, 6);
        network(frame, from.own, from.peer, protocol(), number);
        if (isEcho)
        {
            frame[transport] = (byte)(fromOpener ? isIpv4 ? ECHO_REQUEST : ECHO_REQUEST_IPV6 :
                isIpv4 ? ECHO_REPLY : ECHO_REPLY_IPV6);
            Bytes.put16(frame, transport + IDENTIFIER, from.ownPort);
            Bytes.put16(frame, transport + IDENTIFIER + 2, number);
        }
        else
        {
            Bytes.put16(frame, transport, from.ownPort);
            Bytes.put16(frame, transport + 2, from.peerPort);
        }
        if (isTcp)
        {
            Bytes.put32(frame, transport + SEQUENCE, from.sequence);
            Bytes.put32(frame, transport + ACKNOWLEDGED, flags == SYN ? 0 : side(!fromOpener).sequence);
            frame[transport + 12] = TCP_HEADER / 4 << 4;
            frame[transport + 13] = (byte)flags;
            Bytes.put16(frame, transport + 14, 0xFFFF);
        }
        else if (!isEcho)
        {
            Bytes.put16(frame, transport + 4, frame.length - transport);
        }
        for (int i = data; i < frame.length; i++)
        {
            frame[i] = (byte)(number * 31 + i);
        }
        return finish(frame);
    }

    private int protocol()
    {
        return isTcp ? TCP : isEcho ? isIpv4 ? ICMP : ICMPV6 : UDP;
    }

    private void network(
        final byte[] frame, final byte[] source, final byte[] destination, final int protocol, final int number)
    {
        Bytes.put16(frame, 12, isIpv4 ? IPV4 : IPV6);
        if (isIpv4)
        {
            frame[ETHERNET] = 0x45;
            Bytes.put16(frame, 18, number);
            Bytes.put16(frame, 20, DO_NOT_FRAGMENT);
            frame[LIFETIME_OF_IPV4] = HOPS;
            frame[23] = (byte)protocol;
        }
        else
        {
            Bytes.put32(frame, ETHERNET, 0x60000000 | number);
            frame[20] = (byte)protocol;
            frame[LIFETIME_OF_IPV6] = HOPS;
        }
        System.arraycopy(source, 0, frame, isIpv4 ? 26 : 22, source.length);
        System.arraycopy(destination, 0, frame, isIpv4 ? 30 : 38, destination.length);
    }

    /** Sets lengths and checksums of a packet that may have options, and is as long as the frame. */
    private byte[] finish(final byte[] frame)
    {
        int transport = ETHERNET + header();
        int protocol = frame[20];
        if (isIpv4)
        {
            transport = ETHERNET + (frame[ETHERNET] & 0xF) * 4;
            protocol = frame[23];
            Bytes.put16(frame, 16, frame.length - ETHERNET);
            Bytes.put16(frame, 24, 0);
            Bytes.put16(frame, 24, Bytes.checksum(Bytes.sum(frame, ETHERNET, transport - ETHERNET)));
        }
        else
        {
            Bytes.put16(frame, 18, frame.length - ETHERNET - IPV6_HEADER);
            if (protocol == DESTINATION_OPTIONS)
            {
                protocol = frame[transport];
                transport += 8;
            }
        }
        final int checksum = transport + switch (protocol)
        {
            case TCP -> 16;
            case UDP -> 6;
            default -> 2;
        };
        if (checksum + 2 <= frame.length)
        {
            final long addresses = isIpv4 ? protocol == ICMP ? 0 : Bytes.sum(frame, 26, 8) : Bytes.sum(frame, 22, 32);
            final long pseudo = isIpv4 && protocol == ICMP ? 0 : addresses + protocol + frame.length - transport;
            Bytes.put16(frame, checksum, 0);
            final int value = Bytes.checksum(pseudo + Bytes.sum(frame, transport, frame.length - transport));
            Bytes.put16(frame, checksum, value == 0 && protocol == UDP ? 0xFFFF : value);
        }
        return frame;
    }

    private byte[] withOptions(final byte[] frame)
    {
        final int at = ETHERNET + header();
        final int length = isIpv4 ? 4 : 8;
        final byte[] longer = Arrays.copyOf(frame, frame.length + length);
        System.arraycopy(frame, at, longer, at + length, frame.length - at);
        if (isIpv4)
        {
            longer[ETHERNET] = 0x46;
            Arrays.fill(longer, at, at + length, (byte)1);
        }
        else
        {
            Arrays.fill(longer, at, at + length, (byte)0);
            longer[at] = frame[20];
            longer[at + 2] = 1;
            longer[at + 3] = 4;
            longer[20] = DESTINATION_OPTIONS;
        }
        return longer;
    }

    /** Splits a packet whose data is at least as long as two fragments need. */
    private List<Packet> fragments(final boolean fromOpener, final byte[] frame)
    {
        final int transport = ETHERNET + header();
        final int first = 24;
        if (frame.length - transport <= first)
        {
            return send(fromOpener, frame);
        }
        final List<Packet> packets = new ArrayList<>();
        for (int at = 0; at < frame.length - transport; at += at == 0 ? first : frame.length)
        {
            final int extension = isIpv4 ? 0 : 8;
            final int end = at == 0 ? first : frame.length - transport;
            final byte[] fragment = Arrays.copyOf(frame, transport + extension + end - at);
            System.arraycopy(frame, transport + at, fragment, transport + extension, end - at);
            if (isIpv4)
            {
                Bytes.put16(fragment, 20, at == 0 ? MORE_FRAGMENTS : at / 8);
                Bytes.put16(fragment, 16, fragment.length - ETHERNET);
                Bytes.put16(fragment, 24, 0);
                Bytes.put16(fragment, 24, Bytes.checksum(Bytes.sum(fragment, ETHERNET, IPV4_HEADER)));
            }
            else
            {
                Bytes.put16(fragment, 18, fragment.length - ETHERNET - IPV6_HEADER);
                fragment[20] = FRAGMENT;
                fragment[transport] = frame[20];
                fragment[transport + 1] = 0;
                Bytes.put16(fragment, transport + 2, at | (at == 0 ? 1 : 0));
                Bytes.put32(fragment, transport + 4, number(frame));
            }
            packets.addAll(send(fromOpener, fragment));
        }
        return packets;
    }

    /** Returns an error of the answerer about the last packet of the opener that it has received. */
    private byte[] error(final int number)
    {
        final int transport = ETHERNET + header();
        final byte[] frame = new byte[Math.min(lastArrival.length - ETHERNET, QUOTED) + transport + ICMP_HEADER];
        System.arraycopy(Neighbors.mac(answerer.link, Neighbors.MACHINE), 0, frame, 0, 6);
        System.arraycopy(Neighbors.mac(answerer.link, answerer.host), 0, frame, 6, 6);
        network(frame, answerer.own, answerer.peer, isIpv4 ? ICMP : ICMPV6, number);
        final int kind = random.nextInt(3);
        frame[transport] = (byte)(isIpv4 ? kind == 2 ? 11 : 3 : 1 + kind);
        frame[transport + 1] = (byte)(isIpv4 ? kind == 0 ? 3 : kind == 1 ? 4 : 0 : kind == 0 ? 4 : 0);
        Bytes.put16(frame, transport + 6, kind == 1 ? 1300 : 0);
        System.arraycopy(lastArrival, ETHERNET, frame, transport + ICMP_HEADER, frame.length - transport - ICMP_HEADER);
        return finish(frame);
    }

    /** Returns the number of a packet, or 0 for a frame that is none. */
    static int number(final byte[] frame)
    {
        return switch (frame.length < ETHERNET + IPV4_HEADER ? 0 : Bytes.u16(frame, 12))
        {
            case IPV4 -> Bytes.u16(frame, 18);
            case IPV6 -> (frame[15] & 0xF) << Short.SIZE | Bytes.u16(frame, 16);
            default -> 0;
        };
    }

    /**
     * Takes notice that a packet of {@link #segment} or {@link #data} has arrived.
     *
     * @param link  where.
     * @param frame as it was there.
     */
    void onArrival(final boolean fromOpener, final int link, final byte[] frame)
    {
        final int transport = ETHERNET + header();
        final int source = isIpv4 ? 26 : 22;
        final int destination = isIpv4 ? 30 : 38;
        final int port = Bytes.u16(frame, isEcho ? transport + IDENTIFIER : transport);
        // A port that the kernel has drawn is not the same in both labs, so that nobody answers it.
        if (fromOpener && FirewallGenerator.isPort(port))
        {
            answerer.link = link;
            answerer.host = frame[5];
            answerer.own = Arrays.copyOfRange(frame, destination, destination + opener.own.length);
            answerer.peer = Arrays.copyOfRange(frame, source, source + opener.own.length);
            answerer.ownPort = isEcho ? port : Bytes.u16(frame, transport + 2);
            answerer.peerPort = port;
            lastArrival = frame;
        }
        if (isTcp)
        {
            final int flags = frame[transport + 13];
            side(fromOpener).sequence +=
                frame.length - transport - TCP_HEADER + ((flags & (SYN | FIN)) == 0 ? 0 : 1);
        }
    }

    @Override
    public String toString()
    {
        return (isTcp ? "TCP " : isEcho ? "echo " : "UDP ") + text(opener) +
            (isOpen() ? ", at the other end " + text(answerer) : "");
    }

    private static String text(final Side side)
    {
        return "r" + side.link + " " + Outcome.address(side.own, 0, side.own.length) + ":" + side.ownPort + " > " +
            Outcome.address(side.peer, 0, side.peer.length) + ":" + side.peerPort;
    }

    /** One end, as it sees itself and the other. */
    private static final class Side
    {
        private int link;
        private int host;
        private byte[] own;
        private int ownPort;
        private byte[] peer;
        private int peerPort;
        private int sequence;
    }
}
