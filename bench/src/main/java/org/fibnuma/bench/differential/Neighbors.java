package org.fibnuma.bench.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The hosts at the far ends of the links. Link L has the networks 10.0.L.0/24 and fd00:L::/64, with the machine as host
 * 1. Neighbours 2 to {@link #LAST_PERMANENT} are permanent entries of the machine's tables. Addresses with one of four
 * last bytes never answer. Every other address answers ARP and neighbour solicitations, with
 * a MAC address that ends with the address's last byte.
 */
final class Neighbors
{
    static final int MACHINE = 1;
    static final int FIRST = 2;
    static final int LAST_PERMANENT = 5;
    /** Number of hosts of a link that never answer. */
    static final int SILENT = 4;

    private static final int FIRST_SILENT = 0xE0;
    private static final int ETHERNET = 14;
    private static final int ARP = 0x0806;
    private static final int ARP_FRAME = 42;
    private static final int ARP_REPLY = 2;
    private static final int ARP_SENDER = 22;
    private static final int ARP_TARGET = 32;
    private static final int ARP_TARGET_ADDRESS = 38;
    private static final int IPV6 = 0x86DD;
    private static final int ICMPV6 = 58;
    private static final int SOLICITATION = 135;
    private static final int ADVERTISEMENT = 136;
    private static final int NS_TARGET = 62;
    private static final int NS_FRAME = 78;
    private static final int SOLICITED_OVERRIDE = 0x60000000;
    private static final int TARGET_LINK_LAYER_ADDRESS = 0x0201;

    private Neighbors()
    {
    }

    static byte[] mac(final int link, final int host)
    {
        return new byte[] {2, 0, 0, 0, (byte)link, (byte)host};
    }

    static String macText(final int link, final int host)
    {
        return String.format("02:00:00:00:%02x:%02x", link, host);
    }

    static String ipv4(final int link, final int host)
    {
        return "10.0." + link + "." + host;
    }

    static String ipv6(final int link, final int host)
    {
        return "fd00:" + link + "::" + host;
    }

    /** Returns an address of a link that never answers; {@code number} is less than {@link #SILENT}. */
    static String silentIpv4(final int link, final int number)
    {
        return ipv4(link, FIRST_SILENT + number);
    }

    /** Returns an address of a link that never answers; {@code number} is less than {@link #SILENT}. */
    static String silentIpv6(final int link, final int number)
    {
        return "fd00:" + link + "::" + Integer.toHexString(FIRST_SILENT + number);
    }

    /** Returns all addresses that never answer. */
    static List<Prefix> silent()
    {
        final List<Prefix> addresses = new ArrayList<>();
        for (int link = 0; link < Lab.LINKS; link++)
        {
            for (int number = 0; number < SILENT; number++)
            {
                addresses.add(Prefix.parse(silentIpv4(link, number)));
                addresses.add(Prefix.parse(silentIpv6(link, number)));
            }
        }
        return addresses;
    }

    private static boolean isSilent(final int host)
    {
        return host >= FIRST_SILENT && host < FIRST_SILENT + SILENT;
    }

    static String linkLocal(final int host)
    {
        return "fe80::" + host;
    }

    /**
     * Returns the answer of a neighbour to a request for its MAC address.
     *
     * @param link  link by which the request left the machine.
     * @param frame any frame.
     * @return the frame to send, or null if this is no request, or one for a neighbour that never answers.
     */
    static byte[] answer(final int link, final byte[] frame)
    {
        if (frame.length >= ARP_FRAME && Bytes.u16(frame, ETHERNET - 2) == ARP && frame[21] == 1)
        {
            return isSilent(frame[ARP_TARGET_ADDRESS + 3] & 0xFF) ? null : answerArp(link, frame);
        }
        if (frame.length >= NS_FRAME && Bytes.u16(frame, ETHERNET - 2) == IPV6 && frame[20] == ICMPV6 &&
            (frame[54] & 0xFF) == SOLICITATION)
        {
            return isSilent(frame[NS_TARGET + 15] & 0xFF) ? null : answerSolicitation(link, frame);
        }
        return null;
    }

    private static byte[] answerArp(final int link, final byte[] request)
    {
        final int host = request[ARP_TARGET_ADDRESS + 3];
        final byte[] reply = Arrays.copyOf(request, ARP_FRAME);
        System.arraycopy(request, 6, reply, 0, 6);
        System.arraycopy(mac(link, host), 0, reply, 6, 6);
        reply[21] = ARP_REPLY;
        System.arraycopy(request, ARP_SENDER, reply, ARP_TARGET, 10);
        System.arraycopy(mac(link, host), 0, reply, ARP_SENDER, 6);
        System.arraycopy(request, ARP_TARGET_ADDRESS, reply, ARP_SENDER + 6, 4);
        return reply;
    }

    private static byte[] answerSolicitation(final int link, final byte[] request)
    {
        final int host = request[NS_TARGET + 15];
        final byte[] reply = new byte[ETHERNET + 40 + 32];
        System.arraycopy(request, 6, reply, 0, 6);
        System.arraycopy(mac(link, host), 0, reply, 6, 6);
        Bytes.put16(reply, 12, IPV6);
        reply[14] = 0x60;
        Bytes.put16(reply, 18, 32);
        reply[20] = ICMPV6;
        reply[21] = (byte)255;
        System.arraycopy(request, NS_TARGET, reply, 22, 16);
        System.arraycopy(request, 22, reply, 38, 16);
        reply[54] = (byte)ADVERTISEMENT;
        Bytes.put32(reply, 58, SOLICITED_OVERRIDE);
        System.arraycopy(request, NS_TARGET, reply, NS_TARGET, 16);
        Bytes.put16(reply, 78, TARGET_LINK_LAYER_ADDRESS);
        System.arraycopy(mac(link, host), 0, reply, 80, 6);
        Bytes.put16(reply, 56, Bytes.checksum(Bytes.sum(reply, 22, 32) + 32 + ICMPV6 + Bytes.sum(reply, 54, 32)));
        return reply;
    }
}
