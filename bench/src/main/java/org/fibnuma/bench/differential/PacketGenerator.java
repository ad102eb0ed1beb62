package org.fibnuma.bench.differential;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Draws packets of both families: to and from networks of the host's routes, its neighbours, its own addresses and
 * addresses that no router forwards; with sizes around every MTU, all lifetimes, options, extension headers, fragments,
 * ICMP messages and broken headers.
 */
final class PacketGenerator
{
    private static final int ETHERNET = 14;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86DD;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int UDP = 17;
    private static final int TCP = 6;
    private static final int ICMP = 1;
    private static final int ICMPV6 = 58;
    /** That of a rule that {@link RuleGenerator} draws. */
    private static final int RULED_TRAFFIC_CLASS = 0x10;
    private static final int[] LIFETIMES = {64, 64, 64, 64, 64, 64, 255, 3, 2, 2, 1, 1, 0};
    private static final int[] ICMP_TYPES = {8, 8, 8, 0, 3, 11, 12, 17};
    private static final int[] ICMPV6_TYPES = {128, 128, 128, 129, 1, 2, 3, 4, 100};
    private static final int[] OTHER_PROTOCOLS = {50, 47, 132, 89, 136, 253};
    private static final String[] ODD_IPV4 = {"0.0.0.0", "0.1.2.3", "127.0.0.1", "224.0.0.5", "239.1.2.3", "240.0.0.1",
        "255.255.255.255", "169.254.1.1", "10.0.0.255", "10.0.1.255", "10.0.0.0", "10.0.1.0", "192.0.2.2", "192.0.2.3",
        "10.255.0.1", "10.0.1.254", "192.0.0.8", "100.64.0.1"};
    private static final String[] ODD_IPV6 = {"::", "::1", "fe80::2", "fe80::77", "ff02::1", "ff0e::1", "ff05::2",
        "::ffff:198.18.0.1", "fec0::1", "fd00:255::1", "fd00:1::", "fd00:0::", "::198.18.0.1", "64:ff9b::1"};
    /** Record route, loose and strict source route, router alert, end, no operation, unknown, and two broken ones. */
    private static final String[] OPTIONS = {"07070400000000", "070b0400000000000000", "830704c6120001",
        "890704c6120001", "94040000", "00000000", "01010101", "1e0400ff", "07030400", "0702", "86040102"};

    private final Random random;
    private final List<Integer> mtus;

    /**
     * @param random source of all choices.
     * @param mtus   half of the packets are about as long as one of them; at least one.
     */
    PacketGenerator(final Random random, final List<Integer> mtus)
    {
        this.random = random;
        this.mtus = mtus;
    }

    /** Draws a packet; {@code destinations} are networks of both families. */
    Packet draw(final List<Prefix> destinations)
    {
        final int link = random.nextInt(Lab.LINKS);
        final byte[] packet = chance(60) ? ipv4(link, destinations) : ipv6(link, destinations);
        final boolean isIpv4 = packet[ETHERNET] >> 4 == 4;
        ethernet(packet, link, isIpv4 ? IPV4 : IPV6);
        return new Packet(link, chance(92) ? packet : damage(packet));
    }

    private void ethernet(final byte[] frame, final int link, final int type)
    {
        final byte[] destination = switch (random.nextInt(50))
        {
            case 0 -> new byte[] {-1, -1, -1, -1, -1, -1};
            case 1 -> new byte[] {1, 0, 0x5e, 0, 0, 5};
            case 2 -> new byte[] {2, 0, 0, 0, 9, 9};
            case 3 -> new byte[] {0, 0, 0x5e, 0, 1, 1};
            default -> Neighbors.mac(link, Neighbors.MACHINE);
        };
        System.arraycopy(destination, 0, frame, 0, 6);
        System.arraycopy(Neighbors.mac(link, sender(frame, type == IPV4)), 0, frame, 6, 6);
        Bytes.put16(frame, 12, type);
    }

    /** A neighbour has the MAC address that it answers with; packets from elsewhere come by the first one. */
    private static int sender(final byte[] frame, final boolean isIpv4)
    {
        final boolean isNeighbor = isIpv4 ? frame[26] == 10 : frame[22] == (byte)0xfe || frame[23] == 0;
        return isNeighbor ? frame[isIpv4 ? 29 : 37] : Neighbors.FIRST;
    }

    private byte[] ipv4(final int link, final List<Prefix> destinations)
    {
        final byte[] options = chance(6) ? options() : new byte[0];
        final int header = IPV4_HEADER + options.length;
        final byte[] frame = new byte[ETHERNET + size(header + 8)];
        frame[ETHERNET] = (byte)(0x40 | header / 4);
        frame[ETHERNET + 1] = (byte)trafficClass();
        Bytes.put16(frame, 16, frame.length - ETHERNET);
        Bytes.put16(frame, 18, 1 + random.nextInt(0xFFFF));
        Bytes.put16(frame, 20, fragment());
        frame[22] = (byte)LIFETIMES[random.nextInt(LIFETIMES.length)];
        final byte[] destination = ipv4Destination(destinations);
        System.arraycopy(ipv4Source(link, destinations), 0, frame, 26, 4);
        System.arraycopy(destination, 0, frame, 30, 4);
        System.arraycopy(options, 0, frame, ETHERNET + IPV4_HEADER, options.length);
        final int protocol = protocol(ICMP, isMachine(destination));
        frame[23] = (byte)protocol;
        payload(frame, ETHERNET + header, protocol, Bytes.sum(frame, 26, 8));
        Bytes.put16(frame, 24, Bytes.checksum(Bytes.sum(frame, ETHERNET, header)));
        return frame;
    }

    private int trafficClass()
    {
        return chance(10) ? RULED_TRAFFIC_CLASS : chance(20) ? random.nextInt(256) : 0;
    }

    private byte[] options()
    {
        final String text = OPTIONS[random.nextInt(OPTIONS.length)];
        final byte[] option = HexFormat.of().parseHex(text);
        return Arrays.copyOf(option, (option.length + 3) / 4 * 4);
    }

    private int fragment()
    {
        return switch (random.nextInt(40))
        {
            case 0 -> 0x2000;
            case 1 -> 0x2000 | 1 + random.nextInt(100);
            case 2 -> 1 + random.nextInt(100);
            case 3 -> 0x8000;
            case 4 -> 0x6000;
            default -> chance(40) ? 0x4000 : 0;
        };
    }

    private byte[] ipv4Source(final int link, final List<Prefix> destinations)
    {
        final int choice = random.nextInt(100);
        if (choice < 8)
        {
            return address(Neighbors.ipv4(link, Neighbors.FIRST + random.nextInt(200)));
        }
        if (choice < 14)
        {
            return address(ODD_IPV4[random.nextInt(ODD_IPV4.length)]);
        }
        if (choice < 17)
        {
            return address(Neighbors.ipv4(random.nextInt(Lab.LINKS), Neighbors.MACHINE));
        }
        if (choice < 20)
        {
            return destination(destinations, true);
        }
        final int network = choice < 28 ? random.nextInt(Lab.LINKS) : link;
        return new byte[] {(byte)172, (byte)(16 + network), (byte)random.nextInt(256), (byte)random.nextInt(256)};
    }

    private byte[] ipv4Destination(final List<Prefix> destinations)
    {
        final int choice = random.nextInt(100);
        if (choice < 10)
        {
            return address(Neighbors.ipv4(random.nextInt(Lab.LINKS), Neighbors.FIRST + random.nextInt(8)));
        }
        if (choice < 14)
        {
            return address(Neighbors.ipv4(random.nextInt(Lab.LINKS), Neighbors.MACHINE));
        }
        if (choice < 24)
        {
            return address(ODD_IPV4[random.nextInt(ODD_IPV4.length)]);
        }
        return destination(destinations, true);
    }

    private byte[] destination(final List<Prefix> destinations, final boolean isIpv4)
    {
        return HostGenerator.known(destinations, isIpv4, random).draw(random);
    }

    private byte[] ipv6(final int link, final List<Prefix> destinations)
    {
        final byte[] extension = chance(15) ? extension() : new byte[0];
        final int payload = ETHERNET + IPV6_HEADER + extension.length;
        final byte[] frame = new byte[ETHERNET + size(IPV6_HEADER + extension.length + 8)];
        Bytes.put32(frame, ETHERNET, 0x60000000 | trafficClass() << 20 | (chance(20) ? random.nextInt(1 << 20) : 0));
        Bytes.put16(frame, 18, frame.length - ETHERNET - IPV6_HEADER);
        frame[21] = (byte)LIFETIMES[random.nextInt(LIFETIMES.length)];
        final byte[] destination = ipv6Destination(destinations);
        System.arraycopy(ipv6Source(link, destinations), 0, frame, 22, 16);
        System.arraycopy(destination, 0, frame, 38, 16);
        final int protocol = protocol(ICMPV6, isMachine(destination));
        frame[20] = (byte)protocol;
        if (extension.length > 0)
        {
            frame[20] = extension[0];
            System.arraycopy(extension, 0, frame, ETHERNET + IPV6_HEADER, extension.length);
            frame[ETHERNET + IPV6_HEADER] = (byte)protocol;
        }
        payload(frame, payload, protocol, Bytes.sum(frame, 22, 32));
        return frame;
    }

    /** An extension header; its first byte is its own type, in place of the next header's. */
    private byte[] extension()
    {
        final byte[] header = switch (random.nextInt(7))
        {
            case 0 -> new byte[] {0, 0, 1, 4, 0, 0, 0, 0};
            case 1 -> new byte[] {0, 0, 5, 2, 0, 0, 1, 0};
            case 2 -> new byte[] {60, 0, 1, 4, 0, 0, 0, 0};
            case 3 -> new byte[] {43, 0, (byte)random.nextInt(5), 0, 0, 0, 0, 0};
            case 4 -> new byte[] {44, 0, 0, 1, 0, 0, 0, 9};
            case 5 -> new byte[] {44, 0, 0x10, 0, 0, 0, 0, 9};
            default -> new byte[] {0, 0, (byte)0x9e, 4, 0, 0, 0, 0};
        };
        return header;
    }

    private byte[] ipv6Source(final int link, final List<Prefix> destinations)
    {
        final int choice = random.nextInt(100);
        if (choice < 8)
        {
            return address(Neighbors.ipv6(link, Neighbors.FIRST + random.nextInt(98)));
        }
        if (choice < 14)
        {
            return address(ODD_IPV6[random.nextInt(ODD_IPV6.length)]);
        }
        if (choice < 17)
        {
            return address(Neighbors.ipv6(random.nextInt(Lab.LINKS), Neighbors.MACHINE));
        }
        if (choice < 20)
        {
            return destination(destinations, false);
        }
        return Prefix.parse("fd10:" + (choice < 28 ? random.nextInt(Lab.LINKS) : link) + "::/32").draw(random);
    }

    private byte[] ipv6Destination(final List<Prefix> destinations)
    {
        final int choice = random.nextInt(100);
        if (choice < 10)
        {
            return address(Neighbors.ipv6(random.nextInt(Lab.LINKS), Neighbors.FIRST + random.nextInt(8)));
        }
        if (choice < 14)
        {
            return address(Neighbors.ipv6(random.nextInt(Lab.LINKS), Neighbors.MACHINE));
        }
        if (choice < 22)
        {
            return address(ODD_IPV6[random.nextInt(ODD_IPV6.length)]);
        }
        return destination(destinations, false);
    }

    private int protocol(final int icmp, final boolean isMachine)
    {
        final int choice = random.nextInt(100);
        if (choice < 40)
        {
            return UDP;
        }
        if (choice < 65 || isMachine)
        {
            // To the machine itself no TCP, whose answers have checksums that a device completes.
            return isMachine ? icmp : TCP;
        }
        return choice < 90 ? icmp : OTHER_PROTOCOLS[random.nextInt(OTHER_PROTOCOLS.length)];
    }

    private static boolean isMachine(final byte[] address)
    {
        return Outcome.isMachine(HexFormat.of().formatHex(address));
    }

    private void payload(final byte[] frame, final int offset, final int protocol, final long addresses)
    {
        for (int i = offset; i < frame.length; i++)
        {
            frame[i] = (byte)i;
        }
        final int length = frame.length - offset;
        final int checksumOffset;
        switch (protocol)
        {
            case UDP ->
            {
                Bytes.put16(frame, offset, 1024 + random.nextInt(60_000));
                Bytes.put16(frame, offset + 2, chance(50) ? 33_434 : 1 + random.nextInt(60_000));
                Bytes.put16(frame, offset + 4, length);
                checksumOffset = 6;
            }
            case TCP ->
            {
                Bytes.put16(frame, offset, 1024 + random.nextInt(60_000));
                Bytes.put16(frame, offset + 2, 80);
                checksumOffset = length >= 20 ? 16 : -1;
            }
            case ICMP, ICMPV6 ->
            {
                final int[] types = protocol == ICMP ? ICMP_TYPES : ICMPV6_TYPES;
                frame[offset] = (byte)types[random.nextInt(types.length)];
                frame[offset + 1] = (byte)(chance(70) ? 0 : random.nextInt(16));
                checksumOffset = 2;
            }
            default -> checksumOffset = -1;
        }
        if (checksumOffset >= 0)
        {
            Bytes.put16(frame, offset + checksumOffset, 0);
            final long sum = Bytes.sum(frame, offset, length) + (protocol == ICMP ? 0 : addresses + protocol + length);
            Bytes.put16(frame, offset + checksumOffset, Bytes.checksum(sum));
        }
    }

    private int size(final int least)
    {
        final int size = chance(50) ? least + random.nextInt(60) :
            mtus.get(random.nextInt(mtus.size())) + random.nextInt(4) - 1;
        return Math.min(Math.max(size, least), Lab.MTU);
    }

    /** Breaks a header, or adds bytes behind the packet, or cuts it. */
    private byte[] damage(final byte[] frame)
    {
        switch (random.nextInt(7))
        {
            case 0 -> frame[ETHERNET] = (byte)random.nextInt(256);
            case 1 -> frame[ETHERNET + 10] ^= (byte)(1 << random.nextInt(8));
            case 2 -> Bytes.put16(frame, 16, Bytes.u16(frame, 16) + random.nextInt(40) - 20);
            case 3 -> Bytes.put16(frame, 18, Bytes.u16(frame, 18) + random.nextInt(40) - 20);
            case 4 ->
            {
                return Arrays.copyOf(frame, Math.min(frame.length + 1 + random.nextInt(40), ETHERNET + Lab.MTU));
            }
            case 5 ->
            {
                return Arrays.copyOf(frame, ETHERNET + random.nextInt(frame.length - ETHERNET));
            }
            default -> Bytes.put16(frame, 12, chance(50) ? IPV4 : IPV6);
        }
        return frame;
    }

    private static byte[] address(final String text)
    {
        return Prefix.parse(text).address();
    }

    private boolean chance(final int percent)
    {
        return random.nextInt(100) < percent;
    }
}
